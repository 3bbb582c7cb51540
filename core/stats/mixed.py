"""Linear mixed models with crossed random components, fitted by statsmodels (REML).

y = X beta + one random effect for the level of each component + residual; effects of a component are drawn
from N(0, sd²).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STOPS = {"nm": {"xtol": 1e-7, "ftol": 1e-10, "maxfun": 400, "maxiter": 400}, "lbfgs": {}}

Levels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class MixedFit:
    """A fitted model.

    estimate: (columns,) of the fixed effects. covariance: (columns, columns), of the estimates. sd: of each
    component, 0 where it was left out, and of the `residual`. likelihood: the restricted log likelihood.
    """

    estimate: NDArray[np.float64]
    covariance: NDArray[np.float64]
    sd: Mapping[str, float]
    likelihood: float


def fit_mixed(
    y: NDArray[np.float64], fixed: NDArray[np.float64], components: Mapping[str, Levels]
) -> MixedFit | None:
    """Fit the model, or give None where there is no such fit.

    y: (n,), not all equal. fixed: (n, columns), whose columns span the constant. components: of each random
    component, by name, the level of each observation, (n,).

    A component whose variance is 0 leaves the model singular. Then the likeliest of another method's fit and
    of the models with one component is kept. Nelder and Mead's method comes first: quasi-Newton ones stop
    early near a variance of 0. Where no component varies there is no such model.
    """
    every = _fit_with(y, fixed, components, "nm")
    if every is not None or len(components) == 1:
        return every
    singles = [_fit_with(y, fixed, {name: levels}, "nm") for name, levels in components.items()]
    if all(one is None for one in singles):
        return None
    others = [*singles, _fit_with(y, fixed, components, "lbfgs")]
    best = max((one for one in others if one is not None), key=lambda one: one.likelihood)
    left_out = {name: 0.0 for name in components if name not in best.sd}
    return MixedFit(
        estimate=best.estimate,
        covariance=best.covariance,
        sd={**best.sd, **left_out},
        likelihood=best.likelihood,
    )


def _fit_with(
    y: NDArray[np.float64], fixed: NDArray[np.float64], components: Mapping[str, Levels], method: str
) -> MixedFit | None:
    """The fit with these random components, None where it fails. Only here is statsmodels loaded.

    y is standardised for the fit: its starting values and tolerances then suit any scale.
    """
    import pandas as pd
    from statsmodels.regression.mixed_linear_model import MixedLM

    centre, scale = float(y.mean()), float(y.std())
    columns = [f"x{i}" for i in range(fixed.shape[1])]
    table = pd.DataFrame(
        {"y": (y - centre) / scale, **dict(zip(columns, fixed.T, strict=True)), **components}
    )
    model = MixedLM.from_formula(
        f"y ~ 0 + {' + '.join(columns)}",
        table,
        groups=np.ones(len(y)),
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
    constant = np.linalg.lstsq(fixed, np.ones(len(y)), rcond=None)[0]
    variance = dict(zip(model.exog_vc.names, found.vcomp, strict=True)) | {"residual": found.scale}
    return MixedFit(
        estimate=np.asarray(found.fe_params) * scale + centre * constant,
        covariance=covariance,
        sd={name: math.sqrt(max(float(value), 0.0)) * scale for name, value in variance.items()},
        likelihood=float(found.llf),
    )
