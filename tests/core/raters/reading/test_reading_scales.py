"""Answers on a scale: against the analysis of a two-period crossover, which needs no mixed model."""

import numpy as np
import pytest
from scipy import stats

from core.raters.reading.scales import ScaleAnswer, scale_models

FIRST_A = [(6, 4), (5, 5), (7, 4), (4, 3), (6, 6), (5, 2)]  # answers to A and B of readers who read A first
FIRST_B = [(5, 6), (6, 4), (3, 4), (7, 7), (5, 4), (4, 2)]  # of readers who read B first


def answers(first_a, first_b, *, book="one", question="quality"):
    """Both answers of every reader."""
    groups = [(first_a, (1, 2)), (first_b, (2, 1))]
    return [
        ScaleAnswer(
            reader=f"{group}-{number}-{book}",
            book=book,
            version=version,
            place=place,
            question=question,
            value=value,
        )
        for group, (readers, places) in enumerate(groups)
        for number, values in enumerate(readers)
        for version, place, value in zip("AB", places, values, strict=True)
    ]


def crossover():
    """The differences A less B of both groups."""
    return (np.array([a - b for a, b in group], float) for group in (FIRST_A, FIRST_B))


def test_versions_and_places_differ_as_in_the_analysis_of_a_crossover():
    (model,) = scale_models(answers(FIRST_A, FIRST_B))
    first, second = crossover()  # A less B is the versions' difference less a place, or plus a place
    ((one),) = model.differences
    assert (one.first, one.second, model.n, model.readers) == ("A", "B", 24, 12)
    assert one.effect.value == pytest.approx((first.mean() + second.mean()) / 2, abs=1e-4)
    assert model.later.value == pytest.approx((second.mean() - first.mean()) / 2, abs=1e-4)
    assert model.later.p == pytest.approx(stats.ttest_ind(first, second).pvalue, abs=1e-4)
    ends = stats.ttest_ind(second, first).confidence_interval(0.95)
    assert (model.later.low, model.later.high) == pytest.approx((ends.low / 2, ends.high / 2), abs=1e-3)
    assert one.effect.p == pytest.approx(stats.ttest_ind(first, -second).pvalue, abs=1e-4)


def test_one_order_for_all_leaves_no_effect_of_the_place():
    (model,) = scale_models(answers(FIRST_A, []))
    first, _ = crossover()
    assert model.later is None
    assert model.differences[0].effect.value == pytest.approx(first.mean(), abs=1e-4)
    assert model.differences[0].effect.p == pytest.approx(stats.ttest_1samp(first, 0).pvalue, abs=1e-4)


def test_readers_who_do_not_differ_leave_least_squares():
    same = [(5, 3), (4, 4), (6, 2), (3, 5)]  # each reader's mean is 4
    (model,) = scale_models(answers(same[:2], same[2:]))
    assert model.reader_sd == pytest.approx(0, abs=1e-3)
    assert model.differences[0].effect.value == pytest.approx(1.0, abs=1e-4)


def test_books_have_their_own_spread_and_questions_their_own_model():
    liked = [(a + 2, b + 2) for a, b in FIRST_B]
    given = answers(FIRST_A, FIRST_B) + answers(liked, FIRST_A, book="two")
    quality, style = scale_models(given + answers(FIRST_A, FIRST_B, question="style"))
    assert (quality.question, style.question) == ("quality", "style")
    assert quality.book_sd > 0
    assert style.book_sd is None
    assert quality.n == 48


@pytest.mark.parametrize(
    ("first_a", "first_b", "missing"),
    [
        ([(5, 4)], [], "few-answers"),
        ([(5, 4)], [(4, 3)], "few-answers"),
        ([(5, 5), (5, 5)], [(5, 5), (5, 5)], "no-variance"),
        ([(5, 5), (3, 3)], [(4, 4), (6, 6)], "no-residual"),
    ],
)
def test_what_cannot_be_told_is_said_by_a_word(first_a, first_b, missing):
    (model,) = scale_models(answers(first_a, first_b))
    assert (model.missing, model.differences, model.later) == (missing, (), None)
    assert scale_models([]) == ()
