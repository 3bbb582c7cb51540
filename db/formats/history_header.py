"""The first line of a history: what the campaign says of itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from core.errors import InputError
from core.raters.protocols import PROTOCOLS
from db.design import Design, check, from_json, to_json
from db.formats.bundle import Meta, ReadOptions, SystemRow
from db.formats.cells import read_instant, read_label
from db.formats.json_node import Node

_STATES = ("draft", "open", "closed")
_MOMENTS = ("deadline", "released_at")
_KINDS_OF: dict[str, tuple[type, ...]] = {
    "raters_per_item": (int, type(None)),
    "left_out": (list, tuple),
}
_LANG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


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
    if len(langs.as_list()) != 2 or not all(_LANG.fullmatch(one.as_text()) for one in langs.as_list()):
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


def _design(node: Node) -> dict[str, object]:
    """The choices of a design, each of its type; one that is not known is kept as it is."""
    given = {key: one.value for key, one in node.as_map().items()}
    for key, usual in to_json(Design()).items():
        value = given.get(key, usual)
        kinds = _KINDS_OF.get(key, (float, int) if isinstance(usual, float) else (type(usual),))
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise node.need(key).error("is of another kind than a design has.")
    try:
        check(from_json(given), PROTOCOLS["adequacy"].name)
    except InputError as error:
        raise node.error(error.message[:1].lower() + error.message[1:]) from error
    return given


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
            values["design"] = _design(given)
        elif field.name == "seal":
            values["seal"] = _seal(given)
        elif field.name in _MOMENTS:
            values[field.name] = read_instant(given.as_text(), given)
        else:
            values[field.name] = given.as_text()
    if values.get("state", "open") not in _STATES:
        raise node.need("state").error(f"is none of {', '.join(_STATES)}.")
    return Meta(**values)  # type: ignore[arg-type]


def _seal(node: Node) -> dict[str, object]:
    """A seal as it was written: its commitment, and perhaps names and nonce."""
    found: dict[str, object] = {"commitment": node.need("commitment").as_text()}
    if node.get("names") is not None:
        found["names"] = {name: one.as_text() for name, one in node.need("names").as_map().items()}
        found["nonce"] = node.need("nonce").as_text()
    return found


def read_whole(node: Node, limit: int) -> int:
    """A whole number from 0, below the limit."""
    number = node.as_number()
    if not (number.is_integer() and 0 <= number < limit):
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)
