"""The first line of a history: what the campaign says of itself."""

from __future__ import annotations

from dataclasses import dataclass, fields

from db.formats.bundle import Meta, ReadOptions, SystemRow
from db.formats.cells import read_instant, read_label
from db.formats.json_node import Node

_STATES = ("draft", "open", "closed")
_MOMENTS = ("deadline", "released_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the first line says."""

    name: str
    langs: tuple[str, str]
    meta: Meta
    systems: tuple[SystemRow, ...]


def read_header(node: Node, options: ReadOptions) -> Header:
    """The campaign of the first line. Languages that the options tell go before its own."""
    langs = node.need("langs")
    if len(langs.as_list()) != 2:
        raise langs.error("is not a source and a target language.")
    source, target = (one.as_text() for one in langs.as_list())
    systems: dict[str, SystemRow] = {}
    for one in node.need("systems").as_list():
        name = read_label(one.text("name"), "system", one)
        if name in systems:
            raise one.error(f"the system “{name}” stands there twice.")
        labels = (one.text(label, "") or None for label in ("label_en", "label_ja"))
        systems[name] = SystemRow(name, read_flag(one.get("is_reference")), *labels)
    return Header(
        name=node.text("name"),
        langs=(options.source_lang or source, options.target_lang or target),
        meta=_meta(node),
        systems=tuple(systems.values()),
    )


def read_flag(node: Node | None) -> bool:
    """True or false; false where there is nothing."""
    if node is not None and not isinstance(node.value, bool):
        raise node.error("is neither true nor false.")
    return node is not None and bool(node.value)


def _meta(node: Node) -> Meta:
    values: dict[str, object] = {}
    for field in fields(Meta):
        given = node.get(field.name)
        if given is None:
            continue
        if field.name == "seed":
            values["seed"] = read_whole(given, 2**31)
        elif field.name == "design":
            values["design"] = {key: one.value for key, one in given.as_map().items()}
        elif field.name in _MOMENTS:
            values[field.name] = read_instant(given.as_text(), given)
        else:
            values[field.name] = given.as_text()
    if values.get("state", "open") not in _STATES:
        raise node.need("state").error(f"is none of {', '.join(_STATES)}.")
    return Meta(**values)  # type: ignore[arg-type]


def read_whole(node: Node, limit: int) -> int:
    """A whole number from 0, below the limit."""
    number = node.as_number()
    if not (number.is_integer() and 0 <= number < limit):
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)
