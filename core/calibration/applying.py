"""A saved model on new translations: refused where their scores were not made as those it learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.calibration.features import LENGTHS, Floats, Lengths, group_of, values_of
from core.calibration.files import Saved
from core.errors import CalibrationError
from core.signature import differences
from core.types import Result

METRIC = "calibrated"


def apply(
    saved: Saved, rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None = None
) -> list[Result[Any]]:
    """A result for each translation, in the scale of the model's people.

    It is missing where no metric has a score, and where a metric has none that always had one in training;
    a gap that the model has met is filled as in training. Raises CalibrationError where a metric is not there
    at all, was made with other settings, or lengths are needed.
    """
    check(saved, rows, lengths)
    values = values_of(saved.names, rows, lengths)
    predicted, signed = saved.model.predict(values), saved.signature
    return [
        _result(signed, float(predicted[row]), results, _unmet(saved, values[row]))
        for row, results in enumerate(rows)
    ]


def _result(
    signed: str, value: float, results: Mapping[str, Result[Any]], unmet: Sequence[str]
) -> Result[Any]:
    missing = None
    if not any(one.score is not None for one in results.values()):
        missing = "No metric has a score of it."
    elif unmet:
        missing = f"It has no score of {', '.join(unmet)}, and the model has not met that."
    if missing is not None:
        return Result(metric=METRIC, score=None, signature=signed, missing=missing)
    return Result(metric=METRIC, score=value, parts={METRIC: value}, signature=signed)


def _unmet(saved: Saved, values: Floats) -> list[str]:
    """The metrics behind the gaps, in (p,) features, that the model has not met."""
    places = np.flatnonzero(np.isnan(values) & ~saved.model.preparation.marked).tolist()
    return list(dict.fromkeys(group_of(saved.names[place]) for place in places))


def check(saved: Saved, rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None) -> None:
    """Raises CalibrationError naming what differs from the scores that the model learnt from."""
    for metric, signed in saved.signatures.items():
        found = [one[metric].signature for one in rows if metric in one]
        if not found:
            raise CalibrationError(
                f"The model needs scores of {metric}, and there are none; score with it first.",
                "lacks",
                metric=metric,
            )
        for other in dict.fromkeys(found):
            differ = differences(signed, other)
            if differ:
                raise CalibrationError(
                    f"The model learnt from other scores of {metric} than these ({'; '.join(differ)}); "
                    "score with the model's settings, or fit a new model.",
                    "differs",
                    metric=metric,
                    difference="; ".join(differ),
                )
    if lengths is None and set(LENGTHS) & set(saved.names):
        raise CalibrationError("The model needs the lengths of the texts; give the texts, too.", "lengths")
