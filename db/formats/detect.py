"""The probable format of a file or folder, from its beginning: a default for a choice."""

from __future__ import annotations

import codecs
import re
import zlib
from pathlib import Path

from core.text.files import split_lines
from db.formats import long

HEAD_BYTES = 65_536
"""How much of a file is looked at."""

_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?(?P<name>[A-Za-z_][\w.-]*)[\s/>]")
_HISTORY = re.compile(r'\{\s*"format"\s*:\s*"yomikurabe-history"')
_CODE = re.compile(r"[a-z]{2,3}([-_]\w+)?")
_ITEM_TYPE = re.compile(r"[a-z]{2,6}(\.\w+)?")
_XML = {"dataset": "wmt-xml", "xliff": "xliff", "tmx": "tmx"}


def detect(path: Path) -> tuple[str, ...]:
    """The likeliest formats, the best first; empty where the beginning tells nothing."""
    if path.is_dir():
        return _detect_folder(path)
    head = read_head(path).lstrip("\ufeff \t\r\n")
    if head.startswith("PK\x03\x04"):
        name = "xlsx" if "xl/" in head or "[Content_Types].xml" in head else None
    elif head.startswith("<"):
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
    if {"[Content_Types].xml", "xl"} <= names:
        return ("xlsx",)  # a workbook, unpacked as a zip file
    files = sorted(file for file in folder.rglob("*.json*") if file.is_file())
    found = [name for file in files[:100] for name in detect(file) if name in ("wmt-jsonl", "pearmut")]
    return tuple(dict.fromkeys(found))


def _detect_json(head: str) -> str | None:
    if _HISTORY.match(head):
        return "history"
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
    if first.split("\t")[:2] == ["system", "doc"]:
        return "mqm-tsv"
    return "wmt-csv" if is_score_row(first) else None


def is_score_row(line: str) -> bool:
    """Whether a line is the first of a score file of WMT or Appraise: a header or a row."""
    cells = [cell.strip().strip('"').lower() for cell in line.split(",")]
    if cells[0] in ("uid", "user", "username", "user id"):
        return len(cells) >= 9
    codes = len(cells) >= 9 and all(_CODE.fullmatch(cell) for cell in cells[4:6])
    return codes and bool(_ITEM_TYPE.fullmatch(cells[3]))


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
