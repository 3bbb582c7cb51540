"""What a file format can store, and the reduction of a campaign to that, with a note on each loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from core.errors import Wording
from core.raters.assignment import DEGRADED, OFFICIAL, REFERENCE, REPEAT
from db.formats.bundle import Bundle, Meta, SegmentRow, SystemRow
from db.names import rater_key
from db.records import RatingRecord

TEXTS, SOURCES, REFERENCES, ROLES = "texts", "sources", "references", "roles"
DOMAINS, IDS, ABOUT, DESIGN, ORDER = "domains", "ids", "about", "design", "order"
SCORES, SPANS, SKIPS, HISTORY = "scores", "spans", "skips", "history"
COMMENTS, MARKS, SECONDS, TIMES, RATERS = "comments", "marks", "seconds", "times", "raters"
EDITS, SCALES, DECLARED = "edits", "scales", "declared"
CHECKS = {REPEAT: "repeats", DEGRADED: "degraded", REFERENCE: "reference-checks"}
"""The word for each kind of item that checks the rater."""

WORDS = frozenset(
    {TEXTS, SOURCES, REFERENCES, ROLES, DOMAINS, IDS, ABOUT, DESIGN, ORDER, SCORES, SPANS, SKIPS, HISTORY}
    | {COMMENTS, MARKS, SECONDS, TIMES, RATERS, EDITS, SCALES, DECLARED, *CHECKS.values()}
)
"""roles: which system is the reference. about: names, descriptions and guidelines. order: of the items.
edits: translations that raters corrected. scales: answers on a campaign's own scales. declared: the values
and words of these scales, and a campaign's own categories and severities of errors."""

OWN = ("scales", "errors")
"""The parts of a design that are declared."""

_OF_CHECKS = {
    REPEAT: Wording("ratings of repeats"),
    DEGRADED: Wording("ratings of degraded texts"),
    REFERENCE: Wording("ratings of references as checks"),
}


_person = lru_cache(4096)(rater_key)


def left_out_notes(left: Mapping[Wording, int]) -> tuple[Wording, ...]:
    """A sentence about each kind of thing that was left out."""
    return tuple(
        Wording("{count} {what} were left out.", count=count, what=what)
        for what, count in left.items()
        if count
    )


PARTS_OF_DESIGN = {  # parts of a campaign that only a format with its design holds, with their nouns
    "practice": Wording("practice items"),
    "prefills": Wording("translations with marks filled in beforehand"),
    "decisions": Wording("decisions between raters"),
    "document_scores": Wording("scores of whole documents"),
    "readings": Wording("versions that were read"),
    "chunks": Wording("chunks to be compared"),
    "visits": Wording("times on pages"),
    "highlights": Wording("highlights"),
    "answers": Wording("answers of readers"),
    "glossary": Wording("changes of the glossary"),
    "codes": Wording("codes of the code book"),
    "codings": Wording("comments coded by hand"),
}


def reduce(bundle: Bundle, holds: Collection[str]) -> Bundle:
    """The campaign without what there is no place for; its notes say how much of each kind there was.

    A format without texts keeps them, for they are what its ratings are of; that is a note, too.
    """
    left: Counter[Wording] = Counter()
    ratings = _fields(_ratings(bundle.ratings, holds, left), holds, left)
    segments, systems = _texts(bundle, holds, left)
    checks = tuple(check for check in bundle.checks if CHECKS[check.kind] in holds)
    left[Wording("degraded texts")] = sum(
        check.kind == DEGRADED for check in bundle.checks if check not in checks
    )
    if TEXTS not in holds:
        left[Wording("translations")] = len(bundle.outputs)
    if ORDER not in holds:
        left[Wording("places of items in their raters' order")] = len(bundle.items)
    if DESIGN not in holds:
        left[Wording("choices of the campaign's design")] = len(set(bundle.meta.design) - set(OWN))
        left.update({noun: len(getattr(bundle, part)) for part, noun in PARTS_OF_DESIGN.items()})
    if DECLARED not in holds:
        design = bundle.meta.design
        left[Wording("declarations of own scales")] = len(design.get("scales") or ())
        left[Wording("own categories and severities of errors")] = sum(
            map(len, (design.get("errors") or {}).values())
        )
    if ABOUT not in holds:
        left[Wording("texts about the campaign and its systems")] = _about(bundle)
    without: dict[str, Any] = {} if DESIGN in holds else dict.fromkeys((*PARTS_OF_DESIGN, "coders"), ())
    return replace(
        bundle,
        **without,
        segments=segments,
        systems=systems,
        ratings=ratings,
        checks=checks,
        items=bundle.items if ORDER in holds else (),
        meta=_meta(bundle.meta, holds),
        notes=(*bundle.notes, *left_out_notes(left)),
    )


def identity(rating: RatingRecord) -> Hashable:
    """Ratings with the same identity are revisions of one judgement."""
    return rating.key, rating.system, _person(rating.rater), rating.kind


def _ratings(
    ratings: Iterable[RatingRecord], holds: Collection[str], left: Counter[Wording]
) -> Iterable[RatingRecord]:
    """The ratings that have a place. A judgement whose last word has none is left out with its history."""
    judgements: dict[Hashable, list[RatingRecord]] = {}
    for rating in ratings:
        judgements.setdefault(identity(rating), []).append(rating)
    dropped: set[int] = set()
    for revisions in judgements.values():
        if HISTORY not in holds and len(revisions) > 1:
            left[Wording("earlier revisions")] += len(revisions) - 1
            dropped.update(id(rating) for rating in revisions[:-1])
        last = _lack(revisions[-1], holds)
        for rating in revisions if HISTORY in holds else revisions[-1:]:
            lack = last or _lack(rating, holds)
            if lack:
                left[lack] += 1
                dropped.add(id(rating))
    return [rating for rating in ratings if id(rating) not in dropped] if dropped else ratings


def _lack(rating: RatingRecord, holds: Collection[str]) -> Wording | None:
    """Why a rating has no place; None if it has one."""
    if rating.kind in CHECKS and CHECKS[rating.kind] not in holds:
        return _OF_CHECKS[rating.kind]
    if rating.skipped_reason is not None:
        return None if SKIPS in holds else Wording("skips")
    if (rating.score is not None and SCORES in holds) or (rating.spans is not None and SPANS in holds):
        return None
    return Wording("ratings that mark errors and give no score" if rating.score is None else "scores")


def _fields(
    ratings: Iterable[RatingRecord], holds: Collection[str], left: Counter[Wording]
) -> tuple[RatingRecord, ...]:
    """The ratings without the fields that have no place."""
    empty: dict[str, tuple[str, Wording, object]] = {
        SCORES: ("score", Wording("scores"), None),
        SPANS: ("spans", Wording("marked errors"), None),
        COMMENTS: ("comment", Wording("comments"), ""),
        MARKS: ("mark", Wording("marks of items"), OFFICIAL),
        SECONDS: ("seconds", Wording("durations"), None),
        TIMES: ("rated_at", Wording("times"), None),
        EDITS: ("edited", Wording("corrected translations"), None),
        SCALES: ("scales", Wording("answers on own scales"), ()),
    }
    dropped = {word: entry for word, entry in empty.items() if word not in holds}
    if not dropped:
        return tuple(ratings)
    kept = []
    for rating in ratings:
        changes = {name: none for name, _, none in dropped.values() if getattr(rating, name) != none}
        for word, (name, what, _) in dropped.items():
            if name in changes:
                left[what] += len(getattr(rating, name)) if word in (SPANS, SCALES) else 1
        kept.append(replace(rating, **changes) if changes else rating)  # type: ignore[arg-type]
    return tuple(kept)


def _texts(
    bundle: Bundle, holds: Collection[str], left: Counter[Wording]
) -> tuple[tuple[SegmentRow, ...], tuple[SystemRow, ...]]:
    """Segments and systems without the fields that have no place."""
    segments, systems = bundle.segments, bundle.systems
    empty: dict[str, tuple[str, Wording, object]] = {
        SOURCES: ("source", Wording("sources"), None),
        REFERENCES: ("reference", Wording("references"), ""),
        DOMAINS: ("domain", Wording("domains"), ""),
        IDS: ("external_id", Wording("ids of segments"), ""),
    }
    if TEXTS not in holds:
        return segments, systems
    for word, (name, what, none) in empty.items():
        if word not in holds:
            left[what] = sum(getattr(segment, name) != none for segment in segments)
            segments = tuple(replace(segment, **{name: none}) for segment in segments)  # type: ignore[arg-type]
    if ROLES not in holds:
        left[Wording("systems' roles as the reference")] = sum(system.is_reference for system in systems)
        systems = tuple(replace(system, is_reference=False) for system in systems)
    if ABOUT not in holds:
        systems = tuple(replace(system, label_en=None, label_ja=None) for system in systems)
    return segments, systems


def _about(bundle: Bundle) -> int:
    meta = bundle.meta
    texts = (
        meta.name_ja,
        meta.description_en,
        meta.description_ja,
        meta.guideline_en,
        meta.guideline_ja,
        meta.credits_en,
        meta.credits_ja,
    )
    labels = [label for system in bundle.systems for label in (system.label_en, system.label_ja)]
    return sum(bool(text) for text in (*texts, *labels))


def _meta(meta: Meta, holds: Collection[str]) -> Meta:
    if ABOUT in holds and DESIGN in holds:
        return meta
    own = {name: meta.design[name] for name in OWN if meta.design.get(name) and DECLARED in holds}
    return Meta(protocol=meta.protocol, design=meta.design if DESIGN in holds else own)
