"""The alignment picture takes a trace and nothing else, and shows what the score was made of."""

import pytest

from core.charts.alignment import CLOSE_UP, AlignmentWords, NgramWords, alignment, close_up, ngram_bars
from core.charts.palette import DARK, LIGHT
from core.errors import InputError
from core.metrics.bertscore.metric import score
from core.metrics.surface import score_bleu, score_chrf
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

VECTORS = {
    "<s>": (0, 0, 1),
    "</s>": (0, 0, -1),
    "a": (1, 0, 0),
    "b": (0, 2, 0),
    "c": (0.6, 0.8, 0),
    "<b>&": (0, 1, 0),
    "猫猫": (1, 1, 0),
}
WORDS = AlignmentWords(
    reference="Reference",
    hypothesis="Translation",
    cosine="cosine",
    weight="weight",
    best_for_reference="recall",
    best_for_hypothesis="precision",
)


def trace_of(reference, hypothesis):
    pair = TextPair(reference=reference, hypothesis=hypothesis)
    return score(pair, encoder=FakeEncoder(VECTORS), layer=1).trace


@pytest.fixture
def trace():
    return trace_of("a b", "c")


def test_every_token_of_both_sides_is_a_row_or_a_column_special_ones_too(trace):
    figure = alignment(trace, words=WORDS, palette=LIGHT)
    assert list(figure.layout.yaxis.ticktext) == ["&lt;s&gt;", "a", "b", "&lt;/s&gt;"]
    assert list(figure.layout.xaxis.ticktext) == ["&lt;s&gt;", "c", "&lt;/s&gt;"]
    assert figure.data[0].z.tolist() == trace.similarity.tolist()


def test_the_first_reference_token_is_on_top(trace):
    low, high = alignment(trace, words=WORDS, palette=LIGHT).layout.yaxis.range
    assert (low, high) == (3.5, -0.5)


def test_circles_are_the_matches_of_recall_and_squares_those_of_precision(trace):
    _, circles, squares = alignment(trace, words=WORDS, palette=LIGHT).data
    assert (circles.name, circles.marker.symbol) == ("recall", "circle-open")
    assert list(zip(circles.y, circles.x, strict=True)) == [(1, 1), (2, 1)]  # a and b both meet c
    assert (squares.name, squares.marker.symbol) == ("precision", "square-open")
    assert list(zip(squares.y, squares.x, strict=True)) == [(2, 1)]  # c meets b


def test_hover_tells_both_tokens_their_weights_and_the_cosine(trace):
    heat = alignment(trace, words=WORDS, palette=LIGHT).data[0]
    assert heat.customdata[2][1].tolist() == ["b", "c", "1", "1"]
    assert "%{z:.4f}" in heat.hovertemplate


def test_markup_in_a_token_is_escaped():
    figure = alignment(trace_of("<b>&", "a"), words=WORDS, palette=LIGHT)
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;&amp;"
    assert figure.data[0].customdata[1][1][0] == "&lt;b&gt;&amp;"


def test_japanese_column_labels_are_written_from_top_to_bottom():
    axis = alignment(trace_of("a", "猫猫 猫猫"), words=WORDS, palette=LIGHT).layout.xaxis
    assert (axis.ticktext[1], axis.tickangle) == ("猫<br>猫", 0)


def test_the_chosen_pair_is_framed_in_the_accent(trace):
    (frame,) = alignment(trace, words=WORDS, palette=DARK, chosen=(2, 1)).layout.shapes
    assert (frame.x0, frame.y0, frame.line.color) == (0.5, 1.5, DARK.accent)


def test_a_close_up_shows_a_stretch_of_rows_and_the_columns_they_match():
    long = trace_of("a " * 50 + "b " * 50, "a " * 50 + "b " * 50)
    rows, columns = close_up(long, 60)
    assert rows == range(60, 60 + CLOSE_UP)
    assert len(columns) == CLOSE_UP
    figure = alignment(long, words=WORDS, palette=LIGHT, window=(rows, columns))
    assert len(figure.layout.yaxis.ticktext) == CLOSE_UP


def test_without_a_matrix_there_is_no_picture_but_a_sentence(trace, monkeypatch):
    monkeypatch.setattr("core.metrics.bertscore.matching.KEPT_CELLS", 1)
    with pytest.raises(InputError, match="too long for a matrix"):
        alignment(trace_of("a b", "c"), words=WORDS, palette=LIGHT)


@pytest.mark.parametrize(("score_of", "orders"), [(score_bleu, 4), (score_chrf, 6)])
def test_bars_of_each_order_are_matched_and_unmatched_ngrams(score_of, orders):
    words = NgramWords(order="n", matched="both", only_hypothesis="only", count="count")
    trace = score_of(TextPair(reference="a b c", hypothesis="a b d")).trace
    matched, rest = ngram_bars(trace, words=words, palette=LIGHT).data
    assert len(matched.x) == orders
    assert (matched.y[0], rest.y[0]) == (2, 1)
    assert matched.text[0] == "2/3"
