from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from core.raters.assignment import DEGRADED, GAP, REFERENCE, REPEAT, Placed, may_come
from core.raters.narrowing import (
    MOST,
    RATER_RIDGE,
    SYSTEM_RIDGE,
    Candidates,
    Rated,
    Sums,
    choose,
    gains,
    standing,
)


def rated(*rows: tuple[int, int, int, float]) -> Rated:
    """(segment, system, rater, score) as columns."""
    columns = list(zip(*rows, strict=True))
    return Rated(*(np.array(column) for column in columns[:3]), np.array(columns[3], np.float64))


def candidates(*rows: tuple[int, int, int]) -> Candidates:
    return Candidates(*(np.array(column) for column in zip(*rows, strict=True)))


def made(seed: int, *, segments: int = 6, systems: int = 3, raters: int = 2, n: int = 20) -> Rated:
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, most, n) for most in (segments, systems, raters)]
    return Rated(*columns, rng.uniform(0, 100, n))


def of(ratings: Rated, *sizes: int) -> Sums:
    sums = Sums.empty(*sizes)
    sums.add(ratings)
    return sums


def test_before_any_rating_one_rating_tells_two_systems_apart_as_worked_out_by_hand():
    # A system begins worth .01 ratings, so its mean has variance 100, and the rater's 4. The rating of the
    # first system has variance 100 + 4 beside 1 + 1 of chance and segment. It leaves of the difference, which
    # has variance 200, 100² / 106 / 200 = .4717 explained, and P(wrong) = arccos(√.4717) / π = .259.
    now = standing(Sums.empty(1, 2, 1), ratios=(1.0,))
    assert now.wrong() == pytest.approx([0.5])
    after = 0.5 - gains(now, candidates((0, 0, 0)))
    assert after == pytest.approx([math.acos(math.sqrt(100**2 / 106 / 200)) / math.pi])
    assert after == pytest.approx([0.259], abs=0.0005)


def test_the_model_is_that_of_a_plain_normal_posterior():
    ratings, ratio = made(1), 2.0
    now = standing(of(ratings, 6, 3, 2), ratios=(ratio,))
    design = np.zeros((20, 3 + 2 + 6))
    rows = np.arange(20)
    for offset, column in ((0, ratings.system), (3, ratings.rater), (5, ratings.segment)):
        design[rows, offset + column] = 1
    prior = np.diag([SYSTEM_RIDGE] * 3 + [RATER_RIDGE] * 2 + [ratio] * 6)
    covariance = np.linalg.inv(design.T @ design + prior)
    centre = ratings.score.mean()
    effects = covariance @ design.T @ (ratings.score - centre)
    assert now.means == pytest.approx(centre + effects[:3])
    assert now.inverse == pytest.approx(covariance[:5, :5])


def test_systems_on_the_same_segments_by_the_same_rater_are_surer_than_on_others():
    # Segments vary four times as much as chance: 60 against 50 on one segment says more than on two.
    together = standing(of(rated((0, 0, 0, 60.0), (0, 1, 0, 50.0)), 2, 2, 1), ratios=(0.25,))
    apart = standing(of(rated((0, 0, 0, 60.0), (1, 1, 0, 50.0)), 2, 2, 1), ratios=(0.25,))
    assert together.differences()[1] / together.chance < apart.differences()[1] / apart.chance


@pytest.mark.slow
def test_the_expected_number_of_wrong_pairs_is_that_of_many_simulated_ratings():
    ratings = made(2, n=12)
    now = standing(of(ratings, 6, 3, 2), ratios=(1.0,))
    one = candidates((4, 1, 0))
    rng = np.random.default_rng(0)
    wrong = []
    i, j = now.pairs()
    for _ in range(20_000):
        effects = rng.multivariate_normal(np.r_[now.means, 0, 0], now.inverse * now.chance)
        truth = effects[i] - effects[j]
        # the same rating again and again: a normal posterior moves by its gain times what is new in it
        others = now.on_segment[4] + now.ratio
        told = -now.counts[4] / others
        told[1] += 1
        told[3] += 1
        noise = now.chance * (others + 1) / others
        moved = now.inverse * now.chance @ told
        surprise = told @ (effects - np.r_[now.means, 0, 0]) + rng.normal(0, math.sqrt(noise))
        means = np.r_[now.means, 0, 0] + moved * surprise / (told @ moved + noise)
        wrong.append((np.sign(means[i] - means[j]) != np.sign(truth)).sum())
    assert now.wrong().sum() - gains(now, one)[0] == pytest.approx(np.mean(wrong), abs=0.02)


def test_small_gains_keep_their_digits():
    # Far in the tail Owen's T is lost in rounding; the integral of the same has its digits.
    rows = [(s, k, 0, score + 3.0 * (s % 3)) for s in range(30) for k, score in enumerate((62.0, 60.0, 40.0))]
    now = standing(of(rated(*rows), 40, 3, 1), ratios=(4.0,))
    one = candidates((35, 0, 0))
    others = 4.0
    told = np.array([1.0, 0, 0, 1.0])
    moved = now.inverse @ told
    shrink = (others / (others + 1)) / (1 + others / (others + 1) * (moved @ told))
    expected = 0.0
    for i, j, m, v in zip(*now.pairs(), *now.differences(), strict=True):
        r2 = (moved[i] - moved[j]) ** 2 * shrink * now.chance / v
        h, a = abs(m) / math.sqrt(v), math.sqrt((1 - r2) / max(r2, 1e-12))
        tail = quad(lambda x, h=h, a=a: math.exp(h * h * (a * a - x * x) / 2) / (1 + x * x), a, math.inf)[0]
        expected += tail * math.exp(-h * h * (1 + a * a) / 2) / math.pi
    assert gains(now, one)[0] == pytest.approx(expected, rel=1e-3)
    assert 0 < expected < 1e-12


def test_two_systems_that_are_close_are_rated_next_and_not_the_one_that_is_far_off():
    rows = [(s, k, 0, score + s % 3) for s in range(8) for k, score in enumerate((80.0, 79.5, 20.0))]
    now = standing(of(rated(*rows), 20, 3, 1))
    far, close = gains(now, candidates((9, 2, 0), (9, 0, 0)))
    assert close > far
    open_items = candidates(*((s, k, 0) for s in range(9, 20) for k in range(3)))
    picked = {int(open_items.system[choose(now, open_items, seed=str(n), at_random=0)]) for n in range(20)}
    assert picked <= {0, 1}


def test_a_quarter_comes_as_it_was_dealt():
    rows = [(s, k, 0, score + s % 3) for s in range(8) for k, score in enumerate((80.0, 79.5, 20.0))]
    now = standing(of(rated(*rows), 20, 3, 1))
    far_first = candidates((9, 2, 0), (9, 0, 0), (9, 1, 0))
    first = [choose(now, far_first, seed=str(n)) == 0 for n in range(1000)]
    assert 0.21 < np.mean(first) < 0.29


def test_equal_scores_and_no_scores_give_a_choice_too():
    nothing = standing(Sums.empty(3, 2, 1))
    same = standing(of(rated((0, 0, 0, 50.0), (0, 1, 0, 50.0)), 3, 2, 1))
    for now in (nothing, same):
        assert now.wrong() == pytest.approx([0.5])
        assert choose(now, candidates((1, 0, 0), (2, 1, 0)), seed="x") in (0, 1)


@given(seed=st.integers(0, 10_000), n=st.integers(1, 40))
def test_what_is_taken_in_and_out_again_leaves_nothing(seed, n):
    ratings, more = made(seed, n=n), made(seed + 1, n=n)
    sums = of(ratings, 6, 3, 2)
    sums.add(more)
    sums.add(more, times=-1)
    once = of(ratings, 6, 3, 2)
    for name in ("together", "counts", "totals", "on_segment", "ratings", "squares", "total"):
        assert getattr(sums, name) == pytest.approx(getattr(once, name), abs=1e-6)


@given(seed=st.integers(0, 10_000), key=st.text(max_size=5), n=st.integers(1, 2 * MOST))
def test_the_same_ratings_and_seed_give_the_same_choice_in_any_order_of_the_ratings(seed, key, n):
    ratings = made(seed)
    order = np.random.default_rng(seed).permutation(20)
    turned = Rated(*(getattr(ratings, name)[order] for name in ("segment", "system", "rater", "score")))
    offered = made(seed + 1, n=n)
    own = Candidates(offered.segment, offered.system, np.zeros(n, np.int64))
    one, other = (choose(standing(of(rows, 6, 3, 2)), own, seed=key) for rows in (ratings, turned))
    assert one == other
    assert 0 <= one < n


def items(*segments: int) -> list[Placed]:
    return [Placed(place, 100 + place, segment) for place, segment in enumerate(segments)]


def places(found: list[Placed]) -> list[int]:
    return [item.place for item in found]


def test_what_comes_keeps_the_gap_to_its_segment():
    own = items(0, 1, 2, 3, 4, 5, 0, 6, 1)
    assert GAP == 5
    assert places(may_come(own, 6, distance=10)) == [
        6,
        7,
    ]  # segment 1 was shown at place 1, within the last five


def test_nothing_comes_where_the_item_is_touched_or_a_check_or_not_there():
    own = [
        Placed(0, 1, 1),
        Placed(1, 2, 2, touched=True),
        Placed(2, 1, 1, kind=REPEAT),
        Placed(3, 3, 3),
        Placed(4, 4, 4),
    ]
    assert [places(may_come(own, place, distance=1)) for place in (1, 2, 3, 9)] == [[], [], [3, 4], []]


def test_an_original_stays_before_its_repetition():
    own = [Placed(0, 1, 1), Placed(1, 2, 2), Placed(2, 1, 1, kind=REPEAT), Placed(3, 3, 3), Placed(4, 4, 4)]
    assert places(may_come(own, 0, distance=0)) == [0, 1]  # 3 and 4 would push the original behind


@pytest.mark.parametrize("kind", [REFERENCE, DEGRADED])
def test_a_check_keeps_its_distance(kind):
    check = Placed(0, 99 if kind == REFERENCE else 8, 8, kind=kind)
    own = [check, *(Placed(place, place, place) for place in range(1, 10))]
    assert places(may_come(own, 7, distance=6)) == [7, 8, 9]  # six items stand between
    assert places(may_come(own, 7, distance=7)) == [7, 9]


@given(
    segments=st.lists(st.integers(0, 5), min_size=1, max_size=25),
    repeats=st.sets(st.integers(0, 24)),
    seed=st.integers(0, 99),
)
def test_a_share_stays_whole_and_no_repetition_comes_before_its_original(segments, repeats, seed):
    rng = np.random.default_rng(seed)
    own = [Placed(place, place, segment) for place, segment in enumerate(segments)]
    own += [
        Placed(len(own) + n, own[place].translation, own[place].segment, kind=REPEAT)
        for n, place in enumerate(sorted(repeats))
        if place < len(segments)
    ]
    before = sorted((item.translation, item.kind) for item in own)
    for place in range(len(own)):
        free = may_come(own, place, distance=3)
        if free:
            chosen, here = free[rng.integers(len(free))], own[place]
            own[place] = Placed(place, chosen.translation, chosen.segment)
            if chosen.place != place:
                own[chosen.place] = Placed(chosen.place, here.translation, here.segment)
    assert sorted((item.translation, item.kind) for item in own) == before
    shown: set[int] = set()
    for item in own:
        assert item.kind != REPEAT or item.translation in shown
        shown.add(item.translation)
