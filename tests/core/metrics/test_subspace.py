import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import OptionError
from core.metrics.subspace import SUBSPACE, membership, score, span_of
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, fake_backends

# a and b span the floor; c lies on it between them, e stands half way up; specials point elsewhere.
HALF = 0.5**0.5
VECTORS = {
    "<s>": (0, 0, 0, 1),
    "</s>": (0, 0, 0, 2),
    "a": (1, 0, 0, 0),
    "b": (0, 3, 0, 0),
    "c": (HALF, HALF, 0, 0),
    "e": (HALF, 0, HALF, 0),
    "z": (-1, 0, 0, 0),
}


def scored(reference, hypothesis, **settings):
    return score(
        TextPair(reference=reference, hypothesis=hypothesis),
        encoder=FakeEncoder(VECTORS),
        layer=1,
        **settings,
    )


def units(seed, rows, columns):
    vectors = np.random.default_rng(seed).normal(size=(rows, columns))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_token_between_two_others_lies_wholly_in_their_span():
    result = scored("a b", "c", specials="exclude")
    assert result.parts["precision"] == pytest.approx(1)  # the greedy cosine is only .71
    assert result.trace.hypothesis.cosine[1] == pytest.approx(HALF)
    assert result.parts["recall"] == pytest.approx(HALF)
    assert result.score == pytest.approx(2 * HALF / (1 + HALF))


def test_the_angle_of_a_token_half_way_up_is_45_degrees():
    side = scored("a b", "e", specials="exclude").trace.hypothesis
    assert side.angles[1] == pytest.approx(45)


def test_two_tokens_that_differ_by_noise_span_one_direction():
    """Singular values √(1 ± cos ε): the smaller is ε/2 of the larger, below 0.001 for ε = 0.001."""
    for turn, rank, inside in ((0.001, 1, 0.0005), (0.01, 2, 1.0)):
        near = np.array([[1, 0], [np.cos(turn), np.sin(turn)]])
        span = span_of(near)
        assert span.rank == rank
        assert membership(np.array([[0.0, 1.0]]), near, span)[0] == pytest.approx(inside, abs=1e-6)


def test_the_sign_of_a_vector_does_not_matter_to_a_span():
    assert scored("a", "z", specials="exclude").score == pytest.approx(1)


def test_weights_by_vector_length_count_b_three_times():
    result = scored("a b", "a", specials="exclude", weight="l2")
    assert result.parts["recall"] == pytest.approx(1 / 4)


def test_repeated_tokens_add_no_direction():
    once, often = scored("a b", "a", specials="exclude"), scored("a b", "a a a a", specials="exclude")
    assert often.trace.hypothesis.rank == 1
    assert often.score == pytest.approx(once.score)


def test_energy_keeps_the_leading_directions():
    span = span_of(np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]]), energy=0.7)
    assert (span.rank, span.singular.tolist()) == (2, [pytest.approx(3**0.5)])
    inside = membership(np.array([[1.0, 0], [0, 1]]), np.array([[1.0, 0], [1, 0], [1, 0], [0, 1]]), span)
    assert inside.tolist() == pytest.approx([1, 0])


@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 12))
def test_membership_is_the_length_of_the_projection_by_singular_vectors(seed, many, few):
    spanning, tokens = units(seed, many, 16), units(seed + 1, few, 16)
    left, singular, _ = np.linalg.svd(spanning.T, full_matrices=False)
    basis = left[:, singular > 1e-3 * singular[0]]
    expected = np.linalg.norm(tokens @ basis, axis=1)
    assert membership(tokens, spanning, span_of(spanning)) == pytest.approx(expected, abs=1e-6)


@given(st.integers(0, 10**6), st.integers(1, 7), st.integers(1, 3))
def test_membership_never_falls_when_text_is_appended(seed, many, more):
    spanning, tokens = units(seed, many + more, 16), units(seed + 1, 4, 16)
    before = membership(tokens, spanning[:many], span_of(spanning[:many]))
    after = membership(tokens, spanning, span_of(spanning))
    assert (after >= before - 1e-6).all()


def test_a_span_that_fills_too_many_dimensions_is_flagged():
    assert "subspace-saturated" in scored("a b e", "a", specials="exclude").flags  # 3 of 4 dimensions
    assert "subspace-saturated" not in scored("a b e", "a", specials="exclude", max_ratio=0.8).flags


def test_special_tokens_span_only_when_included():
    assert scored("a", "b").trace.reference.rank == 2  # a, and the direction of <s> and </s>
    assert scored("a", "b", specials="exclude").trace.reference.rank == 1


@pytest.mark.parametrize(("reference", "hypothesis"), [("a", ""), ("", "a"), ("", "")])
@pytest.mark.parametrize("specials", ["include", "exclude"])
def test_an_empty_side_scores_zero(reference, hypothesis, specials):
    result = scored(reference, hypothesis, specials=specials)
    assert (result.score, result.parts["precision"], result.parts["recall"]) == (0, 0, 0)


@pytest.mark.parametrize("setting", [{"energy": "0"}, {"energy": "1.5"}, {"max_ratio": "much"}])
def test_a_share_outside_0_and_1_is_refused(setting):
    with pytest.raises(OptionError, match="give a share above 0 and at most 1"):
        SUBSPACE.prepare(setting, fake_backends(FakeEncoder(VECTORS)), [])


def test_shares_add_up_to_precision_and_recall():
    result = scored("a b c", "e c a")
    assert result.trace.hypothesis.shares().sum() == pytest.approx(result.parts["precision"])
    assert result.trace.reference.shares().sum() == pytest.approx(result.parts["recall"])
