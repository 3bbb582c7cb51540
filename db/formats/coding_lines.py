"""The lines of a history that say how comments were coded by hand: the code book, the coders, their codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core.errors import FileError, Wording
from db.formats.bundle import COMMENTED, Bundle, CoderRow, CodingRow
from db.formats.cells import read_instant, read_label, read_rater
from db.formats.json_node import Node
from db.names import rater_key
from db.records import CodeRecord


class CodingLines:
    """The lines so far. Of several of one code, coder or coded comment the last one holds."""

    def __init__(self) -> None:
        self.codes: dict[str, CodeRecord] = {}
        self.coders: dict[str, CoderRow] = {}
        self.codings: dict[tuple[str, str, str, int], CodingRow] = {}

    def adders(self) -> dict[str, Callable[[Node], None]]:
        """What takes a line of each kind."""
        return {"code": self._add_code, "coder": self._add_coder, "coding": self._add_coding}

    def _add_code(self, node: Node) -> None:
        name = read_label(node.text("name"), Wording("code’s name"), node)
        label, meaning = node.text("label", ""), node.text("meaning", "")
        self.codes[name] = CodeRecord(name=name, label=label, meaning=meaning)

    def _add_coder(self, node: Node) -> None:
        rater = read_rater(node.text("rater"), node)
        joined, finished = (read_instant(node.text(name, ""), node) for name in ("joined_at", "finished_at"))
        self.coders[rater_key(rater)] = CoderRow(rater, joined, finished)

    def _add_coding(self, node: Node) -> None:
        coder, rater = (read_rater(node.text(name), node) for name in ("coder", "rater"))
        on, number = node.text("on"), node.need("number").as_number()
        if on not in COMMENTED:
            kinds = ", ".join(COMMENTED)
            raise node.need("on").error("“{kind:.40}” is none of {kinds}.", kind=on, kinds=kinds)
        if not (number.is_integer() and 1 <= number < 2**31):
            raise node.need("number").error("is not a whole number from 1 upwards.")
        codes = tuple(one.as_text() for one in node.need("codes").as_list())
        unknown = next((name for name in codes if name not in self.codes), None)
        if unknown is not None:
            raise node.need("codes").error("“{name:.40}” is not a code of an earlier line.", name=unknown)
        if rater_key(coder) not in self.coders:
            raise node.need("coder").error("“{name:.40}” is not a coder of an earlier line.", name=coder)
        row = CodingRow(coder, on, rater, int(number), codes, read_instant(node.text("coded_at", ""), node))
        self.codings[rater_key(coder), on, rater_key(rater), row.number] = row

    def check(self, bundle: Bundle, path: Path) -> None:
        """Raise FileError where a comment that was coded is not in the campaign."""
        there = _numbers(bundle) if self.codings else Counter()
        for (_, on, rater, number), row in self.codings.items():
            if number > there[on, rater]:
                raise FileError(
                    path,
                    "has codes for {on} {number} of “{rater:.80}”, and there are {n}.",
                    on=on,
                    number=number,
                    rater=row.rater,
                    n=there[on, rater],
                )


def _numbers(bundle: Bundle) -> Counter[tuple[str, str]]:
    """How many ratings, highlights and answers each rater has, by `COMMENTED` and the rater's key."""
    ratings, highlights, answers = COMMENTED
    return Counter(
        [
            *((ratings, rater_key(one.rater)) for one in bundle.ratings),
            *((highlights, rater_key(one.rater)) for one in bundle.highlights),
            *((answers, rater_key(one.rater)) for one in bundle.answers),
        ]
    )


def coding_lines(bundle: Bundle) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines of a campaign. What has its usual value is left out."""
    for code in bundle.codes:
        told = {"label": code.label, "meaning": code.meaning}
        yield "code", {"name": code.name, **{name: value for name, value in told.items() if value}}
    for coder in bundle.coders:
        times = {"joined_at": coder.joined_at, "finished_at": coder.finished_at}
        yield "coder", {"rater": coder.rater, **{name: at.isoformat() for name, at in times.items() if at}}
    for one in bundle.codings:
        place = {"coder": one.coder, "on": one.on, "rater": one.rater, "number": one.number}
        at = {"coded_at": one.coded_at.isoformat()} if one.coded_at else {}
        yield "coding", {**place, "codes": list(one.codes), **at}
