"""A waterfall: two whole bars, and between them the steps that lead from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette


def steps(names: Sequence[str], values: Sequence[float], shown: Sequence[str], palette: Palette) -> go.Figure:
    """Names and shown: of every bar. values: the first number, the steps, the last number."""
    between = len(values) - 2
    figure = go.Figure(
        go.Waterfall(
            x=[escape(name) for name in names],
            y=list(values),
            measure=["absolute", *["relative"] * between, "total"],
            text=list(shown),
            textposition="outside",
            cliponaxis=False,
            hovertemplate="%{x}: %{text}<extra></extra>",
            decreasing={"marker": {"color": palette.delete}},
            increasing={"marker": {"color": palette.insert}},
            totals={"marker": {"color": palette.match}},
            connector={"line": {"color": palette.quiet, "width": 1, "dash": "dot"}},
        )
    )
    figure.update_layout(margin={"l": 50, "r": 10, "t": 20, "b": 40}, showlegend=False, dragmode=False)
    return figure


def signed(value: float, digits: int = 3) -> str:
    """A step as it is written: `+0.012`, with a true minus sign."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
