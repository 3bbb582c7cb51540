"""Calls of language models, kept for good: a re-run costs nothing and can be replayed offline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from core.judging import Reply
from core.text.languages import well_formed
from db.engine import reading, writing
from db.models import JudgeCall

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
        with reading(self._engine) as session:
            for start in range(0, len(keys), AT_ONCE):
                query = select(*columns).where(JudgeCall.key.in_(keys[start : start + AT_ONCE]))
                for row in session.execute(query).mappings():
                    found[row["key"]] = Reply(**{name: row[name] for name in FIELDS})
        return found

    def keep(self, key: str, model: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Keep a reply, unless another process was first."""
        values = {name: getattr(reply, name) for name in FIELDS} | {"text": well_formed(reply.text)}
        try:
            with writing(self._engine) as session:
                session.execute(
                    insert(JudgeCall).values(key=key, model=model, request=dict(request), **values)
                )
        except IntegrityError:
            return


def count_calls(engine: Engine) -> dict[str, int]:
    """How many calls are kept, by model."""
    with reading(engine) as session:
        models = session.scalars(select(JudgeCall.model)).all()
    return {model: models.count(model) for model in dict.fromkeys(models)}
