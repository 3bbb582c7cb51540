"""Batches of Appraise (`batches.json`): direct, document and error span (ESA, MQM) items.

A batch lists what is rated, not the ratings. Items of type TGT are systems' texts, REF references, BAD
degraded texts, CHK repeats. A `+` in a targetID: several systems share the text. Documents whose name is
marked `#bad`, `#dup` or `#incomplete` are copies of documents. The fields of an item depend on the task.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import FileError, Wording
from core.raters.assignment import DEGRADED, REPEAT
from core.text.languages import iso_code
from db.formats.bundle import Bundle, CheckRow, Key, ReadOptions, SegmentRow
from db.formats.capabilities import left_out_notes
from db.formats.cells import ITEM_TYPES, item_kind, read_label, read_lang
from db.formats.draft import NAMES, CampaignDraft, Pair, campaign_name, choose_pair
from db.formats.json_node import Node, read_json

_MARKS = re.compile(r"(#(bad|dup|duplicate|incomplete)\w*)+$")
_KINDS = (*ITEM_TYPES, "SRC")
_TYPES = {kind: name for name, kind in ITEM_TYPES.items()}


@dataclass(frozen=True, slots=True)
class AppraiseItem:
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


def read_item(node: Node, left_out: Counter[Wording]) -> AppraiseItem | None:
    """Read an item; None, counted in `left_out`, if it does not translate a segment. Raises FileError."""
    if node.get("targets") is not None:
        raise node.error("is a pairwise item; only direct, document, ESA and MQM items can be read.")
    kind_node = node.need("itemType")
    written = kind_node.as_text().split(".")[0]
    kind = _TYPES.get(item_kind(written) or "", written)
    if kind not in _KINDS:
        raise kind_node.error(
            "“{kind:.40}” is none of {kinds}.", kind=kind_node.value, kinds=", ".join(_KINDS)
        )
    whole = node.get("isCompleteDocument")
    if whole is not None and whole.value is True:
        left_out[Wording("items that show a whole document")] += 1
        return None
    if kind == "SRC":
        left_out[Wording("items of type SRC")] += 1
        return None
    marked = node.get("mqm")
    if marked is not None and isinstance(marked.value, dict):
        left_out[Wording("items of the tutorial")] += 1
        return None
    if marked is not None and marked.as_list():
        left_out[Wording("items' error spans, shown beforehand,")] += 1
    return _item(node, kind)


def _item(node: Node, kind: str) -> AppraiseItem:
    document_node = node.get("documentID")
    named = document_node or node.need("sourceID")
    raw = named.as_label()
    document = read_label(_MARKS.sub("", raw), Wording("documentID" if document_node else "sourceID"), named)
    target_id = node.need("targetID").as_text()
    systems = tuple(
        read_label(name, Wording("targetID"), node.need("targetID")) for name in target_id.split("+")
    )
    return AppraiseItem(
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


Identity = tuple[str, str, int | str]
"""A segment: document, source text, which of its occurrences; without documents: sourceID, "", itemID."""


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    batches = read_json(path, options.limit_bytes).as_list()
    if not batches:
        raise FileError(path, "has no batches.")
    pairs = [_languages(batch.need("task")) for batch in batches]
    pair = choose_pair(pairs, options, path)
    left_out: Counter[Wording] = Counter()
    reader = _Reader(CampaignDraft(path))
    for batch, found in zip(batches, pairs, strict=True):
        if found == pair:
            reader.add_batch(batch.need("items").as_list(), left_out)
        else:
            left_out[Wording("batches of another language pair")] += 1
    draft = reader.finish(left_out)
    return draft.bundle(campaign_name(path), options, (iso_code(pair[0]), iso_code(pair[1])))


def _languages(task: Node) -> Pair:
    """The languages as they are written, which both are ones that we know."""
    source, target = task.need("sourceLanguage"), task.need("targetLanguage")
    read_lang(source.as_text(), source)
    read_lang(target.as_text(), target)
    return source.as_text(), target.as_text()


class _Reader:
    """The items so far. Outputs can only be told from copies of them once every item is known."""

    def __init__(self, draft: CampaignDraft) -> None:
        self._draft = draft
        self._items: list[tuple[Identity, AppraiseItem]] = []

    def add_batch(self, nodes: list[Node], left_out: Counter[Wording]) -> None:
        """Add the items of a batch; `left_out` counts what there is no place for."""
        run: tuple[str, ...] = ()
        seen: Counter[str] = Counter()
        for node in nodes:
            item = read_item(node, left_out)
            if item is None:
                continue
            if item.run != run:
                run, seen = item.run, Counter()
            if item.has_document:
                identity: Identity = item.document, item.source, seen[item.source]
            else:
                identity = item.document, "", item.item_id
            seen[item.source] += 1
            self._items.append((identity, item))

    def finish(self, left_out: Counter[Wording]) -> CampaignDraft:
        """The campaign of all items."""
        reference = self._reference()
        keys = self._add_segments(reference)
        for identity, item in self._items:
            if item.kind in ("TGT", "REF") and not item.bad_copy:
                for system in item.systems:
                    self._draft.add_system(system, item.node, is_reference=system == reference)
                    self._draft.add_output(keys[identity], system, item.target, item.node.need("targetText"))
        for identity, item in self._items:
            if item.kind in ("BAD", "CHK") or item.bad_copy:
                self._add_check(keys[identity], item, left_out)
        self._draft.notes += left_out_notes(left_out)
        return self._draft

    def _reference(self) -> str:
        """The system of the first REF item, else the first one named like refA; others are systems."""
        typed = [item.systems[0] for _, item in self._items if item.kind == "REF"]
        named = {name for _, item in self._items for name in item.systems if NAMES.fullmatch(name)}
        return next(iter([*typed, *sorted(named)]), "")

    def _add_segments(self, reference: str) -> dict[Identity, Key]:
        """One segment for each identity, ordered by itemID where that says something, else as they come."""
        first: dict[str, dict[Identity, AppraiseItem]] = {}
        references: dict[Identity, str] = {}
        for identity, item in self._items:
            known = first.setdefault(item.document, {}).setdefault(identity, item)
            if known.source != item.source:
                raise item.node.need("sourceText").error("is another one than this itemID had before.")
            if reference in item.systems and item.kind in ("TGT", "REF") and not item.bad_copy:
                references.setdefault(identity, item.target)
        keys: dict[Identity, Key] = {}
        for document, found in first.items():
            for position, (identity, item) in enumerate(_in_order(found)):
                row = SegmentRow(
                    document,
                    position,
                    references.get(identity, ""),
                    item.source or None,
                    external_id=item.item_id,
                )
                self._draft.add_segment(row, item.node)
                keys[identity] = row.key
        return keys

    def _add_check(self, key: Key, item: AppraiseItem, left_out: Counter[Wording]) -> None:
        for system in item.systems:
            original = self._draft.outputs.get((key, system))
            if item.kind == "CHK" and original not in (None, item.target):
                raise item.node.need("targetText").error(
                    "differs from the text of “{system}” that it repeats.", system=system
                )
            if system not in self._draft.systems:
                left_out[Wording("checks of “{system}”, of which there is no text,", system=system)] += 1
                continue
            kind = REPEAT if item.kind == "CHK" or item.target == original else DEGRADED
            self._draft.checks[CheckRow(key, system, kind, item.target)] = None


def _in_order(found: dict[Identity, AppraiseItem]) -> Iterator[tuple[Identity, AppraiseItem]]:
    ids = [item.item_id for item in found.values()]
    if len(set(ids)) == len(ids) and all(one.isascii() and one.isdigit() for one in ids):
        yield from sorted(found.items(), key=lambda pair: int(pair[1].item_id))
    else:
        yield from found.items()
