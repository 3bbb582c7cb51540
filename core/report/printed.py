"""Numbers as they are printed: fixed decimals, a true minus sign, a dash for what there is not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.charts.agreement import two_decimals
from core.raters.figures import Figure
from core.text.locale import Language

DASH = "–"
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_POINTS = frozenset({"raw", "centred", "mixed"})


def number(value: float, digits: int) -> str:
    """`−1.50`."""
    text = f"{value:,.{digits}f}"
    if not float(text.replace(",", "")):
        text = text.removeprefix("-")  # no minus before a nought
    return text.replace("-", "\N{MINUS SIGN}")


def digits_of(method: str) -> int:
    """Decimals of means by a normalisation, or by the mixed model: one in points, two elsewhere."""
    return 1 if method in _POINTS else 2


def coefficient(one: Figure) -> str:
    """`.61`."""
    return DASH if one.value is None else two_decimals(one.value)


def ends(low: float | None, high: float | None, digits: int | None = None) -> str:
    """An interval, `.54 – .67`; with digits, of means."""
    if low is None or high is None:
        return DASH
    if digits is None:
        return f"{two_decimals(low)} – {two_decimals(high)}"
    return f"{number(low, digits)} – {number(high, digits)}"


def p_value(p: float | None) -> str:
    """`.03`, `< .001`, or a dash."""
    if p is None:
        return DASH
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def places_of(system: str, parted: Sequence[Sequence[str]]) -> str:
    """The places that a system's cluster takes, as WMT prints them: `2–4`."""
    first = 1
    for cluster in parted:
        last = first + len(cluster) - 1
        if system in cluster:
            return f"{first}" if first == last else f"{first}–{last}"
        first = last + 1
    return DASH


def day(instant: datetime | None, language: Language) -> str:
    """A date, `3 February 2026`, or a dash for never."""
    if instant is None:
        return DASH
    if language == "ja":
        return f"{instant.year}年{instant.month}月{instant.day}日"
    return f"{instant.day} {_MONTHS[instant.month - 1]} {instant.year}"
