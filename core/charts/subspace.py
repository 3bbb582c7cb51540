"""Subspace membership beside the greedy cosine of each token, and the directions that cover one token."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import SideName, visible
from core.metrics.subspace import SubspaceTrace

BAR = 30  # pixels a bar with its label


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
    figure.update_layout(height=90 + len(bars) * BAR, margin=margin, showlegend=False, dragmode=False)
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


Order = Literal["text", "gap"]
ROW = 24  # pixels a token with its label
THIN_ROW = 14  # and in a long text
ROOMY = 48  # tokens that have room for large marks
LABELLED = 200  # and more than these are labelled only here and there
NAMED_GAPS = 3  # so many of the widest gaps are written out


@dataclass(frozen=True, slots=True, kw_only=True)
class MembershipWords:
    """The chart's words in the reader's language."""

    token: str
    partner: str
    cosine: str
    membership: str
    angle: str
    gap: str


@dataclass(frozen=True, slots=True)
class _Row:
    place: int
    label: str
    partner: str
    cosine: float
    membership: float
    angle: float

    @property
    def gap(self) -> float:
        return self.membership - self.cosine


def memberships(
    trace: SubspaceTrace,
    side: SideName,
    *,
    words: MembershipWords,
    palette: Palette,
    order: Order = "text",
) -> go.Figure:
    """A line per token of one side from its greedy cosine (open circle) to its membership (filled diamond).

    Special tokens are left out. The custom data of a mark end with its token's place, for a click. order: as
    in the text, from top to bottom, or the widest gap first. The widest gaps are written out.
    """
    rows = _rows(trace, side)
    if order == "gap":
        rows.sort(key=lambda row: -row.gap)
    figure = go.Figure()
    figure.add_trace(_lines(rows, words, palette))
    figure.add_trace(_marks(rows, words, palette, inside=False))
    figure.add_trace(_marks(rows, words, palette, inside=True))
    _axes(figure, rows)
    return figure


def _axes(figure: go.Figure, rows: list[_Row]) -> None:
    near = len(rows) <= ROOMY
    step = 1 + len(rows) // LABELLED
    figure.update_yaxes(
        tickvals=list(range(len(rows)))[::step],
        ticktext=[escape(row.label) for row in rows[::step]],
        tickfont={"size": 13 if near else 10},
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
    )
    lowest = min((row.cosine for row in rows), default=0.0)
    figure.update_xaxes(range=[min(lowest - 0.04, 0.9), 1.06], side="top", zeroline=False)
    figure.update_layout(
        height=110 + max(len(rows), 2) * (ROW if near else THIN_ROW),
        margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "yref": "container", "y": 1, "yanchor": "top", "x": 0},
        showlegend=True,
        dragmode=False,
        hovermode="closest",
    )


def _rows(trace: SubspaceTrace, side: SideName) -> list[_Row]:
    own = trace.reference if side == "reference" else trace.hypothesis
    other = trace.hypothesis if side == "reference" else trace.reference
    return [
        _Row(
            place=place,
            label=visible(token),
            partner="–" if own.partner[place] == NO_PARTNER else visible(other.tokens[own.partner[place]]),
            cosine=float(own.cosine[place]),
            membership=float(own.membership[place]),
            angle=float(own.angles[place]),
        )
        for place, token in enumerate(own.tokens)
        if not token.special
    ]


def _lines(rows: list[_Row], words: MembershipWords, palette: Palette) -> go.Scatter:
    x: list[float | None] = []
    y: list[int | None] = []
    for at, row in enumerate(rows):
        x += [row.cosine, row.membership, None]
        y += [at, at, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name=escape(words.gap),
        hoverinfo="skip",
        line={"color": palette.insert, "width": 3},
    )


def _marks(rows: list[_Row], words: MembershipWords, palette: Palette, *, inside: bool) -> go.Scatter:
    near = len(rows) <= ROOMY
    size = (10 if inside else 9) if near else 6
    wide = sorted(range(len(rows)), key=lambda at: -rows[at].gap)[:NAMED_GAPS] if inside and near else []
    return go.Scatter(
        x=[row.membership if inside else row.cosine for row in rows],
        y=list(range(len(rows))),
        mode="markers+text" if wide else "markers",
        name=escape(words.membership if inside else words.cosine),
        text=[f"  {rows[at].gap:+.2f}" if at in wide else "" for at in range(len(rows))],
        textposition="middle right",
        cliponaxis=False,
        customdata=[[escape(row.label), escape(row.partner), *_numbers(row), row.place] for row in rows],
        hovertemplate=(
            f"{escape(words.token)}: <b>%{{customdata[0]}}</b><br>"
            f"{escape(words.partner)}: %{{customdata[1]}}<br>"
            f"{escape(words.cosine)}: %{{customdata[2]}}<br>"
            f"{escape(words.membership)}: %{{customdata[3]}} "
            f"({escape(words.angle)} %{{customdata[4]}}°)<extra></extra>"
        ),
        marker={
            "symbol": "diamond" if inside else "circle-open",
            "size": size,
            "color": palette.match if inside else palette.substitute,
            "line": {"width": 0 if inside else 2},
        },
    )


def _numbers(row: _Row) -> tuple[str, str, str]:
    return f"{row.cosine:.3f}", f"{row.membership:.3f}", f"{row.angle:.1f}"
