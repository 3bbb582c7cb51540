"""The cast list and the voice ledger of a novel from one reading of its texts, which is what takes long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.backends import Backends, Progress, silent
from core.novel.cast import CastList, by_text, cast_of, check_segments
from core.novel.mentions import Mention, check_language, read_texts
from core.novel.voice import VoiceLedger, VoiceQuotation, ledger_of, quoted


def cast_and_voices(
    references: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    backends: Backends,
    *,
    lang: str,
    documents: Sequence[str],
    progress: Progress = silent,
) -> tuple[CastList, VoiceLedger]:
    """What `cast` and `voices` find, each text read once.

    references: one text a segment. systems: translations of each. documents: of each segment. progress:
    called with (done, total) texts. Raises InputError for another language than `LANGUAGES` and for other
    numbers of segments.
    """
    check_language(lang)
    check_segments(references, systems)
    parts = by_text(progress, references, systems)
    own, said = _read(references, documents, backends, lang, next(parts))
    theirs: dict[str, list[list[Mention]]] = {}
    spoken: dict[str, list[VoiceQuotation]] = {}
    for name, texts in systems.items():
        theirs[name], spoken[name] = _read(texts, documents, backends, lang, next(parts))
    return tuple(cast_of(own, theirs)), ledger_of(said, spoken, lang)


def _read(
    texts: Sequence[str], documents: Sequence[str], backends: Backends, lang: str, progress: Progress
) -> tuple[list[list[Mention]], list[VoiceQuotation]]:
    read = read_texts(texts, backends, lang=lang, progress=progress)
    return read.mentions, quoted(texts, documents, read, lang)
