"""XLIFF 1.2 and 2.x: each `trans-unit`, or each `segment` of a `unit`, is a segment.

The `alt-trans` of a unit (1.2) is a translation by a further system, named by its `origin` or `tool-id`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from db.formats.bitext import TextReader, Unit, collect
from db.formats.bundle import Bundle, ReadOptions
from db.formats.cells import read_lang
from db.formats.pairs import choose_pair
from db.formats.xml_tree import XmlNode, read_xml

_CODES = frozenset({"bpt", "ept", "it", "ph"})


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    root = read_xml(path, options.limit_bytes, "xliff")
    reader = TextReader(_CODES)
    left_out: Counter[str] = Counter()
    if root.attribute("version").startswith("1."):
        files = _files_of_a_pair(root, options, path, left_out)
        units = [unit for file in files for unit in _units_1(file, reader, left_out)]
        langs = _langs(files[0], "source-language", "target-language") if files else (None, None)
    else:
        units = [unit for file in root.children("file") for unit in _units_2(file, reader, left_out)]
        langs = _langs(root, "srcLang", "trgLang")
    notes = [f"{count} {what} were left out." for what, count in left_out.items()]
    return collect(path, units, options, langs, [*notes, *reader.notes()])


def _langs(node: XmlNode, source: str, target: str) -> tuple[str, str | None]:
    told = node.attribute(target, "")
    return read_lang(node.attribute(source), node), read_lang(told, node) if told else None


def _files_of_a_pair(
    root: XmlNode, options: ReadOptions, path: Path, left_out: Counter[str]
) -> list[XmlNode]:
    """The parts in the one language pair that is meant; a part without a target language fits any."""
    files = root.children("file")
    langs = [_langs(file, "source-language", "target-language") for file in files]
    pairs = [(source, target) for source, target in langs if target]
    if not pairs:
        return files
    pair = choose_pair(pairs, options, path)
    kept = [file for file, (_, target) in zip(files, langs, strict=True) if target in (pair[1], None)]
    if len(kept) < len(files):
        left_out["parts in another language"] = len(files) - len(kept)
    return kept


def _units_1(file: XmlNode, reader: TextReader, left_out: Counter[str]) -> Iterator[Unit]:
    seen: set[str] = set()
    for node in file.descendants("trans-unit"):
        unit_id = _new_id(node, seen)
        if node.attribute("translate", "yes") == "no":
            left_out["units that are not to be translated"] += 1
            continue
        alternatives: dict[str, str] = {}
        for alternative in node.children("alt-trans"):
            target = alternative.child("target")
            if target is not None:
                alternatives[_free_name(alternative, alternatives)] = reader.text(target)
        target = node.child("target")
        yield Unit(
            node=node,
            document=file.attribute("original"),
            external_id=unit_id,
            source=_source(node, reader),
            target=None if target is None else reader.text(target),
            alternatives=alternatives,
        )


def _units_2(file: XmlNode, reader: TextReader, left_out: Counter[str]) -> Iterator[Unit]:
    seen: set[str] = set()
    for node in file.descendants("unit"):
        unit_id = _new_id(node, seen)
        if node.attribute("translate", "yes") == "no":
            left_out["units that are not to be translated"] += 1
            continue
        left_out.update({"matches": len(list(node.descendants("match")))} if node.child("matches") else {})
        segments = node.children("segment")
        for number, segment in enumerate(segments, start=1):
            target = segment.child("target")
            yield Unit(
                node=segment,
                document=file.attribute("original", "") or file.attribute("id"),
                external_id=unit_id if len(segments) == 1 else f"{unit_id}/{number}",
                source=_source(segment, reader),
                target=None if target is None else reader.text(target),
            )


def _source(node: XmlNode, reader: TextReader) -> str:
    source = node.child("source")
    if source is None:
        raise node.error("has no <source>.")
    return reader.text(source)


def _new_id(node: XmlNode, seen: set[str]) -> str:
    unit_id = node.attribute("id")
    if unit_id in seen:
        raise node.error(f"the id “{unit_id:.40}” stands in this part already.")
    seen.add(unit_id)
    return unit_id


def _free_name(node: XmlNode, taken: dict[str, str]) -> str:
    """What an alternative names itself, with a number if another one of the unit is named so."""
    name = node.attribute("origin", "") or node.attribute("tool-id", "") or node.name
    number = 1
    while (name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return name if number == 1 else f"{name} {number}"
