"""From one score to another, step by step: the steps add up, and each says what a reader would say."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.attribution import KINDS, Attribution, Terms, attribute_mean, same_places, shapley, steepness
from core.codec import decode_trace, encode_trace
from core.errors import InputError
from core.metrics import METRICS, attribute
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, FakeJudge, fake_backends

REFERENCE = "太郎は三月二十日に花子を見た。花子は何も言わなかった。"
VERSIONS = (
    "三月二十日に、太郎は花子を見た。花子は黙っていた。",
    "五月二十日に、太郎は花子を見た。花子は黙っていた。。。。。。。。",
    "花子は太郎を見なかった。",
    "",
    REFERENCE,
)
NAMES = [name for name, spec in METRICS.items() if "judge" not in spec.needs]
numbers = st.floats(-1, 1, allow_nan=False).map(lambda value: round(value, 6))


def amounts(found):
    return math.fsum(one.amount for one in found.contributions)


@pytest.mark.embedded
@pytest.mark.parametrize("name", NAMES)
def test_the_steps_add_up_to_the_difference_and_come_from_the_traces_alone(name, backends):
    pairs = [TextPair(reference=REFERENCE, hypothesis=text, lang="ja") for text in VERSIONS]
    metric = METRICS[name].prepare({}, backends, pairs)
    results = [metric.score(pair) for pair in pairs]
    for first in results:
        for last in results:
            found = attribute(first, last)
            assert amounts(found) == pytest.approx(last.score - first.score, abs=1e-9)
            assert set(found.by_kind()) <= set(KINDS)
    again = [decode_trace(json.loads(json.dumps(encode_trace(one.trace)))) for one in results[:2]]
    stored = [replace(result, trace=trace) for result, trace in zip(results, again, strict=False)]
    assert attribute(results[0], results[1]) == attribute(*stored)
    assert attribute(results[0], results[0]).largest(3) == ()


@pytest.mark.embedded
def test_settings_that_weigh_and_rescale_add_up_too(backends):
    pairs = [TextPair(reference=REFERENCE, hypothesis=text, lang="ja") for text in VERSIONS[:3]]
    for name, chosen in (
        ("bertscore", {"weight": "idf", "rescale": "yes"}),
        ("bertscore-reading", {"mode": "token", "rescale": "yes"}),
        ("structure-dep", {"filter": "label", "subtree_weight": "log"}),
        ("subspace", {"weight": "l2", "window": "sentence"}),
    ):
        metric = METRICS[name].prepare(chosen, backends, pairs)
        first, last = metric.score(pairs[0]), metric.score(pairs[2])
        assert amounts(attribute(first, last)) == pytest.approx(last.score - first.score, abs=1e-9)


def test_a_word_that_is_put_in_is_seen_by_itself_and_by_whom_it_takes_over():
    """One axis a word, without special tokens: every cosine is 0 or 1.

    `a b` against `a`: P 1, R 1/2, F 2/3. Against `a b`: P 1, R 1, F 1. The new `b` scores as the mean of the
    old ones, so it moves P by 0; the reference's `b` finds a partner, which moves R by 1/2 and F by 1/3.
    """
    axes = {"<s>": (0, 0, 1), "</s>": (0, 0, 1), "a": (1, 0, 0), "b": (0, 1, 0)}
    backends = fake_backends(FakeEncoder(axes))
    pairs = [TextPair(reference="a b", hypothesis=text) for text in ("a", "a b")]
    metric = METRICS["bertscore"].prepare({"specials": "exclude"}, backends, pairs)
    found = attribute(*(metric.score(pair) for pair in pairs))
    assert (found.before, found.after) == (pytest.approx(2 / 3), pytest.approx(1))
    assert {(one.kind, one.side, one.what): one.amount for one in found.contributions} == {
        ("added", "hypothesis", "b"): pytest.approx(0),
        ("new-partner", "reference", "b"): pytest.approx(1 / 3),
    }


def test_the_mean_by_hand():
    """Values 1, 0 (mean 1/2) become 1, 1/2, 0 (mean 1/2): one rises, one is low."""
    before = Terms(names=["x", "y"], weights=np.ones(2), values=np.array([1.0, 0.0]))
    after = Terms(names=["x", "y", "z"], weights=np.ones(3), values=np.array([1.0, 0.5, 0.0]))
    found = attribute_mean(before, after, side="", kept=same_places("xy", "xyz"), others=None)
    assert [(one.kind, one.what, one.amount) for one in found] == [
        ("context", "x", 0.0),
        ("context", "y", pytest.approx(1 / 6)),
        ("added", "z", pytest.approx(-1 / 6)),
    ]


@st.composite
def versions(draw):
    """Two versions of a text with weights and values."""
    words = st.lists(st.sampled_from("abc"), min_size=1, max_size=6)
    made = []
    for names in (draw(words), draw(words)):
        weights = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=len(names), max_size=len(names)))
        values = draw(st.lists(numbers, min_size=len(names), max_size=len(names)))
        made.append(Terms(names=names, weights=np.array(weights), values=np.array(values)))
    return made


@given(versions())
@settings(max_examples=150)
def test_whatever_was_put_in_and_taken_out_the_mean_is_explained(pair):
    before, after = pair
    found = attribute_mean(before, after, side="", kept=same_places(before.names, after.names), others=None)
    assert math.fsum(one.amount for one in found) == pytest.approx(after.mean - before.mean, abs=1e-9)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=4))
@settings(max_examples=60)
def test_factors_share_the_difference_of_any_formula(ends):
    before = {str(place): one for place, (one, _) in enumerate(ends)}
    after = {str(place): other for place, (_, other) in enumerate(ends)}

    def formula(values):
        return math.prod(values.values()) + sum(values.values()) ** 2

    effects = shapley(formula, before, after)
    assert math.fsum(effects.values()) == pytest.approx(formula(after) - formula(before), abs=1e-9)
    assert all(effects[name] == 0 for name in before if before[name] == after[name])


def test_a_product_is_shared_as_by_hand():
    """xy from 1·1 to 2·3: x alone adds 1, after y it adds 3, so 2; y alone 2, after x 4, so 3."""
    effects = shapley(lambda one: one["x"] * one["y"], {"x": 1, "y": 1}, {"x": 2, "y": 3})
    assert effects == {"x": pytest.approx(2), "y": pytest.approx(3)}


def test_a_factor_that_stayed_has_the_slope_half_way():
    def formula(one):
        return one["x"] ** 2

    assert steepness(formula, "x", {"x": 3.0}, {"x": 3.0}, 0.0) == pytest.approx(6)
    assert steepness(formula, "x", {"x": 1.0}, {"x": 3.0}, 8.0) == 4


def test_what_stays_is_found_in_order():
    assert same_places("abcd", "xbd").tolist() == [-1, 1, 3]
    assert same_places("", "a").tolist() == [-1]


def reply(*, major=0, minor=0):
    lists = {"Critical": 0, "Major": major, "Minor": minor}
    return "\n".join(
        f"{name}:\n" + ("\n".join(['accuracy/mistranslation - "x"'] * count) or "no-error")
        for name, count in lists.items()
    )


def judged(text, samples="1"):
    backends = fake_backends(FakeEncoder({}), judge=FakeJudge([text]))
    pair = TextPair(reference="", hypothesis="猫がいる。", source="A cat.", lang="ja")
    return METRICS["gemba-mqm"].prepare({"samples": samples}, backends, [pair]).score(pair)


def test_the_errors_of_a_judge_are_the_steps():
    found = attribute(judged(reply(minor=2)), judged(reply(major=1)))
    assert (found.before, found.after) == (-2, -5)
    assert {one.what: one.amount for one in found.contributions} == {"major": -5, "minor": 2}


def test_several_replies_are_one_step():
    found = attribute(judged(reply(minor=2), "3"), judged(reply(major=1), "3"))
    assert [(one.kind, one.amount) for one in found.contributions] == [("whole", -3)]


def test_scores_that_cannot_be_compared_are_a_sentence():
    bleu, chrf = (METRICS[name].prepare({}, fake_backends(FakeEncoder({})), []) for name in ("bleu", "chrf"))
    pair = TextPair(reference="a", hypothesis="b")
    with pytest.raises(InputError, match="the same signature"):
        attribute(bleu.score(pair), chrf.score(pair))


def test_the_largest_steps_come_first():
    found = Attribution(metric="m", before=0, after=0, contributions=())
    assert found.largest(3) == ()
    assert found.by_kind() == {}
