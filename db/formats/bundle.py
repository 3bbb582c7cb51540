"""A campaign between a file and the database: frozen values that every format reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from core.errors import Wording
from core.novel.glossary import GlossaryTerm
from core.raters.assignment import OFFICIAL, TARGET
from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from core.text.files import LIMIT_BYTES
from db.records import CodeRecord, RatingRecord

Key = tuple[str, int]
"""A segment within a campaign: document and 0-based position."""

IMPORTED = "imported"
"""The rule of a degraded text that came with a file."""


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

    `system` is the system whose text was repeated or degraded; `kind` is `repeat` or `degraded`. rule: how it
    was degraded; there is one text of each rule.
    """

    key: Key
    system: str
    kind: str
    text: str
    rule: str = IMPORTED


@dataclass(frozen=True, slots=True)
class ItemRow:
    """What one rater was shown once, as number `place` of theirs, from 0. rule: of a degraded text, else "".

    A campaign that says its items says all of them, including those without a rating.
    """

    rater: str
    key: Key
    system: str
    place: int
    kind: str = TARGET
    mark: str = OFFICIAL
    rule: str = ""


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A translation that raters practise on before the task, with the answer that is expected."""

    key: Key
    system: str
    expected: Expected
    feedback_en: str = ""
    feedback_ja: str = ""


@dataclass(frozen=True, slots=True)
class PrefillRow:
    """Errors marked in a translation before raters see it. origin: the rater, file or model."""

    key: Key
    system: str
    origin: str
    spans: tuple[MarkedSpan, ...]
    filled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A third person's decision on a translation. rater: who decided, empty where nobody is named.

    Several of one translation are revisions, of which the last holds.
    """

    key: Key
    system: str
    rater: str
    score: float | None
    spans: tuple[MarkedSpan, ...] | None
    comment: str
    decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class DocumentScoreRow:
    """A rater's score, 0 to 100, for a document in a system's translation; the last of several holds."""

    document: str
    system: str
    rater: str
    score: float
    rated_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """A version of the text that one reader reads, as number `place` of theirs, from 0.

    reached, start: the segment and code point that were reached; None before the first page.
    """

    rater: str
    system: str
    place: int
    reached: Key | None
    start: int
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """Segments from first to last that a reader compares in two versions, as number `place` of theirs."""

    rater: str
    place: int
    first: Key
    last: Key
    left: str
    right: str
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class PageVisitRow:
    """A time on a page of a version, from start in the segment `first` to end in `last`; in seconds.

    chunk: the place of the reader's chunk in a close reading, None in the version as a whole.
    """

    rater: str
    system: str
    first: Key
    start: int
    last: Key
    end: int
    active: float
    away: float
    visited_at: datetime | None
    chunk: int | None = None


@dataclass(frozen=True, slots=True)
class HighlightRow:
    """A stretch of a version that a reader marked; one with removed_at was taken away again.

    chunk: as of a `PageVisitRow`.
    """

    rater: str
    system: str
    key: Key
    start: int
    end: int
    kind: str
    reason: str
    made_at: datetime | None
    removed_at: datetime | None
    chunk: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A reader's answer on a version, on a chunk or, with neither, at the end; the last one holds."""

    rater: str
    system: str
    question: str
    value: int | str | None
    answered_at: datetime | None
    chunk: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What a campaign says of itself; None where it says nothing.

    seal: of the systems' names (`db/queries/sealed.py`), only its commitment while they are hidden. keys: by
    raters' names, with what a rater's order was drawn beside the seed, where that is not the name: the key of
    one who came by a link or an account; or IMPORTED.
    """

    name_ja: str | None = None
    protocol: str = "adequacy"
    description_en: str = ""
    description_ja: str = ""
    guideline_en: str | None = None
    guideline_ja: str | None = None
    credits_en: str = ""
    credits_ja: str = ""
    seed: int | None = None
    design: Mapping[str, Any] = field(default_factory=dict)
    state: str | None = None
    deadline: datetime | None = None
    class_released_at: datetime | None = None
    released_at: datetime | None = None
    metrics_released_at: datetime | None = None
    seal: Mapping[str, Any] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GlossaryRow:
    """A change of an entry of the glossary. rater: who made it, empty if it is not known."""

    term: GlossaryTerm
    removed: bool = False
    rater: str = ""
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CoderRow:
    """A person who codes comments by hand. finished_at: when they said that they have finished."""

    rater: str
    joined_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class CodingRow:
    """The codes that a coder gave a comment, by name; none of them is an answer, too.

    on: what was commented, one of `COMMENTED`. rater, number: the comment is part of the rater's rating,
    highlight or answer of this number, from 1, in the order of the file.
    """

    coder: str
    on: str
    rater: str
    number: int
    codes: tuple[str, ...]
    coded_at: datetime | None


COMMENTED = ("rating", "highlight", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A whole campaign. `langs` are source and target; `notes` are sentences about what was left out.

    items: the order in which each rater was shown things; empty where a file does not tell. practice: in the
    order in which it is shown; what raters answered to it is in no file. prefills, decisions,
    document_scores: what stands beside the ratings; readings, chunks, visits, highlights, answers: of a
    reading study; glossary: every change of an entry, in order; codes, coders, codings: the code book of
    comments that are coded by hand, who codes, and what they gave. Only a history has them.
    """

    name: str
    langs: tuple[str, str]
    systems: tuple[SystemRow, ...]
    segments: tuple[SegmentRow, ...]
    outputs: tuple[OutputRow, ...]
    ratings: tuple[RatingRecord, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    items: tuple[ItemRow, ...] = ()
    practice: tuple[PracticeRow, ...] = ()
    prefills: tuple[PrefillRow, ...] = ()
    decisions: tuple[DecisionRow, ...] = ()
    document_scores: tuple[DocumentScoreRow, ...] = ()
    readings: tuple[ReadingRow, ...] = ()
    chunks: tuple[ChunkRow, ...] = ()
    visits: tuple[PageVisitRow, ...] = ()
    highlights: tuple[HighlightRow, ...] = ()
    answers: tuple[AnswerRow, ...] = ()
    glossary: tuple[GlossaryRow, ...] = ()
    codes: tuple[CodeRecord, ...] = ()
    coders: tuple[CoderRow, ...] = ()
    codings: tuple[CodingRow, ...] = ()
    meta: Meta = field(default_factory=Meta)
    notes: tuple[Wording, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a reader may be told. Languages that are None are taken from the file or guessed by its script.

    `source_file`, `ratings_file` and `hypotheses` (system name, file) are for formats of several files.
    ratings_format: of `ratings_file`, where its shape does not tell. scale: of the scores, one of
    `scale.SCALES`; without it scores that could be on several are refused. repeats: what further ratings of a
    translation by the same rater become, one of `repeats.REPEATS`; without it, what the format says.
    """

    source_lang: str | None = None
    target_lang: str | None = None
    source_file: Path | None = None
    ratings_file: Path | None = None
    ratings_format: str | None = None
    hypotheses: tuple[tuple[str, Path], ...] = ()
    scale: str | None = None
    repeats: str | None = None
    limit_bytes: int = LIMIT_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a file format is read and, if at all, written. All of it raises FileError.

    `write` fills a text file opened with newline=""; its path only names the file in errors. A format of a
    folder or of bytes has `write_files` instead: names within the folder, or the one file's, with their
    content, one after the other. `companions`: which of ReadOptions' `hypotheses`, `source_file` and
    `ratings_file` the reader makes use of. `folder`: whether it reads a folder, too or only, and writes one;
    an uploaded zip file may hold one (`archive.py`). `suffix`: of a file's name. `holds`: what it has a place
    for, in the words of `capabilities.py`. `remarks`: sentences about what is written in another form.
    """

    about: str
    read: Callable[[Path, ReadOptions], Bundle]
    write: Callable[[Bundle, TextIO, Path], None] | None = None
    write_files: Callable[[Bundle], Iterator[tuple[str, bytes]]] | None = None
    companions: frozenset[str] = frozenset()
    folder: bool = False
    suffix: str = ""
    holds: frozenset[str] = frozenset()
    remarks: Callable[[Bundle], tuple[Wording, ...]] | None = None

    @property
    def writes(self) -> bool:
        """Whether campaigns can be written in it."""
        return self.write is not None or self.write_files is not None
