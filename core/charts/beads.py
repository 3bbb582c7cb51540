"""How an aligner brought a text and two translations together: sentences as boxes, beads as bands.

The text stands in the middle, a translation on each side. y runs down from 0 to 1, x from 0 to 2.
A band carries its confidence; one that is not sure is dotted and has a question mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.alignment.beads import Bead
from core.charts.palette import Palette

SURE = 0.8
"""Confidence below which a bead is marked."""

ROW = 30
HALF, LEAST = 0.16, 150
LONGEST = 40


@dataclass(frozen=True, slots=True)
class BeadColumn:
    """A translation: its name, its sentences, and its beads with the text, whose sentences are the left."""

    name: str
    sentences: Sequence[str]
    beads: Sequence[Bead]


def beads(
    name: str,
    sentences: Sequence[str],
    columns: tuple[BeadColumn, BeadColumn],
    *,
    palette: Palette,
    row: int = ROW,
) -> go.Figure:
    """The figure. name, sentences: of the text in the middle. row: pixels a sentence of the longest text."""
    figure = go.Figure()
    for place, column in ((0, columns[0]), (2, columns[1])):
        for bead in column.beads:
            if bead.left and bead.right:
                _band(figure, bead, (len(sentences), len(column.sentences)), place, palette)
        _labels(figure, column, sentences, place, palette)
    for place, texts in ((0, columns[0].sentences), (1, sentences), (2, columns[1].sentences)):
        _boxes(figure, texts, place, palette)
    names = [escape(one) for one in (columns[0].name, name, columns[1].name)]
    figure.update_xaxes(
        range=[-0.3, 2.3], tickvals=[0, 1, 2], ticktext=names, side="top", showgrid=False, zeroline=False
    )
    figure.update_yaxes(range=[1.02, -0.02], visible=False)
    longest = max(len(sentences), *(len(one.sentences) for one in columns))
    figure.update_layout(
        height=max(LEAST, row * longest + 50),
        margin={"l": 5, "r": 5, "t": 30, "b": 5},
        showlegend=False,
        dragmode=False,
    )
    return figure


def _span(numbers: Sequence[int], count: int) -> tuple[float, float]:
    return numbers[0] / count, (numbers[-1] + 1) / count


def _band(figure: go.Figure, bead: Bead, counts: tuple[int, int], place: int, palette: Palette) -> None:
    inner = _span(bead.left, counts[0])
    outer = _span(bead.right, counts[1])
    near, far = (place + HALF, 1 - HALF) if place == 0 else (place - HALF, 1 + HALF)
    sure = bead.confidence >= SURE
    figure.add_trace(
        go.Scatter(
            x=[near, far, far, near, near],
            y=[outer[0], inner[0], inner[1], outer[1], outer[0]],
            mode="lines",
            fill="toself",
            opacity=0.35,
            fillcolor=palette.match if sure else palette.substitute,
            line={
                "color": palette.match if sure else palette.substitute,
                "width": 1.5,
                "dash": "solid" if sure else "dot",
            },
            hoverinfo="skip",
        )
    )


def _labels(
    figure: go.Figure, column: BeadColumn, sentences: Sequence[str], place: int, palette: Palette
) -> None:
    """The confidence of each band; both texts are shown while the pointer is on it."""
    shown = [one for one in column.beads if one.left and one.right]
    middles = [
        sum((*_span(one.left, len(sentences)), *_span(one.right, len(column.sentences)))) / 4 for one in shown
    ]
    figure.add_trace(
        go.Scatter(
            x=[0.5 if place == 0 else 1.5] * len(shown),
            y=middles,
            mode="text",
            text=[f"{one.confidence:.2f}{'' if one.confidence >= SURE else ' ?'}" for one in shown],
            textfont={"size": 12, "color": palette.ink},
            hovertext=[
                f"{_begins([sentences[n] for n in one.left])}<br>"
                f"{_begins([column.sentences[n] for n in one.right])}"
                for one in shown
            ],
            hoverinfo="text",
        )
    )


def _begins(texts: Sequence[str]) -> str:
    joined = " ".join(texts)
    return escape(joined if len(joined) <= LONGEST else f"{joined[:LONGEST]}…")


def _boxes(figure: go.Figure, texts: Sequence[str], place: int, palette: Palette) -> None:
    """A box a sentence, with its number."""
    count = len(texts)
    for number in range(count):
        figure.add_shape(
            type="rect",
            x0=place - HALF,
            x1=place + HALF,
            y0=number / count + 0.004,
            y1=(number + 1) / count - 0.004,
            line={"color": palette.hairline, "width": 1},
            fillcolor=palette.paper,
            layer="below",
        )
    figure.add_trace(
        go.Scatter(
            x=[place] * count,
            y=[(number + 0.5) / count for number in range(count)],
            mode="text",
            text=[f"{number + 1}" for number in range(count)],
            textfont={"size": 12, "color": palette.ink},
            hovertext=[_begins([one]) for one in texts],
            hoverinfo="text",
        )
    )
