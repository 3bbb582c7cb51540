"""Systems side by side: values by hand, and sacreBLEU as an independent judge of corpus scores."""

from __future__ import annotations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF

from core.errors import InputError
from core.metaeval.comparison import compare_systems
from core.metrics import METRICS
from core.scoring import Request, score_pairs
from core.types import Result


def results(values, signature="bertscore|v1"):
    return [Result(metric="bertscore", score=value, signature=signature) for value in values]


def test_means_wins_and_the_exact_share_of_swaps_by_hand():
    found = compare_systems("bertscore", {"a": results([0.9] * 6), "b": results([0.5] * 5 + [0.9])})
    first, second = found.systems
    assert (first.system, first.score, second.system) == ("a", 0.9, "b")
    assert second.score == pytest.approx((5 * 0.5 + 0.9) / 6)
    (test,) = found.tests
    assert (test.wins, test.losses, test.ties) == (5, 0, 1)
    assert test.difference == pytest.approx(2 / 6)
    # all five differences must keep or all change their sign: 2 of 32 swaps
    assert test.p == pytest.approx(2 / 32, abs=0.02)
    assert found.best() == {"a", "b"}


def test_a_clear_difference_leaves_one_best_system():
    rng = np.random.default_rng(1)
    base = rng.uniform(0.3, 0.6, 60)
    found = compare_systems("bertscore", {"b": results(base), "a": results(base + 0.2)})
    assert [one.system for one in found.systems] == ["a", "b"]
    assert found.best() == {"a"}
    (test,) = found.tests
    assert test.low == pytest.approx(0.2)
    assert test.high == pytest.approx(0.2)
    assert test.p < 0.001


def test_only_segments_that_all_systems_have_count():
    found = compare_systems(
        "bertscore", {"a": results([0.1, None, 0.3] * 3), "b": results([0.2, 0.9, None] * 3)}
    )
    assert found.n == 3
    assert {one.system: one.score for one in found.systems} == {
        "a": pytest.approx(0.1), "b": pytest.approx(0.2)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "judge"), [("bleu", BLEU(tokenize="13a", effective_order=True)), ("chrf", CHRF())]
)
def test_counted_scores_are_those_of_sacrebleu_over_the_corpus(metric, judge, english_pairs, backends):
    pairs = english_pairs[:40]
    rows = [row[0] for row in score_pairs(pairs, [Request(metric)], backends)]
    copies = [row[0] for row in score_pairs([pairs[0]] * len(pairs), [Request(metric)], backends)]
    found = compare_systems(metric, {"system": rows, "other": copies})
    own = next(one for one in found.systems if one.system == "system")
    corpus = judge.corpus_score([one.hypothesis for one in pairs], [[one.reference for one in pairs]])
    assert own.score == pytest.approx(corpus.score, abs=1e-9)
    assert own.low < own.score < own.high
    pool = METRICS[metric].pool()
    for row in rows:
        pool.add(row)
    assert own.score == pytest.approx(pool.score)


@pytest.mark.parametrize(
    ("systems", "sentence"),
    [
        ({"a": results([0.1]), "b": results([0.1, 0.2])}, "different numbers"),
        ({"a": results([None]), "b": results([0.2])}, "No segment has a score"),
        ({"a": results([0.1]), "b": results([0.2], "bertscore|v2")}, "same signature"),
    ],
)
def test_what_cannot_be_compared_ends_in_a_sentence(systems, sentence):
    with pytest.raises(InputError, match=sentence):
        compare_systems("bertscore", systems)
