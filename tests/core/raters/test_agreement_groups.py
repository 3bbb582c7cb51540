"""Agreement by document or domain: each group as if it were alone."""

import pytest

from core.raters.ratings import Rating
from core.raters.reliability import agreement_by_group, reliability

SCORES = {  # two documents of three items; b agrees with a on the first, is the other way round on the second
    "a": [10, 20, 30, 10, 20, 30],
    "b": [20, 30, 40, 30, 20, 10],
    "c": [1, 2, 4, None, None, None],
}
RATINGS = [
    Rating(rater, item, float(score))
    for rater, scores in SCORES.items()
    for item, score in enumerate(scores)
    if score is not None
]
DOCUMENT = dict.fromkeys((0, 1, 2), "one") | dict.fromkeys((3, 4, 5), "two")


def test_each_group_has_the_agreement_of_its_own_items():
    one, two = agreement_by_group(RATINGS, DOCUMENT)
    assert (one.group, one.items, one.ratings, one.mean_r.n) == ("one", 3, 9, 3)
    assert (two.group, two.items, two.ratings, two.mean_r.n) == ("two", 3, 6, 1)
    assert two.mean_r.value == pytest.approx(-1)
    whole = reliability([rating for rating in RATINGS if DOCUMENT[rating.item] == "one"])
    assert one.mean_r.value == pytest.approx(whole.mean_r.value)
    assert one.alpha == whole.alpha


def test_alpha_of_a_group_worked_by_hand():
    # (10, 30) (20, 20) (30, 10): ordered pairs 800 + 0 + 800, D_o = 1600 / 6; about 20 400, D_e = 2 * 400 / 5
    (_, two) = agreement_by_group(RATINGS, DOCUMENT)
    assert two.alpha.value == pytest.approx(1 - (1600 / 6) / 160)
    assert two.alpha.n == 3


def test_items_without_a_group_are_left_out_and_little_is_a_word():
    (lone,) = agreement_by_group(RATINGS, {3: "first item", 99: "unknown"})
    assert (lone.group, lone.items) == ("first item", 1)
    assert lone.mean_r.missing == "few-items"
    assert agreement_by_group([], DOCUMENT) == ()
    flat, single = agreement_by_group(
        [Rating(rater, item, 5.0) for rater in "ab" for item in range(3)] + [Rating("a", "x", 1.0)],
        {0: "flat", 1: "flat", 2: "flat", "x": "single"},
    )
    assert flat.mean_r.missing == flat.alpha.missing == "no-variance"
    assert single.mean_r.missing == single.alpha.missing == "one-rater"


def test_several_scores_of_a_rater_for_an_item_are_one_rating():
    (only,) = agreement_by_group([*RATINGS, Rating("a", 0, 10.0)], {0: "one", 1: "one", 2: "one"})
    assert only.ratings == 9
