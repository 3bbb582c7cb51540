"""Campaigns of Pearmut, and what its raters said.

The campaign: an object with `data`, which holds documents of items (src, perhaps ref, tgt {model: text}), or
lists of documents for each task or user. Annotations come in a file of their own, a download
({campaign_id: [entries]}) or one entry a line: `ratings_file`, or both files in one folder.

Items with a `validation` check the rater, and so do those of `data_random`: their texts are checks. Forms
and tutorials (`data_welcome`) are left out.
"""

from __future__ import annotations

from pathlib import Path

from core.errors import FileError
from db.formats.bundle import Bundle, ReadOptions
from db.formats.draft import Draft, campaign_name
from db.formats.json_node import Node, read_json_values
from db.formats.pearmut_items import Book
from db.formats.pearmut_ratings import RatingReader


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a campaign file, or a folder with it and its annotations. Raises FileError."""
    campaign, rest = _files(path, options)
    book = Book(Draft(path), campaign)
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
        raise FileError(path, f"must hold one campaign, an object with “data”, but holds {len(campaigns)}.")
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
        raise value.error(f"holds no annotations of the campaign “{campaign_id}”.")
    return campaigns[campaign_id].as_list()
