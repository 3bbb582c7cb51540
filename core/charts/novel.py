"""Pictures of a whole novel in reading order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.charts.metaeval import SYMBOLS
from core.charts.palette import Palette, scale
from core.novel.cast import CastName
from core.novel.strip import Strip
from core.novel.voice import Voices
from core.text.numbers import number

_ROW, _MARGIN = 46, 120  # pixels


def voice_line(
    texts: Mapping[str, Voices],
    sort: str,
    places: Sequence[str],
    *,
    palette: Palette,
    words: Mapping[str, str],
) -> go.Figure:
    """The quotations of each text as points in reading order, coloured and shaped by their form of a sort.

    sort: `first_person` or `politeness`. places: what each segment is called. words: of forms that are
    named for a reader, such as `polite`. A quotation without a form of the sort is left out.
    """
    names = list(texts)
    points: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for name, own in texts.items():
        for said in own.quotations:
            form = said.form(sort)
            if form is not None:
                points[form].append((said.segment, name, said.speaker or "–"))
    figure = go.Figure()
    order = Counter({form: len(own) for form, own in points.items()}).most_common()
    for rank, (form, _) in enumerate(order):
        drawn = points[form]
        figure.add_trace(
            go.Scatter(
                x=[segment for segment, _, _ in drawn],
                y=[_label(name) for _, name, _ in drawn],
                mode="markers",
                name=escape(words.get(form, form)),
                customdata=[segment for segment, _, _ in drawn],
                hovertext=[escape(f"{places[segment]} · {who}") for segment, _, who in drawn],
                hovertemplate="%{hovertext}<extra>" + escape(words.get(form, form)) + "</extra>",
                marker={
                    "color": palette.categorical[rank % len(palette.categorical)],
                    "symbol": SYMBOLS[rank % len(SYMBOLS)],
                    "size": 10,
                    "opacity": 0.8,
                },
            )
        )
    figure.update_layout(
        height=_MARGIN + _ROW * len(names),
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        legend={"orientation": "h", "y": -0.25},
        showlegend=True,
    )
    figure.update_xaxes(range=[-0.5, len(places) - 0.5], title=None)
    figure.update_yaxes(
        categoryorder="array", categoryarray=[_label(name) for name in reversed(names)], automargin=True
    )
    return figure


def cast_matrix(names: Sequence[CastName], systems: Sequence[str], *, palette: Palette) -> go.Figure:
    """How far each system keeps one rendering of each name: a row a name, a column a system.

    The colour and the number are the consistency, from paper (0) to indigo (1); a cell tells its most
    frequent rendering when it is pointed at.
    """
    values, labels, told = [], [], []
    for one in names:
        own = [one.systems[system] for system in systems]
        values.append([np.nan if row.consistency is None else row.consistency for row in own])
        labels.append([number(row.consistency, 2) for row in own])
        told.append(
            [
                escape(f"{one.name} · {system}: {row.renderings[0].form if row.renderings else '–'}")
                for system, row in zip(systems, own, strict=True)
            ]
        )
    figure = go.Figure(
        go.Heatmap(
            z=np.array(values, np.float64).reshape(len(names), len(systems)),
            x=list(range(len(systems))),
            y=list(range(len(names))),
            zmin=0,
            zmax=1,
            colorscale=scale(palette.sequential),
            showscale=False,
            xgap=2,
            ygap=2,
            hovertext=told,
            hovertemplate="%{hovertext}<extra></extra>",
        )
    )
    for row, (own_labels, own_values) in enumerate(zip(labels, values, strict=True)):
        for column, (label, value) in enumerate(zip(own_labels, own_values, strict=True)):
            dark = value == value and value > 0.5
            colour = palette.paper if dark else palette.ink
            figure.add_annotation(
                x=column, y=row, text=label, showarrow=False, font={"size": 12, "color": colour}
            )
    figure.update_layout(height=60 + 26 * len(names), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode=False)
    figure.update_xaxes(
        tickvals=list(range(len(systems))),
        ticktext=[_label(one) for one in systems],
        side="top",
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(
        tickvals=list(range(len(names))),
        ticktext=[_label(one.name) for one in names],
        range=[len(names) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return figure


MARKS = {"parted": "triangle-down", "short": "line-ns", "long": "square"}
"""The symbols above the bands, by what they mark."""


SHORTEST = 5
"""Documents have their borders drawn where they have so many segments in the mean."""


def strip_picture(
    found: Strip,
    places: Sequence[str],
    *,
    palette: Palette,
    words: Mapping[str, str],
    chosen: int | None = None,
) -> go.Figure:
    """The bands of a system in reading order, from paper (the lowest share) to indigo, and where they part.

    places: what each segment is called. words: the names of the bands and of `MARKS`. chosen: the segment
    that stands out. A mark's `customdata` is its segment.
    """
    named = {name: escape(word) for name, word in words.items()}
    figure = go.Figure([_bands(found, places, named, palette), *_marks(found, places, palette)])
    for start in found.starts[1:] if len(found.starts) * SHORTEST <= len(places) else ():
        figure.add_vline(x=start - 0.5, line_width=1, line_color=palette.quiet)
    if chosen is not None:
        figure.add_vline(x=chosen, line_width=2, line_color=palette.accent)
    order = [named[name] for name in (*MARKS, *(band.name for band in found.bands))]
    figure.update_layout(height=60 + 26 * len(order), margin={"l": 8, "r": 8, "t": 8, "b": 8}, dragmode="pan")
    figure.update_xaxes(range=[-0.5, len(places) - 0.5], showgrid=False, zeroline=False)
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=order,
        range=[len(order) - 0.5, -0.5],
        automargin=True,
        showgrid=False,
        zeroline=False,
    )
    return figure


def _bands(found: Strip, places: Sequence[str], named: Mapping[str, str], palette: Palette) -> go.Heatmap:
    return go.Heatmap(
        z=np.array([band.shares for band in found.bands]),
        x=list(range(len(places))),
        y=[len(MARKS) + row for row in range(len(found.bands))],
        zmin=0,
        zmax=1,
        colorscale=scale(palette.sequential),
        showscale=False,
        ygap=2,
        **_told(found, places, named),
    )


MOST_TOLD = 20_000
"""Cells of a strip that are told one by one when pointed at; with more, the picture would be megabytes."""


def _told(found: Strip, places: Sequence[str], named: Mapping[str, str]) -> dict[str, Any]:
    if len(found.bands) * len(places) > MOST_TOLD:
        return {"hoverinfo": "skip"}
    text = [
        [
            f"{escape(place)} · {named[band.name]}: {number(float(value), 3)}"
            for place, value in zip(places, band.values, strict=True)
        ]
        for band in found.bands
    ]
    return {"text": text, "hovertemplate": "%{text}<extra></extra>"}


def _marks(found: Strip, places: Sequence[str], palette: Palette) -> Iterator[go.Scatter]:
    for row, (name, symbol) in enumerate(MARKS.items()):
        segments: tuple[int, ...] = getattr(found, name)
        yield go.Scatter(
            x=segments,
            y=[row] * len(segments),
            customdata=list(segments),
            mode="markers",
            showlegend=False,
            hovertext=[escape(places[segment]) for segment in segments],
            hovertemplate="%{hovertext}<extra></extra>",
            marker={
                "symbol": symbol,
                "color": palette.categorical[row + 1],
                "size": 10,
                "line": {"width": 2, "color": palette.categorical[row + 1]},
            },
        )


def _label(name: str) -> str:
    short = name if len(name) <= 18 else f"{name[:17]}…"
    return escape(short)
