"""A chart's words can be read on their paper, in both themes."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from core.charts.palette import DARK, LIGHT, contrast
from core.charts.text import readable


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_axes_legend_and_scale_have_enough_contrast(palette):
    figure = go.Figure(go.Heatmap(z=[[1, 2]]), layout={"xaxis_title": "x", "showlegend": True})
    figure.add_scatter(x=[1], y=[2], xaxis="x2", yaxis="y2", marker={"color": [1], "colorbar": {"x": 1}})
    layout = readable(figure, palette).layout
    axes = [layout.xaxis, layout.yaxis]
    colours = [one.tickfont.color for one in axes] + [one.title.font.color for one in axes]
    colours += [layout.legend.font.color, figure.data[0].colorbar.tickfont.color]
    colours.append(figure.data[1].marker.colorbar.tickfont.color)
    for colour in colours:
        assert contrast(colour, palette.paper) >= 4.5
        assert contrast(colour, palette.card) >= 4.5


def test_a_colour_that_a_chart_has_set_stays():
    figure = go.Figure(layout={"xaxis": {"tickfont": {"color": "#123456"}}})
    assert readable(figure, LIGHT).layout.xaxis.tickfont.color == "#123456"


def test_points_and_bars_without_a_colour_scale_get_none():
    figure = go.Figure([go.Scatter(x=[1, 2], y=[3, 4], marker={"color": "#123456"}), go.Bar(x=[1], y=[2])])
    figure.add_heatmap(z=[[1, 2]], showscale=False)
    for trace in readable(figure, LIGHT).to_dict()["data"]:
        assert "colorbar" not in trace
        assert "colorbar" not in trace.get("marker", {})
