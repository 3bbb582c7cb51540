"""Who rates."""

from __future__ import annotations

from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from core.errors import RatingError
from db.engine import reading, writing
from db.models import Rater
from db.names import check_rater_name, rater_key
from db.records import RaterRecord


def enter_rater(engine: Engine, name: str) -> RaterRecord:
    """The rater of this name, made on the first visit; names that differ in case or width are one person.

    Raises RatingError for a name that cannot be one, or that belongs to imported scores.
    """
    shown = check_rater_name(name)
    rater = _find(engine, shown)
    if rater is None:
        try:
            with writing(engine) as session:
                session.add(Rater(name=shown, key=rater_key(shown)))
        except IntegrityError:
            pass  # another tab came first: the name is there now
        rater = _find(engine, shown)
    if rater is None or rater.imported:
        raise RatingError(f"The name “{shown}” belongs to imported scores; choose another name.")
    return rater


def _find(engine: Engine, name: str) -> RaterRecord | None:
    query = select(Rater.id, Rater.name, Rater.imported).where(Rater.key == rater_key(name))
    with reading(engine) as session:
        row = session.execute(query).mappings().one_or_none()
        return None if row is None else RaterRecord(**row)
