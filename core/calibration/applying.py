"""A saved model on new translations: refused where their scores were not made as those it learnt from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.calibration.features import LENGTHS, Lengths, values_of
from core.calibration.files import Saved
from core.errors import CalibrationError
from core.signature import differences
from core.types import Result

METRIC = "calibrated"


def apply(
    saved: Saved, rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None = None
) -> list[Result[Any]]:
    """A result for each translation, in the scale of the model's people; without any score it is missing.

    A single metric may have no score of a translation: its features are filled as in training. Raises
    CalibrationError where a metric is not there at all, was made with other settings, or lengths are needed.
    """
    check(saved, rows, lengths)
    signed = saved.signature
    predicted = saved.model.predict(values_of(saved.names, rows, lengths)).tolist()
    return [
        Result(metric=METRIC, score=value, parts={METRIC: value}, signature=signed)
        if any(one.score is not None for one in results.values())
        else Result(metric=METRIC, score=None, signature=signed, missing="No metric has a score of it.")
        for value, results in zip(predicted, rows, strict=True)
    ]


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
