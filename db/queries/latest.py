"""Which rating holds: the one with the highest revision of its item."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import aliased

from db.models import RatingEvent


def is_latest() -> ColumnElement[bool]:
    """A condition on `Rating`: no later revision of the same item exists."""
    other = aliased(RatingEvent)
    highest = select(func.max(other.revision)).where(other.item_id == RatingEvent.item_id)
    return RatingEvent.revision == highest.correlate(RatingEvent).scalar_subquery()
