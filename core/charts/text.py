"""A chart's own words: the colour of axes, legends and scales, and their size before a room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from core.charts.palette import Palette

if TYPE_CHECKING:  # pages without a chart import this, too, and plotly takes a while
    import plotly.graph_objects as go


def readable(figure: go.Figure, palette: Palette) -> go.Figure:
    """The figure with its axes, legend and colour scale in the palette's quiet ink; changes the figure.

    Streamlit's theme would set them in a grey that has too little contrast on this paper. Colours that a
    chart has set itself stay.
    """
    colour = {"color": palette.quiet}
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        axis.tickfont.color = axis.tickfont.color or palette.quiet
        axis.title.font.color = axis.title.font.color or palette.quiet
    figure.update_layout(legend_font=colour, legend_title_font=colour)
    for trace in figure.data:
        for bar in _scales(trace):
            bar.tickfont.color = bar.title.font.color = palette.quiet
    if figure.layout.coloraxis.colorbar.to_plotly_json():
        figure.update_layout(coloraxis_colorbar={"tickfont": colour, "title_font": colour})
    return figure


USUAL_SIZE = 12


def enlarged(figure: go.Figure, factor: float) -> go.Figure:
    """The figure with every word larger by a factor, for a room; changes the figure.

    The scale of a marker's colour is left out: it takes a line of its own, and the sentence beside such a
    chart says what full and pale mean.
    """

    def larger(font: Any) -> None:  # noqa: ANN401 - fonts of many plotly types
        font.size = (font.size or USUAL_SIZE) * factor

    larger(figure.layout.font)
    for axis in (*figure.select_xaxes(), *figure.select_yaxes()):
        larger(axis.tickfont)
        larger(axis.title.font)
    larger(figure.layout.legend.font)
    for annotation in figure.select_annotations():
        larger(annotation.font)
    for trace in figure.data:
        if getattr(trace, "textfont", None) is not None and trace.text is not None:
            larger(trace.textfont)
        if getattr(trace, "marker", None) is not None and getattr(trace.marker, "showscale", None):
            trace.marker.showscale = False
    return figure


def _scales(trace: Any) -> Iterator[Any]:  # noqa: ANN401 - a trace of any kind
    """The colour scales that are drawn for a trace. To set anything of a marker's scale would draw one."""
    if getattr(trace, "colorbar", None) is not None and trace.showscale is not False:
        yield trace.colorbar
    marker: Any = getattr(trace, "marker", None)
    bar = getattr(marker, "colorbar", None)
    if bar is not None and (marker.showscale or marker.colorscale or bar.to_plotly_json()):
        yield bar
