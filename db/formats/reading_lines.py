"""The lines of a history that say what readers of a study read, marked and answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from core.raters.reading.choices import KINDS
from db.formats.bundle import AnswerRow, Bundle, ChunkRow, HighlightRow, Key, PageVisitRow, ReadingRow
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
        self.chunks: dict[tuple[str, int], ChunkRow] = {}
        self.visits: dict[PageVisitRow, None] = {}
        self.highlights: dict[HighlightRow, None] = {}
        self.answers: dict[AnswerRow, None] = {}

    def adders(self) -> dict[str, Callable[[Node], None]]:
        """What takes a line of each kind."""
        return {
            "reading": self._add_reading,
            "chunk": self._add_chunk,
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

    def _add_chunk(self, node: Node) -> None:
        rater = read_rater(node.text("rater"), node)
        sides = [node.text("left"), node.text("right")]
        if sides[0] == sides[1] or any((rater_key(rater), one) not in self.readings for one in sides):
            raise node.error("does not compare two versions of this reader.")
        keys = [
            (node.text(document), _whole(node.need(position)))
            for document, position in (("document", "position"), ("last_document", "last_position"))
        ]
        for key in keys:
            if not any(known == key for known, _ in self._texts):
                raise node.error("names a segment that has no translation in an earlier line.")
        times = _instant(node, "started_at"), _instant(node, "finished_at")
        row = ChunkRow(rater, _whole(node.need("place")), keys[0], keys[1], sides[0], sides[1], *times)
        own = rater_key(rater), row.place
        if self.chunks.setdefault(own, row) != row:
            raise node.error("is a second chunk at this place for this reader.")

    def _chunk(self, node: Node, rater: str) -> int | None:
        given = node.get("chunk")
        if given is None:
            return None
        place = _whole(given)
        if (rater_key(rater), place) not in self.chunks:
            raise given.error("is not a chunk of this reader in an earlier line.")
        return place

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
            self._chunk(node, rater),
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
        row = HighlightRow(
            rater, system, key, start, end, kind, node.text("reason", ""), *times, self._chunk(node, rater)
        )
        self.highlights[row] = None

    def _add_answer(self, node: Node) -> None:
        rater, system = node.text("rater"), node.text("system", "")
        rater = self._whose(node)[0] if system else read_rater(rater, node)
        value = node.get("value")
        answer = None if value is None else value.value
        if not isinstance(answer, int | str | None) or isinstance(answer, bool):
            raise node.need("value").error("is neither a whole number nor a text.")
        at, chunk = _instant(node, "answered_at"), self._chunk(node, rater)
        row = AnswerRow(rater, system, node.text("question"), answer, at, chunk)
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
    for chunk in bundle.chunks:
        place = {"document": chunk.first[0], "position": chunk.first[1]}
        end = {"last_document": chunk.last[0], "last_position": chunk.last[1]}
        sides = {"left": chunk.left, "right": chunk.right}
        times = {"started_at": chunk.started_at, "finished_at": chunk.finished_at}
        yield "chunk", {"rater": chunk.rater, "place": chunk.place, **place, **end, **sides, **_told(**times)}
    for visit in bundle.visits:
        first = {"document": visit.first[0], "position": visit.first[1]}
        last = {"last_document": visit.last[0], "last_position": visit.last[1]}
        seconds = {"active": visit.active, "away": visit.away}
        told = _told(start=visit.start, end=visit.end, visited_at=visit.visited_at)
        yield "page_visit", {**_whose(visit), **first, **last, **seconds, **told, **_of_chunk(visit)}
    for one in bundle.highlights:
        place = {"document": one.key[0], "position": one.key[1]}
        stretch = {"end": one.end, "kind": one.kind}
        times = {"made_at": one.made_at, "removed_at": one.removed_at}
        yield (
            "highlight",
            {
                **_whose(one),
                **place,
                **stretch,
                **_told(start=one.start, reason=one.reason, **times),
                **_of_chunk(one),
            },
        )
    for answer in bundle.answers:
        given = {} if answer.value is None else {"value": answer.value}
        told = _told(answered_at=answer.answered_at)
        whose = {name: value for name, value in _whose(answer).items() if value}
        yield "answer", {**whose, "question": answer.question, **given, **told, **_of_chunk(answer)}


def _of_chunk(row: PageVisitRow | HighlightRow | AnswerRow) -> dict[str, int]:
    return {} if row.chunk is None else {"chunk": row.chunk}


def _whose(row: ReadingRow | PageVisitRow | HighlightRow | AnswerRow) -> dict[str, Any]:
    return {"rater": row.rater, "system": row.system}


def _told(**values: datetime | int | str | None) -> dict[str, Any]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
        if value not in (None, 0, "")
    }
