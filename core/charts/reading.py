"""Where readers of a study marked a text: a strip a version, what pleases above, what disturbs below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.charts.palette import Palette
from core.raters.reading.choices import DISTURBS, PLEASES
from core.raters.reading.highlights import MarkStrip

ROW = 110
"""Pixels of a version."""


def strips(
    found: Sequence[MarkStrip], *, names: Mapping[str, str], along: str, readers: str, palette: Palette
) -> go.Figure:
    """The figure; x is the place in the text in per cent, y the share of readers in per cent.

    names: of the two kinds. along, readers: titles of the axes. What disturbs is hatched and points down.
    """
    figure = make_subplots(
        rows=len(found),
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.3 / max(len(found), 1),
        subplot_titles=[escape(one.version) for one in found],
    )
    most = max((share for one in found for own in one.shares.values() for share in own), default=0.0)
    reach = max(100 * most, 1.0)
    for row, one in enumerate(found, start=1):
        for kind, sign, colour, shape in (
            (PLEASES, 1, palette.insert, ""),
            (DISTURBS, -1, palette.delete, "/"),
        ):
            own = one.shares[kind]
            figure.add_trace(
                go.Bar(
                    x=[100 * (place + 0.5) / len(own) for place in range(len(own))],
                    y=[sign * 100 * share for share in own],
                    width=100 / len(own),
                    name=names[kind],
                    legendgroup=kind,
                    showlegend=row == 1,
                    customdata=[100 * share for share in own],
                    hovertemplate="%{x:.0f} %: %{customdata:.0f} %<extra>" + escape(names[kind]) + "</extra>",
                    marker={
                        "color": colour,
                        "pattern": {"shape": shape, "solidity": 0.6},
                        "line": {"width": 0},
                    },
                ),
                row=row,
                col=1,
            )
    ends = [-reach, 0, reach]
    figure.update_yaxes(
        range=[-1.05 * reach, 1.05 * reach],
        tickvals=ends,
        ticktext=[f"{abs(one):.0f}" for one in ends],
        title=readers,
    )
    figure.update_xaxes(range=[0, 100], showgrid=False)
    figure.update_xaxes(title=along, row=len(found), col=1)
    figure.update_layout(
        height=ROW * len(found) + 110,
        barmode="overlay",
        bargap=0,
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        legend={"orientation": "h", "y": -0.5 / max(len(found), 1), "yanchor": "top"},
        dragmode=False,
    )
    return figure
