"""The colour of a chart's own words: axes, legends and scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
        bars = [getattr(trace, "colorbar", None), getattr(getattr(trace, "marker", None), "colorbar", None)]
        for bar in filter(None, bars):
            bar.tickfont.color = bar.title.font.color = palette.quiet
    if figure.layout.coloraxis.colorbar.to_plotly_json():
        figure.update_layout(coloraxis_colorbar={"tickfont": colour, "title_font": colour})
    return figure
