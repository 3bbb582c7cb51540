"""Normalisations side by side: by hand, against the ranking's own means, and where there is little."""

import math

import numpy as np
import pytest

from core.errors import InputError
from core.raters.normalisation import MOST_LEVELS, WAYS, Caution, Swap, orders
from core.raters.ranking import system_means
from core.raters.ratings import METHODS, Rating, SkippedRater, normalise


def given(rater, *scores):
    return [Rating(rater, segment, float(score)) for segment, score in enumerate(scores)]


# r hardly leaves 50 and sees B 2 points ahead; s uses the whole scale and sees A 4 points ahead
CLOSE = {
    "A": [*given("r", 50, 50, 50, 50, 50), *given("s", 100, 0, 100, 0, 70)],
    "B": [*given("r", 52, 52, 52, 52, 52), *given("s", 100, 0, 100, 0, 50)],
}


def values(found):
    return {order.way: {one.system: one.value for one in order.systems} for order in found.orders}


def test_means_of_every_way_worked_by_hand():
    found = values(orders(CLOSE, mixed=False))
    assert found["raw"] == pytest.approx({"A": 52, "B": 51})  # (50 + 54) / 2, (52 + 50) / 2
    assert found["centred"] == pytest.approx({"A": 0.5, "B": -0.5})
    assert found["minmax"] == pytest.approx({"A": (0 + 0.54) / 2, "B": (1 + 0.5) / 2})
    # r: mid-ranks 3 and 8; s: 2.5, 5, 6 and 8.5; less 1, over 9
    assert found["rank"] == pytest.approx({"A": (2 / 9 + 4.6 / 9) / 2, "B": (7 / 9 + 4.4 / 9) / 2})
    sd_r, sd_s = math.sqrt(10 / 9), float(np.std([100, 0, 100, 0, 70, 100, 0, 100, 0, 50], ddof=1))
    assert found["z"] == pytest.approx({"A": (-1 / sd_r + 2 / sd_s) / 2, "B": (1 / sd_r - 2 / sd_s) / 2})


def test_systems_that_change_places_are_named_with_the_ways_on_either_side():
    found = orders(CLOSE)
    assert [one.way for one in found.orders] == list(WAYS)
    assert found.swaps == (
        Swap(
            first="A",
            second="B",
            first_ahead=("raw", "centred", "mixed"),
            second_ahead=("z", "minmax", "rank"),
        ),
    )
    assert [one.system for one in found.orders[0].systems] == ["A", "B"]
    assert [one.system for one in found.orders[2].systems] == ["B", "A"]


def test_where_all_ways_agree_nothing_is_swapped():
    better = {"A": given("r", 60, 70, 80, 90, 95), "B": given("r", 50, 60, 70, 80, 85)}
    assert orders(better, mixed=False).swaps == ()


def test_means_are_those_of_the_ranking():
    rng = np.random.default_rng(3)
    rows = zip(rng.integers(0, 4, 200), rng.integers(0, 5, 200), rng.integers(0, 30, 200), strict=True)
    by_system = {}
    for system, rater, segment in rows:
        score = float(rng.integers(0, 101))
        by_system.setdefault(f"s{system}", []).append(Rating(f"r{rater}", int(segment), score))
    found = values(orders(by_system, mixed=False))
    everything = [(name, rating) for name, ratings in by_system.items() for rating in ratings]
    for method in METHODS:
        scaled = normalise([rating for _, rating in everything], method=method).ratings
        again = {name: [] for name in by_system}
        for (name, _), rating in zip(everything, scaled, strict=True):
            again[name].append(rating)
        assert found[method] == pytest.approx({one.system: one.mean for one in system_means(again)})


def test_a_rater_with_hardly_any_spread_is_named_with_the_limit():
    (caution,) = orders(CLOSE, mixed=False).cautions
    sd_s = float(np.std([100, 0, 100, 0, 70, 100, 0, 100, 0, 50], ddof=1))
    assert (caution.word, caution.name, caution.n) == ("flat-rater", "r", 10)
    assert caution.sd == pytest.approx(math.sqrt(10 / 9))
    assert caution.limit == pytest.approx(0.05 * (sd_s + math.sqrt(10 / 9)) / 2)


def test_few_ratings_few_segments_and_a_single_rating_are_named():
    few = {"A": given("r", 1, 2, 3, 4, 5, 6), "B": given("r", 3, 4), "C": given("s", 9)}
    found = orders(few, mixed=False)
    assert found.cautions == (
        Caution(word="few-ratings", name="s", n=1),
        Caution(word="few-segments", name="B", n=2),
        Caution(word="one-rating", name="C", n=1),
    )
    assert {order.way: order.skipped for order in found.orders}["z"] == (SkippedRater("s", "one-rating"),)
    assert "C" not in values(found)["z"]


def test_only_ties_and_nothing_at_all_are_no_numbers_that_are_none():
    tied = orders({"A": given("r", *[70] * 5), "B": given("s", *[70] * 5)})
    assert values(tied)["raw"] == {"A": 70, "B": 70}
    assert values(tied)["z"] == {}
    assert tied.swaps == ()
    assert tied.orders[-1].missing == "no-variance"
    assert [one.word for one in tied.cautions if one.sd == 0] == ["flat-rater", "flat-rater"]
    nothing = orders({"A": [], "B": []})
    assert [order.systems for order in nothing.orders] == [()] * 6
    assert (nothing.swaps, nothing.cautions) == ((), ())


def test_too_much_for_the_mixed_model_is_a_word():
    many = {
        name: [
            Rating(rater, i, float((7 * i + 3 * len(name)) % 100))
            for rater in "rs"
            for i in range(MOST_LEVELS)
        ]
        for name in ("A", "BB")
    }
    mixed = orders(many).orders[-1]
    assert (mixed.way, mixed.systems, mixed.missing) == ("mixed", (), "too-many")


def test_the_order_of_rows_changes_nothing():
    mixed_up = {name: ratings[::-1] for name, ratings in reversed(CLOSE.items())}
    one, other = orders(CLOSE, mixed=False), orders(mixed_up, mixed=False)
    assert (one.swaps, one.cautions) == (other.swaps, other.cautions)
    for way, scores in values(one).items():
        assert values(other)[way] == pytest.approx(scores)


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(InputError, match="not a number"):
        orders({"A": [Rating("r", 1, math.inf)]})
