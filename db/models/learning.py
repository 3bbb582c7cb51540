"""What readers of the lessons leave for each other."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, now


class Attempt(Base):
    """A bad translation on a lesson's board: under `metric` alone it beats the good one.

    lesson: which one, with its language, such as `fool-ja`. name: as typed. scores: by metric. rater_id: the
    person, where one came by a link; who withdraws takes their attempts along.
    """

    __tablename__ = "attempt"
    __table_args__ = (Index(None, "lesson", "metric"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    lesson: Mapped[str]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    name: Mapped[str]
    metric: Mapped[str]
    text: Mapped[str]
    scores: Mapped[dict[str, float]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(default=now)
