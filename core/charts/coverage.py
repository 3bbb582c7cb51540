"""Which directions of a text's span cover one token of the other text."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.metrics.bertscore.ledger import SideName, visible
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.subspace import SubspaceTrace

ROW = 30  # pixels a bar with its label


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageWords:
    """The chart's words in the reader's language."""

    share: str
    rest: str
    outside: str


def coverage(
    trace: SubspaceTrace, side: SideName, place: int, *, words: CoverageWords, palette: Palette
) -> go.Figure:
    """Bars of the leading directions, each named by its nearest tokens, the rest, and what lies outside.

    They are shares of the token's squared length 1 and add up to it; what lies outside is hatched.
    """
    bars = _bars(trace, side, place, words)
    colours = [palette.match] * (len(bars) - 2) + [palette.insert, palette.quiet]
    figure = go.Figure(
        go.Bar(
            x=[share for _, share in bars],
            y=list(range(len(bars))),
            orientation="h",
            text=[f"{share:.3f}" for _, share in bars],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
            marker={"color": colours, "pattern": {"shape": [""] * (len(bars) - 1) + ["/"]}},
        )
    )
    labels = [escape(label) for label, _ in bars]
    figure.update_yaxes(tickvals=list(range(len(bars))), ticktext=labels, showgrid=False, zeroline=False)
    figure.update_yaxes(range=[len(bars) - 0.4, -0.6])
    figure.update_xaxes(range=[0, 1.1], title=escape(words.share), zeroline=False)
    margin = {"l": 10, "r": 10, "t": 10, "b": 40}
    figure.update_layout(height=90 + len(bars) * ROW, margin=margin, showlegend=False, dragmode=False)
    return figure


def _bars(trace: SubspaceTrace, side: SideName, place: int, words: CoverageWords) -> list[tuple[str, float]]:
    """Label and share of each bar, from the top."""
    sides = (trace.reference, trace.hypothesis)
    own, other = sides if side == "reference" else sides[::-1]
    window = other.windows[own.inside.window[place]]
    bars: list[tuple[str, float]] = []
    for direction, share in zip(own.inside.directions[place], own.inside.covered[place], strict=True):
        if share > 0:
            near = [visible(other.tokens[at]) for at in window.nearest[direction] if at != NO_PARTNER]
            bars.append((f"{len(bars) + 1}. {' · '.join(dict.fromkeys(near))}", float(share)))
    held = float(own.membership[place]) ** 2
    named = sum(share for _, share in bars)
    return [*bars, (words.rest, max(held - named, 0.0)), (words.outside, 1 - held)]
