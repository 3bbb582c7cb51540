"""XLIFF (1.2 and 2.x) and TMX (1.4): units of a source and its translation.

A segment is a `trans-unit` or a `segment` of a `unit` (XLIFF), or a `tu` with a text in both languages
(TMX). The file's own translation is the reference, and the system `refA`, so that it can be rated. Further
systems are plain text files with one unit a line (`hypotheses`), or the `alt-trans` of a unit (1.2), named
by `origin` or `tool-id`. The languages of a TMX file are those of the options, else `srclang` of the header
and the first other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import FileError, OptionError, Wording
from core.text.files import check_line_count, read_text, split_lines
from core.text.languages import iso_code, same_tag
from db.formats.bundle import Bundle, Key, ReadOptions, SegmentRow
from db.formats.capabilities import left_out_notes
from db.formats.cells import FilePlace, read_label, read_lang
from db.formats.draft import CampaignDraft, campaign_name, choose_pair
from db.formats.xml_tree import XmlNode, read_xml

REFERENCE = "refA"


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationUnit:
    """A source and its translation, None where there is none. `alternatives`: further texts by system."""

    node: XmlNode
    document: str
    external_id: str
    source: str
    target: str | None
    alternatives: dict[str, str] = field(default_factory=dict)


_PRETTY = re.compile(r"[ \t]*\n[ \t\n]*")
"""Line breaks with the indents around them, with which programs lay out XML."""


def _laid_out(found: re.Match[str]) -> str:
    """A blank between words, nothing at the edges."""
    return " " if found.start() > 0 and found.end() < len(found.string) else ""


class TextReader:
    """Reads texts without their tags, and counts those."""

    def __init__(self, codes: frozenset[str]) -> None:
        self._codes = codes
        self.tags = 0

    def text(self, node: XmlNode) -> str:
        """The text of an element; native codes and tags are dropped, line breaks and indents are a blank.

        `xml:space="preserve"` keeps white space as it is.
        """
        text, tags = node.content(self._codes)
        self.tags += tags
        return text if node.keeps_space() else _PRETTY.sub(_laid_out, text)

    def notes(self) -> list[Wording]:
        """A sentence about the tags, if there were any."""
        if not self.tags:
            return []
        return [
            Wording("{count} inline tags were dropped; the text that they marked was kept.", count=self.tags)
        ]


def collect(
    path: Path,
    units: Sequence[TranslationUnit],
    options: ReadOptions,
    langs: tuple[str | None, str | None],
    notes: Sequence[Wording],
) -> Bundle:
    """Units and the options' systems to a campaign. Raises FileError and OptionError."""
    draft = CampaignDraft(path)
    keys: list[Key] = []
    position: Counter[str] = Counter()
    for unit in units:
        document = read_label(unit.document, Wording("document"), unit.node)
        row = SegmentRow(
            document,
            position[document],
            unit.target or "",
            unit.source or None,
            external_id=unit.external_id,
        )
        position[document] += 1
        draft.add_segment(row, unit.node)
        keys.append(row.key)
        if unit.target is not None:
            draft.add_system(REFERENCE, unit.node, is_reference=True)
            draft.add_output(row.key, REFERENCE, unit.target, unit.node)
        for name, text in unit.alternatives.items():
            draft.add_system(name, unit.node)
            draft.add_output(row.key, name, text, unit.node)
    _add_hypotheses(draft, keys, options)
    draft.notes += [*_about_targets(units), *notes]
    return draft.bundle(campaign_name(path), options, langs)


def _add_hypotheses(draft: CampaignDraft, keys: Sequence[Key], options: ReadOptions) -> None:
    named: set[str] = set()
    for name, file in options.hypotheses:
        if name in named or name in draft.systems:
            raise OptionError(
                "The system “{name}” is there twice; give each its own name in --hyp.", name=name
            )
        named.add(name)
        lines = split_lines(read_text(file, limit_bytes=options.limit_bytes))
        check_line_count(file, len(lines), draft.path, len(keys))
        draft.add_system(name, FilePlace(file, 1))
        for number, (key, text) in enumerate(zip(keys, lines, strict=True), start=1):
            draft.add_output(key, name, text, FilePlace(file, number))


def _about_targets(units: Sequence[TranslationUnit]) -> list[Wording]:
    lacking = sum(unit.target is None for unit in units)
    if lacking == len(units):
        return []
    taken = Wording(
        "The translations in the file were taken as the reference and as the system “{system}”.",
        system=REFERENCE,
    )
    if not lacking:
        return [taken]
    return [taken, Wording("{count} segments have no translation in the file.", count=lacking)]


_TMX_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})


def read_tmx(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    root = read_xml(path, options.limit_bytes, "tmx")
    units = [(tu, _variants(tu)) for tu in root.descendants("tu")]
    found = list(dict.fromkeys(lang for _, variants in units for lang, _ in variants))
    source, target = _languages(root, found, options)
    reader = TextReader(_TMX_CODES)
    left_out: Counter[Wording] = Counter()
    kept: list[TranslationUnit] = []
    for tu, variants in units:
        texts: dict[str, str] = {}
        for lang, tuv in sorted(variants, key=lambda one: not _is_told(one[1].lang, options)):
            segment = tuv.child("seg")
            if segment is None:
                raise tuv.error("has no <seg>.")
            if lang in (source, target) and lang in texts:
                left_out[Wording("further variants in a language")] += 1
            texts.setdefault(lang, reader.text(segment))
        if source not in texts or target not in texts:
            left_out[Wording("units without {source} or {target}", source=source, target=target)] += 1
            continue
        kept.append(
            TranslationUnit(
                node=tu,
                document=campaign_name(path),
                external_id=tu.attribute("tuid", ""),
                source=texts[source],
                target=texts[target],
            )
        )
    return collect(path, kept, options, (source, target), [*left_out_notes(left_out), *reader.notes()])


def _is_told(tag: str, options: ReadOptions) -> bool:
    """Whether a text is in a variant that the options name, such as `en-GB`."""
    return any(same_tag(tag, told) for told in (options.source_lang, options.target_lang) if told is not None)


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
            root.path,
            "holds no texts in two languages to be paired; it has {languages}.",
            languages=", ".join(found) or Wording("none"),
        )
    return source, target


_XLIFF_CODES = frozenset({"bpt", "ept", "it", "ph"})


def read_xliff(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    root = read_xml(path, options.limit_bytes, "xliff")
    reader = TextReader(_XLIFF_CODES)
    left_out: Counter[Wording] = Counter()
    if root.attribute("version").startswith("1."):
        files = _files_of_a_pair(root, options, path, left_out)
        units = [unit for file in files for unit in _units_1(file, reader, left_out)]
        langs = _langs(files[0], "source-language", "target-language") if files else (None, None)
    else:
        units = [unit for file in root.children("file") for unit in _units_2(file, reader, left_out)]
        langs = _langs(root, "srcLang", "trgLang")
    return collect(path, units, options, langs, [*left_out_notes(left_out), *reader.notes()])


def _langs(node: XmlNode, source: str, target: str) -> tuple[str, str | None]:
    told = node.attribute(target, "")
    return read_lang(node.attribute(source), node), read_lang(told, node) if told else None


def _files_of_a_pair(
    root: XmlNode, options: ReadOptions, path: Path, left_out: Counter[Wording]
) -> list[XmlNode]:
    """The parts in the one language pair that is meant; a part without a target language fits any."""
    files = root.children("file")
    langs = [
        (file.attribute("source-language"), file.attribute("target-language", "") or None) for file in files
    ]
    pairs = [(source, target) for source, target in langs if target]
    for file in files:
        _langs(file, "source-language", "target-language")  # raises for what is no language
    if not pairs:
        return files
    pair = choose_pair(pairs, options, path)
    kept = [file for file, (_, target) in zip(files, langs, strict=True) if target in (pair[1], None)]
    if len(kept) < len(files):
        left_out[Wording("parts in another language")] = len(files) - len(kept)
    return kept


def _units_1(file: XmlNode, reader: TextReader, left_out: Counter[Wording]) -> Iterator[TranslationUnit]:
    seen: set[str] = set()
    for node in file.descendants("trans-unit"):
        unit_id = _new_id(node, seen)
        if node.attribute("translate", "yes") == "no":
            left_out[Wording("units that are not to be translated")] += 1
            continue
        alternatives: dict[str, str] = {}
        for alternative in node.children("alt-trans"):
            target = alternative.child("target")
            if target is not None:
                alternatives[_free_name(alternative, alternatives)] = reader.text(target)
        target = node.child("target")
        yield TranslationUnit(
            node=node,
            document=file.attribute("original"),
            external_id=unit_id,
            source=_source(node, reader),
            target=None if target is None else reader.text(target),
            alternatives=alternatives,
        )


def _units_2(file: XmlNode, reader: TextReader, left_out: Counter[Wording]) -> Iterator[TranslationUnit]:
    seen: set[str] = set()
    for node in file.descendants("unit"):
        unit_id = _new_id(node, seen)
        if node.attribute("translate", "yes") == "no":
            left_out[Wording("units that are not to be translated")] += 1
            continue
        left_out.update(
            {Wording("matches"): len(list(node.descendants("match")))} if node.child("matches") else {}
        )
        segments = node.children("segment")
        for number, segment in enumerate(segments, start=1):
            target = segment.child("target")
            yield TranslationUnit(
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
        raise node.error("the id “{unit_id:.40}” stands in this part already.", unit_id=unit_id)
    seen.add(unit_id)
    return unit_id


def _free_name(node: XmlNode, taken: dict[str, str]) -> str:
    """What an alternative names itself, with a number if another one of the unit is named so."""
    name = node.attribute("origin", "") or node.attribute("tool-id", "") or node.name
    number = 1
    while (name if number == 1 else f"{name} {number}") in taken:
        number += 1
    return name if number == 1 else f"{name} {number}"
