"""One item of an Appraise batch: which fields it has depends on the task."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from db.formats.cells import read_label
from db.formats.json_node import Node

_MARKS = re.compile(r"(#(bad|dup|duplicate|incomplete)\w*)+$")
_KINDS = ("TGT", "BAD", "REF", "CHK", "SRC")


@dataclass(frozen=True, slots=True)
class Item:
    """A text as it is put before a rater. `kind` is TGT, BAD, REF or CHK.

    `document` is the documentID without its marks, else the sourceID. `run`: items of the same run follow
    each other as the segments of one translation of one document. `bad_copy`: the document is marked #bad.
    """

    node: Node
    kind: str
    document: str
    has_document: bool
    bad_copy: bool
    item_id: str
    source: str
    target: str
    systems: tuple[str, ...]
    run: tuple[str, ...]


def read_item(node: Node, left_out: Counter[str]) -> Item | None:
    """Read an item; None, counted in `left_out`, if it is no translation of a segment. Raises FileError."""
    if node.get("targets") is not None:
        raise node.error("is a pairwise item; only direct, document, ESA and MQM items can be read.")
    kind_node = node.need("itemType")
    kind = kind_node.as_text().split(".")[0]
    if kind not in _KINDS:
        raise kind_node.error(f"“{kind_node.value:.40}” is none of {', '.join(_KINDS)}.")
    whole = node.get("isCompleteDocument")
    if whole is not None and whole.value is True:
        left_out["items that show a whole document"] += 1
        return None
    if kind == "SRC":
        left_out["items of type SRC"] += 1
        return None
    marked = node.get("mqm")
    if marked is not None and isinstance(marked.value, dict):
        left_out["items of the tutorial"] += 1
        return None
    if marked is not None and marked.as_list():
        left_out["items' error spans, shown beforehand,"] += 1
    return _item(node, kind)


def _item(node: Node, kind: str) -> Item:
    document_node = node.get("documentID")
    named = document_node or node.need("sourceID")
    raw = named.as_label()
    document = read_label(_MARKS.sub("", raw), "documentID" if document_node else "sourceID", named)
    target_id = node.need("targetID").as_text()
    systems = tuple(read_label(name, "targetID", node.need("targetID")) for name in target_id.split("+"))
    return Item(
        node,
        kind,
        document,
        document_node is not None,
        "#bad" in raw,
        node.need("itemID").as_label(),
        node.text("sourceText"),
        node.text("targetText"),
        tuple(dict.fromkeys(systems)),
        (raw, target_id),
    )
