"""JSON whose errors name the line and the field."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import FileError, Wording, one_line
from core.text.files import read_text, split_lines
from core.text.limits import check_values
from db.formats.cells import quoted

Trail = tuple[str | int, ...]
"""The way from the outermost value to an inner one: keys and 0-based places."""

_DECODER = json.JSONDecoder()
_WHITE = re.compile(r"[ \t\n\r]*")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def read_json(path: Path, limit_bytes: int) -> Node:
    """The one JSON value of a file. Raises FileError."""
    return JsonText(path, _read(path, limit_bytes)).root()


def read_json_lines(path: Path, limit_bytes: int) -> list[Node]:
    """The JSON values of a file with one a line; blank lines are passed over. Raises FileError."""
    lines = split_lines(_read(path, limit_bytes))
    return [JsonText(path, line, number).root() for number, line in enumerate(lines, start=1) if line.strip()]


def read_json_values(path: Path, limit_bytes: int) -> list[Node]:
    """The JSON value of a file, or those of a file with one a line. Raises FileError."""
    text = _read(path, limit_bytes)
    try:
        _DECODER.raw_decode(split_lines(text.lstrip())[0])
    except (ValueError, RecursionError):
        return [JsonText(path, text).root()]
    return read_json_lines(path, limit_bytes)


def _read(path: Path, limit_bytes: int) -> str:
    text = read_text(path, limit_bytes=limit_bytes)
    if not text.strip():
        raise FileError(path, "is empty.")
    check_values(path, text)
    return text


@dataclass(frozen=True, slots=True)
class JsonText:
    """A JSON text of a file, which begins on `first_line` there. `what` names it if it is but a part."""

    path: Path | Wording
    text: str
    first_line: int = 1
    what: Wording | None = None

    def root(self) -> Node:
        """The outermost value. Raises FileError for what is not JSON, NaN and a key given twice."""
        try:
            value = json.loads(self.text, object_pairs_hook=_object, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise self._error(
                "is not JSON ({reason}).", self.first_line + error.lineno - 1, reason=error.msg
            ) from error
        except _Refused as error:
            raise self._error("is not JSON ({reason}).", self.first_line, reason=error) from error
        except ValueError as error:  # Python converts no number of more than some thousand digits
            raise self._error("holds a number with too many digits.", self.first_line) from error
        except RecursionError as error:
            raise self._error("is nested too deeply.", self.first_line) from error
        return Node(self, value)

    def line_of(self, trail: Trail) -> int:
        """The line that the value at the end of the trail begins on."""
        return self.first_line - 1 + len(split_lines(self.text[: self._offset(trail)] + "^"))

    def _error(self, problem: str, line: int, /, **details: object) -> FileError:
        if self.what is None:
            return FileError(self.path, problem, line=line, **quoted(details))
        return FileError(
            self.path, "the {what} {problem}", line=line, what=self.what, problem=Wording(problem, **details)
        )

    def _offset(self, trail: Trail) -> int:
        at = self._pass_white(0)
        for step in trail:
            at = self._pass_white(at + 1)
            place = 0
            while True:
                key: object = place
                if isinstance(step, str):
                    key, at = self._pass_value(at)
                if key == step:
                    break
                _, at = self._pass_value(at)
                place += 1
        return at

    def _pass_value(self, at: int) -> tuple[object, int]:
        """The value at an offset, and where the next one begins: behind a colon or comma."""
        value, end = _DECODER.raw_decode(self.text, at)
        return value, self._pass_white(self._pass_white(end) + 1)

    def _pass_white(self, at: int) -> int:
        match = _WHITE.match(self.text, at)
        return match.end() if match else at


@dataclass(frozen=True, slots=True)
class Node:
    """A value within a JSON text. Every method raises FileError when the value is not what was asked for."""

    document: JsonText
    value: Any
    trail: Trail = ()

    def error(self, problem: str, /, *, part: bool = False, **details: object) -> FileError:
        """An error about this value, with its line and the field that it stands in."""
        place = max((n for n, step in enumerate(self.trail) if isinstance(step, int)), default=-1)
        field = ".".join(str(step) for step in self.trail[place + 1 :])
        within = Wording("field “{field:.200}”", field=one_line(field)) if field else None
        line = self.document.line_of(self.trail)
        return FileError(self.document.path, problem, line=line, within=within, part=part, **quoted(details))

    def get(self, key: str) -> Node | None:
        """The value of a key; None where the key is absent or null."""
        if not isinstance(self.value, dict):
            raise self.error("is not a JSON object.")
        value = self.value.get(key)
        return None if value is None else Node(self.document, value, (*self.trail, key))

    def need(self, key: str) -> Node:
        """The value of a key that must be there."""
        found = self.get(key)
        if found is None:
            raise self.error("has no field “{key}”.", key=key)
        return found

    def text(self, key: str, default: str | None = None) -> str:
        """The text of a key; it must be there unless there is a default."""
        if default is not None and self.get(key) is None:
            return default
        return self.need(key).as_text()

    def as_text(self) -> str:
        """The value, a text that can be stored."""
        if not isinstance(self.value, str):
            raise self.error("is not a text.")
        if _UNSTORABLE.search(self.value):
            raise self.error("holds a character that cannot be stored (NUL or half a surrogate pair).")
        return self.value

    def as_label(self) -> str:
        """The value, a text or a whole number, as a text."""
        if isinstance(self.value, int) and not isinstance(self.value, bool):
            return str(self.value)
        return self.as_text()

    def as_number(self) -> float:
        """The value, a finite number."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.error("is not a number.")
        if abs(self.value) >= 1e15:
            raise self.error("is too large a number.")
        return float(self.value)

    def as_list(self) -> list[Node]:
        """The values of the list."""
        if not isinstance(self.value, list):
            raise self.error("is not a list.")
        return [Node(self.document, value, (*self.trail, n)) for n, value in enumerate(self.value)]

    def as_map(self) -> dict[str, Node]:
        """The values of the object by key."""
        if not isinstance(self.value, dict):
            raise self.error("is not a JSON object.")
        return {key: Node(self.document, value, (*self.trail, key)) for key, value in self.value.items()}


def check_header(first: Node, name: str, version: int, what: Wording) -> None:
    """Raise FileError, unless the first line of a file is the header `{"format": name, "version": version}`.

    what: the kind of file, for the sentence.
    """
    named = first.get("format")
    if named is None or named.value != name:
        raise first.error("is not the header of {what}: “format” is not “{name}”.", what=what, name=name)
    told = first.need("version")
    if told.as_number() != version:
        raise told.error(
            "is {version:g}; this program reads version {known}; update it.",
            version=told.as_number(),
            known=version,
        )


class _Refused(ValueError):
    """What Python's reader takes and JSON does not."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key in found if times[key] > 1)
        raise _Refused(f"the key {json.dumps(twice):.80} stands twice in one object")
    return found


def _no_constant(name: str) -> float:
    raise _Refused(f"{name} is not a number of JSON")
