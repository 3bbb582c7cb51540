import pytest

from core.metrics.sentence import score
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

VECTORS = {"<s>": (0, 0), "</s>": (0, 0), "a": (1, 0), "b": (0, 1)}


def test_the_cosine_of_the_means_is_what_a_hand_computes():
    result = score(TextPair(reference="a b", hypothesis="a"), encoder=FakeEncoder(VECTORS), layer=1)
    assert result.score == pytest.approx(0.5**0.5)  # (1, 1) against (1, 0)


def test_the_shares_of_each_side_add_up_to_the_score():
    result = score(TextPair(reference="a b b", hypothesis="a b"), encoder=FakeEncoder(VECTORS), layer=1)
    assert result.trace.reference.shares.sum() == pytest.approx(result.score)
    assert result.trace.hypothesis.shares.sum() == pytest.approx(result.score)


def test_an_empty_side_scores_zero_with_a_flag():
    result = score(TextPair(reference="a", hypothesis=" "), encoder=FakeEncoder(VECTORS), layer=1)
    assert (result.score, result.flags) == (0.0, ("empty-hypothesis",))
