"""What readers preferred: values by hand, by statsmodels, and a study with a known preference."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.raters.reading.preferences import (
    ReaderChoice,
    guessed_right,
    metric_picks,
    pair_preferences,
    prefers_guess,
    read_first,
    share_of,
    strength_model,
)


def choice(reader, order, preferred, guess=None, *, book="b", margin=None):
    return ReaderChoice(
        reader=reader, book=book, order=tuple(order), preferred=preferred, guess=guess, margin=margin
    )


def test_a_share_has_the_exact_interval_and_test():
    """19 of 30 as in LAIT. Clopper and Pearson for 0 of n: the upper end is 1 - 0.025^(1/n)."""
    found = share_of(19, 30)
    assert (found.hits, found.n, found.value) == (19, 30, pytest.approx(19 / 30))
    tail = sum(math.comb(30, k) for k in range(19, 31)) / 2**30
    assert found.p == pytest.approx(2 * tail)
    none = share_of(0, 6)
    assert (none.low, none.high) == (0.0, pytest.approx(1 - 0.025 ** (1 / 6)))
    assert none.p == pytest.approx(2 / 64)


def test_no_preference_at_all_gives_no_value():
    found = share_of(0, 0)
    assert (found.n, found.value, found.low, found.high, found.p) == (0, None, None, None, None)


def test_preferences_of_a_pair_leave_out_those_who_see_no_difference():
    choices = [
        choice("1", "AB", "A", margin=2),
        choice("2", "BA", "A", margin=3),
        choice("3", "AB", "B", margin=2),
        choice("4", "BA", None),
    ]
    (found,) = pair_preferences(choices)
    assert (found.first, found.second, found.ties) == ("A", "B", 1)
    assert (found.share.hits, found.share.n) == (2, 3)
    assert found.margins == {2: 2, 3: 1}


def test_of_three_versions_the_preferred_one_beats_each_of_the_others_that_was_read():
    choices = [
        choice("1", "AB", "A"),
        choice("2", "BC", "C"),
        choice("3", "CA", "C"),
        choice("4", "ABC", "B"),
    ]
    found = {(one.first, one.second): (one.share.hits, one.share.n) for one in pair_preferences(choices)}
    assert found == {("A", "B"): (1, 2), ("A", "C"): (0, 1), ("B", "C"): (1, 2)}


def test_order_and_guesses_are_counted_against_what_chance_would_give():
    choices = [
        choice("1", "AB", "A", "A"),
        choice("2", "BA", "A", "B"),
        choice("3", "BA", "B", "B"),
        choice("4", "ABC", None, "C"),
    ]
    first, right, guess = read_first(choices), guessed_right(choices, {"b": "B"}), prefers_guess(choices)
    assert (first.hits, first.n, first.chance) == (2, 3, 0.5)
    assert (right.hits, right.n) == (2, 4)
    assert right.chance == pytest.approx((3 * 0.5 + 1 / 3) / 4)
    assert (guess.hits, guess.n) == (2, 3)
    assert guessed_right(choices, {}).n == 0


def test_without_an_effect_of_order_the_strengths_are_half_the_log_odds():
    """3 to 1 in either order: log 3 apart, and no effect of order."""
    choices = [choice(str(n), order, won) for n, (order, won) in enumerate(
        [("AB", "A")] * 3 + [("AB", "B")] + [("BA", "A")] * 3 + [("BA", "B")]
    )]  # fmt: skip
    found = strength_model(choices)
    values = {one.version: one.value for one in found.strengths}
    assert values["A"] == pytest.approx(math.log(3) / 2)
    assert values["B"] == pytest.approx(-math.log(3) / 2)
    assert found.first == pytest.approx(0, abs=1e-9)
    # the variance of a log-odds of 6 to 2 is 1/6 + 1/2; the strength is half of it
    (a, _) = found.strengths
    assert (a.high - a.low) / 2 == pytest.approx(1.959964 * math.sqrt(1 / 6 + 1 / 2) / 2, rel=1e-5)


def test_strengths_and_order_are_those_of_a_logistic_regression():
    from statsmodels.api import GLM, families

    rng = np.random.default_rng(5)
    choices, rows, won = [], [], []
    for n in range(120):
        i, j = rng.permutation(3)[:2]
        one = rng.random() < 0.6
        choices.append(choice(str(n), ("ABC"[i], "ABC"[j]), "ABC"[i] if one else "ABC"[j]))
        row = np.zeros(4)
        row[i], row[j], row[3] = 1, -1, 1
        rows.append([row[0] - row[2], row[1] - row[2], row[3]])
        won.append(float(one))
    fit = GLM(np.array(won), np.array(rows), families.Binomial()).fit(tol=1e-12)
    found = strength_model(choices)
    assert [one.value for one in found.strengths] == pytest.approx(
        [fit.params[0], fit.params[1], -fit.params[0] - fit.params[1]], abs=1e-6
    )
    assert found.first == pytest.approx(fit.params[2], abs=1e-6)
    low, high = fit.conf_int()[2]
    assert (found.first_low, found.first_high) == pytest.approx((low, high), abs=1e-5)
    assert found.strengths[0].low == pytest.approx(fit.conf_int()[0][0], abs=1e-5)


def test_a_version_that_always_won_has_no_strength():
    choices = [choice(str(n), "AB" if n % 2 else "BA", "A") for n in range(6)]
    found = strength_model(choices)
    assert found.missing == "one-sided"
    assert [(one.version, one.wins, one.comparisons, one.value) for one in found.strengths] == [
        ("A", 6, 6, None),
        ("B", 0, 6, None),
    ]
    assert strength_model(choices[:2]).missing == "few-choices"


def test_a_metric_picks_by_the_better_score_and_even_scores_are_left_out():
    choices = [
        choice("1", "AB", "A", book="x"),
        choice("2", "AB", "B", book="x"),
        choice("3", "AB", "A", book="y"),
        choice("4", "AB", "A", book="z"),
        choice("5", "AB", None, book="x"),
    ]
    scores = {("x", "A"): 0.9, ("x", "B"): 0.8, ("y", "A"): 0.5, ("y", "B"): 0.5}
    (found,) = metric_picks(choices, {"bleu": scores})
    assert (found.metric, found.share.hits, found.share.n, found.even, found.missing) == ("bleu", 1, 2, 1, 1)


def test_a_planted_preference_and_an_effect_of_order_lie_in_their_intervals():
    """400 studies of 60 readers: P(A) = .65 at even order, order effect .3. The coverage is near 95 %."""
    strength, order, rng = math.log(0.65 / 0.35) / 2, 0.3, np.random.default_rng(1)
    hits = {"strength": 0, "order": 0, "share": 0}
    studies = 400
    for _ in range(studies):
        choices = []
        for n in range(60):
            first = "AB" if n % 2 else "BA"
            side = 1 if first == "AB" else -1
            p = 1 / (1 + math.exp(-(2 * strength + side * order)))
            choices.append(choice(str(n), first, "A" if rng.random() < p else "B"))
        model, (pair,) = strength_model(choices), pair_preferences(choices)
        a = model.strengths[0]
        hits["strength"] += a.low <= strength <= a.high
        hits["order"] += model.first_low <= order <= model.first_high
        even = [1 / (1 + math.exp(-(2 * strength + side * order))) for side in (1, -1)]
        hits["share"] += pair.share.low <= sum(even) / 2 <= pair.share.high
    assert all(0.92 <= count / studies <= 0.985 for count in hits.values()), hits
