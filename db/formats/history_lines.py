"""The lines of a history while they are read."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

from core.errors import FileError
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.protocols import SOURCE, MarkedSpan
from core.raters.protocols import TARGET as TARGET_SIDE
from db.formats.bundle import (
    IMPORTED,
    OFFICIAL,
    SEVERITIES,
    Bundle,
    CheckRow,
    ItemRow,
    Key,
    OutputRow,
    RatingRow,
    SegmentRow,
)
from db.formats.capabilities import identity
from db.formats.cells import read_instant, read_label, read_rater
from db.formats.history_header import Header, read_flag, read_whole
from db.formats.json_node import Node
from db.names import rater_key

_KINDS = (TARGET, REPEAT, REFERENCE, DEGRADED)


class Campaign:
    """The lines so far; each must agree with those before it."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._systems = {system.name for system in header.systems}
        self._segments: dict[Key, SegmentRow] = {}
        self._outputs: dict[tuple[Key, str], str] = {}
        self._checks: list[CheckRow] = []
        self._items: dict[tuple[str, int], ItemRow] = {}
        self._shown: set[tuple[object, ...]] = set()
        self._ratings: dict[Hashable, list[RatingRow]] = {}
        self._twice = 0
        self._raters: dict[str, str] = {}

    def add(self, node: Node) -> None:
        """Add a line. Raises FileError."""
        adders = {
            "segment": self._add_segment,
            "output": self._add_output,
            "check": self._add_check,
            "item": self._add_item,
            "rating": self._add_rating,
        }
        kinds = list(node.as_map())
        if len(kinds) != 1 or kinds[0] not in adders:
            raise node.error(f"is not an object with one key of {', '.join(adders)}.")
        adders[kinds[0]](node.need(kinds[0]))

    def bundle(self, path: Path) -> Bundle:
        """The whole campaign. Raises FileError when it holds no texts."""
        if not self._segments or not self._outputs:
            raise FileError(path, "has no segments or no translations; is it the whole file?")
        notes = [f"{self._twice} ratings that stand in the file twice were counted once."]
        return Bundle(
            name=self._header.name,
            langs=self._header.langs,
            systems=self._header.systems,
            segments=tuple(self._segments.values()),
            outputs=tuple(OutputRow(*where, text) for where, text in self._outputs.items()),
            ratings=tuple(rating for said in self._ratings.values() for rating in said),
            checks=tuple(dict.fromkeys(self._checks)),
            items=tuple(self._items.values()),
            meta=self._header.meta,
            notes=tuple(notes if self._twice else ()),
        )

    def _add_segment(self, node: Node) -> None:
        document = read_label(node.text("document"), "document", node)
        row = SegmentRow(
            document,
            read_whole(node.need("position"), 10**9),
            node.text("reference", ""),
            node.text("source", "") or None,
            node.text("domain", ""),
            node.text("external_id", ""),
        )
        if self._segments.setdefault(row.key, row) != row:
            raise node.error("is another text than this segment had before.")

    def _add_output(self, node: Node) -> None:
        key, system = self._segment(node), node.text("system")
        if system not in self._systems:
            raise node.need("system").error(f"“{system:.80}” is not in the header.")
        text = node.text("text")
        if self._outputs.setdefault((key, system), text) != text:
            raise node.error("is another text than this translation had before.")

    def _add_check(self, node: Node) -> None:
        key, system = self._where(node)
        kind = self._kind(node)
        if kind not in (REPEAT, DEGRADED):
            raise node.need("kind").error(f"“{kind}” is neither {REPEAT} nor {DEGRADED}.")
        self._checks.append(CheckRow(key, system, kind, node.text("text"), node.text("rule", IMPORTED)))

    def _add_item(self, node: Node) -> None:
        key, system = self._where(node)
        place = read_whole(node.need("place"), 2**31)
        rater, kind = self._rater(node), self._kind(node)
        item = ItemRow(rater, key, system, place, kind, node.text("mark", OFFICIAL), node.text("rule", ""))
        who = rater_key(rater)
        if self._items.get((who, place)) == item:
            return
        shown = (who, key, system, kind)
        if (who, place) in self._items or shown in self._shown:
            raise node.error("is a second item at this place, or of this text for this rater.")
        self._items[who, place] = item
        self._shown.add(shown)

    def _add_rating(self, node: Node) -> None:
        key, system = self._where(node)
        score, seconds, reason = node.get("score"), node.get("seconds"), node.get("skipped_reason")
        spans = node.get("spans")
        if score is not None and not 0 <= score.as_number() <= 100:
            raise score.error("is not a number from 0 to 100.")
        if seconds is not None and seconds.as_number() < 0:
            raise seconds.error("is not a number of seconds.")
        if (score is None and spans is None) == (reason is None) or None not in (score, reason):
            raise node.error("is neither a score, marked errors, nor a skip, or more than one may be.")
        rating = RatingRow(
            key,
            system,
            self._rater(node),
            None if score is None else score.as_number() + 0.0,
            node.text("comment", ""),
            node.text("mark", OFFICIAL),
            None if seconds is None else seconds.as_number(),
            read_instant(node.text("rated_at", ""), node),
            None if spans is None else tuple(read_span(one) for one in spans.as_list()),
            self._kind(node),
            None if reason is None else reason.as_text(),
        )
        self._append(rating, node)

    def _append(self, rating: RatingRow, node: Node) -> None:
        """Add the next revision of its judgement, or count one that is there already."""
        given = node.get("revision")
        revision = 1 if given is None else read_whole(given, 2**31)
        said = self._ratings.setdefault(identity(rating), [])
        if revision == len(said) + 1:
            said.append(rating)
        elif 1 <= revision <= len(said) and said[revision - 1] == rating:
            self._twice += 1
        else:
            raise node.error(f"is revision {revision} of what has {len(said)} revisions so far.")

    def _rater(self, node: Node) -> str:
        name = node.text("rater")
        return self._raters.get(name) or self._raters.setdefault(name, read_rater(name, node))

    def _kind(self, node: Node) -> str:
        kind = node.text("kind", TARGET)
        if kind not in _KINDS:
            raise node.need("kind").error(f"“{kind:.40}” is none of {', '.join(_KINDS)}.")
        return kind

    def _segment(self, node: Node) -> Key:
        key = node.text("document"), read_whole(node.need("position"), 10**9)
        if key not in self._segments:
            raise node.error(f"“{key[0]:.80}”, position {key[1]}, is no segment of an earlier line.")
        return key

    def _where(self, node: Node) -> tuple[Key, str]:
        where = self._segment(node), node.text("system")
        if where not in self._outputs:
            raise node.error(f"“{where[1]:.80}” has no translation of this segment in an earlier line.")
        return where


def read_span(node: Node) -> MarkedSpan:
    """A span as `spans_to_json` writes it."""
    severity, side = node.text("severity"), node.text("side", TARGET_SIDE)
    if severity not in SEVERITIES:
        raise node.need("severity").error(f"“{severity:.40}” is none of {', '.join(SEVERITIES)}.")
    if side not in (TARGET_SIDE, SOURCE):
        raise node.need("side").error("is neither target nor source.")
    start, end = read_whole(node.need("start"), 10**9), read_whole(node.need("end"), 10**9)
    if end < start:
        raise node.need("end").error("lies before start.")
    missing = read_flag(node.get("missing"))
    return MarkedSpan(start, end, severity, node.text("category", ""), side, missing, node.text("note", ""))
