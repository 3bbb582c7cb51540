"""The lines of a history that say what readers of a study read, marked and answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from core.raters.reading.choices import KINDS
from db.formats.bundle import AnswerRow, Bundle, HighlightRow, Key, PageVisitRow, ReadingRow
from db.formats.cells import read_instant, read_rater
from db.formats.json_node import Node
from db.names import rater_key

_LIMIT = 2**31


class ReadingLines:
    """The lines so far; each must agree with those before it. texts: translations by segment and system."""

    def __init__(self, texts: Mapping[tuple[Key, str], str]) -> None:
        self._texts = texts
        self.readings: dict[tuple[str, str], ReadingRow] = {}
        self._places: set[tuple[str, int]] = set()
        self.visits: dict[PageVisitRow, None] = {}
        self.highlights: dict[HighlightRow, None] = {}
        self.answers: dict[AnswerRow, None] = {}

    def adders(self) -> dict[str, Callable[[Node], None]]:
        """What takes a line of each kind."""
        return {
            "reading": self._add_reading,
            "page_visit": self._add_visit,
            "highlight": self._add_highlight,
            "answer": self._add_answer,
        }

    def _add_reading(self, node: Node) -> None:
        rater, system = read_rater(node.text("rater"), node), node.text("system")
        reached = None
        if node.get("document") is not None:
            reached = self._key(node, "document", "position", system)
        row = ReadingRow(
            rater,
            system,
            _whole(node.need("place")),
            reached,
            _whole(node.get("start")),
            _instant(node, "started_at"),
            _instant(node, "finished_at"),
        )
        own = rater_key(rater), system
        if self.readings.get(own) == row:
            return
        if own in self.readings or (own[0], row.place) in self._places or not self._has(system):
            raise node.error("is a second version at this place, or of this system for this reader.")
        self.readings[own] = row
        self._places.add((own[0], row.place))

    def _add_visit(self, node: Node) -> None:
        rater, system = self._whose(node)
        active, away = node.need("active").as_number(), node.need("away").as_number()
        if min(active, away) < 0:
            raise node.error("is not a number of seconds.")
        row = PageVisitRow(
            rater,
            system,
            self._key(node, "document", "position", system),
            _whole(node.get("start")),
            self._key(node, "last_document", "last_position", system),
            _whole(node.get("end")),
            active,
            away,
            _instant(node, "visited_at"),
        )
        self.visits[row] = None

    def _add_highlight(self, node: Node) -> None:
        rater, system = self._whose(node)
        key, kind = self._key(node, "document", "position", system), node.text("kind")
        start, end = _whole(node.get("start")), _whole(node.need("end"))
        if kind not in KINDS:
            raise node.need("kind").error(
                "“{kind:.40}” is none of {kinds}.", kind=kind, kinds=", ".join(KINDS)
            )
        if not start < end <= len(self._texts[key, system]):
            raise node.error("does not lie in the text.")
        times = _instant(node, "made_at"), _instant(node, "removed_at")
        row = HighlightRow(rater, system, key, start, end, kind, node.text("reason", ""), *times)
        self.highlights[row] = None

    def _add_answer(self, node: Node) -> None:
        rater, system = node.text("rater"), node.text("system", "")
        rater = self._whose(node)[0] if system else read_rater(rater, node)
        value = node.get("value")
        answer = None if value is None else value.value
        if not isinstance(answer, int | str | None) or isinstance(answer, bool):
            raise node.need("value").error("is neither a whole number nor a text.")
        row = AnswerRow(rater, system, node.text("question"), answer, _instant(node, "answered_at"))
        self.answers[row] = None

    def _whose(self, node: Node) -> tuple[str, str]:
        rater, system = read_rater(node.text("rater"), node), node.text("system")
        known = self.readings.get((rater_key(rater), system))
        if known is None:
            raise node.error(
                "“{system:.80}” is not a version of this reader in an earlier line.", system=system
            )
        return known.rater, system

    def _key(self, node: Node, document: str, position: str, system: str) -> Key:
        key = node.text(document), _whole(node.need(position))
        if (key, system) not in self._texts:
            raise node.error(
                "“{system:.80}” has no translation of this segment in an earlier line.", system=system
            )
        return key

    def _has(self, system: str) -> bool:
        return any(name == system for _, name in self._texts)


def _whole(node: Node | None) -> int:
    if node is None:
        return 0
    number = node.as_number()
    if not (number.is_integer() and 0 <= number < _LIMIT):
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)


def _instant(node: Node, name: str) -> datetime | None:
    return read_instant(node.text(name, ""), node)


def reading_rows(bundle: Bundle) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines of a campaign. What has its usual value is left out."""
    for row in bundle.readings:
        reached = {} if row.reached is None else {"document": row.reached[0], "position": row.reached[1]}
        times = {"started_at": row.started_at, "finished_at": row.finished_at}
        yield "reading", {**_whose(row), "place": row.place, **reached, **_told(start=row.start, **times)}
    for visit in bundle.visits:
        first = {"document": visit.first[0], "position": visit.first[1]}
        last = {"last_document": visit.last[0], "last_position": visit.last[1]}
        seconds = {"active": visit.active, "away": visit.away}
        told = _told(start=visit.start, end=visit.end, visited_at=visit.visited_at)
        yield "page_visit", {**_whose(visit), **first, **last, **seconds, **told}
    for one in bundle.highlights:
        place = {"document": one.key[0], "position": one.key[1]}
        stretch = {"end": one.end, "kind": one.kind}
        times = {"made_at": one.made_at, "removed_at": one.removed_at}
        yield (
            "highlight",
            {**_whose(one), **place, **stretch, **_told(start=one.start, reason=one.reason, **times)},
        )
    for answer in bundle.answers:
        given = {} if answer.value is None else {"value": answer.value}
        told = _told(answered_at=answer.answered_at)
        whose = {name: value for name, value in _whose(answer).items() if value}
        yield "answer", {**whose, "question": answer.question, **given, **told}


def _whose(row: ReadingRow | PageVisitRow | HighlightRow | AnswerRow) -> dict[str, Any]:
    return {"rater": row.rater, "system": row.system}


def _told(**values: datetime | int | str | None) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
        if value not in (None, 0, "")
    }
