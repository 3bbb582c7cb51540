"""A campaign as Pearmut has it, with what its raters said: a folder that `pearmut.read` reads back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from core.raters.assignment import TARGET
from db.formats.bundle import Bundle, CheckRow, Key, RatingRow
from db.formats.pearmut_items import PROTOCOLS
from db.formats.spans import browser_places, write_spans

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


def remarks(bundle: Bundle) -> tuple[str, ...]:
    """What cannot be written for want of a text."""
    there = {(one.key, one.system, one.kind) for one in bundle.checks}
    lone = sum(
        rating.kind != TARGET and (rating.key, rating.system, rating.kind) not in there
        for rating in bundle.ratings
    )
    return (f"{lone} ratings of checks whose text is not known were left out.",) if lone else ()


def _item(key: Key, source: str | None, reference: str) -> dict[str, Any]:
    named = {"item_id": f"{key[0]}{_SEPARATOR}{key[1]}", "src": source or ""}
    return {**named, **({"ref": reference} if reference else {}), "tgt": {}}


def _alone(item: dict[str, Any], system: str, text: str) -> dict[str, Any]:
    """The item with one system's text alone."""
    return {**item, "tgt": {system: text}}


def _entry(
    rating: RatingRow,
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
