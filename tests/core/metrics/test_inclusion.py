"""Subspaces by windows: a token belongs to the sentence that holds it best."""

import numpy as np
import pytest

from core.metrics.subspace import inclusion, spans_of
from core.text.segmentation import sentence_starts
from tests.support.fake_backends import FakeEncoder

HALF = 0.5**0.5
VECTORS = {
    "<s>": (0, 0, 0, 1),
    "</s>": (0, 0, 0, 2),
    "a": (1, 0, 0, 0),
    "b": (0, 1, 0, 0),
    "c": (HALF, HALF, 0, 0),
    "e.": (0, 0, 1, 0),
}
ENCODER = FakeEncoder(VECTORS)


def spanned(text, **how):
    (encoded,) = ENCODER.encode([text], layer=1)
    return spans_of(text, encoded, **({"window": "text", "specials": "exclude", "energy": 1.0} | how))


def inside(token, text, **how):
    (encoded,) = ENCODER.encode([token], layer=1)
    return inclusion(encoded, spanned(text, **how))


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("彼は来た。彼女は帰った。", [0, 5]),
        ("「来た。」と言った。", [0]),
        ("He left. She stayed at 3.14 p", [0, 8]),
        ("one line\ntwo", [0, 9]),
        ("", [0]),
        ("終わり。", [0]),
        ("え！？　まさか……本当？", [0, 3]),
    ],
)
def test_sentences_end_at_their_marks_and_not_inside_a_number(text, starts):
    assert sentence_starts(text) == starts


def test_a_token_lies_in_two_words_of_one_sentence_but_not_across_two():
    assert inside("c", "a b").membership[1] == pytest.approx(1)
    assert inside("c", "a\nb", window="sentence").membership[1] == pytest.approx(HALF)


def test_the_window_named_is_the_one_that_holds_the_token_best():
    found = inside("b", "a e.\nb", window="sentence")
    assert (found.window[1], found.membership[1]) == (1, pytest.approx(1))


def test_a_text_without_a_sentence_end_has_one_window_with_every_token():
    windows = spanned("a b c", window="sentence").windows
    assert [(one.first, one.last, one.rank) for one in windows] == [(1, 4, 2)]


def test_special_tokens_help_to_span_every_window_when_they_are_included():
    ranks = [one.rank for one in spanned("a\nb", window="sentence", specials="include").windows]
    assert ranks == [2, 2]  # one word and the common direction of <s> and </s>


def test_the_directions_that_cover_a_token_add_up_to_its_squared_membership():
    found = inside("c", "a b e.")
    assert found.covered[1].sum() == pytest.approx(found.membership[1] ** 2)
    assert (np.diff(found.covered[1]) <= 1e-12).all()


def test_an_empty_text_spans_nothing():
    assert inside("a", "", window="sentence").membership.tolist() == [0, 0, 0]
