"""Charts of what the ratings say: clusters, ranks that move, limits of agreement, raters one by one."""

from __future__ import annotations

import pytest

from core.charts.metaeval import MeanWords, means, ranks
from core.charts.palette import DARK, LIGHT
from core.charts.raters import LimitWords, drift, limits, without
from core.raters.agreement import bland_altman
from core.raters.normalisation import Order, SystemScore
from core.raters.quality import DocumentDrift, Drift
from core.raters.ranking import SystemMean
from core.raters.ratings import Rating
from core.raters.reliability import WithoutRater
from core.stats.estimate import Estimate

WORDS = MeanWords(axis="mean", hover="{mean} {low} {high} {n}", test="by <test>")


def test_systems_stand_best_first_with_intervals_and_lines_between_clusters():
    found = [
        SystemMean(system="<b>ash</b>", n=9, mean=80.0, low=75.0, high=85.0),
        SystemMean(system="beech", n=9, mean=60.0, low=55.0, high=65.0),
        SystemMean(system="cedar", n=2, mean=59.0),
    ]
    figure = means(found, (("<b>ash</b>",), ("beech", "cedar")), words=WORDS, palette=LIGHT)
    assert figure.layout.yaxis.ticktext == ("&lt;b&gt;ash&lt;/b&gt;", "beech", "cedar")
    *bars, dots = figure.data
    assert [list(bar.x) for bar in bars] == [[75, 85], [55, 65]]
    assert list(dots.text) == ["80.0", "60.0", "59.0"]
    assert list(dots.hovertext)[2] == "59.0 – – 2"
    assert [shape.y0 for shape in figure.layout.shapes] == [0.5]
    assert "by &lt;test&gt;" in figure.layout.xaxis.title.text


def order(way, *names):
    return Order(way=way, systems=tuple(SystemScore(system=name, n=5, value=0) for name in names))


def test_a_system_that_moves_is_drawn_thick_and_one_that_stays_thin():
    found = [order("raw", "ash", "beech", "cedar"), order("z", "beech", "ash", "cedar"), order("mixed")]
    figure = ranks(found, names={"raw": "raw", "z": "z", "mixed": "mixed"}, palette=DARK)
    assert [list(line.y) for line in figure.data] == [[1, 2], [2, 1], [3, 3]]
    assert [line.line.dash for line in figure.data] == ["solid", "solid", "dot"]
    assert figure.layout.xaxis.ticktext == ("raw", "z")


def test_no_system_is_an_empty_picture():
    assert ranks([], names={}, palette=LIGHT).data == ()


def test_limits_of_agreement_are_drawn_where_they_are():
    """Differences 1, 2, 3: bias 2, sd 1, limits 0.04 and 3.96."""
    ratings = [Rating("a", item, item + difference) for item, difference in ((10, 1), (20, 2), (30, 3))]
    ratings += [Rating("b", item, item) for item in (10, 20, 30)]
    words = LimitWords(x="mean", y="a < b", bias="bias", lower="lower", upper="upper")
    found = bland_altman(ratings, "a", "b")
    figure = limits(found, hover=["x", "<y>", "z"], words=words, palette=LIGHT)
    (dots,) = figure.data
    assert list(dots.y) == [1, 2, 3]
    lines = [shape.y0 for shape in figure.layout.shapes if shape.type == "line"]
    assert lines == pytest.approx([2, 0.04, 3.96])
    assert "bias +2.0" in [one.text for one in figure.layout.annotations]
    assert list(dots.hovertext)[1] == "&lt;y&gt;"


def test_leaving_a_rater_out_is_a_point_and_who_has_no_figure_is_not_drawn():
    rows = [
        WithoutRater(rater="Aki", mean_r=Estimate(value=0.5, n=3), change=-0.1),
        WithoutRater(rater="Ben", mean_r=Estimate(value=None, n=0, missing="one-rater"), change=None),
    ]
    figure = without(rows, 0.6, x_title="r", palette=LIGHT)
    assert list(figure.data[0].text) == ["0.50"]
    assert [shape.x0 for shape in figure.layout.shapes] == [0.6]


@pytest.mark.parametrize(("count", "named"), [(3, True), (40, False)])
def test_drift_names_its_documents_while_there_is_room(count, named):
    documents = tuple(
        DocumentDrift(document=f"<d{one}>", n=2, residual=(-1.0) ** one) for one in range(count)
    )
    found = Drift(rho=Estimate(value=0.1, n=9), p=0.5, slope=Estimate(value=0.1, n=9), documents=documents)
    figure = drift(found, x_title="documents", y_title="points", palette=LIGHT)
    assert figure.layout.xaxis.showticklabels is named
    assert figure.data[0].x[0] == "&lt;d0&gt;"
    assert list(figure.data[0].y[:2]) == [1, -1]


def test_a_long_name_of_a_system_is_cut_at_26_characters():
    figure = means(
        [SystemMean(system="s" * 40, mean=50.0, n=9, low=40.0, high=60.0)], (), words=WORDS, palette=LIGHT
    )
    assert list(figure.layout.yaxis.ticktext) == ["s" * 25 + "…"]
