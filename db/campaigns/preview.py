"""What an import would bring, before anything is stored."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from db.formats.bundle import Bundle, Key
from db.names import rater_key


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A segment with each system's text for it, in the order of the systems."""

    document: str
    position: int
    source: str | None
    reference: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Counts of a bundle, its first segments and the notes of its reader.

    `source_characters`: characters of the source per segment that has one, on average; None without sources.
    `languages`: source and target as ISO 639 codes.
    """

    name: str
    languages: tuple[str, str]
    documents: int
    segments: int
    systems: int
    translations: int
    empty_outputs: int
    ratings: int
    raters: int
    checks: int
    spans: int
    source_characters: float | None
    rows: tuple[PreviewRow, ...]
    notes: tuple[str, ...]


def preview(bundle: Bundle, count: int = 5) -> Preview:
    """The bundle in numbers, with its first `count` segments."""
    sources = [len(segment.source) for segment in bundle.segments if segment.source]
    return Preview(
        name=bundle.name,
        languages=bundle.langs,
        documents=len({segment.document for segment in bundle.segments}),
        segments=len(bundle.segments),
        systems=len(bundle.systems),
        translations=len(bundle.outputs),
        empty_outputs=sum(not output.text.strip() for output in bundle.outputs),
        ratings=len(bundle.ratings),
        raters=len({rater_key(rating.rater) for rating in bundle.ratings}),
        checks=len(bundle.checks),
        spans=sum(len(rating.spans or ()) for rating in bundle.ratings),
        source_characters=fmean(sources) if sources else None,
        rows=_rows(bundle, count),
        notes=bundle.notes,
    )


def _rows(bundle: Bundle, count: int) -> tuple[PreviewRow, ...]:
    first = bundle.segments[: max(count, 0)]
    texts: dict[Key, dict[str, str]] = {segment.key: {} for segment in first}
    for output in bundle.outputs:
        if output.key in texts:
            texts[output.key][output.system] = output.text
    systems = [system.name for system in bundle.systems]
    return tuple(
        PreviewRow(
            segment.document,
            segment.position,
            segment.source,
            segment.reference,
            tuple((name, texts[segment.key][name]) for name in systems if name in texts[segment.key]),
        )
        for segment in first
    )
