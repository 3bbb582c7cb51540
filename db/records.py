"""Frozen values that the queries return. No object of a database session leaves `db`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.raters.assignment import OFFICIAL, TARGET
from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from core.text.japanese import plain
from core.types import TextPair


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Who has come in. rater_id and name are None for a class's link, before a name is given.

    link_id, part: of the link by which they came; None for a password.
    """

    role: str
    campaign_id: int | None
    rater_id: int | None
    name: str | None
    link_id: int | None = None
    part: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """A link in a list. withdrawn_at: when its person withdrew, or None.

    token: of a class's link only; that of a person is stored nowhere. most: people who may join by it.
    """

    id: int
    role: str
    campaign_id: int | None
    rater_id: int | None
    name: str | None
    part: str
    note: str
    created_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None
    withdrawn_at: datetime | None
    token: str | None = field(default=None, repr=False)
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshLink:
    """A link that was made just now. name: None for a class. token: told only here, and in no log."""

    link_id: int
    name: str | None
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRecord:
    """What a person says of themselves. consented_at: None without consent."""

    rater_id: int
    name: str
    native_language: str
    level: str
    consented_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRecord:
    """What a design means: translations in all; per rater items, checks among them, characters, minutes."""

    translations: int
    items: int
    checks: int
    characters: int
    minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    """A person's way through a campaign. median_seconds, characters_a_minute: without pauses, or None.

    parameters: what a crowd platform said of them, by name.
    """

    rater_id: int
    name: str
    part: str
    native_language: str
    level: str
    done: int
    skipped: int
    total: int
    median_seconds: float | None
    characters_a_minute: float | None
    seen_at: datetime | None
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRecord:
    """What a rater who has finished takes to the platform: a code and an address, or empty texts."""

    code: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRecord:
    """How a rater who has finished did in the hidden checks: `right` of `counted`; whether that passes."""

    rater_id: int
    passed: bool
    right: int
    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentRecord:
    """A student's scores, 0 to 100, by translation, in the order in which they were shown.

    guesses: by translation and metric, the third (0 to 2) in which the student expects the metric to put it.
    """

    rater_id: int
    name: str
    scores: Mapping[int, float]
    number: str = ""
    guesses: Mapping[int, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRecord:
    """An attempt on a lesson's board. scores: by metric."""

    id: int
    name: str
    text: str
    scores: Mapping[str, float]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonRecord:
    """A saved state of a page, as `db.models.SavedLesson` has it. id: 0 before it is stored."""

    id: int
    title: str
    page: str
    state: Mapping[str, Any]
    question: str
    remark: str
    lang: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRecord:
    """A campaign with its texts. A guideline of None means the app's own guideline."""

    id: int
    name: str
    name_ja: str | None
    source_lang: str
    target_lang: str
    protocol: str
    description_en: str
    description_ja: str
    guideline_en: str | None
    guideline_ja: str | None
    credits_en: str
    credits_ja: str
    seed: int
    demo: bool
    created_at: datetime
    state: str
    design: Mapping[str, Any]
    deadline: datetime | None
    class_released_at: datetime | None
    released_at: datetime | None
    metrics_released_at: datetime | None

    def takes_ratings(self, at: datetime) -> bool:
        """Whether ratings are accepted at this time."""
        return self.state == "open" and (self.deadline is None or at <= self.deadline)


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSummary:
    """A campaign in a list. Systems do not count the reference, ratings only those that hold (no skips)."""

    id: int
    name: str
    name_ja: str | None
    source_lang: str
    target_lang: str
    demo: bool
    state: str
    n_segments: int
    n_systems: int
    n_raters: int
    n_ratings: int
    protocol: str = "adequacy"


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRecord:
    """A segment; `position` counts from 0 within the document."""

    id: int
    document: str
    position: int
    external_id: str
    domain: str
    source: str | None
    reference: str

    def pair(self, lang: str) -> TextPair:
        """The reference without a translation, as what `weight=idf` counts over."""
        return TextPair(reference=plain(self.reference), hypothesis="", lang=lang)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRecord:
    """A system; `is_reference` marks the reference that was rated like a system."""

    id: int
    name: str
    label_en: str | None
    label_ja: str | None
    is_reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationRecord:
    """A system's text for a segment, with what it is compared to."""

    id: int
    segment_id: int
    system_id: int
    system: str
    is_reference: bool
    document: str
    position: int
    source: str | None
    reference: str
    text: str

    def pair(self, lang: str, more_references: tuple[str, ...] = ()) -> TextPair:
        """What a metric scores: the texts as readers see them, without the readings of ruby.

        lang: the language of both texts, without its region.
        """
        return TextPair(
            reference=plain(self.reference),
            hypothesis=plain(self.text),
            source=None if self.source is None else plain(self.source),
            lang=lang,
            more_references=tuple(map(plain, more_references)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRecord:
    """A person who rates."""

    id: int
    name: str
    imported: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRecord:
    """What a rater sees and has said. The system is left out on purpose: raters judge blind.

    `revision` is 0 and `saved_at` None until something is saved; `skipped` is the reason, or None. Nor is it
    told whether it is a check. spans: what is marked, saved or not yet; None where nothing was ever marked.
    prefilled: whether marks were filled in beforehand. edited: the rater's corrected translation, if any.
    version: a number that the segments of a document in one system's translation share. scales: answers on
    the campaign's own scales by name, saved or not yet. draft_score: a score that is not saved yet, because
    an answer that the campaign needs is missing.
    """

    id: int
    place: int
    document: str
    position: int
    segment_id: int
    source: str | None
    reference: str
    translation: str
    lang: str
    score: float | None
    skipped: str | None
    comment: str
    revision: int
    saved_at: datetime | None
    spans: tuple[MarkedSpan, ...] | None = None
    prefilled: bool = False
    edited: str | None = None
    version: int = 0
    scales: Mapping[str, float] = field(default_factory=dict)
    draft_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeRecord:
    """A practice item: a translation, what is expected of an answer, and a sentence to be shown after it.

    The system is left out: raters judge blind. lang: of reference and translation.
    """

    id: int
    translation_id: int
    segment_id: int
    document: str
    position: int
    source: str | None
    reference: str
    translation: str
    lang: str
    expected: Expected
    feedback_en: str
    feedback_ja: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeReply:
    """What a rater answered to a practice item, and whether it was right."""

    practice_id: int
    score: float | None
    spans: tuple[MarkedSpan, ...]
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeState:
    """A rater's practice. items: how many there are; needed: how many must be right, 0 for no such condition.

    run: the number of the current try, from 1. replies: its answers by practice item. finished: whether all
    items were answered in it; right: how many of `total` were right. passed: whether rating may begin.
    again: whether practice may be done once more. due: whether the rater is to practise before going on.
    """

    items: int
    needed: int
    run: int
    replies: Mapping[int, PracticeReply]
    finished: bool
    right: int
    total: int
    passed: bool
    again: bool
    due: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTry:
    """A rater's try of a campaign's practice. number: from 1. finished_at: None while it is under way."""

    rater: str
    number: int
    right: int
    total: int
    passed: bool
    finished_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeAnswerRow:
    """An answer in a table: whose, in which try, to which translation. errors: how many were marked."""

    rater: str
    number: int
    document: str
    position: int
    system: str
    score: float | None
    errors: int | None
    right: bool
    answered_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourRecord:
    """A segment beside the one that is rated, in the same system's translation."""

    position: int
    source: str | None
    reference: str
    translation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a rater is: items scored, skipped and in all."""

    done: int
    skipped: int
    total: int


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A rater's judgement of a translation, as the database and every file format exchange it.

    It has a score from 0 to 100, marked errors (spans), or both; a skip has a skipped_reason and neither.
    Several of one rater for one translation and kind are revisions, of which the last holds.

    key: the segment's document and its position from 0. system: empty for the rater, who judges blind.
    mark: what an import says of it, `ok` where it counts. rated_at: None where a file does not tell.
    spans: None where nothing was asked to be marked, empty where there was no error. edited: the rater's
    corrected translation, None where it was not changed. kind: a `repeat` or `degraded` judgement is of that
    check. revision: from 1; 0 in a file, where the order tells. scales: name and answer on each of the
    campaign's own scales that is answered.
    """

    key: tuple[str, int]
    system: str
    rater: str
    score: float | None
    comment: str = ""
    mark: str = OFFICIAL
    seconds: float | None = None
    rated_at: datetime | None = None
    spans: tuple[MarkedSpan, ...] | None = None
    kind: str = TARGET
    skipped_reason: str | None = None
    revision: int = 0
    edited: str | None = None
    scales: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRow:
    """What a metric said of a translation. `score` is None when `missing` says why; `trace` is JSON."""

    translation_id: int
    metric: str
    signature: str
    score: float | None
    parts: Mapping[str, float] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    missing: str | None = None
    trace: Any | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRecord:
    """A version that a reader reads. It does not tell the system.

    place: from 0, in the reader's order. segment_id, start: the place reached. answered: whether the
    questions after it are answered.
    """

    id: int
    place: int
    segment_id: int | None
    start: int
    started_at: datetime | None
    finished_at: datetime | None
    answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRecord:
    """A segment of a version, as it is read. document: the number of its document, from 0."""

    segment_id: int
    document: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRecord:
    """What the browser holds of a version: part `number`, from 1, `of` so many; one where all of it is sent.

    before, after: the segments with which the part before ends and the next one begins, None where there is
    none.
    """

    passages: list[PassageRecord]
    number: int = 1
    of: int = 1
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightRecord:
    """A highlight that holds, in half-open code points of the stored text of its segment."""

    mark: str
    segment_id: int
    start: int
    end: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRecord:
    """A chunk that a reader compares in two versions. It does not tell the systems.

    place: from 0, in the order of the text. first, last: its segments. answers: those that hold, with 0 for
    the left side and 1 for the right one.
    """

    id: int
    place: int
    first: int
    last: int
    started_at: datetime | None
    finished_at: datetime | None
    answers: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRecord:
    """All that is known of one reader's chunk, for the results of a study. left, right: shown names.

    active, away: seconds. highlights: by side, 0 for left.
    """

    place: int
    first: int
    last: int
    left: str
    right: str
    finished_at: datetime | None
    active: float
    away: float
    highlights: Mapping[int, tuple[HighlightRecord, ...]]
    answers: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRecord:
    """All that is known of one reader's version, for the results of a study. system: by its shown name.

    active, away: seconds on all pages. answers: to the questions after the version, those that hold.
    """

    rater: str
    system: str
    place: int
    finished_at: datetime | None
    active: float
    away: float
    visits: int
    highlights: tuple[HighlightRecord, ...]
    answers: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRecord:
    """One reader of a study: their versions in order, and what they said at the end; empty before that.

    compared: their chunks of a close reading.
    """

    rater: str
    read: tuple[ReadRecord, ...]
    final: Mapping[str, Any]
    compared: tuple[ComparedRecord, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRecord:
    """A code of a code book. name: short, for files; label: what is shown; meaning: when it fits."""

    name: str
    label: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentRecord:
    """A comment as a coder sees it: neither who wrote it nor about which version.

    key: names it in spreadsheets, such as `highlight-12`. about: a kind of highlight, a question, or ""
    for a comment on a rating. codes: the coder's own, None before the comment was coded.
    """

    key: str
    about: str
    text: str
    codes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoderRecord:
    """How far a coder is. coded: of all comments; finished: whether they said that they have finished."""

    rater_id: int
    name: str
    coded: int
    finished: bool
