"""Pictures of a whole novel in reading order."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from core.charts.palette import Palette
from core.novel.voice import Voices

SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
_ROW, _MARGIN = 46, 120  # pixels


def voice_line(
    texts: Mapping[str, Voices],
    sort: str,
    places: Sequence[str],
    *,
    palette: Palette,
    words: Mapping[str, str],
    speaker: str | None = None,
) -> go.Figure:
    """The quotations of each text as points in reading order, coloured and shaped by their form of a sort.

    sort: `first_person` or `politeness`. places: what each segment is called. words: of forms that are
    named for a reader, such as `polite`. speaker: only quotations of this one. A quotation without a form
    of the sort is left out.
    """
    names = list(texts)
    points: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for name, own in texts.items():
        for said in own.quotations:
            form = said.form(sort)
            if form is not None and speaker in (None, said.speaker):
                points[form].append((said.segment, name, said.speaker or "–"))
    figure = go.Figure()
    order = Counter({form: len(own) for form, own in points.items()}).most_common()
    for number, (form, _) in enumerate(order):
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
                    "color": palette.categorical[number % len(palette.categorical)],
                    "symbol": SYMBOLS[number % len(SYMBOLS)],
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


def _label(name: str) -> str:
    short = name if len(name) <= 18 else f"{name[:17]}…"
    return escape(short)
