"""Whether evidence on characters ranks what people marked above the rest."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from core.metaeval import pointing as module
from core.metaeval.pointing import (
    LENGTH,
    RANDOM,
    RATER,
    MarkedText,
    area_under_roc,
    average_precision,
    pointing,
    run_lengths,
)
from core.raters.protocols import MAJOR, MINOR, NEUTRAL, SOURCE, MarkedSpan


def marked(text, *spans, document="d", item=0, rater="a"):
    found = tuple(span if isinstance(span, MarkedSpan) else MarkedSpan(*span, MINOR) for span in spans)
    return MarkedText(text=text, document=document, item=item, rater=rater, spans=found)


def drawn(n, characters=40, documents=8, seed=1):
    """Texts of one letter, each with a run of marked characters."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(n):
        start = int(rng.integers(0, characters - 6))
        found.append(
            marked("x" * characters, (start, start + 5), document=f"d{number % documents}", item=number)
        )
    return found


def row(table, name):
    return next(one for one in table.rows if one.name == name)


def counts(wrong, values):
    order = np.unique(-np.asarray(values, float), return_inverse=True)[1]
    positive = np.bincount(order, wrong)
    return positive, np.bincount(order) - positive


@pytest.mark.parametrize("distinct", [2, 5, 1000])
def test_both_figures_are_scikit_learns_with_and_without_ties(distinct):
    rng = np.random.default_rng(distinct)
    wrong = rng.random(300) < 0.2
    values = rng.integers(0, distinct, 300) / distinct + 0.3 * wrong
    positive, negative = counts(wrong, values)
    assert float(average_precision(positive, negative)) == pytest.approx(
        average_precision_score(wrong, values)
    )
    assert float(area_under_roc(positive, negative)) == pytest.approx(roc_auc_score(wrong, values))


def test_a_ranking_of_four_characters_by_hand():
    # marked, not, marked, not: at the first P = 1, at the second hit P = 2/3; two of two and one of two pairs
    positive, negative = counts(np.array([True, False, True, False]), [4, 3, 2, 1])
    assert float(average_precision(positive, negative)) == pytest.approx((1 + 2 / 3) / 2)
    assert float(area_under_roc(positive, negative)) == pytest.approx(3 / 4)


def test_without_characters_of_both_kinds_there_is_no_figure():
    positive, negative = counts(np.array([False, False]), [1, 2])
    assert np.isnan(average_precision(positive, negative))
    assert np.isnan(area_under_roc(negative, positive))


def test_pooled_and_mean_figures_are_those_of_scikit_learn_over_all_characters_and_over_texts():
    texts = drawn(30)
    rng = np.random.default_rng(3)
    evidence = [rng.normal(size=40) + (one.marks() > 0) for one in texts]
    found = row(pointing(texts, {"m": evidence}).everything, "m")
    wrong = [one.marks() > 0 for one in texts]
    each = [average_precision_score(own, values) for own, values in zip(wrong, evidence, strict=True)]
    assert found.precision.value == pytest.approx(np.mean(each))
    assert found.precision.n == 30
    assert found.pooled_precision.value == pytest.approx(
        average_precision_score(np.concatenate(wrong), np.concatenate(evidence))
    )
    assert found.pooled_auc.value == pytest.approx(
        roc_auc_score(np.concatenate(wrong), np.concatenate(evidence))
    )
    for one in (found.precision, found.auc, found.pooled_precision, found.pooled_auc):
        assert one.low < one.value < one.high


def test_perfect_evidence_reaches_1_and_random_numbers_the_share_of_marked_characters():
    texts = drawn(400)
    table = pointing(texts, {"people": [one.marks() for one in texts]}).everything
    assert row(table, "people").precision.value == row(table, "people").pooled_auc.value == 1
    assert table.share == 5 / 40
    assert row(table, RANDOM).pooled_precision.value == pytest.approx(5 / 40, abs=0.01)
    assert row(table, RANDOM).auc.value == pytest.approx(0.5, abs=0.02)
    assert row(table, LENGTH).auc.value == 0.5  # all characters of a text stand in one run


@pytest.mark.slow
def test_classes_of_a_resample_hardly_move_the_interval_of_pooled_characters(monkeypatch):
    texts = drawn(400)
    rng = np.random.default_rng(5)
    evidence = {"m": [rng.normal(size=40) + (one.marks() > 0) for one in texts]}
    coarse = row(pointing(texts, evidence).everything, "m").pooled_precision
    monkeypatch.setattr(module, "BINS", 10**9)
    fine = row(pointing(texts, evidence).everything, "m").pooled_precision
    assert (coarse.low, coarse.high) == pytest.approx((fine.low, fine.high), abs=0.002)


def test_a_second_rater_is_measured_on_the_texts_that_two_have_marked():
    once = drawn(20)
    same = [
        marked(one.text, *one.spans, document=one.document, item=one.item, rater="b") for one in once[:12]
    ]
    texts = [*once, *same]
    found = pointing(texts, {"flat": [np.zeros(40) for _ in texts]})
    assert (found.everything.texts, found.twice.texts) == (32, 24)
    assert row(found.twice, RATER).precision.value == 1
    assert row(found.twice, "flat").precision.value == pytest.approx(5 / 40)
    assert pointing(once, {}).twice is None


def test_the_evidence_of_a_second_rater_is_graded_by_severity():
    text = "abcdef"
    first = [marked(text, (0, 1), item=n, document=f"d{n}") for n in range(12)]
    second = [
        MarkedText(
            text=text,
            document=f"d{n}",
            item=n,
            rater="b",
            spans=(MarkedSpan(0, 1, MAJOR), MarkedSpan(1, 6, MINOR)),
        )
        for n in range(12)
    ]
    found = row(pointing([*first, *second], {}).twice, RATER)
    # with the first rater as the truth the gravest mark is right (1); the other way round all is marked
    assert found.precision.value == 1
    assert found.precision.n == 12


def test_blanks_omissions_neutral_marks_and_marks_in_the_source_do_not_count():
    spans = [
        MarkedSpan(0, 3, MINOR),
        MarkedSpan(0, 0, MAJOR, missing=True),
        MarkedSpan(4, 5, NEUTRAL),
        MarkedSpan(4, 6, MAJOR, side=SOURCE),
    ]
    one = marked("ab cdef", *spans)
    assert one.marks().tolist() == [1, 1, 1, 0, 0, 0, 0]
    table = pointing([one], {}).everything
    assert (table.characters, table.share) == (6, 2 / 6)


def test_few_marked_texts_give_no_figure_and_few_documents_no_interval():
    found = pointing(drawn(9), {}).everything.rows[0]
    assert (found.precision.value, found.precision.missing) == (None, "few-items")
    found = pointing(drawn(30, documents=3), {}).everything.rows[0]
    assert found.precision.value is not None
    assert found.precision.low is None


def test_only_texts_that_every_metric_has_scored_count():
    texts = drawn(20)
    evidence = {"a": [np.zeros(40)] * 20, "b": [None] * 8 + [np.zeros(40)] * 12}
    assert pointing(texts, evidence).everything.texts == 12
    with pytest.raises(ValueError, match="39 values for 40 characters"):
        pointing(texts, {"a": [np.zeros(39)] * 20})


def test_no_texts_at_all():
    found = pointing([], {"a": []})
    assert (found.everything.texts, found.everything.share, found.twice) == (0, 0.0, None)


def test_a_character_has_the_length_of_its_run_of_one_script():
    assert run_lengths("The cat.").tolist() == [3, 3, 3, 0, 3, 3, 3, 0]
    assert run_lengths("私はジョンだ。").tolist() == [1, 1, 3, 3, 3, 1, 0]
    assert run_lengths("コーヒー").tolist() == [4, 4, 4, 4]
