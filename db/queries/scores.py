"""Scores of metrics, and stored calls of language models, which can be replayed offline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from core.text.languages import well_formed
from core.types import Reply
from db.engine import read_session, write_session
from db.models import JudgeCall, MetricScore, Segment, Translation
from db.records import ScoreRow

AT_ONCE = 500
FIELDS = ("text", "state", "parsed", "problem", "prompt_tokens", "completion_tokens", "seconds")


class DatabaseCalls:
    """The `CallStore` of a database. The first reply to a call is the one that is kept."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """The kept replies among these keys."""
        found: dict[str, Reply] = {}
        columns = [JudgeCall.key, *(getattr(JudgeCall, name) for name in FIELDS)]
        with read_session(self._engine) as session:
            for start in range(0, len(keys), AT_ONCE):
                query = select(*columns).where(JudgeCall.key.in_(keys[start : start + AT_ONCE]))
                for row in session.execute(query).mappings():
                    found[row["key"]] = Reply(**{name: row[name] for name in FIELDS})
        return found

    def keep(self, key: str, model: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Keep a reply, unless another process was first."""
        values = {name: getattr(reply, name) for name in FIELDS} | {
            "text": well_formed(reply.text),
            "problem": _plain(reply.problem),
        }
        try:
            with write_session(self._engine) as session:
                session.execute(
                    insert(JudgeCall).values(key=key, model=model, request=dict(request), **values)
                )
        except IntegrityError:
            return


def count_calls(engine: Engine) -> dict[str, int]:
    """How many calls are kept, by model."""
    with read_session(engine) as session:
        models = session.scalars(select(JudgeCall.model)).all()
    return {model: models.count(model) for model in dict.fromkeys(models)}


def store_scores(engine: Engine, rows: Iterable[ScoreRow]) -> int:
    """Store scores in one transaction; one of the same translation, metric and signature is replaced.

    Returns how many. Raises ValueError for NaN or infinity: "not computed" is None with `missing`.
    """
    values = {(row.translation_id, row.metric, row.signature): _values(row) for row in rows}
    if not values:
        return 0
    same = (
        delete(MetricScore)
        .where(MetricScore.translation_id == bindparam("its_translation"))
        .where(MetricScore.metric == bindparam("its_metric"))
        .where(MetricScore.signature == bindparam("its_signature"))
    )
    keys = [dict(zip(("its_translation", "its_metric", "its_signature"), key, strict=True)) for key in values]
    with write_session(engine) as session:
        session.connection().execute(same, keys)
        session.execute(insert(MetricScore), list(values.values()))
    return len(values)


def scores_of_translation(engine: Engine, translation_id: int, *, traced: bool = False) -> list[ScoreRow]:
    """The stored scores of one translation, as they were stored one after the other. traced: with a trace."""
    names = list(ScoreRow.__slots__)
    query = (
        select(*(getattr(MetricScore, name) for name in names))
        .where(MetricScore.translation_id == translation_id)
        .order_by(MetricScore.id)
    )
    if traced:
        query = query.where(MetricScore.trace.is_not(None))
    with read_session(engine) as session:
        return [
            ScoreRow(**{**row, "flags": tuple(row["flags"])}) for row in session.execute(query).mappings()
        ]


def scores_of_campaign(engine: Engine, campaign_id: int) -> list[ScoreRow]:
    """Every stored score of a campaign's translations, in the order in which they were stored; no traces."""
    names = [name for name in ScoreRow.__slots__ if name != "trace"]
    query = (
        select(*(getattr(MetricScore, name) for name in names))
        .join(Translation, Translation.id == MetricScore.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
        .order_by(MetricScore.id)
    )
    with read_session(engine) as session:
        return [
            ScoreRow(**{**row, "flags": tuple(row["flags"])}) for row in session.execute(query).mappings()
        ]


def _values(row: ScoreRow) -> dict[str, object]:
    numbers = [*row.parts.values(), 0.0 if row.score is None else row.score]
    if not all(math.isfinite(number) for number in numbers):
        raise ValueError(f"{row.metric} gave NaN or infinity for translation {row.translation_id}")
    if (row.score is None) == (row.missing is None):
        raise ValueError(f"{row.metric} for translation {row.translation_id}: a score, or why it is missing")
    values = {name: getattr(row, name) for name in ScoreRow.__slots__}
    return {**values, "parts": dict(row.parts), "flags": list(row.flags), "missing": _plain(row.missing)}


def _plain(sentence: str | None) -> str | None:
    """A sentence as it is stored: in English."""
    return None if sentence is None else str(sentence)
