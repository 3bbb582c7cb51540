"""Made-up ratings: documents of translations, metrics that say parts of what people think."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.calibration.features import features_of
from core.calibration.training import Scale, Training, training
from core.raters.ratings import Rating
from core.types import Result


def result(metric: str, score: float | None, **given: Any) -> Result[Any]:
    missing = "nothing to ask" if score is None else None
    return Result(metric=metric, score=score, signature=f"{metric}|v1", missing=missing, **given)


def made(
    *,
    documents: int = 12,
    of_each: int = 10,
    noise: float = 0.5,
    scale: Scale = "raw",
    seed: int = 3,
    gaps: int = 0,
) -> Training:
    """People = one + other + noise; `bleu` says the one, `chrf` the other, `bertscore` nothing.

    gaps: so many translations, spread evenly, have no `bertscore`.
    """  # fmt: skip
    n = documents * of_each
    rng = np.random.default_rng(seed)
    one, other, nothing = rng.normal(size=(3, n))
    people = 70 + 5 * (one + other + noise * rng.normal(size=n))
    lost = set(np.linspace(0, n - 1, gaps).astype(int).tolist())
    rows = [
        {
            "bleu": result("bleu", float(one[place])),
            "chrf": result("chrf", float(other[place])),
            "bertscore": result("bertscore", None if place in lost else float(nothing[place])),
        }
        for place in range(n)
    ]
    ratings = [Rating(f"rater {place % 2}", place, float(people[place])) for place in range(n)]
    return training(features_of(rows), [place // of_each for place in range(n)], ratings, scale)
