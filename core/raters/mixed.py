"""A mixed model of scores: systems are fixed, raters and segments are drawn at random. By statsmodels, REML.

score = system + rater + item + residual, with rater ~ N(0, s_r²), item ~ N(0, s_i²), residual ~ N(0, s²).
A lenient rater or a hard segment that one system met more often no longer counts for or against it.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from core.raters.figures import Missing
from core.raters.pairs import is_flat
from core.raters.ratings import Columns, Rating, columns

MIN_LEVELS = 3
"""Fewer items than this say nothing of how items vary."""

MOST_LEVELS = 400
"""Raters and items together; the time grows with their cube, and these take some ten seconds."""

_TAIL = 0.975
_STOPS = {"nm": {"xtol": 1e-7, "ftol": 1e-10, "maxfun": 400, "maxiter": 400}, "lbfgs": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEstimate:
    """A system's score for an average rater and item, from n ratings, with its 95 % interval (Wald).

    The interval holds what is not known of raters and items, too: compare systems by `SystemContrast`.
    """

    system: str
    n: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemContrast:
    """The estimate of first less that of second, 95 % interval and two-sided p (Wald, not corrected)."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedModel:
    """Systems best first, contrasts of every two of them in that order, and standard deviations in points.

    Empty and None exactly when `missing` says why: `one-rater`, `few-items` (fewer than 3 items, or no more
    ratings than raters and systems and items), `no-variance`, `too-many` (over 400 raters and items),
    `no-fit`. n: ratings. raters, items: how many of them.
    """

    n: int
    raters: int
    items: int
    systems: tuple[SystemEstimate, ...] = ()
    contrasts: tuple[SystemContrast, ...] = ()
    rater_sd: float | None = None
    item_sd: float | None = None
    residual_sd: float | None = None
    missing: Missing | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """estimate: (systems,); covariance: (systems, systems); sd: of rater, item, residual; log likelihood."""

    estimate: NDArray[np.float64]
    covariance: NDArray[np.float64]
    sd: Mapping[str, float]
    likelihood: float


def mixed_model(ratings_by_system: Mapping[str, Sequence[Rating]]) -> MixedModel:
    """Fit the model to the ratings of all systems; an item is a segment, named alike under each system.

    The systems without ratings are left out. Raises InputError for a score that is no number.
    """
    names = tuple(sorted(name for name, ratings in ratings_by_system.items() if ratings))
    table = columns([rating for name in names for rating in ratings_by_system[name]])
    system = np.repeat(np.arange(len(names)), [len(ratings_by_system[name]) for name in names])
    empty = MixedModel(n=len(table.score), raters=len(table.raters), items=len(table.items))
    missing = _missing(table, len(names))
    fit = None if missing else _fitted(table, system)
    if fit is None:
        return replace(empty, missing=missing or "no-fit")
    order = sorted(range(len(names)), key=lambda i: (-round(float(fit.estimate[i]), 9), names[i]))
    return replace(
        empty,
        systems=tuple(_estimate(fit, i, names[i], int((system == i).sum())) for i in order),
        contrasts=tuple(_contrast(fit, i, j, names) for i, j in itertools.combinations(order, 2)),
        rater_sd=fit.sd.get("rater", 0.0),
        item_sd=fit.sd.get("item", 0.0),
        residual_sd=fit.sd["residual"],
    )


def _missing(table: Columns, systems: int) -> Missing | None:
    raters, items = len(table.raters), len(table.items)
    if raters < 2:
        return "one-rater"
    if items < MIN_LEVELS or len(table.score) <= systems + raters + items:
        return "few-items"
    if is_flat(table.score):
        return "no-variance"
    return "too-many" if raters + items > MOST_LEVELS else None


def _fitted(table: Columns, system: NDArray[np.int64]) -> _Fit | None:
    """The fit, or None where there is none. A component whose variance is 0 leaves the model singular.

    Then the likeliest of another method's fit and the models with one component is kept; what is left out of
    it has an sd of 0. Nelder and Mead's comes first: quasi-Newton ones stop early near a variance of 0. Where
    neither raters nor items vary there is no such model.
    """
    both = _fitted_with(table, system, ("rater", "item"), "nm")
    if both is not None:
        return both
    singles = [_fitted_with(table, system, (one,), "nm") for one in ("rater", "item")]
    if singles == [None, None]:
        return None
    others = [*singles, _fitted_with(table, system, ("rater", "item"), "lbfgs")]
    return max((fit for fit in others if fit is not None), key=lambda fit: fit.likelihood)


def _fitted_with(
    table: Columns, system: NDArray[np.int64], components: tuple[str, ...], method: str
) -> _Fit | None:
    """The fit with these random components, None where it fails. Only here is statsmodels loaded.

    The scores are standardised for the fit: its starting values and tolerances then suit any scale.
    """
    import pandas as pd
    from statsmodels.regression.mixed_linear_model import MixedLM

    centre, scale = float(table.score.mean()), float(table.score.std())
    scores = (table.score - centre) / scale
    model = MixedLM.from_formula(
        "score ~ 0 + C(system)",
        pd.DataFrame({"score": scores, "system": system, "rater": table.rater, "item": table.item}),
        groups=np.ones(len(scores)),
        re_formula="0",
        vc_formula={name: f"0 + C({name})" for name in components},
        use_sparse=True,
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on convergence: asked below
            found = model.fit(method=[method], **_STOPS[method])
    except np.linalg.LinAlgError:
        return None
    k = len(found.fe_params)
    covariance = np.asarray(found.cov_params())[:k, :k] * scale**2
    if not found.converged or not np.isfinite(covariance).all() or (np.diag(covariance) <= 0).any():
        return None
    variance = dict(zip(model.exog_vc.names, found.vcomp, strict=True)) | {"residual": found.scale}
    return _Fit(
        estimate=np.asarray(found.fe_params) * scale + centre,
        covariance=covariance,
        sd={name: math.sqrt(max(float(value), 0.0)) * scale for name, value in variance.items()},
        likelihood=float(found.llf),
    )


def _estimate(fit: _Fit, i: int, name: str, n: int) -> SystemEstimate:
    estimate = float(fit.estimate[i])
    half = float(stats.norm.ppf(_TAIL) * np.sqrt(fit.covariance[i, i]))
    return SystemEstimate(system=name, n=n, estimate=estimate, low=estimate - half, high=estimate + half)


def _contrast(fit: _Fit, i: int, j: int, names: Sequence[str]) -> SystemContrast:
    difference = float(fit.estimate[i] - fit.estimate[j])
    error = float(np.sqrt(fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j]))
    half = float(stats.norm.ppf(_TAIL)) * error
    return SystemContrast(
        first=names[i],
        second=names[j],
        difference=difference,
        low=difference - half,
        high=difference + half,
        p=float(2 * stats.norm.sf(abs(difference) / error)),
    )
