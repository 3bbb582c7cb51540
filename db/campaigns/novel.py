"""What runs through a campaign's whole novel: its cast list and its voices, computed once and stored.

What is stored belongs to the texts and the program it was computed from; with other texts, or by another
version, it counts as not there.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine

from core import __version__
from core.backends import Backends, Progress, silent
from core.errors import InputError
from core.novel.cast import CastList
from core.novel.discourse import Discourse, discourse
from core.novel.documents import NovelOutline, models_of
from core.novel.gathering import cast_and_voices
from core.novel.voice import VoiceLedger
from core.text.japanese import plain
from core.text.languages import base_lang
from db.campaigns.analyses import put_analysis, stored_analysis
from db.engine import write_session
from db.permissions import Viewer
from db.queries import get_campaign, list_segments, list_translations
from db.records import SegmentRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class NovelTexts:
    """A campaign's texts as readers see them, without the readings of ruby; each list one entry a segment.

    systems: the translations of each system, empty where it has none. numbers: their ids, None there.
    references, documents: of each segment. places: what each is called, its document and its position from 0.
    """

    lang: str
    segments: tuple[SegmentRecord, ...]
    systems: Mapping[str, list[str]]
    numbers: Mapping[str, list[int | None]]
    references: list[str] = field(init=False)
    documents: list[str] = field(init=False)
    places: list[str] = field(init=False)

    def __post_init__(self) -> None:
        found = {
            "references": [plain(segment.reference) for segment in self.segments],
            "documents": [segment.document for segment in self.segments],
            "places": [f"{segment.document}:{segment.position}" for segment in self.segments],
        }
        for name, values in found.items():
            object.__setattr__(self, name, values)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the texts and of the program's version."""
        told = [__version__, self.lang, self.references, self.documents, dict(self.systems)]
        return hashlib.sha256(json.dumps(told).encode("utf-8", "surrogatepass")).hexdigest()


def novel_texts(engine: Engine, campaign_id: int) -> NovelTexts:
    """The texts of a campaign. Raises InputError for an unknown campaign."""
    campaign = get_campaign(engine, campaign_id)
    segments = list_segments(engine, campaign_id)
    own: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
    for one in list_translations(engine, campaign_id):
        if not one.is_reference:
            own[one.system][one.segment_id] = (one.id, plain(one.text))
    return NovelTexts(
        lang=base_lang(campaign.target_lang),
        segments=tuple(segments),
        systems={
            name: [texts[segment.id][1] if segment.id in texts else "" for segment in segments]
            for name, texts in own.items()
        },
        numbers={
            name: [texts[segment.id][0] if segment.id in texts else None for segment in segments]
            for name, texts in own.items()
        },
    )


_KINDS: Mapping[str, Any] = {"cast": CastList, "voice": VoiceLedger, "discourse": Discourse}
"""The type of each analysis."""

KINDS = tuple(_KINDS)


def _found(kind: str, texts: NovelTexts, backends: Backends, progress: Progress) -> dict[str, Any]:
    """An analysis, and what comes of the same reading of the texts, by kind."""
    find: Callable[..., Any] = discourse if kind == "discourse" else cast_and_voices
    found = find(
        texts.references,
        texts.systems,
        backends,
        lang=texts.lang,
        documents=texts.documents,
        progress=progress,
    )
    return {kind: found} if kind == "discourse" else dict(zip(("cast", "voice"), found, strict=True))


def analyse(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    kind: str,
    backends: Backends,
    *,
    progress: Progress = silent,
) -> CastList | VoiceLedger | Discourse:
    """Find out one of `KINDS` of a campaign and store it in the place of what was there.

    The cast list and the voice ledger come from one reading of the texts, and both are stored. The
    signatures of the models that read the texts are stored as well (`outline_of`).

    Raises AccessError for a viewer who may not see scores, InputError for an unknown campaign or language.
    """
    viewer.must_see_scores()
    texts = novel_texts(engine, campaign_id)
    if not texts.systems:
        raise InputError("The campaign has no translations; import them first.")
    found, models = _found(kind, texts, backends, progress), models_of(backends, texts.lang)
    fingerprint = texts.fingerprint
    with write_session(engine) as session:
        for name, one in found.items():
            put_analysis(session, campaign_id, _models(name), fingerprint, models)
            put_analysis(session, campaign_id, name, fingerprint, one)
    own: CastList | VoiceLedger | Discourse = found[kind]
    return own


def outline_of(engine: Engine, campaign_id: int, kind: str, texts: NovelTexts) -> NovelOutline:
    """What the stored analysis of one of `KINDS` was made of, and by which models, for its signature."""
    models = stored_analysis(engine, campaign_id, _models(kind), texts.fingerprint, Mapping[str, str])
    return NovelOutline(documents=texts.documents, systems=list(texts.systems), made_by=models or {})


def _models(kind: str) -> str:
    return f"{kind}-models"


def stored(engine: Engine, campaign_id: int, kind: str, texts: NovelTexts) -> Any:  # noqa: ANN401
    """What `analyse` stored of these texts; None where nothing is stored, or of other texts."""
    return stored_analysis(engine, campaign_id, kind, texts.fingerprint, _KINDS[kind])
