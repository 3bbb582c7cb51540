"""What BlonDe counts, in each document of each system: read once, stored, and scored without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.backends import Backends, Progress, between, silent
from core.metrics.documents.blonde import BLONDE, PERSON, BlondeTrace, SegmentSpans, counted, spans
from core.novel.cast import by_text, check_segments

Discourse = Mapping[str, Mapping[str, BlondeTrace]]
"""The trace of each system and document."""


def discourse(
    references: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    backends: Backends,
    *,
    lang: str,
    documents: Sequence[str] | None = None,
    progress: Progress = silent,
) -> Discourse:
    """Count persons, tenses, pronouns, discourse markers and n-grams against the reference.

    references: one text a segment. systems: translations of each. lang: of all these texts. documents: of
    each segment, one document without. progress: called with (done, total) texts.

    Raises InputError for another language than English and for other numbers of segments.
    """
    BLONDE.check_language(lang)
    check_segments(references, systems)
    within = documents if documents is not None else [""] * len(references)
    parts = by_text(progress, references, systems)
    expected = _spans(references, backends, lang, next(parts))
    found: dict[str, dict[str, BlondeTrace]] = {}
    for name, texts in systems.items():
        theirs = _spans(texts, backends, lang, next(parts))
        pairs: dict[str, list[tuple[SegmentSpans, SegmentSpans]]] = {}
        for document, ours, own in zip(within, expected, theirs, strict=True):
            pairs.setdefault(document, []).append((ours, own))
        found[name] = {document: counted(own) for document, own in pairs.items()}
    return found


def _spans(texts: Sequence[str], backends: Backends, lang: str, progress: Progress) -> list[SegmentSpans]:
    n = len(texts)
    parses = backends.parser("auto").parse(
        texts, lang=lang, constituents=False, progress=between(progress, 0, n // 2, n)
    )
    named = backends.reader("word").entities(texts, lang=lang)
    progress(n, n)
    return [
        spans(parse.words, [text[one.start : one.end] for one in own if one.label == PERSON])
        for text, parse, own in zip(texts, parses, named, strict=True)
    ]
