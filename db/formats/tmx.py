"""Translation memories (TMX 1.4): each `tu` with a text in both languages is a segment.

The languages are those that the options tell, else the header's `srclang` and the first other one.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.errors import FileError
from db.formats.bitext import TextReader, Unit, collect
from db.formats.bundle import Bundle, ReadOptions
from db.formats.cells import read_lang
from db.formats.draft import campaign_name
from db.formats.langs import iso_code
from db.formats.xml_tree import XmlNode, read_xml

_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    root = read_xml(path, options.limit_bytes, "tmx")
    units = [(tu, _variants(tu)) for tu in root.descendants("tu")]
    found = list(dict.fromkeys(lang for _, variants in units for lang, _ in variants))
    source, target = _languages(root, found, options)
    reader = TextReader(_CODES)
    left_out: Counter[str] = Counter()
    kept: list[Unit] = []
    for tu, variants in units:
        texts: dict[str, str] = {}
        for lang, tuv in variants:
            segment = tuv.child("seg")
            if segment is None:
                raise tuv.error("has no <seg>.")
            if lang in (source, target) and lang in texts:
                left_out["further variants in a language"] += 1
            texts.setdefault(lang, reader.text(segment))
        if source not in texts or target not in texts:
            left_out[f"units without {source} or {target}"] += 1
            continue
        kept.append(
            Unit(
                node=tu,
                document=campaign_name(path),
                external_id=tu.attribute("tuid", ""),
                source=texts[source],
                target=texts[target],
            )
        )
    notes = [f"{count} {what} were left out." for what, count in left_out.items()]
    return collect(path, kept, options, (source, target), [*notes, *reader.notes()])


def _variants(tu: XmlNode) -> list[tuple[str, XmlNode]]:
    """The texts of a unit, each with its language as an ISO 639 code."""
    return [(read_lang(tuv.lang, tuv), tuv) for tuv in tu.children("tuv")]


def _languages(root: XmlNode, found: list[str], options: ReadOptions) -> tuple[str, str]:
    """Source and target language as ISO 639 codes."""
    header = root.child("header")
    told = header.attribute("srclang", "") if header else ""
    if options.source_lang is not None:
        source = iso_code(options.source_lang)
    else:
        source = read_lang(told, root) if told not in ("", "*all*") else next(iter(found), "")
    others = [lang for lang in found if lang != source]
    target = iso_code(options.target_lang) if options.target_lang is not None else next(iter(others), "")
    if source not in found or target not in found:
        raise FileError(
            root.path, f"holds no texts in two languages to be paired; it has {', '.join(found) or 'none'}."
        )
    return source, target
