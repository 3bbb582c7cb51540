"""A figure outside the app: one division with its data, which no name can break out of."""

import json
import re

import plotly.graph_objects as go

from core.charts.embed import DRAW, division, library
from core.charts.palette import LIGHT


def figure(name="a"):
    drawn = go.Figure(go.Scatter(x=[1, 2], y=[3, None], mode="lines", text=[name, name]))
    drawn.update_layout(height=222)
    drawn.update_xaxes(title="x & y", showgrid=False)
    return drawn


def data_of(html):
    return json.loads(
        re.search(r'<script type="application/json" id="one">(.*)</script>$', html, re.S).group(1)
    )


def test_the_data_is_the_figures_in_the_apps_colours():
    html = division(figure(), name="one", alt="A picture", palette=LIGHT)
    assert html.startswith(
        '<div class="figure" role="img" aria-label="A picture" data-figure="one" style="height:222px">'
    )
    found = data_of(html)
    assert found["data"][0]["y"] == [3, None]
    assert found["layout"]["font"]["color"] == LIGHT.ink
    assert found["layout"]["xaxis"]["showgrid"] is False
    assert found["layout"]["xaxis"]["automargin"] is found["layout"]["yaxis"]["automargin"] is True


def test_no_name_ends_the_script_or_the_attribute():
    html = division(figure("</script><b>"), name="one", alt='"><img onerror=x>', palette=LIGHT)
    assert html.count("<script") == html.count("</script") == 1
    assert "<img" not in html
    assert "<b>" not in html
    assert data_of(html)["data"][0]["text"][0] == "</script><b>"


def test_the_library_fits_into_one_script_element():
    assert "plotly.js v" in library()[:200]
    assert "</script" not in library().casefold() + DRAW
    assert "<!--" not in library()
    assert "\r" not in library()  # a browser would change it, and the policy's digest with it
