"""Why a fitted score gains so little: what can be measured of it, as words and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.calibration.learning import Curve
from core.calibration.training import Training
from core.calibration.validation import TARGET_GAIN, Validation
from core.metaeval.correlation import pearson
from core.raters.pairs import pearsons

ALIKE = 0.7
"""Metrics whose median r with the best one is so high are called alike."""
DISAGREE = 0.7
"""Raters whose mean r over shared translations is lower leave much that no score can predict."""

Why = Literal["few", "wide", "alone", "disagree", "alike", "flat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why in a word, and the numbers that were measured.

    `few` (rated, documents): little to learn from. `wide` (width, documents): the interval of the gain is
    wider than twice the gain hoped for. `alone`: no translation has two raters, so nobody knows how much of
    their scores is chance. `disagree` (r, n): raters' mean r over n translations that two of them scored.
    `alike` (r): the other metrics' median r with the best one. `flat` (more, gain): the curve hardly rises.
    """

    why: Why
    numbers: Mapping[str, float]


def reasons(data: Training, found: Validation, curve: Curve) -> list[Reason]:
    """What stands in the way of a gain of .05; empty where it was reached."""
    if found.verdict == "reached":
        return []
    rows = []
    if data.few:
        rows.append(Reason(why="few", numbers={"rated": len(data), "documents": data.documents}))
    low, high = found.gain.low, found.gain.high
    if low is not None and high is not None and high - low > 2 * TARGET_GAIN:
        rows.append(Reason(why="wide", numbers={"width": high - low, "documents": data.documents}))
    rows.extend(_raters(data))
    rows.extend(_alike(data, found))
    if curve.ahead is not None and curve.ahead.flat:
        rows.append(Reason(why="flat", numbers={"more": curve.more, "gain": curve.ahead.gain}))
    return rows


def _raters(data: Training) -> list[Reason]:
    table = data.ratings
    counts = np.bincount(table.item, minlength=len(table.items))
    both = int((counts > 1).sum())
    if not both:
        return [Reason(why="alone", numbers={})]
    r = pearsons(table).r[np.triu_indices(len(table.raters), 1)]
    r = r[np.isfinite(r)]
    if not len(r) or r.mean() >= DISAGREE:
        return []
    return [Reason(why="disagree", numbers={"r": float(r.mean()), "n": both})]


def _alike(data: Training, found: Validation) -> list[Reason]:
    if found.best is None:
        return []
    best = data.features.score(found.best)
    others = [data.features.score(name) for name in data.features.metrics if name != found.best]
    known = [(one, np.isfinite(one) & np.isfinite(best)) for one in others]
    values = [
        abs(pearson(best[rows], one[rows]))
        for one, rows in known
        if rows.sum() > 2 and np.ptp(one[rows]) > 0 and np.ptp(best[rows]) > 0
    ]
    if not values or np.median(values) < ALIKE:
        return []
    return [Reason(why="alike", numbers={"r": float(np.median(values))})]
