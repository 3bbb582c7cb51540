"""The palette is one: the theme repeats it, every text on it can be read, the scales are even."""

import tomllib
from itertools import pairwise

import numpy as np
import pytest

from core.assets import ROOT
from core.charts.palette import DARK, LIGHT, at, contrast, scale

THEMES = [pytest.param(LIGHT, "light", id="light"), pytest.param(DARK, "dark", id="dark")]


@pytest.mark.parametrize(("palette", "name"), THEMES)
def test_theme_has_the_same_hexes(palette, name):
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"][name]
    assert theme["primaryColor"] == palette.accent
    assert theme["backgroundColor"] == palette.paper
    assert theme["secondaryBackgroundColor"] == palette.card
    assert theme["textColor"] == palette.ink
    assert theme["borderColor"] == palette.hairline
    assert theme["grayTextColor"] == palette.quiet
    assert theme["linkColor"] == theme["blueColor"] == palette.match
    assert (theme["orangeColor"], theme["greenColor"], theme["redColor"]) == (
        palette.substitute,
        palette.insert,
        palette.delete,
    )
    assert theme["chartCategoricalColors"] == list(palette.categorical)
    assert theme["chartSequentialColors"] == list(palette.sequential)
    assert theme["chartDivergingColors"] == list(palette.diverging)
    assert len(palette.sequential) == len(palette.diverging) == 10


@pytest.mark.parametrize(("palette", "name"), THEMES)
def test_texts_can_be_read(palette, name):
    assert contrast(palette.ink, palette.paper) > 12
    assert contrast(palette.quiet, palette.paper) > 4.5
    assert contrast(palette.accent, palette.paper) > 4
    for colour in palette.sequential + palette.diverging:
        assert contrast(palette.on(colour), colour) > 3.9, colour


@pytest.mark.parametrize(("palette", "name"), THEMES)
def test_notices_are_warm_and_can_be_read(palette, name):
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"][name]
    ground, words = theme["blueBackgroundColor"], theme["blueTextColor"]
    assert contrast(words, ground) > 4.5
    for colour in (ground, words):
        red, green, blue = bytes.fromhex(colour[1:])
        assert red > green > blue


@pytest.mark.parametrize(("palette", "name"), THEMES)
def test_scales_are_even(palette, name):
    halves = (palette.sequential, palette.diverging[:5], palette.diverging[5:])
    for colours in halves:
        steps = [np.linalg.norm(oklab(a) - oklab(b)) for a, b in pairwise(colours)]
        assert max(steps) < 1.1 * min(steps)
    lightness = [oklab(colour)[0] for colour in palette.sequential]
    assert lightness == sorted(lightness, reverse=palette is LIGHT)


def test_scale_and_at():
    assert scale(("#000000", "#FFFFFF")) == [(0, "#000000"), (1, "#FFFFFF")]
    assert [at(LIGHT.sequential, x) for x in (-1, 0, 1, 2)] == [
        LIGHT.sequential[0],
        LIGHT.sequential[0],
        LIGHT.sequential[-1],
        LIGHT.sequential[-1],
    ]
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


def oklab(colour):
    """Björn Ottosson's OKLab, from sRGB."""
    srgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    rgb = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    to_lms = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
    to_lab = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    return np.array(to_lab) @ np.cbrt(np.array(to_lms) @ rgb)
