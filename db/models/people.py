"""Who may do what: people, the links and accounts that let them in, and what was done to whom.

What readers of the lessons leave for each other.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint
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


class Rater(Base):
    """A person. `key` is the name as compared (`db/names.py`); `imported` raters cannot enter.

    role: `rater`, `organiser` or `teacher`. native_language: ISO 639-1; level: how well the person reads the
    source language, in their own words. After withdrawn_at only this row is left, without a name.
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
    consented_at: Mapped[datetime | None]
    withdrawn_at: Mapped[datetime | None]
    seen_at: Mapped[datetime | None]


class Link(Base):
    """An unguessable link, of which only a hash is kept.

    With a rater it is that person's own; without one whoever opens it joins the campaign as a new person,
    to take this `part` in it (`Member`).
    """

    __tablename__ = "link"

    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    part: Mapped[str] = mapped_column(default="rater")
    note: Mapped[str] = mapped_column(default="")
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
    """A person in a campaign. part: `rater`, `student` or `panel` (the experts of a class)."""

    __tablename__ = "member"
    __table_args__ = (UniqueConstraint("campaign_id", "rater_id"), Index(None, "rater_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int] = mapped_column(ForeignKey("rater.id"))
    part: Mapped[str] = mapped_column(default="rater")
    joined_at: Mapped[datetime] = mapped_column(default=now)


class Event(Base):
    """Something that was done and has to be known later, such as a withdrawal; never a text of anybody."""

    __tablename__ = "event"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"))
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("rater.id"))
    details: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
