import math

import numpy as np
import pytest

from core.errors import OptionError
from core.metrics.bertscore.baseline import Baseline
from core.metrics.bertscore.metric import BERTSCORE, harmonic, ledger, score
from core.metrics.idf import count_documents
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, fake_backends

# Unit vectors on a circle, so that every cosine is known: cos(a, c) = .6, cos(b, c) = .8, cos(a, b) = 0.
VECTORS = {
    "<s>": (0, 0, 1),
    "</s>": (0, 0, -1),
    "a": (1, 0, 0),
    "b": (0, 2, 0),
    "c": (0.6, 0.8, 0),
    "z": (-1, 0, 0),
}


@pytest.fixture
def encoder():
    return FakeEncoder(VECTORS)


def pair(reference, hypothesis):
    return TextPair(reference=reference, hypothesis=hypothesis)


def test_precision_recall_and_f_are_what_a_hand_computes(encoder):
    result = score(pair("a b", "c"), encoder=encoder, layer=1)
    assert result.parts["precision"] == pytest.approx(0.8)
    assert result.parts["recall"] == pytest.approx(0.7)
    assert result.score == pytest.approx(2 * 0.8 * 0.7 / 1.5)


def test_weights_by_vector_length_count_b_twice(encoder):
    result = score(pair("a b", "c"), encoder=encoder, layer=1, weight="l2")
    assert result.parts["recall"] == pytest.approx((1 * 0.6 + 2 * 0.8) / 3)


def test_idf_weights_follow_the_formula(encoder):
    documents = encoder.ids(["a b", "a"])
    idf = count_documents(documents, name="references")
    b, unseen = encoder.words.index("b"), encoder.words.index("z")
    assert idf.weights(np.array([b, unseen])) == pytest.approx([math.log(3 / 2), math.log(3)])
    result = score(pair("a b", "c"), encoder=encoder, layer=1, weight="idf", idf=idf)
    assert result.parts["recall"] == pytest.approx(0.8)  # a is in every document: ln(3/3) = 0
    assert result.parts["precision"] == pytest.approx(0.8)


def test_a_dictionary_of_one_reference_falls_back_to_equal_weights_and_says_so(encoder):
    same = pair("a b", "a b")
    prepared = BERTSCORE.prepare({"weight": "idf", "idf": "references"}, fake_backends(encoder), [same])
    result = prepared.score(same)
    assert result.flags == ("idf-all-zero",)
    assert result.score == pytest.approx(1)


def test_a_negative_best_cosine_stays_negative_when_specials_are_excluded(encoder):
    result = score(pair("a", "z"), encoder=encoder, layer=1, specials="exclude")
    assert result.parts["precision"] == pytest.approx(-1)


def test_a_special_token_may_be_the_partner_only_when_included(encoder):
    included = score(pair("a", "z"), encoder=encoder, layer=1)
    assert included.parts["precision"] == pytest.approx(0)  # <s> is orthogonal, better than -1
    assert included.trace.hypothesis.tokens[included.trace.hypothesis.partner[1]].special


@pytest.mark.parametrize(
    ("reference", "hypothesis", "flags"),
    [
        ("a", "", ("empty-hypothesis",)),
        ("a", " \u3000 ", ("empty-hypothesis",)),
        ("", "a", ("empty-reference",)),
        ("", "", ("empty-reference", "empty-hypothesis")),
    ],
)
@pytest.mark.parametrize("baseline", [None, Baseline(pairs=9, precision=0.5, recall=0.6, f1=0.55)])
def test_an_empty_side_scores_zero_with_a_flag_rescaled_or_not(
    encoder, reference, hypothesis, flags, baseline
):
    result = score(pair(reference, hypothesis), encoder=encoder, layer=1, baseline=baseline)
    assert (result.score, result.parts["precision"], result.parts["recall"]) == (0, 0, 0)
    assert result.flags == flags


def test_a_copied_source_is_flagged(encoder):
    copied = TextPair(reference="a b", hypothesis="a", source=" a ")
    assert score(copied, encoder=encoder, layer=1).flags == ("copied-source",)


def test_rescaling_takes_each_part_by_its_own_baseline(encoder):
    baseline = Baseline(pairs=9, precision=0.5, recall=0.6, f1=0.55)
    result = score(pair("a b", "c"), encoder=encoder, layer=1, baseline=baseline)
    assert result.parts["precision"] == pytest.approx((0.8 - 0.5) / 0.5)
    assert result.parts["recall"] == pytest.approx((0.7 - 0.6) / 0.4)
    assert result.score == pytest.approx((2 * 0.8 * 0.7 / 1.5 - 0.55) / 0.45)
    assert result.parts["raw_precision"] == pytest.approx(0.8)


@pytest.mark.parametrize("settings", [{}, {"weight": "l2"}, {"specials": "exclude"}])
@pytest.mark.parametrize("baseline", [None, Baseline(pairs=9, precision=0.5, recall=0.6, f1=0.55)])
def test_the_ledger_of_each_side_adds_up_to_the_shown_number(encoder, settings, baseline):
    result = score(pair("a b z c", "c b b"), encoder=encoder, layer=1, baseline=baseline, **settings)
    for side, part in (("hypothesis", "precision"), ("reference", "recall")):
        assert sum(row.share for row in ledger(result.trace, side)) == pytest.approx(
            result.parts[part], abs=1e-9
        )


def test_the_matches_are_the_maxima_of_the_kept_matrix(encoder):
    trace = score(pair("a b z c", "c b b"), encoder=encoder, layer=1).trace
    assert trace.reference.cosine == pytest.approx(trace.similarity.max(axis=1))
    assert trace.hypothesis.cosine == pytest.approx(trace.similarity.max(axis=0))
    assert trace.similarity.shape == (6, 5)


def test_a_very_long_pair_is_matched_in_blocks_with_the_same_result(encoder, monkeypatch):
    monkeypatch.setattr("core.metrics.bertscore.matching.BLOCK_ROWS", 2)
    whole = score(pair("a b z c a", "c b b"), encoder=encoder, layer=1, specials="exclude")
    monkeypatch.setattr("core.metrics.bertscore.matching.KEPT_CELLS", 5)
    blocks = score(pair("a b z c a", "c b b"), encoder=encoder, layer=1, specials="exclude")
    assert blocks.trace.similarity is None
    assert blocks.parts == whole.parts
    assert blocks.trace.hypothesis.partner.tolist() == whole.trace.hypothesis.partner.tolist()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"layer": "7"}, "layer=7: fake has layers 0 to 1"),
        ({"layer": "-1"}, "layer=-1: fake has layers 0 to 1"),
        ({"weight": "tfidf"}, "bertscore.weight=tfidf is not possible; choose none or idf or l2"),
        ({"wieght": "idf"}, "bertscore has no option wieght"),
        ({"rescale": "yes"}, "no baseline was measured for fake"),
    ],
)
def test_a_wrong_option_is_refused_in_one_sentence(encoder, settings, sentence):
    with pytest.raises(OptionError, match=sentence.replace("(", r"\(")):
        BERTSCORE.prepare(settings, fake_backends(encoder), [pair("a", "b")])


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [(0.8, 0.4, 0.64 / 1.2), (-0.2, -0.1, -0.04 / 0.3), (-0.3, 0.4, 0), (0, 0, 0)],
)
def test_f_lies_between_precision_and_recall_or_is_zero(precision, recall, expected):
    assert harmonic(precision, recall) == pytest.approx(expected)
