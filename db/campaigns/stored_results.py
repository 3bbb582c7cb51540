"""Results of metrics in the database: a result to a row and back, and what is stored of one translation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine

from core.codec import decode_trace, pack_trace
from core.errors import YomikurabeError
from core.metrics import find_metric
from core.types import Result
from db.permissions import Viewer
from db.queries import scores_of_translation, store_scores
from db.records import ScoreRow


@dataclass(frozen=True, slots=True)
class StoredResults:
    """The stored scores of one translation that have a trace, by metric and signature."""

    rows: Mapping[tuple[str, str], ScoreRow] = field(default_factory=dict)
    _read: dict[tuple[str, str], Result[Any] | None] = field(default_factory=dict, repr=False, compare=False)

    def find(self, metric: str, signature: str) -> Result[Any] | None:
        """The stored result with its trace, which is decoded once.

        None where nothing is stored with this signature, and where the trace cannot be read here.
        """
        key = (metric, signature)
        if key not in self._read:
            row = self.rows.get(key)
            self._read[key] = None if row is None else result_of(row)
        return self._read[key]


NO_RESULTS = StoredResults()


def read_results(engine: Engine, translation_id: int) -> StoredResults:
    """What is stored of a translation. No trace is decoded before it is asked for."""
    rows = scores_of_translation(engine, translation_id, traced=True)
    return StoredResults({(row.metric, row.signature): row for row in rows})


def keep_results(engine: Engine, viewer: Viewer, translation_id: int, results: Iterable[Result[Any]]) -> None:
    """Store results with their traces beside those with other settings.

    Raises AccessError for a viewer who may not change campaigns.
    """
    viewer.must_manage()
    store_scores(engine, [score_row(translation_id, result) for result in results])


def score_row(translation_id: int, result: Result[Any], *, with_trace: bool = True) -> ScoreRow:
    """A result as it is stored, with its trace packed or without."""
    return ScoreRow(
        translation_id=translation_id,
        metric=result.metric,
        signature=result.signature,
        score=result.score,
        parts=result.parts,
        flags=result.flags,
        missing=result.missing,
        trace=pack_trace(result.trace) if with_trace and result.trace is not None else None,
    )


def result_of(row: ScoreRow) -> Result[Any] | None:
    """The inverse of `score_row`; None where the trace cannot be read or is another metric's."""
    try:
        trace = decode_trace(row.trace) if isinstance(row.trace, dict) else None
        if not isinstance(trace, find_metric(row.metric).trace):
            return None
    except YomikurabeError:
        return None
    return Result(
        metric=row.metric,
        score=row.score,
        parts=row.parts,
        signature=row.signature,
        flags=row.flags,
        missing=row.missing,
        trace=trace,
    )
