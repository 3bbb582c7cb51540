"""The rows of a long format while they are read; each further row must agree with those before it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from db.formats.bundle import OFFICIAL, Key, RatingRow, ReadOptions, SegmentRow, SystemRow
from db.formats.cells import Place, read_instant, read_label, read_position, read_rater, read_seconds
from db.formats.scale import Scale

_CELLS = {"reference": 3, "source": 2, "domain": 1, "external_id": 0}
"""Where a segment's fields stand among its cells."""


class Gathered:
    """What the rows so far say. A text is looked at once: further rows mostly repeat it."""

    def __init__(self, path: Path, options: ReadOptions) -> None:
        self.segments: dict[Key, SegmentRow] = {}
        self.systems: dict[str, SystemRow] = {}
        self.outputs: dict[tuple[Key, str], str] = {}
        self.ratings: list[RatingRow] = []
        self.scale = Scale.of(path, options)
        self._path = path
        self._raters: dict[str, str] = {}
        self._keys: dict[tuple[str, str], tuple[Key, Sequence[str]]] = {}
        self._roles: dict[str, str] = {}

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Add a row, its cells in the order of `long.COLUMNS`. Raises FileError."""
        place = Place(self._path, line)
        key = self._segment(cells, place)
        system, role, text = cells[6:9]
        if self._roles.get(system) != role:
            self._add_system(system, role, place)
        if self.outputs.setdefault((key, system), text) != text:
            raise place.error(
                f"the system “{system}” has another translation of this segment in an earlier row."
            )
        self._add_rating(key, system, cells[9:], place)

    def _segment(self, cells: Sequence[str], place: Place) -> Key:
        """The key of a row's segment, which is added or met again."""
        document, position = cells[0], cells[1]
        found = self._keys.get((document, position))
        if found is None:
            number = read_position(position, place)
            key = read_label(document, "document", place), number
            known = self.segments.get(key)
            if known is not None:  # the position is written in another way
                found = key, (known.external_id, known.domain, known.source or "", known.reference)
            else:
                external_id, domain, source, reference = cells[2:6]
                row = SegmentRow(document, number, reference, source or None, domain, external_id)
                self.segments[key] = row
                found = key, cells[2:6]
            self._keys[document, position] = found
        key, given = found
        if given != cells[2:6]:
            differs = next(name for name, at in _CELLS.items() if given[at] != cells[2 + at])
            raise place.error(f"“{key[0]}”, position {key[1]}, had another {differs} in an earlier row.")
        return key

    def _add_system(self, name: str, role: str, place: Place) -> None:
        read_label(name, "system", place)
        if role not in ("", "reference"):
            raise place.error(f"the role “{role:.40}” is neither empty nor “reference”.")
        if name in self.systems:
            raise place.error(f"the system “{name}” has another role than in an earlier row.")
        self._roles[name] = role
        self.systems[name] = SystemRow(name, is_reference=role == "reference")

    def _add_rating(self, key: Key, system: str, cells: Sequence[str], place: Place) -> None:
        rater, score, comment, mark, seconds, rated_at = cells
        if rater == "":
            if score or comment:
                raise place.error("there is a score or comment but no rater.")
            return
        name = self._raters.get(rater) or self._raters.setdefault(rater, read_rater(rater, place))
        if score == "" and comment == "":
            return
        self.ratings.append(
            RatingRow(
                key,
                system,
                name,
                self.scale.read(score, place),
                comment,
                mark or OFFICIAL,
                read_seconds(seconds, place),
                read_instant(rated_at, place),
            )
        )
