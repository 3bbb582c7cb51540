"""Which rating holds: the one with the highest revision of its item."""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import aliased

from db.models import Rating


def is_latest() -> ColumnElement[bool]:
    """A condition on `Rating`: no later revision of the same item exists."""
    other = aliased(Rating)
    highest = select(func.max(other.revision)).where(other.item_id == Rating.item_id)
    return Rating.revision == highest.correlate(Rating).scalar_subquery()
