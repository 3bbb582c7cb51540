"""A whole campaign as JSON lines, nothing left out: our own format, for keeping and for another machine.

The first line is the header: format, version, and what the campaign says of itself, with its systems. Then
each line is an object with one key that says what it is: segment, output, check, item (what a rater was
shown, and at which place) or rating (every revision, in order).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from core.errors import FileError
from core.raters.protocols import spans_to_json
from core.text.encoding import read_text, split_lines
from db.formats.bundle import Bundle, CheckRow, ItemRow, Meta, OutputRow, RatingRow, ReadOptions
from db.formats.capabilities import identity
from db.formats.history_header import read_header
from db.formats.history_lines import Campaign
from db.formats.json_node import JsonText, Node

NAME, VERSION = "yomikurabe-history", 1
_DEFAULTS = asdict(RatingRow(("", 0), "", "", None))


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. What has its usual value is left out of a line."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    file.write(encode(_header(bundle)) + "\n")
    for what, row in _rows(bundle):
        file.write(encode({what: row}) + "\n")


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    lines = split_lines(read_text(path, limit_bytes=options.limit_bytes))
    nodes = (JsonText(path, line, n).root() for n, line in enumerate(lines, start=1) if line.strip())
    first = next(nodes, None)
    if first is None:
        raise FileError(path, "is empty.")
    _check_header(first)
    campaign = Campaign(read_header(first.need("campaign"), options))
    for node in nodes:
        if node.value != first.value:  # it is the header again where a file was put behind itself
            campaign.add(node)
    return campaign.bundle(path)


def _check_header(first: Node) -> None:
    named = first.get("format")
    if named is None or named.value != NAME:
        raise first.error(f"is not the header of a history: “format” is not “{NAME}”.")
    version = first.need("version")
    if version.as_number() != VERSION:
        raise version.error(f"is {version.as_number():g}; this program reads version {VERSION}; update it.")


def _header(bundle: Bundle) -> dict[str, Any]:
    meta = {name: value for name, value in asdict(bundle.meta).items() if value != getattr(Meta(), name)}
    for name in ("deadline", "released_at"):
        if name in meta:
            meta[name] = meta[name].isoformat()
    systems = [{name: value for name, value in asdict(row).items() if value} for row in bundle.systems]
    campaign = {"name": bundle.name, "langs": list(bundle.langs), **meta, "systems": systems}
    return {"format": NAME, "version": VERSION, "campaign": campaign}


def _rows(bundle: Bundle) -> Iterator[tuple[str, dict[str, Any]]]:
    for segment in bundle.segments:
        yield "segment", {name: value for name, value in asdict(segment).items() if value not in ("", None)}
    for output in bundle.outputs:
        yield "output", {**_where(output), "text": output.text}
    for check in bundle.checks:
        yield "check", {**_where(check), "kind": check.kind, "rule": check.rule, "text": check.text}
    for item in bundle.items:
        row = {**_where(item), "rater": item.rater, "place": item.place, "kind": item.kind}
        yield "item", {**row, "mark": item.mark, **({"rule": item.rule} if item.rule else {})}
    revisions: Counter[Hashable] = Counter()
    for rating in bundle.ratings:
        judgement = identity(rating)
        revisions[judgement] += 1
        yield "rating", _rating(rating, revisions[judgement])


def _where(row: OutputRow | CheckRow | ItemRow | RatingRow) -> dict[str, Any]:
    return {"document": row.key[0], "position": row.key[1], "system": row.system}


def _rating(rating: RatingRow, revision: int) -> dict[str, Any]:
    row = {**_where(rating), "rater": rating.rater}
    for name in ("score", "comment", "mark", "seconds", "kind", "skipped_reason"):
        value = getattr(rating, name)
        if value != _DEFAULTS[name]:
            row[name] = value
    if revision > 1:
        row["revision"] = revision
    if rating.rated_at is not None:
        row["rated_at"] = rating.rated_at.isoformat()
    if rating.spans is not None:
        row["spans"] = spans_to_json(rating.spans)
    return row
