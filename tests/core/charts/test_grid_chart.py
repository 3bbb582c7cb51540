"""A grid as a heatmap: what stands where, and which cell has the frame."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.grid import GridWords, heatmap
from core.charts.palette import LIGHT
from core.grid.run import Axis
from tests.support.grid_fakes import AXES, Encoders, grid_of, ran


@pytest.fixture
def encoders() -> Encoders:
    return Encoders()


def test_the_heatmap_has_the_last_axis_across_and_frames_the_best_cell(encoders):
    axes = [Axis("metric", ("chrf", "bertscore")), Axis("layer", ("0", "1")), Axis("weight", ("none", "l2"))]
    found = ran(grid_of(encoders, axes))
    words = GridWords(
        hover="{cell}: {value}", none="none", axes={"weight": "Weight"}, values={("layer", "0"): "<b>"}
    )
    figure = heatmap(found, "kendall", words=words, palette=LIGHT)
    assert figure.layout.xaxis.title.text == "Weight"
    assert list(figure.layout.yaxis.ticktext) == [
        "chrf · &lt;b&gt;",
        "chrf · 1",
        "bertscore · &lt;b&gt;",
        "bertscore · 1",
    ]
    assert np.array(figure.data[0].z, float).shape == (4, 2)
    (frame,) = figure.layout.shapes
    best = found.best("kendall")
    assert (frame.x0, frame.y0) == (-0.49, 1.54 if best.cell.choice[0] == "bertscore" else -0.46)
    assert figure.layout.annotations[-1].text == f"{found.cells[-1].kendall:.3f}"
    assert figure.layout.annotations[-1].hovertext.startswith("bertscore · 1 · l2: 0.9")


def test_an_axis_alone_stands_down_and_two_of_four_across(encoders):
    words = GridWords(hover="{cell}", none="none")
    alone = heatmap(ran(grid_of(encoders, AXES[:1])), "pearson", words=words, palette=LIGHT)
    assert np.array(alone.data[0].z).shape == (2, 1)
    axes = [Axis("metric", ("bertscore",)), Axis("long", ("window", "truncate")), *AXES]
    four = heatmap(ran(grid_of(encoders, axes)), "pearson", words=words, palette=LIGHT)
    assert np.array(four.data[0].z).shape == (2, 4)
