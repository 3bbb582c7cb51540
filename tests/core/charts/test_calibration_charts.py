"""The charts of a calibrated score show what was found and nothing that somebody typed as HTML."""

from __future__ import annotations

from core.calibration.learning import Ahead, Curve, LearningPoint
from core.calibration.validation import Importance
from core.charts.calibration import CurveWords, StandingWords, curve, falls, standings
from core.charts.palette import LIGHT
from core.stats.estimate import Estimate

PALETTE = LIGHT
EVIL = "external:<script>"
ROWS = {
    "calibrated": Estimate(value=0.5, low=0.4, high=0.6, n=90),
    "bleu": Estimate(value=0.2, low=None, high=None, n=90),
    EVIL: Estimate(value=0.6, low=0.5, high=0.7, n=80),
    "still": Estimate(value=None, low=None, high=None, n=90),
}


def test_scores_stand_in_the_order_of_r_and_one_without_r_is_left_out():
    words = StandingWords(axis="r", hover="{r} {low} {high} {n}", names={})
    figure = standings(ROWS, first="calibrated", best=EVIL, words=words, palette=PALETTE)
    assert list(figure.layout.yaxis.ticktext) == ["external:&lt;script&gt;", "calibrated", "bleu"]
    points = [one for one in figure.data if one.mode == "markers+text"]
    assert [one.x[0] for one in points] == [0.6, 0.5, 0.2]
    assert [one.marker.symbol for one in points] == ["circle", "diamond", "circle-open"]
    assert points[0].hovertext == ("0.600 0.500 0.700 80",)
    assert points[2].hovertext == ("0.200 – – 90",)
    assert len([one for one in figure.data if one.mode == "lines"]) == 2  # bleu has no interval


def test_a_bar_is_the_fall_and_its_line_the_extremes():
    rows = [Importance(group="bleu", features=3, fall=0.25, low=0.25, high=0.5)]
    (bar,) = falls(rows, axis="fall", names={"bleu": "BLEU"}, palette=PALETTE).data
    assert (bar.x, bar.error_x.array, bar.error_x.arrayminus) == ((0.25,), (0.25,), (0.0,))


def test_the_curve_goes_on_as_a_dotted_line_only_where_something_can_be_said():
    points = tuple(LearningPoint(rated=n, r=n / 100, low=0.0, high=1.0) for n in (30.0, 60.0))
    words = CurveWords(x="n", y="r", hover="{n}: {r}", ahead="50 more")
    ahead = Ahead(rated=100.0, r=0.7, gain=0.1, low=0.0, high=0.2)
    figure = curve(Curve(points=points, more=50, ahead=ahead), words=words, palette=PALETTE)
    assert (figure.data[0].x, figure.data[0].y) == ((30.0, 60.0), (0.3, 0.6))
    assert (figure.data[1].x, figure.data[1].y) == ((60.0, 100.0), (0.6, 0.7))
    assert len(curve(Curve(points=points, more=50, ahead=None), words=words, palette=PALETTE).data) == 1
