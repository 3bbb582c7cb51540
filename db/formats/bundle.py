"""A campaign on its way between a file and the database: plain frozen values that every format speaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TextIO

from core.human.plan import TARGET
from core.human.protocols import MarkedSpan
from core.textfile import LIMIT_BYTES

Key = tuple[str, int]
"""A segment within a campaign: document and 0-based position."""

OFFICIAL = "ok"
"""The mark of a rating that counts; an import may bring others (`dup`, `incomplete`)."""


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A segment. `external_id` is what the file calls it."""

    document: str
    position: int
    reference: str
    source: str | None = None
    domain: str = ""
    external_id: str = ""

    @property
    def key(self) -> Key:
        """What identifies it within the campaign."""
        return self.document, self.position


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system; `is_reference` if it is the reference, rated like a system."""

    name: str
    is_reference: bool = False
    label_en: str | None = None
    label_ja: str | None = None


@dataclass(frozen=True, slots=True)
class OutputRow:
    """A system's text for a segment; may be empty."""

    key: Key
    system: str
    text: str


SEVERITIES = ("neutral", "minor", "major", "critical")


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A text that checks the rater and is no system's translation: a repeat, or a degraded text.

    `system` is the system whose text was repeated or degraded; `kind` is `repeat` or `degraded`.
    """

    key: Key
    system: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A score from 0 to 100. Several of one rater for one output are revisions, the last one holds.

    A rating whose `kind` is `repeat` or `degraded` judges the check of that key, system and kind.
    """

    key: Key
    system: str
    rater: str
    score: float
    comment: str = ""
    mark: str = OFFICIAL
    seconds: float | None = None
    rated_at: datetime | None = None
    spans: tuple[MarkedSpan, ...] = ()
    kind: str = TARGET


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What a campaign says of itself; None where it says nothing."""

    name_ja: str | None = None
    protocol: str = "adequacy"
    description_en: str = ""
    description_ja: str = ""
    guideline_en: str | None = None
    guideline_ja: str | None = None
    credits_en: str = ""
    credits_ja: str = ""
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A whole campaign. `langs` are source and target; `notes` are sentences about what was left out."""

    name: str
    langs: tuple[str, str]
    systems: tuple[SystemRow, ...]
    segments: tuple[SegmentRow, ...]
    outputs: tuple[OutputRow, ...]
    ratings: tuple[RatingRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    meta: Meta = field(default_factory=Meta)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a reader may be told. Languages that are None are taken from the file or guessed by its script.

    `source_file`, `ratings_file` and `hypotheses` (system name, file) are for formats of several files.
    """

    source_lang: str | None = None
    target_lang: str | None = None
    source_file: Path | None = None
    ratings_file: Path | None = None
    hypotheses: tuple[tuple[str, Path], ...] = ()
    limit_bytes: int = LIMIT_BYTES


@dataclass(frozen=True, slots=True)
class Format:
    """How a file format is read and, if at all, written. Both raise FileError.

    `write` fills a text file opened with newline=""; its path only names the file in errors. `companions`:
    which of ReadOptions' `hypotheses`, `source_file` and `ratings_file` the reader makes use of. `folder`:
    whether it reads a folder, too or only; an uploaded zip file may hold one (`archive.py`).
    """

    about: str
    read: Callable[[Path, ReadOptions], Bundle]
    write: Callable[[Bundle, TextIO, Path], None] | None = None
    companions: frozenset[str] = frozenset()
    folder: bool = False
