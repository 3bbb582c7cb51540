"""One amount as it was found in a folded text, and how amounts side by side are read as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from core.values.quantities import PLAIN, Unit, converted

COMPOUND = frozenset({"second", "month", "metre", "gram", "dollar", "pound", "yen"})
_RANGE = re.compile(r"\s*(?:-|to|or|から|、)\s*(?:約)?")
_JOIN = re.compile(r"\s*(?:,\s*)?(?:and\s+|と)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """One amount. start, end: half-open places in the folded text.

    written: the number as it stands. kind, amount: in the base unit. size: of the unit. spelt: in words.
    """

    start: int
    end: int
    written: Fraction
    amount: Fraction
    kind: str
    size: Fraction = Fraction(1)
    spelt: bool = False


def amount_of(start: int, end: int, written: Fraction, unit: Unit = PLAIN, *, spelt: bool = False) -> Amount:
    """The amount that a number and a unit make."""
    amount, kind = converted(written, unit)
    return Amount(
        start=start, end=end, written=written, amount=amount, kind=kind, size=unit.size, spelt=spelt
    )


def joined(text: str, found: Sequence[Amount]) -> list[Amount]:
    """`2時間30分`, `two hours and thirty minutes` and `5 feet 10 inches` as one amount each.

    found: in order, without overlap. Joined are neighbours of one kind whose units become smaller. The first
    number of a range has the unit of the second.
    """
    result: list[Amount] = []
    for place, one in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        if following is not None and not one.kind and _ranges(text, one, following):
            unit = Unit(following.kind, following.size)
            result.append(amount_of(one.start, one.end, one.written, unit, spelt=one.spelt))
            continue
        last = result[-1] if result else None
        if last is not None and _continues(text, last, one):
            result[-1] = Amount(
                start=last.start, end=one.end, kind=one.kind, amount=last.amount + one.amount,
                written=(last.amount + one.amount) / last.size, size=one.size, spelt=last.spelt,
            )  # fmt: skip
        else:
            result.append(one)
    return result


def _ranges(text: str, one: Amount, following: Amount) -> bool:
    gap = _RANGE.fullmatch(text, one.end, following.start)
    return gap is not None and following.kind not in ("", "place", "celsius", "share")


def _continues(text: str, last: Amount, one: Amount) -> bool:
    return (
        last.kind == one.kind
        and one.kind in COMPOUND
        and one.size < last.size
        and 0 < one.amount < last.size
        and _JOIN.fullmatch(text, last.end, one.start) is not None
    )
