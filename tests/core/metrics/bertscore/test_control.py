"""The length control: random tokens of the same count, the same for the same seed."""

import numpy as np
import pytest

from core.metrics.bertscore.baseline import length_control, random_text
from core.metrics.bertscore.weights import find_idf
from core.metrics.idf import Idf
from core.types import Result, TextPair
from tests.support.fake_backends import FakeEncoder

WORDS = ["<s>", "</s>", *"abcdefgh"]
ENCODER = FakeEncoder({word: np.eye(len(WORDS))[place] for place, word in enumerate(WORDS)})
IDF = Idf(name="few", documents=4, frequencies={0: 4, 1: 4, 2: 3, 3: 1, 4: 1})


def counted(pair):
    """A metric that says how many words the hypothesis has."""
    return Result(metric="count", score=len(pair.hypothesis.split()), signature="")


def test_every_random_text_has_as_many_tokens_as_the_translation():
    control = length_control(
        TextPair(reference="a b", hypothesis="a b c d e"), counted, encoder=ENCODER, idf=IDF, samples=7
    )
    assert (control.tokens, control.scores, control.mean) == (5, (5,) * 7, 5)


def test_special_tokens_are_never_drawn_and_common_ones_come_more_often():
    words = random_text(500, encoder=ENCODER, idf=IDF, rng=np.random.default_rng(1)).split()
    shares = {word: words.count(word) / 500 for word in set(words)}
    assert set(shares) == {"a", "b", "c"}
    assert shares["a"] == pytest.approx(0.6, abs=0.08)


def test_an_empty_translation_has_no_control():
    pair = TextPair(reference="a", hypothesis=" ")
    assert length_control(pair, counted, encoder=ENCODER, idf=IDF) is None


@pytest.mark.embedded
@pytest.mark.parametrize("count", [1, 7, 60])
def test_real_tokens_are_counted_as_the_encoder_reads_them_again(backends, count):
    encoder = backends.encoder("embedded")
    idf = find_idf("novel", encoder, [TextPair(reference="", hypothesis="", lang="ja")])
    text = random_text(count, encoder=encoder, idf=idf, rng=np.random.default_rng(3))
    assert abs(len(encoder.ids([text])[0]) - 2 - count) <= 1
