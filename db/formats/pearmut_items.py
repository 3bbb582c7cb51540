"""The documents of a Pearmut campaign: which texts are systems' translations, and which check the rater."""

from __future__ import annotations

from collections import Counter

from core.raters.assignment import DEGRADED, REPEAT, TARGET
from db.formats.bundle import CheckRow, Key, Meta, SegmentRow
from db.formats.draft import Draft
from db.formats.json_node import Node

Identity = tuple[str, str]
"""An item: its item_id, which may be empty, and its source."""

PROTOCOLS = {"DA": "adequacy", "ESA": "esa", "cESA": "esa", "MQM": "mqm"}
"""Pearmut's protocols as ours."""

_ID_SEPARATORS = ("_###_", "_#_")


class Book:
    """The campaign so far, and where each of its items is found.

    by_errors: whether its raters mark errors and give no score. marks: whether they mark errors at all.
    """

    def __init__(self, draft: Draft, campaign: Node) -> None:
        self.draft = draft
        named = campaign.get("campaign_id")
        self.name = named.as_label() if named else ""
        info = campaign.get("info")
        protocol = info.text("protocol", "") if info and isinstance(info.value, dict) else ""
        self.by_errors, self.marks = protocol == "MQM", protocol != "DA"
        if protocol in PROTOCOLS:
            draft.meta = Meta(protocol=PROTOCOLS[protocol])
        self.left_out: Counter[str] = Counter()
        self._documents: dict[tuple[Identity, ...], str] = {}
        self._ids: dict[str, Node] = {}
        self._by_identity: dict[Identity, Key] = {}
        data = campaign.need("data")
        self.by_user = {user: found.as_list() for user, found in _users(data).items()}
        self.in_order = [] if self.by_user else data.as_list()
        documents = [document for found in self.by_user.values() for document in found] or self.in_order
        for document in documents:
            self._add_document(document)
        random = campaign.get("data_random")
        self.random = random.as_list() if random else []
        checks = [item for document in documents for item in document.as_list() if is_check(item)]
        for item in [*checks, *(item for document in self.random for item in document.as_list())]:
            self._add_check(item)

    def notes(self) -> list[str]:
        """Sentences about what there is no place for."""
        return [f"{count} {what} were left out." for what, count in self.left_out.items() if count]

    def keys_of(self, document: Node, *, random: bool) -> list[Key | None]:
        """The segment of each item of a document; None for a form and for what the campaign does not hold.

        `random`: the document is one that checks the rater.
        """
        items = document.as_list()
        plain = tuple(_identity(item) for item in items if not is_form(item) and not is_check(item))
        name = self._documents.get(plain)
        keys: list[Key | None] = []
        position = 0
        for item in items:
            if is_form(item):
                keys.append(None)
            elif is_check(item) or name is None:
                keys.append(self._find(item, check=random or is_check(item)))
            else:
                keys.append((name, position))
                position += 1
        return keys

    def kind_of(self, item: Node, key: Key, system: str, text: str, *, random: bool) -> str | None:
        """What kind of item a text was shown as; None when the campaign does not hold that text."""
        same = self.draft.outputs.get((key, system)) == text
        if same and not random and not is_check(item):
            return TARGET
        kind = REPEAT if same else DEGRADED
        return kind if CheckRow(key, system, kind, text) in self.draft.checks else None

    def _add_document(self, document: Node) -> None:
        items = [item for item in document.as_list() if not is_form(item) and not is_check(item)]
        self.left_out["items of a form"] += sum(is_form(item) for item in document.as_list())
        identities = tuple(_identity(item) for item in items)
        if not identities:
            return
        name = self._documents.get(identities)
        if name is None:
            name = self._new_document(identities, items)
        for position, item in enumerate(items):
            for system, text in item.need("tgt").as_map().items():
                self.draft.add_system(system, text)
                self.draft.add_output((name, position), system, text.as_text(), text)
            self.left_out["items' error spans, shown beforehand,"] += item.get("error_spans") is not None

    def _new_document(self, identities: tuple[Identity, ...], items: list[Node]) -> str:
        name = _common_name([item_id for item_id, _ in identities])
        if not name or name in self._documents.values():
            name = f"document {len(self._documents) + 1}"
        self._documents[identities] = name
        for position, ((item_id, source), item) in enumerate(zip(identities, items, strict=True)):
            if item_id and self._ids.setdefault(item_id, item) is not item:
                raise item.need("item_id").error(f"“{item_id:.200}” is the item_id of another item, too.")
            row = SegmentRow(name, position, item.text("ref", ""), source or None, external_id=item_id)
            self.draft.add_segment(row, item)
            self._by_identity.setdefault((item_id, source), row.key)
            self._by_identity.setdefault(("", source), row.key)
        return name

    def _find(self, item: Node, *, check: bool) -> Key | None:
        """A check has an item_id of its own, so that its source tells what it is a check of."""
        identity = _identity(item)
        found = self._by_identity.get(identity)
        return found or (self._by_identity.get(("", identity[1])) if check else None)

    def _add_check(self, item: Node) -> None:
        """Add the texts of an item that checks the rater, under the segment with the same source."""
        key = self._find(item, check=True)
        for system, text in item.need("tgt").as_map().items():
            if key is None or system not in self.draft.systems:
                self.left_out["texts that check the rater, without a segment or system of their own,"] += 1
                continue
            same = self.draft.outputs.get((key, system)) == text.as_text()
            self.draft.checks[CheckRow(key, system, REPEAT if same else DEGRADED, text.as_text())] = None


def is_check(item: Node) -> bool:
    """Whether an item checks the rater."""
    validation = item.get("validation")
    return validation is not None and bool(validation.value)


def is_form(item: Node) -> bool:
    """Whether an item asks something about the rater."""
    return item.get("tgt") is None and item.get("text") is not None


def _identity(item: Node) -> Identity:
    item_id = item.get("item_id")
    return item_id.as_label() if item_id else "", item.text("src", "")


def _users(data: Node) -> dict[str, Node]:
    """The documents of each user or task; empty when there is one list of documents for all."""
    if isinstance(data.value, dict):
        return data.as_map()
    tasks = data.as_list()
    nested = tasks and all(isinstance(task.value, list) for task in tasks)
    if nested and any(isinstance(document.value, list) for task in tasks for document in task.as_list()):
        return {str(n): task for n, task in enumerate(tasks)}
    return {}


def _common_name(item_ids: list[str]) -> str:
    """What the ids of a document share before their last separator; empty if they have none."""
    for separator in _ID_SEPARATORS:
        heads = {item_id.rpartition(separator)[0] for item_id in item_ids}
        if len(heads) == 1 and heads != {""}:
            return heads.pop()
    return ""
