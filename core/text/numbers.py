"""Numbers as people read them, in one form everywhere: `1,234.50`, `−0.05`, `0.45 to 0.61`, `< 0.001`."""

from __future__ import annotations

from core.text.locale import Language

DASH = "–"
"""What stands where there is no value."""
_MINUS = "\N{MINUS SIGN}"
_BETWEEN: dict[Language, str] = {"en": " to ", "ja": "〜"}


def number(value: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """A number with fixed decimals, commas between thousands and a true minus sign; none before a nought.

    A dash for None and NaN. signed: with a plus sign above 0.
    """
    if value is None or value != value:
        return DASH
    text = f"{value:,.{digits}f}"
    if not float(text.replace(",", "")):
        text = text.removeprefix("-")
    return ("+" if signed and value > 0 else "") + text.replace("-", _MINUS)


def interval(
    low: float | None,
    high: float | None,
    digits: int = 2,
    *,
    signed: bool = False,
    language: Language = "en",
) -> str:
    """Two ends, `−0.45 to 0.50`, in Japanese `−0.45〜0.50`; a dash where one is missing."""
    if low is None or high is None:
        return DASH
    return number(low, digits, signed=signed) + _BETWEEN[language] + number(high, digits, signed=signed)


def p_value(p: float | None) -> str:
    """`0.032`, `< 0.001`, or a dash."""
    return "< 0.001" if p is not None and p < 0.001 else number(p, 3)
