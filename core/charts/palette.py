"""The one palette. `.streamlit/config.toml` repeats these hexes and a test keeps both equal.

Charts set these colours on their traces and leave fonts and backgrounds to Streamlit's theme. A colour is
never the only sign: every meaning also has a shape, an underline style or a letter.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours as `#RRGGBB`. sequential: ten from paper to indigo. diverging: ten, rose – paper – indigo.

    Both scales are even in OKLab. accent (vermilion): what one can do now. match, substitute, insert, delete:
    the meanings of an edit; severities minor and major are substitute and delete.
    """

    paper: str
    card: str
    ink: str
    quiet: str
    hairline: str
    accent: str
    match: str
    substitute: str
    insert: str
    delete: str
    sequential: tuple[str, ...]
    diverging: tuple[str, ...]

    @property
    def categorical(self) -> tuple[str, ...]:
        """Colours of things without a meaning of their own, such as systems; symbols tell them apart too."""
        return (self.match, self.substitute, self.insert, self.delete, self.quiet, self.accent)

    def on(self, background: str) -> str:
        """Ink or paper, whichever is read more easily on this colour."""
        return max(self.ink, self.paper, key=lambda colour: contrast(colour, background))


LIGHT = Palette(
    paper="#FBF9F4",
    card="#F4F0E6",
    ink="#23211C",
    quiet="#6B665A",
    hairline="#E4DFD3",
    accent="#B23A22",
    match="#2F5D8C",
    substitute="#B7791F",
    insert="#2F7D5B",
    delete="#B23A5B",
    sequential=(
        "#FBF9F4",
        "#E3E7E9",
        "#CCD5DD",
        "#B4C3D2",
        "#9EB2C6",
        "#87A0BB",
        "#718FAF",
        "#5B7EA4",
        "#456E98",
        "#2F5D8C",
    ),
    diverging=(
        "#B23A5B",
        "#C7697C",
        "#DA959F",
        "#EAC0C3",
        "#F8ECE9",
        "#DBE1E5",
        "#AFBFCF",
        "#839DB9",
        "#597DA3",
        "#2F5D8C",
    ),
)

DARK = Palette(
    paper="#1B1A17",
    card="#24221E",
    ink="#ECE7DA",
    quiet="#A39C8C",
    hairline="#37342D",
    accent="#EC7A62",
    match="#72A3D6",
    substitute="#CF903C",
    insert="#65B18C",
    delete="#ED708C",
    sequential=(
        "#1B1A17",
        "#27292A",
        "#32393F",
        "#3F4A55",
        "#4B5C6B",
        "#586E83",
        "#66809B",
        "#7394B4",
        "#81A7CE",
        "#8FBBE8",
    ),
    diverging=(
        "#E58AA3",
        "#B26E80",
        "#81545E",
        "#533A3E",
        "#292221",
        "#292D2F",
        "#414E59",
        "#5A7086",
        "#7495B6",
        "#8FBBE8",
    ),
)


def scale(colours: tuple[str, ...]) -> list[tuple[float, str]]:
    """A plotly colour scale: the colours at equal distances from 0 to 1."""
    return [(index / (len(colours) - 1), colour) for index, colour in enumerate(colours)]


def at(colours: tuple[str, ...], share: float) -> str:
    """The nearest colour of a scale at `share` (0..1, clipped)."""
    return colours[round(min(max(share, 0.0), 1.0) * (len(colours) - 1))]


def contrast(one: str, other: str) -> float:
    """Contrast of two colours as WCAG 2 defines it, 1..21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
