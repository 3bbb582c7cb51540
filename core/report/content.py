"""What a report says of a campaign: facts, scores, texts or only fingerprints. No number is made here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.raters.normalise import Method
from core.raters.protocols import MarkedSpan
from core.raters.quality_rows import QualityRow
from core.raters.ratings import Rating
from core.raters.rules import Rules
from core.text.locale import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a translation belongs. position: from 0 within the document; segment: its id."""

    segment: int
    document: str
    position: int
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Somebody's text: how many code points, its SHA-256 (of UTF-8, in hexadecimal), and perhaps itself."""

    length: int
    sha256: str
    text: str | None = None

    @classmethod
    def of(cls, text: str, *, keep: bool) -> Passage:
        """keep: whether the text itself may stand in the report."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return cls(length=len(text), sha256=digest, text=text if keep else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTexts:
    """source: None where the campaign has none."""

    source: Passage | None
    reference: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What one rater marked and wrote for one translation.

    Where no texts may be told, the comment and the spans' notes are empty.
    """

    rater: str
    translation: int
    spans: tuple[MarkedSpan, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealFacts:
    """The seal on systems' names: the commitment, and what it is made of once the campaign is closed."""

    commitment: str
    names: Mapping[str, str] | None = None
    nonce: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The campaign. dates are in UTC; opened: by an organiser, first and last: ratings; None for never.

    systems: without the reference. skips: target items that were left without a score, for a reason. seed: of
    the raters' orders. description, credits: empty where no texts may be told.
    """

    name: str
    source_lang: str
    target_lang: str
    protocol: str
    state: str
    created: datetime
    opened: datetime | None
    first: datetime | None
    last: datetime | None
    documents: int
    segments: int
    systems: int
    translations: int
    skips: int
    seed: int
    five_errors: bool
    description: str = ""
    credits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that goes into the file.

    scores: of target items, named by their translation; places: by translation. rows: the same and check
    items, for what is asked about raters. declared: whether the rules were the campaign's own, fixed before
    anybody had an item. computed: the scores are MQM's. texts: by segment, translations: by translation;
    both hold texts, or fingerprints alone. anonymous: names of raters are numbers. made: when, in UTC.
    """

    language: Language
    method: Method
    facts: Facts
    places: Mapping[int, Place]
    scores: Sequence[Rating]
    rows: Sequence[QualityRow]
    rules: Rules
    declared: bool
    computed: bool
    texts: Mapping[int, SegmentTexts]
    translations: Mapping[int, Passage]
    remarks: Sequence[Remark]
    seal: SealFacts | None
    with_texts: bool
    anonymous: bool
    made: datetime
