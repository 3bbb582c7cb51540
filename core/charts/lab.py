"""How easily each metric is fooled, edit by edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette, at, scale
from core.hacks.robustness import Weakness

ROW = 34  # pixels
_MARKS = {True: "↑", False: "↓", None: "∼"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaknessWords:
    """hover has places {share}, {n}; metrics, edits: their names; no_verdict: where no way is wrong."""

    hover: str
    no_verdict: str
    metrics: Mapping[str, str]
    edits: Mapping[str, str]


def weaknesses(rows: Sequence[Weakness], *, words: WeaknessWords, palette: Palette) -> go.Figure:
    """Edits × metrics: the share of texts that moved the wrong way, from paper (none) to indigo (all).

    ↑ before an edit that breaks the meaning: the share that rose; ↓ before one that keeps it: that fell.
    """
    edits = list(dict.fromkeys(one.edit for one in sorted(rows, key=lambda one: _MARKS[one.breaks])))
    metrics = list(dict.fromkeys(one.metric for one in rows))
    found = {(one.edit, one.metric): one for one in rows}
    first = {one.edit: one for one in reversed(rows)}
    grid = [[_share(found.get((edit, metric))) for metric in metrics] for edit in edits]
    figure = go.Figure(
        go.Heatmap(
            z=grid, zmin=0, zmax=1, colorscale=scale(palette.sequential), xgap=2, ygap=2, showscale=False,
            hoverinfo="skip",
        )
    )  # fmt: skip
    for row, edit in enumerate(edits):
        for column, metric in enumerate(metrics):
            one = found.get((edit, metric))
            share = _share(one)
            colour = palette.quiet if share is None else palette.on(at(palette.sequential, share))
            figure.add_annotation(
                x=column, y=row, text="–" if share is None else f"{100 * share:.0f}", showarrow=False,
                font={"color": colour, "size": 13}, hovertext=_hover(one, words),
            )  # fmt: skip
    figure.update_xaxes(
        tickvals=list(range(len(metrics))), ticktext=[escape(words.metrics[name]) for name in metrics],
        side="top", showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(edits))), ticktext=[_row_name(first[edit], words) for edit in edits],
        range=[len(edits) - 0.5, -0.5], showgrid=False, zeroline=False,
    )  # fmt: skip
    figure.update_layout(
        height=70 + ROW * len(edits), margin={"l": 8, "r": 8, "t": 48, "b": 8}, dragmode=False
    )
    return figure


def _row_name(one: Weakness, words: WeaknessWords) -> str:
    return escape(f"{_MARKS[one.breaks]} {words.edits[one.edit]}")


def _share(one: Weakness | None) -> float | None:
    return None if one is None else one.fooled


def _hover(one: Weakness | None, words: WeaknessWords) -> str:
    if one is None or one.fooled is None:
        return escape(words.no_verdict)
    return escape(words.hover.format(share=f"{100 * one.fooled:.0f}", n=one.n))
