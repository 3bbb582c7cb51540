"""Membership beside the greedy cosine: two shapes, and a line for what only the span holds."""

import pytest

from core.charts import subspace as charts
from core.charts.palette import LIGHT
from core.charts.subspace import MembershipWords, memberships
from core.metrics.subspace import score
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

# royal = (king + queen) / √2: .7071 from each, and wholly in the span of both.
VECTORS = {
    "<s>": (0, 0, 0, 1, 0),
    "</s>": (0, 0, 0, -1, 0),
    "king": (1, 0, 0, 0, 0),
    "queen": (0, 1, 0, 0, 0),
    "royal": (1, 1, 0, 0, 0),
    "<b>&": (0.6, 0, 0.8, 0, 0),
}
WORDS = MembershipWords(
    token="Token", partner="Partner", cosine="cosine", membership="membership", angle="angle", gap="gap"
)


@pytest.fixture
def figure_of():
    def drawn(reference, hypothesis, side="hypothesis", **how):
        pair = TextPair(reference=reference, hypothesis=hypothesis)
        trace = score(pair, encoder=FakeEncoder(VECTORS), layer=1).trace
        return memberships(trace, side, words=WORDS, palette=LIGHT, **how)

    return drawn


def test_a_word_between_two_others_lies_wholly_in_their_span(figure_of):
    lines, cosine, inside = figure_of("king queen", "king royal").data
    assert list(cosine.x) == pytest.approx([1, 0.5**0.5])
    assert list(inside.x) == pytest.approx([1, 1])
    assert list(lines.x[3:5]) == pytest.approx([0.5**0.5, 1])
    assert inside.text[1].strip() == "+0.29"


def test_the_two_marks_differ_in_shape(figure_of):
    _, cosine, inside = figure_of("king", "queen").data
    assert (cosine.marker.symbol, inside.marker.symbol) == ("circle-open", "diamond")
    assert (cosine.name, inside.name) == ("cosine", "membership")


def test_the_angle_stands_on_hover_and_special_tokens_are_left_out(figure_of):
    figure = figure_of("king", "<b>&")
    _, _, inside = figure.data
    assert list(inside.customdata[0]) == ["&lt;b&gt;&amp;", "king", "0.600", "0.600", "53.1", 1]
    assert list(figure.layout.yaxis.ticktext) == ["&lt;b&gt;&amp;"]


def test_each_side_has_its_own_tokens_the_first_on_top(figure_of):
    figure = figure_of("king queen", "royal", side="reference")
    assert list(figure.layout.yaxis.ticktext) == ["king", "queen"]
    low, high = figure.layout.yaxis.range
    assert low > high


def test_the_widest_gap_comes_first_when_asked(figure_of):
    figure = figure_of("king queen", "king royal", order="gap")
    assert list(figure.layout.yaxis.ticktext) == ["royal", "king"]


def test_a_long_text_has_fewer_labels(figure_of, monkeypatch):
    monkeypatch.setattr(charts, "LABELLED", 3)
    figure = figure_of("king", "king " * 9)
    assert list(figure.layout.yaxis.tickvals) == [0, 4, 8]


def test_an_empty_text_gives_an_empty_picture(figure_of):
    assert list(figure_of("king", "").data[2].x) == []
