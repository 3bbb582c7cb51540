"""Which directions cover a token: bars that add up to its squared length, 1."""

import pytest

from core.charts.palette import LIGHT
from core.charts.subspace import CoverageWords, coverage
from core.metrics.subspace import score
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

# royal leans .6 on king, .4 on queen, and the rest of its length 1 stands above their floor.
VECTORS = {
    "<s>": (0, 0, 0, 1),
    "</s>": (0, 0, 0, -1),
    "king": (1, 0, 0, 0),
    "queen": (0, 1, 0, 0),
    "royal": (0.6, 0.4, 0.48**0.5, 0),
    "<b>": (0, 0, 1, 0),
}
WORDS = CoverageWords(share="share", rest="other directions", outside="outside")


@pytest.fixture
def bars_of():
    def drawn(reference, hypothesis, place, **how):
        pair = TextPair(reference=reference, hypothesis=hypothesis)
        trace = score(pair, encoder=FakeEncoder(VECTORS), layer=1, specials="exclude", **how).trace
        return coverage(trace, "hypothesis", place, words=WORDS, palette=LIGHT)

    return drawn


def test_each_direction_is_named_by_its_nearest_tokens_the_larger_share_first(bars_of):
    figure = bars_of("king king queen", "royal", 1)
    (bars,) = figure.data
    labels = list(figure.layout.yaxis.ticktext)
    assert labels == ["1. king · queen", "2. queen · king", "other directions", "outside"]
    assert list(bars.x) == pytest.approx([0.36, 0.16, 0, 0.48], abs=1e-6)


def test_the_bars_add_up_to_one_and_what_lies_outside_is_hatched(bars_of):
    (bars,) = bars_of("king queen", "royal", 1).data
    assert sum(bars.x) == pytest.approx(1)
    assert list(bars.marker.pattern.shape) == ["", "", "", "/"]


def test_with_sentences_only_the_directions_of_the_best_one_count(bars_of):
    (bars,) = bars_of("queen\nking", "king", 1, window="sentence").data
    assert list(bars.x) == pytest.approx([1, 0, 0])


def test_a_token_name_is_text_and_never_markup(bars_of):
    assert "&lt;b&gt;" in bars_of("<b>", "<b>", 1).layout.yaxis.ticktext[0]
