"""Campaigns of Pearmut and their annotations, read and written.

The campaign is an object with `data`: documents of items (src, perhaps ref, tgt {model: text}), or lists of
documents for each task or user. Annotations are in a file of their own, a download ({campaign_id:
[entries]}) or one entry a line, an entry for each submission of a document: `ratings_file`, or both files
in one folder.

Items with a `validation` check the rater, and so do those of `data_random`: their texts are checks. Forms
and tutorials (`data_welcome`) are left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import FileError, Wording
from core.raters.assignment import DEGRADED, REPEAT, TARGET
from db.formats.bundle import Bundle, CheckRow, Key, Meta, ReadOptions, SegmentRow
from db.formats.capabilities import left_out_notes
from db.formats.cells import read_rater
from db.formats.draft import CampaignDraft, campaign_name
from db.formats.json_node import Node, read_json_values
from db.formats.spans import browser_places, read_spans, spans_note, write_spans
from db.records import RatingRecord

Identity = tuple[str, str]
"""An item: its item_id, which may be empty, and its source."""

PROTOCOLS = {"DA": "adequacy", "ESA": "esa", "cESA": "esa", "MQM": "mqm"}
"""Pearmut's protocols as ours."""

_ID_SEPARATORS = ("_###_", "_#_")


class PearmutCampaign:
    """The campaign so far, and where each of its items is found.

    by_errors: whether its raters mark errors and give no score. marks: whether they mark errors at all.
    """

    def __init__(self, draft: CampaignDraft, campaign: Node) -> None:
        self.draft = draft
        named = campaign.get("campaign_id")
        self.name = named.as_label() if named else ""
        info = campaign.get("info")
        protocol = info.text("protocol", "") if info and isinstance(info.value, dict) else ""
        self.by_errors, self.marks = protocol == "MQM", protocol != "DA"
        if protocol in PROTOCOLS:
            draft.meta = Meta(protocol=PROTOCOLS[protocol])
        self.left_out: Counter[Wording] = Counter()
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

    def notes(self) -> tuple[Wording, ...]:
        """Sentences about what there is no place for."""
        return left_out_notes(self.left_out)

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
        self.left_out[Wording("items of a form")] += sum(is_form(item) for item in document.as_list())
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
            self.left_out[Wording("items' error spans, shown beforehand,")] += (
                item.get("error_spans") is not None
            )

    def _new_document(self, identities: tuple[Identity, ...], items: list[Node]) -> str:
        name = _common_name([item_id for item_id, _ in identities])
        if not name or name in self._documents.values():
            name = f"document {len(self._documents) + 1}"
        self._documents[identities] = name
        for position, ((item_id, source), item) in enumerate(zip(identities, items, strict=True)):
            if item_id and self._ids.setdefault(item_id, item) is not item:
                raise item.need("item_id").error(
                    "“{item_id:.200}” is the item_id of another item, too.", item_id=item_id
                )
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
                self.left_out[
                    Wording("texts that check the rater, without a segment or system of their own,")
                ] += 1
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


RESET = "__RESET__"


class RatingReader:
    """Adds ratings to the campaign; a document that is submitted again gives further revisions."""

    def __init__(self, book: PearmutCampaign) -> None:
        self._book = book
        self._left_out: Counter[Wording] = Counter()
        self._spans_left_out = 0

    def read(self, entries: Sequence[Node]) -> list[Wording]:
        """Add the ratings of the entries, in their order; returns notes. Raises FileError."""
        for entry in self._valid(entries):
            self._add_entry(entry)
        return [*left_out_notes(self._left_out), *spans_note(self._spans_left_out)]

    def _valid(self, entries: Sequence[Node]) -> Iterable[Node]:
        """The entries that no later reset by the same rater voids."""
        reset: set[tuple[str, str]] = set()
        kept: list[Node] = []
        for entry in reversed(entries):
            user, item_i = entry.need("user_id").as_label(), entry.get("item_i")
            place = user, item_i.as_label() if item_i else ""
            if entry.need("annotation").value == RESET:
                reset.add(place)
            elif place in reset or (user, "") in reset:
                self._left_out[Wording("submissions that were reset")] += 1
            else:
                kept.append(entry)
        return reversed(kept)

    def _add_entry(self, entry: Node) -> None:
        item_i = entry.need("item_i").as_label()
        if item_i.startswith("welcome"):
            self._left_out[Wording("submissions of the tutorial")] += 1
            return
        document = self._document(entry, item_i)
        items, answers = document.as_list(), entry.need("annotation").as_list()
        if len(items) != len(answers):
            raise entry.need("annotation").error(
                "has {n} answers to {items} items.", n=len(answers), items=len(items)
            )
        comment = entry.text("comment", "")
        keys = self._book.keys_of(document, random=item_i.startswith("random"))
        for item, answer, key in zip(items, answers, keys, strict=True):
            if is_form(item) or answer.value == RESET:
                what = Wording("answers to forms" if is_form(item) else "answers that were reset")
                self._left_out[what] += 1
                continue
            for system, judged in answer.as_map().items():
                comment = self._add_rating(entry, item, key, system, judged, comment)

    def _document(self, entry: Node, item_i: str) -> Node:
        """The items that were shown: as the entry has them, else as the campaign has."""
        shown = entry.get("item")
        if shown is not None:
            return shown
        is_random = item_i.startswith("random_")
        held = self._book.by_user.get(entry.need("user_id").as_label(), self._book.in_order)
        documents = self._book.random if is_random else held
        number = item_i.removeprefix("random_")
        if not (number.isascii() and number.isdigit() and len(number) < 9 and int(number) < len(documents)):
            raise entry.need("item_i").error(
                "“{item_i:.40}” is not a document of the campaign.", item_i=item_i
            )
        return documents[int(number)]

    def _add_rating(
        self, entry: Node, item: Node, key: Key | None, system: str, judged: Node, comment: str
    ) -> str:
        """Add a rating; returns the comment on the submission if it has not found a rating yet."""
        text = item.need("tgt").need(system).as_text()
        random = entry.need("item_i").as_label().startswith("random")
        kind = self._book.kind_of(item, key, system, text, random=random) if key else None
        if key is None or kind is None:
            if random or is_check(item):
                self._left_out[Wording("ratings of checks that the campaign does not hold")] += 1
                return comment
            raise judged.error("judges a text that the campaign does not hold.")
        score = judged.get("score")
        spans, unknown = read_spans(judged.get("error_spans"), browser_places(text))
        if score is None and not (self._book.by_errors and spans is not None):
            self._left_out[Wording("judgements without a score from 0 to 100")] += 1
            return comment
        if score is not None and not 0 <= score.as_number() <= 100:
            raise score.error("is not a number from 0 to 100.")
        self._spans_left_out += unknown
        user = entry.need("user_id")
        self._book.draft.ratings.append(
            RatingRecord(
                key,
                system,
                read_rater(user.as_label(), user),
                None if score is None else score.as_number() + 0.0,
                comment="\n".join(filter(None, (judged.text("textfield", ""), comment))),
                rated_at=_submitted(entry),
                spans=spans if self._book.marks or spans else None,
                kind=kind,
            )
        )
        return ""


def _submitted(entry: Node) -> datetime | None:
    """When the document was submitted: the time of the last action, in UTC."""
    actions = entry.get("actions")
    times = [action.need("time") for action in actions.as_list()] if actions else []
    if not times:
        return None
    seconds = times[-1].as_number()
    if not 0 <= seconds < 1e11:
        raise times[-1].error("is not a number of seconds.")
    return datetime.fromtimestamp(seconds, UTC)


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a campaign file, or a folder with it and its annotations. Raises FileError."""
    campaign, rest = _files(path, options)
    book = PearmutCampaign(CampaignDraft(path), campaign)
    entries = [entry for value in rest for entry in _entries(value, book.name)]
    notes = RatingReader(book).read(entries)
    book.draft.notes += [*book.notes(), *notes]
    return book.draft.bundle(book.name or campaign_name(path), options)


def _files(path: Path, options: ReadOptions) -> tuple[Node, list[Node]]:
    """The campaign, and the values of the files with annotations."""
    limit = options.limit_bytes
    if path.is_dir():
        found = sorted(file for file in path.rglob("*.json*") if file.name != "progress.json")
        values = [value for file in found for value in read_json_values(file, limit)]
    else:
        values = read_json_values(path, limit)
    campaigns = [value for value in values if isinstance(value.value, dict) and "data" in value.value]
    if len(campaigns) != 1:
        raise FileError(
            path, "must hold one campaign, an object with “data”, but holds {n}.", n=len(campaigns)
        )
    rest = [value for value in values if value is not campaigns[0]]
    if options.ratings_file is not None:
        rest += read_json_values(options.ratings_file, limit)
    return campaigns[0], rest


def _entries(value: Node, campaign_id: str) -> list[Node]:
    """The entries of a download, or the one entry that this is."""
    if isinstance(value.value, list):
        return value.as_list()
    if "annotation" in value.as_map():
        return [value]
    campaigns = value.as_map()
    if campaign_id not in campaigns:
        raise value.error("holds no annotations of the campaign “{campaign_id}”.", campaign_id=campaign_id)
    return campaigns[campaign_id].as_list()


_SEPARATOR = "_###_"
_INFO = {ours: theirs for theirs, ours in reversed(PROTOCOLS.items())}

Texts = dict[tuple[Key, str], str]


def write_files(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    """The campaign, and the annotations: an entry for each rating, revisions one after the other."""
    items = {
        segment.key: _item(segment.key, segment.source, segment.reference) for segment in bundle.segments
    }
    texts: Texts = {(output.key, output.system): output.text for output in bundle.outputs}
    for (key, system), text in texts.items():
        items[key]["tgt"][system] = text
    documents: dict[str, list[dict[str, Any]]] = {}
    for key in sorted(items, key=lambda key: key[1]):
        documents.setdefault(key[0], []).append(items[key])
    order = {document: place for place, document in enumerate(documents)}
    campaign = {
        "campaign_id": bundle.name,
        "info": {"assignment": "single-stream", "protocol": _INFO.get(bundle.meta.protocol, "DA")},
        "data": list(documents.values()),
        "data_random": [[_alone(items[one.key], one.system, one.text)] for one in bundle.checks],
    }
    yield "campaign.json", _json(campaign)
    checks = {(one.key, one.system, one.kind): (place, one) for place, one in enumerate(bundle.checks)}
    entries = [
        _entry(rating, items, texts, order, checks)
        for rating in bundle.ratings
        if rating.kind == TARGET or (rating.key, rating.system, rating.kind) in checks
    ]
    yield "annotations.json", _json({bundle.name: entries})


def remarks(bundle: Bundle) -> tuple[Wording, ...]:
    """What cannot be written for want of a text."""
    there = {(one.key, one.system, one.kind) for one in bundle.checks}
    lone = sum(
        rating.kind != TARGET and (rating.key, rating.system, rating.kind) not in there
        for rating in bundle.ratings
    )
    return left_out_notes({Wording("ratings of checks whose text is not known"): lone})


def _item(key: Key, source: str | None, reference: str) -> dict[str, Any]:
    named = {"item_id": f"{key[0]}{_SEPARATOR}{key[1]}", "src": source or ""}
    return {**named, **({"ref": reference} if reference else {}), "tgt": {}}


def _alone(item: dict[str, Any], system: str, text: str) -> dict[str, Any]:
    """The item with one system's text alone."""
    return {**item, "tgt": {system: text}}


def _entry(
    rating: RatingRecord,
    items: dict[Key, dict[str, Any]],
    texts: Texts,
    order: dict[str, int],
    checks: dict[tuple[Key, str, str], tuple[int, CheckRow]],
) -> dict[str, Any]:
    text = texts[rating.key, rating.system]
    item_i: int | str = order[rating.key[0]]
    if rating.kind != TARGET:
        place, check = checks[rating.key, rating.system, rating.kind]
        item_i, text = f"random_{place}", check.text
    said: dict[str, Any] = {"score": rating.score, "textfield": rating.comment or None}
    if rating.spans is not None:
        said["error_spans"] = write_spans(rating.spans, browser_places(text), category="category")
    when = [] if rating.rated_at is None else [{"time": rating.rated_at.timestamp(), "action": "submit"}]
    return {
        "user_id": rating.rater,
        "item_i": item_i,
        "annotation": [{rating.system: said}],
        "actions": when,
        "item": [_alone(items[rating.key], rating.system, text)],
    }


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode()
