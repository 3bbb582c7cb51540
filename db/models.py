"""The tables, as typed classes. `db/migrations` makes them; a test checks that both agree.

Every instant is stored in UTC. Ratings are only ever added: a changed score is a further revision, and the
highest revision of an item holds (`is_latest`).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ColumnElement,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    TypeDecorator,
    UniqueConstraint,
    func,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, aliased, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def now() -> datetime:
    """The current instant, in UTC."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime outside, naive UTC in the database (SQLite keeps no zone)."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database. Raises ValueError for a datetime without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a datetime without a time zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database."""
        return None if value is None else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """Names every constraint, so that a later migration can address it."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {datetime: UtcDateTime}  # noqa: RUF012 - SQLAlchemy's own protocol


class Campaign(Base):
    """A set of segments, the systems that translated them, and the question put to the raters.

    state: `draft` (being prepared), `open` (people rate) or `closed`. design: how it is rated
    (`db/design.py`). class_released_at, released_at, metrics_released_at: since when the students of a class
    see each other's mean, the panel's and the metrics' scores.
    """

    __tablename__ = "campaign"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    name_ja: Mapped[str | None]
    source_lang: Mapped[str]
    target_lang: Mapped[str]
    protocol: Mapped[str] = mapped_column(default="adequacy")
    description_en: Mapped[str] = mapped_column(default="")
    description_ja: Mapped[str] = mapped_column(default="")
    guideline_en: Mapped[str | None]
    guideline_ja: Mapped[str | None]
    credits_en: Mapped[str] = mapped_column(default="")
    credits_ja: Mapped[str] = mapped_column(default="")
    seed: Mapped[int]
    demo: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    state: Mapped[str] = mapped_column(default="open", server_default="open")
    design: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict, server_default="{}")
    deadline: Mapped[datetime | None]
    class_released_at: Mapped[datetime | None]
    released_at: Mapped[datetime | None]
    metrics_released_at: Mapped[datetime | None]


class System(Base):
    """Something that translates: a program, a person, or the reference itself."""

    __tablename__ = "system"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    name: Mapped[str]
    label_en: Mapped[str | None]
    label_ja: Mapped[str | None]
    is_reference: Mapped[bool] = mapped_column(default=False)


class Segment(Base):
    """A piece of a document. `position` counts from 0 within the document; `external_id` is the import's."""

    __tablename__ = "segment"
    __table_args__ = (
        UniqueConstraint("campaign_id", "document", "position"),
        CheckConstraint("position >= 0", name="position"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    document: Mapped[str]
    position: Mapped[int]
    external_id: Mapped[str] = mapped_column(default="")
    domain: Mapped[str] = mapped_column(default="")
    source: Mapped[str | None]
    reference: Mapped[str]


class Translation(Base):
    """A system's text for a segment. An empty text is a translation too."""

    __tablename__ = "translation"
    __table_args__ = (UniqueConstraint("segment_id", "system_id"), Index(None, "system_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    system_id: Mapped[int] = mapped_column(ForeignKey("system.id"))
    text: Mapped[str]


class Attempt(Base):
    """A bad translation on a lesson's board: under `metric` alone it beats the good one.

    metric: or `all`, for a text that fooled all, or `copy`, for a copy of the reference. lesson: which one,
    with its language, such as `fool-ja`. campaign_id: the class, None for no class. name: as typed. scores:
    by metric. rater_id: the person, where one came by a link; who withdraws takes their attempts along.
    """

    __tablename__ = "attempt"
    __table_args__ = (Index(None, "lesson", "metric"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    lesson: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    name: Mapped[str]
    metric: Mapped[str]
    text: Mapped[str]
    scores: Mapped[dict[str, float]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(default=now)


class SavedLesson(Base):
    """A state of the lens or the hack lab that a teacher saved as a lesson.

    page: `pair` or `hacks`. state: the parts of the page's address and its typed texts, by name. lang: of the
    words, the language of the interface when it was saved. rater_id: who saved it, if known.
    """

    __tablename__ = "saved_lesson"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    page: Mapped[str]
    state: Mapped[dict[str, Any]] = mapped_column(JSON)
    question: Mapped[str] = mapped_column(default="")
    remark: Mapped[str] = mapped_column(default="")
    lang: Mapped[str]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Rater(Base):
    """A person. `key` is the name as compared (`db/names.py`); `imported` raters cannot enter.

    role: `rater`, `organiser` or `teacher`. native_language: ISO 639-1; level: how well the person reads the
    source language, in their own words. student_number: for a class's grades. After withdrawn_at only this
    row is left, without a name.
    """

    __tablename__ = "rater"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    key: Mapped[str] = mapped_column(unique=True)
    imported: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    role: Mapped[str] = mapped_column(default="rater", server_default="rater")
    native_language: Mapped[str] = mapped_column(default="", server_default="")
    level: Mapped[str] = mapped_column(default="", server_default="")
    student_number: Mapped[str] = mapped_column(default="", server_default="")
    consented_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    seen_at: Mapped[datetime | None]


class Link(Base):
    """An unguessable link, of which only a hash is kept.

    With a rater it is that person's own; without one anyone who opens it joins the campaign as a new person,
    to take this `part` in it (`Member`). token: of a class's link only, which is shown to the class again and
    gives no more than the right to join. most: how many people may join by it; None for the usual number.
    """

    __tablename__ = "link"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    part: Mapped[str] = mapped_column(default="rater")
    note: Mapped[str] = mapped_column(default="")
    token: Mapped[str | None]
    most: Mapped[int | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Account(Base):
    """A login name with a password, of which only an argon2 hash is kept.

    failures: wrong passwords in a row; locked_until: when the next one is looked at.
    """

    __tablename__ = "account"

    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"), primary_key=True)
    login: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    failures: Mapped[int] = mapped_column(default=0)
    locked_until: Mapped[datetime | None]


class Member(Base):
    """A person in a campaign. part: `rater`, `student` or `panel` (the experts of a class).

    participant, parameters: of a person whom a crowd platform sent, their id there and the parameters that
    are kept (`core/raters/platforms.py`), by name.
    """

    __tablename__ = "member"
    __table_args__ = (
        UniqueConstraint("campaign_id", "rater_id"),
        UniqueConstraint("campaign_id", "participant"),
        Index(None, "rater_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    part: Mapped[str] = mapped_column(default="rater")
    joined_at: Mapped[datetime] = mapped_column(default=now)
    participant: Mapped[str | None]
    parameters: Mapped[dict[str, str]] = mapped_column(JSON, default=dict, server_default="{}")


class Event(Base):
    """Something that was done and has to be known later, such as a withdrawal; never a text of anybody."""

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    details: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Item(Base):
    """What one rater is shown once. `place` counts from 0 within this rater's share of the campaign.

    kind: `target`, or a check: `repeat` (the same again), `reference`, `degraded` (a damaged text).
    """

    __tablename__ = "item"
    __table_args__ = (
        UniqueConstraint("rater_id", "translation_id", "kind"),
        UniqueConstraint("campaign_id", "rater_id", "place"),
        CheckConstraint("place >= 0", name="place"),
        Index(None, "translation_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"))
    place: Mapped[int]
    kind: Mapped[str] = mapped_column(String, default="target")
    mark: Mapped[str] = mapped_column(String, default="ok")


class RatingEvent(Base):
    """One event: a score from 0 to 100, marked spans, or both; or a skip with its reason. Never changed.

    `revision` counts from 1 within the item; the highest one holds. `seconds` is how long it took, if known.
    spans: the errors that were marked (`core/raters/protocols.py`), None where the protocol asks for none.
    edited: the rater's corrected translation, None where it was not changed. scales: answers on the
    campaign's own scales by their names (`core/raters/own_scales.py`), None where there are none.
    """

    __tablename__ = "rating"
    __table_args__ = (
        UniqueConstraint("item_id", "revision"),
        CheckConstraint("revision >= 1", name="revision"),
        CheckConstraint("score BETWEEN 0 AND 100", name="score"),
        CheckConstraint("score IS NULL OR skipped_reason IS NULL", name="score_or_skip"),
        CheckConstraint(
            "score IS NOT NULL OR skipped_reason IS NOT NULL OR spans IS NOT NULL", name="something"
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"))
    revision: Mapped[int]
    score: Mapped[float | None]
    skipped_reason: Mapped[str | None]
    comment: Mapped[str] = mapped_column(default="")
    seconds: Mapped[float | None]
    spans: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    edited: Mapped[str | None]
    scales: Mapped[dict[str, float] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(default=now)


class CheckText(Base):
    """A damaged version of a translation, made by a rule: what a `degraded` item shows."""

    __tablename__ = "check_text"
    __table_args__ = (UniqueConstraint("translation_id", "rule"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"))
    rule: Mapped[str]
    text: Mapped[str]


class ItemCheck(Base):
    """Which damaged text a degraded item shows."""

    __tablename__ = "item_check"

    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    check_text_id: Mapped[int] = mapped_column(ForeignKey("check_text.id"))


class Guess(Base):
    """What a student expects a metric to say of an item: 0 the lowest, 1 the middle, 2 the highest third."""

    __tablename__ = "guess"
    __table_args__ = (CheckConstraint("level BETWEEN 0 AND 2", name="level"),)

    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)
    level: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Draft(Base):
    """What a rater has marked and written but not yet saved as a rating; overwritten with each change.

    score, scales: given while an answer that the campaign needs is still open.
    """

    __tablename__ = "draft"

    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    spans: Mapped[Any] = mapped_column(JSON, default=list)
    comment: Mapped[str] = mapped_column(default="")
    edited: Mapped[str | None]
    score: Mapped[float | None]
    scales: Mapped[dict[str, float] | None] = mapped_column(JSON(none_as_null=True))
    changed_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class Prefill(Base):
    """Errors that are marked in a translation before a rater sees it.

    origin: the rater, file or model that marked them, for organisers. rater_id: the rater, if it was one.
    """

    __tablename__ = "prefill"

    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"), primary_key=True)
    origin: Mapped[str]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    spans: Mapped[Any] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Adjudication(Base):
    """A third person's decision on a translation that others judged. Never changed; the last revision holds.

    It is no rating: statistics and rating formats leave it out. rater_id: who decided, None in the open demo.
    """

    __tablename__ = "adjudication"
    __table_args__ = (
        UniqueConstraint("translation_id", "revision"),
        CheckConstraint("revision >= 1", name="revision"),
        CheckConstraint("score BETWEEN 0 AND 100", name="score"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    revision: Mapped[int]
    score: Mapped[float | None]
    spans: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    comment: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(default=now)


class DocumentRating(Base):
    """A rater's score, 0 to 100, for a whole document in a system's translation. The last revision holds."""

    __tablename__ = "document_rating"
    __table_args__ = (
        UniqueConstraint("rater_id", "system_id", "document", "revision"),
        CheckConstraint("revision >= 1", name="revision"),
        CheckConstraint("score BETWEEN 0 AND 100", name="score"),
        Index(None, "system_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    system_id: Mapped[int] = mapped_column(ForeignKey("system.id"))
    document: Mapped[str]
    revision: Mapped[int]
    score: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


class PracticeItem(Base):
    """A translation of the campaign with the answer that is expected of raters before the task.

    place: from 0, with gaps where one was removed. What is expected: see `core.raters.practice.Expected`,
    whose stretch is from piece_start to piece_end. feedback: a sentence that is shown after the answer.
    """

    __tablename__ = "practice_item"
    __table_args__ = (
        UniqueConstraint("campaign_id", "translation_id"),
        CheckConstraint("(low IS NULL) = (high IS NULL)", name="score_range"),
        CheckConstraint("(piece_start IS NULL) = (piece_end IS NULL)", name="piece"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"))
    place: Mapped[int]
    low: Mapped[float | None]
    high: Mapped[float | None]
    piece_start: Mapped[int | None]
    piece_end: Mapped[int | None]
    severity: Mapped[str] = mapped_column(default="")
    clean: Mapped[bool] = mapped_column(default=False)
    feedback_en: Mapped[str] = mapped_column(default="")
    feedback_ja: Mapped[str] = mapped_column(default="")


class PracticeRun(Base):
    """A rater's way through the practice items of a campaign. number: from 1.

    correct, total: of its answers, once it is finished. passed: whether that was enough on that day; a pass
    mark that is set or raised later does not take it back.
    """

    __tablename__ = "practice_run"
    __table_args__ = (UniqueConstraint("campaign_id", "rater_id", "number"), Index(None, "rater_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    number: Mapped[int]
    correct: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    passed: Mapped[bool] = mapped_column(default=False)
    started_at: Mapped[datetime] = mapped_column(default=now)
    finished_at: Mapped[datetime | None]


class PracticeAnswer(Base):
    """A rater's answer to a practice item; no rating, and part of no statistic."""

    __tablename__ = "practice_answer"
    __table_args__ = (UniqueConstraint("run_id", "practice_item_id"), Index(None, "practice_item_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    run_id: Mapped[int] = mapped_column(ForeignKey("practice_run.id"))
    practice_item_id: Mapped[int] = mapped_column(ForeignKey("practice_item.id"))
    score: Mapped[float | None]
    spans: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    correct: Mapped[bool]
    created_at: Mapped[datetime] = mapped_column(default=now)


class Reading(Base):
    """A version of the text that one reader reads: a system's translation of the whole excerpt.

    place: from 0, in the reader's order. segment_id, start: the place that the reader has reached, in code
    points of the stored text; None before the first page was turned. finished_at: when the reader reached
    the end and said so.
    """

    __tablename__ = "reading"
    __table_args__ = (
        UniqueConstraint("campaign_id", "rater_id", "place"),
        UniqueConstraint("campaign_id", "rater_id", "system_id"),
        CheckConstraint("place >= 0", name="place"),
        CheckConstraint("start >= 0", name="start"),
        Index(None, "rater_id"),
        Index(None, "system_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    system_id: Mapped[int] = mapped_column(ForeignKey("system.id"))
    place: Mapped[int]
    segment_id: Mapped[int | None] = mapped_column(ForeignKey("segment.id"))
    start: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class ChunkPair(Base):
    """A chunk of the text in which one reader compares two of their versions: close reading.

    place: from 0, in the order of the text. The chunk is the segments of the excerpt from first to last.
    left_id, right_id: the readings whose versions stand there. finished_at: when a preference was first
    stored.
    """

    __tablename__ = "chunk_pair"
    __table_args__ = (
        UniqueConstraint("campaign_id", "rater_id", "place"),
        CheckConstraint("place >= 0", name="place"),
        CheckConstraint("left_id <> right_id", name="sides"),
        Index(None, "rater_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    place: Mapped[int]
    first_segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    last_segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    left_id: Mapped[int] = mapped_column(ForeignKey("reading.id"))
    right_id: Mapped[int] = mapped_column(ForeignKey("reading.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class PageVisit(Base):
    """A time on one page of a version. mark: the browser's own number of it, so that it is stored once.

    From start in first_segment to end in last_segment, in code points. active: seconds while the page was
    seen; away: while it was hidden, or longer than five minutes without a sign of the reader. chunk_pair_id:
    the chunk of a close reading, whose time is stored with one of its two versions.
    """

    __tablename__ = "page_visit"
    __table_args__ = (
        UniqueConstraint("reading_id", "mark"),
        CheckConstraint("active >= 0 AND away >= 0", name="seconds"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    reading_id: Mapped[int] = mapped_column(ForeignKey("reading.id"))
    mark: Mapped[str] = mapped_column(String(40))
    first_segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    start: Mapped[int]
    last_segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    end: Mapped[int]
    active: Mapped[float]
    away: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)
    chunk_pair_id: Mapped[int | None] = mapped_column(ForeignKey("chunk_pair.id"))


class Highlight(Base):
    """A stretch that a reader marked, in half-open code points of the stored text.

    kind: `pleases` or `disturbs`. reason: the reader's words, empty for none. A changed kind or reason makes
    another highlight; removed_at: when it was taken away. mark: the browser's own number of it.
    chunk_pair_id: the chunk of a close reading; None for one made while the version was read as a whole.
    """

    __tablename__ = "highlight"
    __table_args__ = (
        UniqueConstraint("reading_id", "mark"),
        CheckConstraint('start >= 0 AND "end" > start', name="stretch"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    reading_id: Mapped[int] = mapped_column(ForeignKey("reading.id"))
    mark: Mapped[str] = mapped_column(String(40))
    segment_id: Mapped[int] = mapped_column(ForeignKey("segment.id"))
    start: Mapped[int]
    end: Mapped[int]
    kind: Mapped[str]
    reason: Mapped[str] = mapped_column(default="")
    made_at: Mapped[datetime] = mapped_column(default=now)
    removed_at: Mapped[datetime | None]
    chunk_pair_id: Mapped[int | None] = mapped_column(ForeignKey("chunk_pair.id"))


class ReadingAnswer(Base):
    """A reader's answer to a question of a reading study. Never changed: the last one to a question holds.

    reading_id: the version that was asked about, None for what is asked at the end and on a chunk.
    chunk_pair_id: the chunk. value: a place of a scale, an option, a text, or the place of a version in the
    reader's order; on a chunk 0 for the left one and 1 for the right one.
    """

    __tablename__ = "reading_answer"
    __table_args__ = (Index(None, "campaign_id", "rater_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    reading_id: Mapped[int | None] = mapped_column(ForeignKey("reading.id"))
    question: Mapped[str]
    value: Mapped[Any] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(default=now)
    chunk_pair_id: Mapped[int | None] = mapped_column(ForeignKey("chunk_pair.id"))


class CommentCode(Base):
    """A code of a campaign's code book, for comments that are coded by hand.

    name: short, for spreadsheets. label: what is shown. meaning: when the code is given. place: its order.
    """

    __tablename__ = "comment_code"
    __table_args__ = (UniqueConstraint("campaign_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    name: Mapped[str]
    label: Mapped[str] = mapped_column(default="")
    meaning: Mapped[str] = mapped_column(default="")
    place: Mapped[int]


class CommentCoder(Base):
    """A person who codes the comments of a campaign. finished_at: when they said that they have finished."""

    __tablename__ = "comment_coder"

    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"), primary_key=True)
    joined_at: Mapped[datetime] = mapped_column(default=now)
    finished_at: Mapped[datetime | None]


class CommentCoding(Base):
    """The codes that a coder gave a comment, by their numbers; none of them is an answer, too.

    kind, source_id: what was commented (`db/queries/coding.py`) and its row. author_id: who wrote the
    comment; on withdrawal its codes go, too.
    """

    __tablename__ = "comment_coding"
    __table_args__ = (
        UniqueConstraint("kind", "source_id", "coder_id"),
        Index(None, "campaign_id"),
        Index(None, "author_id"),
        Index(None, "coder_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    kind: Mapped[str]
    source_id: Mapped[int]
    author_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    coder_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    codes: Mapped[list[int]] = mapped_column(JSON)
    changed_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class MetricScore(Base):
    """What a metric said of a translation; `signature`: what made it. Without a score, `missing` says why."""

    __tablename__ = "metric_score"
    __table_args__ = (
        UniqueConstraint("translation_id", "metric", "signature"),
        CheckConstraint("(score IS NULL) <> (missing IS NULL)", name="score_or_missing"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    translation_id: Mapped[int] = mapped_column(ForeignKey("translation.id"))
    metric: Mapped[str]
    signature: Mapped[str]
    score: Mapped[float | None]
    parts: Mapped[dict[str, float]] = mapped_column(JSON)
    flags: Mapped[list[str]] = mapped_column(JSON)
    missing: Mapped[str | None]
    trace: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Analysis(Base):
    """What was found out of a whole campaign, packed, and its glossary (`kind`).

    fingerprint: of what it was computed from and of the program; of a glossary the form in which it is kept.
    """

    __tablename__ = "analysis"

    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    packed: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(default=now)


class JudgeCall(Base):
    """A call of a language model and its reply. `key`: a hash of model, messages and parameters."""

    __tablename__ = "judge_call"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    model: Mapped[str]
    request: Mapped[dict[str, Any]] = mapped_column(JSON)
    text: Mapped[str]
    parsed: Mapped[Any | None] = mapped_column(JSON(none_as_null=True))
    state: Mapped[str]
    problem: Mapped[str | None]
    prompt_tokens: Mapped[int]
    completion_tokens: Mapped[int]
    seconds: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


def is_latest() -> ColumnElement[bool]:
    """A condition on `Rating`: no later revision of the same item exists."""
    other = aliased(RatingEvent)
    highest = select(func.max(other.revision)).where(other.item_id == RatingEvent.item_id)
    return RatingEvent.revision == highest.correlate(RatingEvent).scalar_subquery()


def known_time(
    of: type[RatingEvent] | type[DocumentRating],
) -> ColumnElement[datetime | None]:
    """When a rating was given, in a query that holds `Campaign`; NULL where the file does not tell it.

    The time of such a rating is the one at which its campaign was made, which no rating in the app can have.
    """
    return func.nullif(of.created_at, Campaign.created_at, type_=UtcDateTime)
