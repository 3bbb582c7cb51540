"""What XLIFF and TMX share: units of a source and its translation, and further systems' files.

The file's own translation is the reference, and the system `refA`, so that it can be rated. Further systems
are plain text files with one unit a line (`hypotheses`), or alternatives that a unit itself holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import FileError, OptionError
from core.text.encoding import read_text, split_lines
from db.formats.bundle import Bundle, Key, ReadOptions, SegmentRow
from db.formats.cells import Place, read_label
from db.formats.draft import Draft, campaign_name
from db.formats.xml_tree import XmlNode

REFERENCE = "refA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A source and its translation, None where there is none. `alternatives`: further texts by system."""

    node: XmlNode
    document: str
    external_id: str
    source: str
    target: str | None
    alternatives: dict[str, str] = field(default_factory=dict)


class TextReader:
    """Reads texts without their tags, and counts those."""

    def __init__(self, codes: frozenset[str]) -> None:
        self._codes = codes
        self.tags = 0

    def text(self, node: XmlNode) -> str:
        """The text of an element; native codes and tags are dropped."""
        text, tags = node.content(self._codes)
        self.tags += tags
        return text

    def notes(self) -> list[str]:
        """A sentence about the tags, if there were any."""
        if not self.tags:
            return []
        return [f"{self.tags} inline tags were dropped; the text that they marked was kept."]


def collect(
    path: Path,
    units: Sequence[Unit],
    options: ReadOptions,
    langs: tuple[str | None, str | None],
    notes: Sequence[str],
) -> Bundle:
    """Units and the options' systems to a campaign. Raises FileError and OptionError."""
    draft = Draft(path)
    keys: list[Key] = []
    position: Counter[str] = Counter()
    for unit in units:
        document = read_label(unit.document, "document", unit.node)
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


def _add_hypotheses(draft: Draft, keys: Sequence[Key], options: ReadOptions) -> None:
    named: set[str] = set()
    for name, file in options.hypotheses:
        if name in named or name in draft.systems:
            raise OptionError(f"The system “{name}” is there twice; give each its own name in --hyp.")
        named.add(name)
        lines = split_lines(read_text(file, limit_bytes=options.limit_bytes))
        if len(lines) != len(keys):
            raise FileError(file, f"has {len(lines)} lines, but {draft.path} has {len(keys)} segments.")
        draft.add_system(name, Place(file, 1))
        for number, (key, text) in enumerate(zip(keys, lines, strict=True), start=1):
            draft.add_output(key, name, text, Place(file, number))


def _about_targets(units: Sequence[Unit]) -> list[str]:
    lacking = sum(unit.target is None for unit in units)
    if lacking == len(units):
        return []
    notes = [f"The translations in the file were taken as the reference and as the system “{REFERENCE}”."]
    return [*notes, f"{lacking} segments have no translation in the file."] if lacking else notes
