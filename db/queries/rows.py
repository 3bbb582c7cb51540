"""Rows of a query as records."""

from __future__ import annotations

from typing import Any, TypeVar

from sqlalchemy import Select
from sqlalchemy.orm import Session

T = TypeVar("T")


def records(session: Session, kind: type[T], query: Select[*tuple[Any, ...]]) -> list[T]:
    """The rows of a query, each as a record of this kind, whose fields are called as the columns are.

    The names are looked up once: `mappings()` of SQLAlchemy does it for each row, which takes longer than the
    query.
    """
    found = session.execute(query)
    names = tuple(found.keys())
    return [kind(**dict(zip(names, row, strict=True))) for row in found]
