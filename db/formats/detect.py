"""Which format a file or folder probably has, told by its beginning: a default for a choice, no promise."""

from __future__ import annotations

import codecs
import re
import zlib
from pathlib import Path

from core.textfile import split_lines
from db.formats import long

HEAD_BYTES = 65_536
"""How much of a file is looked at."""

_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?(?P<name>[A-Za-z_][\w.-]*)[\s/>]")
_XML = {"dataset": "wmt-xml", "xliff": "xliff", "tmx": "tmx"}


def detect(path: Path) -> tuple[str, ...]:
    """The likeliest formats, the best first; empty where the beginning tells nothing."""
    if path.is_dir():
        return _detect_folder(path)
    head = read_head(path).lstrip("\ufeff \t\r\n")
    if head.startswith("<"):
        root = _ROOT.search(head)
        name = _XML.get(root["name"]) if root else None
    elif head.startswith(("{", "[")):
        name = _detect_json(head)
    else:
        name = _detect_table(head)
    return (name,) if name else ()


def _detect_folder(folder: Path) -> tuple[str, ...]:
    names = {entry.name.removesuffix(".gz") for entry in folder.iterdir()}
    if {"segments.tsv", "outputs.tsv"} <= names:
        return ("tables",)
    if {"sources", "system-outputs"} <= names:
        return ("mtme",)
    files = sorted(file for file in folder.rglob("*.json*") if file.is_file())
    found = [name for file in files[:100] for name in detect(file) if name in ("wmt-jsonl", "pearmut")]
    return tuple(dict.fromkeys(found))


def _detect_json(head: str) -> str | None:
    keys = set(re.findall(r'"(\w+)"\s*:', head))
    if {"doc_id", "src_text"} <= keys:
        return "wmt-jsonl"
    if {"items", "itemType"} <= keys:
        return "appraise"
    if "data" in keys and keys & {"info", "campaign_id", "tgt"} and "annotation" not in keys:
        return "pearmut"
    return "jsonl" if set(long.REQUIRED) <= keys else None


def _detect_table(head: str) -> str | None:
    first = next(iter(split_lines(head)), "")
    for name, separator in (("tsv", "\t"), ("csv", ",")):
        cells = {cell.strip('"') for cell in first.split(separator)}
        if set(long.REQUIRED) <= cells:
            return name
    return None


def read_head(path: Path) -> str:
    """The beginning of a file, unzipped, as text; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(HEAD_BYTES)
    except OSError:
        return ""
    if data.startswith(b"\x1f\x8b"):
        try:
            data = zlib.decompressobj(31).decompress(data, HEAD_BYTES)
        except zlib.error:
            return ""
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if wide else "utf-8", errors="replace")
