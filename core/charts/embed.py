"""Figures in an HTML file: a division for each, and plotly's JavaScript once for the whole file.

In the app fonts, lines and backgrounds come from Streamlit's theme; in a file they come from here.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

import plotly.graph_objects as go
from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from core.charts.palette import Palette

FONT = "'Hiragino Sans','Noto Sans JP','Noto Sans CJK JP','Yu Gothic UI','Meiryo',system-ui,sans-serif"
DRAW = """
for (const place of document.querySelectorAll("[data-figure]")) {
  const figure = JSON.parse(document.getElementById(place.dataset.figure).textContent);
  Plotly.newPlot(place, figure.data, figure.layout, {displayModeBar: false, responsive: true});
}
"""
"""What draws every division; it runs after the library and below the divisions."""


@cache
def library() -> str:
    """plotly.js, to stand in one script element: it contains no `</script` and makes no requests."""
    source: str = get_plotlyjs()
    return source


def division(figure: go.Figure, *, name: str, alt: str, palette: Palette) -> str:
    """The figure as a division and its data, drawn by `library` and `DRAW`. name: unique in the file.

    alt: what the picture shows, in words. Height is the figure's, width that of the page.
    """
    data = to_json_plotly(_themed(figure, palette)).replace("<", "\\u003c").replace(">", "\\u003e")
    key, height = escape(name), int(figure.layout.height or 400)
    return (
        f'<div class="figure" role="img" aria-label="{escape(alt)}" data-figure="{key}"'
        f' style="height:{height}px"></div><script type="application/json" id="{key}">{data}</script>'
    )


def document(figure: go.Figure, *, title: str, alt: str, palette: Palette) -> str:
    """The figure as an HTML file of its own, which needs nothing else. title: over it, in words."""
    shown = escape(title)
    style = f"body{{background:{palette.paper};color:{palette.ink};font-family:{FONT};margin:2rem}}"
    return (
        f'<!doctype html><html><head><meta charset="utf-8"><title>{shown}</title><style>{style}</style>'
        f"</head><body><h1>{shown}</h1>{division(figure, name='figure', alt=alt, palette=palette)}"
        f"<script>{library()}</script><script>{DRAW}</script></body></html>\n"
    )


def _themed(figure: go.Figure, palette: Palette) -> dict[str, Any]:
    """The figure's data and layout, in the app's fonts and colours."""
    drawn: dict[str, Any] = figure.to_plotly_json()
    clear, axis = "rgba(0,0,0,0)", {"automargin": True, "gridcolor": palette.hairline}
    layout = {name: value for name, value in drawn["layout"].items() if name != "template"}
    for name in {"xaxis", "yaxis"} | {name for name in layout if name[1:].startswith("axis")}:
        layout[name] = {**axis, **layout.get(name, {})}
        if "title" in layout[name]:
            layout[name]["title"] = {**layout[name]["title"], "font": {"size": 12}}
    layout |= {
        "paper_bgcolor": clear,
        "plot_bgcolor": clear,
        "font": {"family": FONT, "size": 13, "color": palette.ink},
        "hoverlabel": {
            "bgcolor": palette.card,
            "bordercolor": palette.hairline,
            "font": {"color": palette.ink},
        },
    }
    return {"data": drawn["data"], "layout": layout}
