"""One small table, every headline computed a second time from it."""

import krippendorff
import numpy as np
import pandas as pd
import pytest

from core.raters.ratings import Rating
from core.raters.reliability import reliability


def test_the_headlines_of_one_table_are_those_of_pandas_and_the_analysis_of_variance():
    scores = [
        [71, 80, 34, 90, 55, 62, 88, 40, 75, 66],
        [65, 85, 50, 95, 60, 58, 80, 52, 70, 71],
        [90, 92, 70, 99, 85, 88, 91, 60, 95, 80],
        [50, 66, 20, 70, 10, 61, 75, 33, 41, 59],
    ]
    found = reliability(
        [Rating("abcd"[i], j, float(x)) for i, row in enumerate(scores) for j, x in enumerate(row)]
    )
    wide = pd.DataFrame(scores).T
    upper = np.triu_indices(4, 1)
    for figure, method in (
        (found.mean_r, "pearson"),
        (found.mean_spearman, "spearman"),
        (found.mean_kendall, "kendall"),
    ):
        assert figure.value == pytest.approx(wide.corr(method).to_numpy()[upper].mean())
    (n, k), whole = wide.shape, wide.to_numpy(float)
    items = k * whole.mean(axis=1).var(ddof=1)
    raters = n * whole.mean(axis=0).var(ddof=1)
    rest = (n * k - 1) * whole.var(ddof=1) - (n - 1) * items - (k - 1) * raters
    error = rest / ((n - 1) * (k - 1))
    single = (items - error) / (items + (k - 1) * error + k * (raters - error) / n)
    assert found.icc_single.value == pytest.approx(single)
    assert found.icc_mean.value == pytest.approx((items - error) / (items + (raters - error) / n))
    assert found.alpha.value == pytest.approx(krippendorff.alpha(whole.T, level_of_measurement="interval"))
