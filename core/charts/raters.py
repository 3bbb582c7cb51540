"""Raters: agreement matrix, scatter of two raters, gold scores, limits of agreement, influence and drift.

The words are passed in, so that a chart speaks the reader's language. People's texts (names) are escaped.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import plotly.graph_objects as go

from core.charts.palette import Palette, at, scale
from core.raters.agreement import Agreement, BlandAltman, GoldGroup, SharedScores
from core.raters.quality import Drift
from core.raters.ratings import Rating
from core.raters.reliability import WithoutRater
from core.stats.estimate import Estimate
from core.text.numbers import number

CELL = 76
"""Height of a matrix cell in pixels, where there are few raters."""

_NAME_LIMIT = 22
_TEXT_LIMIT = 14  # more raters than this: numbers on hover only


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterMatrixWords:
    """What the matrix says. `shared` has a place {n}, `interval` has {low} and {high}."""

    shared: str
    interval: str
    few_shared: str
    no_variance: str


def matrix(
    names: Sequence[str], pairs: Sequence[Agreement], *, words: RaterMatrixWords, palette: Palette
) -> go.Figure:
    """Every two raters: r and n in the cell, indigo for +1, rose for -1; “–” and on hover why, for none.

    A cell's point has `customdata` [first, second], so that a click tells the pair.
    """
    place = {name: index for index, name in enumerate(names)}
    n = len(names)
    grid: list[list[float | None]] = [[None] * n for _ in names]
    for pair in pairs:
        i, j = place[pair.first], place[pair.second]
        grid[i][j] = grid[j][i] = pair.r
    figure = go.Figure(
        go.Heatmap(
            z=grid,
            zmin=-1,
            zmax=1,
            colorscale=scale(palette.diverging),
            xgap=2,
            ygap=2,
            hoverinfo="skip",
            showscale=False,
        )
    )
    figure.add_trace(_cells(place, pairs, words, palette))
    ticks = {
        "tickvals": list(range(n)),
        "ticktext": [_short(name) for name in names],
        "range": [-0.5, n - 0.5],
    }
    plain = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
    figure.update_xaxes(**ticks, **plain, side="top", constrain="domain")
    figure.update_yaxes(**ticks, **plain, scaleanchor="x", constrain="domain")
    figure.update_yaxes(range=[n - 0.5, -0.5])
    height = 70 + min(CELL * n, 720)
    figure.update_layout(
        height=height, margin={"l": 8, "r": 8, "t": 40, "b": 8}, dragmode=False, hovermode="closest"
    )
    return figure


def scatter(
    shared: SharedScores, *, hover: Sequence[str], x_title: str, y_title: str, palette: Palette
) -> go.Figure:
    """The items two raters share as points, and the dotted line of equal scores. hover: a text per item."""
    figure = go.Figure()
    if shared.items:
        low, high = min(*shared.x, *shared.y), max(*shared.x, *shared.y)
        pad = (high - low or 1) * 0.06
        ends = [low - pad, high + pad]
        figure.add_trace(
            go.Scatter(
                x=ends,
                y=ends,
                mode="lines",
                hoverinfo="skip",
                showlegend=False,
                line={"color": palette.quiet, "width": 1, "dash": "dot"},
            )
        )
        figure.update_xaxes(range=ends)
        figure.update_yaxes(range=ends, scaleanchor="x", constrain="domain")
    figure.add_trace(
        go.Scatter(
            x=np.array(shared.x),
            y=np.array(shared.y),
            mode="markers",
            showlegend=False,
            customdata=np.array(shared.items),
            marker={"color": palette.match, "size": 9, "opacity": 0.6},
            hovertext=[escape(text) for text in hover],
            hovertemplate="%{hovertext}<br>%{x:.3~f} · %{y:.3~f}<extra></extra>",
        )
    )
    figure.update_xaxes(title=escape(x_title), zeroline=False, constrain="domain")
    figure.update_yaxes(title=escape(y_title), zeroline=False)
    figure.update_layout(
        height=420, margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False, hovermode="closest"
    )
    return figure


def strip(
    groups: Sequence[GoldGroup],
    *,
    hover: Sequence[Sequence[str]],
    x_title: str,
    mean_word: str,
    palette: Palette,
) -> go.Figure:
    """Gold scores as one row of points per group, the mean as an upright line. hover: one text per item."""
    figure = go.Figure()
    for row, (group, texts) in enumerate(zip(groups, hover, strict=True)):
        figure.add_trace(
            go.Scatter(
                x=np.array([one.mean for one in group.items]),
                y=np.array([row + _spread(k) for k in range(len(group.items))]),
                mode="markers",
                customdata=np.array([one.item for one in group.items]),
                marker={"color": palette.match, "size": 7, "opacity": 0.5},
                hovertext=[escape(text) for text in texts],
                showlegend=False,
                hovertemplate="%{hovertext}<br>%{x:.3~f}<extra></extra>",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=[group.mean for group in groups],
            y=list(range(len(groups))),
            mode="markers",
            showlegend=False,
            marker={"symbol": "line-ns", "size": 30, "line": {"color": palette.accent, "width": 3}},
            hovertemplate=f"{escape(mean_word)} %{{x:.3~f}}<extra></extra>",
        )
    )
    figure.update_yaxes(
        tickvals=list(range(len(groups))),
        ticktext=[_short(group.group) for group in groups],
        range=[len(groups) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(x_title), zeroline=False)
    height = 70 + 64 * len(groups)
    figure.update_layout(
        height=height, margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False, hovermode="closest"
    )
    return figure


DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def profiles(
    ratings: Sequence[Rating], *, names: Mapping[Hashable, str], y_title: str, palette: Palette
) -> go.Figure:
    """A line per rater over the items, each with a dash of its own. names: of the items, in their order."""
    figure = go.Figure()
    raters = dict.fromkeys(one.rater for one in ratings)
    colours = (palette.match, palette.substitute, palette.insert, palette.delete, palette.quiet)
    for place, rater in enumerate(raters):
        own = {one.item: one.score for one in ratings if one.rater == rater}
        shown = [item for item in names if item in own]
        figure.add_trace(
            go.Scatter(
                x=[names[item] for item in shown],
                y=[own[item] for item in shown],
                mode="lines+markers",
                name=escape(rater),
                line={
                    "color": colours[place % len(colours)],
                    "dash": DASHES[place % len(DASHES)],
                    "width": 2.5,
                },
                marker={"size": 8},
                hovertemplate=f"{escape(rater)} %{{y:.3~f}}<extra></extra>",
            )
        )
    figure.update_yaxes(title=escape(y_title), zeroline=False)
    figure.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        dragmode=False,
        hovermode="x",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
    )
    return figure


def _cells(
    place: dict[str, int], pairs: Sequence[Agreement], words: RaterMatrixWords, palette: Palette
) -> go.Scatter:
    """One point per cell, both ways round: its text, its hover, and what a click tells."""
    x, y, text, hover, data, colours = [], [], [], [], [], []
    for pair in pairs:
        shade = palette.paper if pair.r is None else at(palette.diverging, (pair.r + 1) / 2)
        for first, second in ((pair.first, pair.second), (pair.second, pair.first)):
            x.append(place[second])
            y.append(place[first])
            text.append(_cell_text(pair, words) if len(place) <= _TEXT_LIMIT else "")
            hover.append(_cell_hover(first, second, pair, words))
            data.append([first, second])
            colours.append(palette.quiet if pair.r is None else palette.on(shade))
    invisible = {"symbol": "square", "size": CELL * 0.85, "opacity": 0, "color": palette.paper}
    same = {"marker": {"opacity": 0}}
    return go.Scatter(
        x=x,
        y=y,
        text=text,
        hovertext=hover,
        customdata=data,
        mode="markers+text",
        showlegend=False,
        marker=invisible,
        selected=same,
        unselected=same,
        textfont={"color": colours, "size": 13},
        hovertemplate="%{hovertext}<extra></extra>",
    )


def _cell_text(pair: Agreement, words: RaterMatrixWords) -> str:
    r = number(pair.r)
    return f"<b>{r}</b><br>{escape(words.shared.format(n=pair.n))}"


def _cell_hover(first: str, second: str, pair: Agreement, words: RaterMatrixWords) -> str:
    lines = [f"<b>{escape(first)} × {escape(second)}</b>"]
    if pair.r is None:
        lines.append(escape(words.few_shared if pair.missing == "few-shared" else words.no_variance))
    else:
        lines.append(f"r {number(pair.r)}")
    if pair.low is not None and pair.high is not None:
        low, high = number(pair.low), number(pair.high)
        lines.append(escape(words.interval.format(low=low, high=high)))
    lines.append(escape(words.shared.format(n=pair.n)))
    return "<br>".join(lines)


def _short(name: str) -> str:
    return escape(name if len(name) <= _NAME_LIMIT else name[: _NAME_LIMIT - 1] + "…")


def _spread(k: int) -> float:
    """A fixed small offset, so that equal scores do not hide each other."""
    return ((k * 7) % 11 - 5) / 18


_NAMED = 24  # documents; more are named on hover only


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitWords:
    """x, y: the axes; bias, lower, upper: the lines."""

    x: str
    y: str
    bias: str
    lower: str
    upper: str


def limits(found: BlandAltman, *, hover: Sequence[str], words: LimitWords, palette: Palette) -> go.Figure:
    """Bland and Altman's picture: difference over mean, the bias, and the limits with their intervals."""
    figure = go.Figure(
        go.Scatter(
            x=[one.mean for one in found.points],
            y=[one.difference for one in found.points],
            mode="markers",
            customdata=[one.item for one in found.points],
            marker={"color": palette.match, "size": 9, "opacity": 0.6},
            showlegend=False,
            hovertext=[escape(text) for text in hover],
            hovertemplate="%{hovertext}<br>%{x:.3~f} · %{y:.3~f}<extra></extra>",
        )
    )
    for one, name, dash in (
        (found.bias, words.bias, "solid"),
        (found.lower, words.lower, "dash"),
        (found.upper, words.upper, "dash"),
    ):
        if one.value is not None:
            _line(figure, one, f"{name} {_signed(one.value)}", dash, palette)
    figure.update_xaxes(title=escape(words.x), zeroline=False)
    figure.update_yaxes(title=escape(words.y), zeroline=False)
    figure.update_layout(
        height=420, margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False, hovermode="closest"
    )
    return figure


def without(rows: Sequence[WithoutRater], everyone: float, *, x_title: str, palette: Palette) -> go.Figure:
    """Mean pairwise r without each rater, and everyone's as a line: who stands apart from the others."""
    shown = [one for one in rows if one.mean_r.value is not None]
    figure = go.Figure(
        go.Scatter(
            x=[one.mean_r.value for one in shown],
            y=list(range(len(shown))),
            mode="markers+text",
            marker={"color": palette.match, "size": 10},
            showlegend=False,
            text=[number(one.mean_r.value or 0.0) for one in shown],
            textposition="middle right",
            hovertemplate="%{text}<extra></extra>",
            cliponaxis=False,
        )
    )
    figure.add_vline(x=everyone, line={"color": palette.accent, "width": 2})
    figure.update_yaxes(
        tickvals=list(range(len(shown))),
        ticktext=[escape(one.rater) for one in shown],
        range=[len(shown) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
    )
    figure.update_xaxes(title=escape(x_title), zeroline=False)
    figure.update_layout(height=80 + 26 * len(shown), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False)
    return figure


def drift(found: Drift, *, x_title: str, y_title: str, palette: Palette) -> go.Figure:
    """What a rater gave above or below the others, document by document in the order of rating."""
    bars = [one.residual for one in found.documents]
    named = len(bars) <= _NAMED
    figure = go.Figure(
        go.Bar(
            x=[escape(one.document) for one in found.documents],
            y=bars,
            showlegend=False,
            marker={"color": [palette.insert if one >= 0 else palette.delete for one in bars]},
            text=[_signed(one) for one in bars] if named else None,
            textposition="outside",
            cliponaxis=False,
            customdata=[one.n for one in found.documents],
            hovertemplate="%{x} · %{y:+.1f} · n = %{customdata}<extra></extra>",
        )
    )
    figure.update_xaxes(title=escape(x_title), type="category", showticklabels=named)
    figure.update_yaxes(title=escape(y_title), zeroline=True)
    figure.update_layout(height=300, margin={"l": 8, "r": 8, "t": 24, "b": 8}, dragmode=False, bargap=0.4)
    return figure


def _line(figure: go.Figure, one: Estimate, text: str, dash: str, palette: Palette) -> None:
    figure.add_hline(
        y=one.value,
        line={"color": palette.accent, "width": 1.5, "dash": dash},
        annotation_text=escape(text),
        annotation_position="top right",
    )
    if one.low is not None and one.high is not None:
        figure.add_hrect(y0=one.low, y1=one.high, fillcolor=palette.accent, opacity=0.12, line_width=0)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "\N{MINUS SIGN}")
