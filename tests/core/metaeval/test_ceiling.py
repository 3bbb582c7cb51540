"""What one more rater reaches beside the metrics."""

from __future__ import annotations

import numpy as np
import pytest

from core.metaeval.ceiling import ceiling
from core.metaeval.evaluation import MetaTable


def table(scores, metrics, documents=20):
    n = len(scores)
    return MetaTable(
        people=np.array([np.mean(own) for own in scores]),
        metrics=metrics,
        item=np.arange(n),
        system=np.zeros(n, np.int64),
        items=[str(row) for row in range(n)],
        systems=["ours"],
        group=np.arange(n) % documents,
    )


def made(n=4000, raters=3, noise=1.0, metric_noise=1.0, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    scores = truth[:, None] + noise * rng.normal(size=(n, raters))
    metric = truth + metric_noise * rng.normal(size=n)
    return scores.tolist(), metric


def test_two_raters_who_score_alike_but_for_noise_reach_the_known_correlation():
    scores, metric = made(raters=2)
    found = ceiling(table(scores, {"metric": metric}), scores)
    # variance of truth and of noise are 1: r of two raters is 1/2, so is that of a metric with the same noise
    assert found.one_rater.value == pytest.approx(0.5, abs=0.03)
    assert found.one_rater.low < 0.5 < found.one_rater.high
    assert found.others == 1
    assert found.metrics["metric"].raters.value == pytest.approx(1, abs=0.12)


def test_a_metric_with_half_the_variance_of_noise_is_worth_two_raters():
    scores, metric = made(metric_noise=np.sqrt(0.5))
    found = ceiling(table(scores, {"metric": metric}), scores)
    # one rater against the mean of two others: .5 √2 / √1.5
    assert found.one_rater.value == pytest.approx(0.57735, abs=0.03)
    worth = found.metrics["metric"].raters
    assert worth.value == pytest.approx(2, abs=0.25)
    assert worth.low < 2 < worth.high


def test_translations_of_one_rater_do_not_count():
    scores, metric = made(n=30, raters=2)
    scores = [own[:1] if row % 3 else own for row, own in enumerate(scores)]
    found = ceiling(table(scores, {"metric": metric}), scores)
    assert found.one_rater.n == 10
    assert ceiling(table(scores[:9], {"metric": metric[:9]}), scores[:9]) is None


def test_a_metric_that_runs_against_people_is_worth_no_number_of_raters():
    scores, metric = made(n=200)
    found = ceiling(table(scores, {"metric": -metric}), scores).metrics["metric"]
    assert found.r.value < 0
    assert (found.raters.value, found.raters.missing) == (None, "no-variance")


def test_few_documents_leave_the_intervals_out():
    scores, metric = made(n=60)
    found = ceiling(table(scores, {"metric": metric}, documents=2), scores)
    assert found.one_rater.value is not None
    assert (found.one_rater.low, found.one_rater.high) == (None, None)
