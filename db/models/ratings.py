"""What raters are shown and what they say, and what metrics say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, now


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
    spans: the errors that were marked (`db/spans.py`), None where the protocol asks for none.
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


class Draft(Base):
    """What a rater has marked and written but not yet saved as a rating; overwritten with each change."""

    __tablename__ = "draft"

    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    spans: Mapped[Any] = mapped_column(JSON, default=list)
    comment: Mapped[str] = mapped_column(default="")
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
