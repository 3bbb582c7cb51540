"""The marks of a tree: a subtree each, filled by its similarity, a cross where no partner agrees."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette, scale
from core.charts.treelayout import Layout, Mark, x_of
from core.metrics.bertscore.ledger import SideName
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.structure.metric import StructureSide, StructureTrace

LONGEST_TEXT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeWords:
    """The chart's words in the reader's language."""

    reference: str
    hypothesis: str
    similarity: str
    partner: str
    unmatched: str


def marks_of(
    trace: StructureTrace,
    placed: Layout,
    side: SideName,
    rows: range,
    words: TreeWords,
    palette: Palette,
    *,
    matched: bool,
) -> go.Scatter:
    """The subtrees whose partner agrees, or those without one. The custom data begin with side and place."""
    own: StructureSide = getattr(trace, side)
    marks = [
        mark for mark in placed.marks if mark.places and bool(own.aligned.agrees[mark.places[0]]) == matched
    ]
    values = [float(own.aligned.similarity[mark.places[0]]) for mark in marks]
    filled = {
        "symbol": "circle",
        "size": 11,
        "color": values,
        "colorscale": scale(palette.sequential),
        "cmin": 0,
        "cmax": 1,
        "line": {"color": palette.match, "width": 1.5},
        "showscale": matched and side == "hypothesis",
        "colorbar": {"title": {"text": escape(words.similarity)}, "orientation": "h", "thickness": 8,
                     "len": 0.3, "x": 0.5, "y": 0, "yanchor": "top"},
    }  # fmt: skip
    crossed = {"symbol": "x-thin-open", "size": 9, "color": palette.delete, "line": {"width": 2}}
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in marks],
        y=[mark.y - rows.start for mark in marks],
        mode="markers",
        name=escape(words.unmatched),
        showlegend=not matched and side == "hypothesis",
        marker=filled if matched else crossed,
        customdata=[[side, mark.places[0], _about(trace, side, mark, words)] for mark in marks],
        hovertemplate="%{customdata[2]}<extra></extra>",
    )


def _about(trace: StructureTrace, side: SideName, mark: Mark, words: TreeWords) -> str:
    """What a mark says when one points at it: each subtree with its partner and their similarity."""
    own: StructureSide = getattr(trace, side)
    other = trace.hypothesis if side == "reference" else trace.reference
    found = []
    for place in mark.places:
        one, partner = own.subtrees[place], int(own.aligned.partner[place])
        met = (
            f"{escape(words.partner)}: {escape(_cut(other.text(other.subtrees[partner])))}<br>"
            f"{escape(words.similarity)}: {own.aligned.similarity[place]:.3f}"
            if partner != NO_PARTNER
            else escape(words.unmatched)
        )
        found.append(f"{escape(one.label)} <b>{escape(_cut(own.text(one)))}</b><br>{met}")
    return "<br>".join(found)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def ring(placed: Layout, side: SideName, rows: range, chosen: int | None, palette: Palette) -> go.Scatter:
    """A ring round the chosen subtree's mark."""
    marks = [mark for mark in placed.marks if chosen in mark.places]
    return go.Scatter(
        x=[x_of(mark.x, side) for mark in marks],
        y=[mark.y - rows.start for mark in marks],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"symbol": "circle-open", "size": 18, "color": palette.accent, "line": {"width": 3}},
    )
