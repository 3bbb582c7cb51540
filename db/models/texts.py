"""Campaigns and the texts in them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import Base, now


class Campaign(Base):
    """A set of segments, the systems that translated them, and the question put to the raters.

    state: `draft` (being prepared), `open` (people rate) or `closed`. design: how it is rated
    (`db/design.py`). released_at: since when a class sees the panel's scores.
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
    released_at: Mapped[datetime | None]


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
