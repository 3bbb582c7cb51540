"""DOCX: the paragraphs of `word/document.xml`, with headings by style, and ruby.

Source: ECMA-376, part 1, WordprocessingML.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # nosec B405  # its types; defusedxml parses
from collections.abc import Iterator
from pathlib import Path

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from core.errors import FileError, os_reason
from core.text.books.blocks import BlockBuilder
from core.text.books.book import Block, BlockKind

DOCUMENT = "word/document.xml"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SKIPPED = frozenset(
    _W + name for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr", "rubyPr")
)


def read_docx(file: Path, folder: Path) -> tuple[list[Block], str, str]:
    """The blocks, the title and the author of an unpacked document. Raises FileError.

    Places are counted in the text of all paragraphs, each followed by a line end. Deleted text, fields,
    footnotes and comments are left out.
    """
    root = _xml(file, folder, DOCUMENT)
    if root is None:
        raise FileError(file, "has no text of a document; save it as DOCX again.")
    styles = _styles(_xml(file, folder, "word/styles.xml"))
    blocks: list[Block] = []
    at = 0
    for paragraph in root.iter(f"{_W}p"):
        builder = BlockBuilder(DOCUMENT)
        style, outline = _style(paragraph)
        kind, level = styles.get(style, ("text", 0))
        if outline is not None and kind == "text":
            kind, level = "heading", outline + 1
        for child in paragraph:
            at = _walk(child, builder, at)
        at += 1
        block = builder.finish(kind, level)
        if block is not None:
            blocks.append(block)
    return blocks, *_properties(_xml(file, folder, "docProps/core.xml"))


def _xml(file: Path, folder: Path, name: str) -> ET.Element | None:
    if not (folder / name).is_file():
        return None
    try:
        root: ET.Element = fromstring((folder / name).read_bytes())
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise FileError(
            file, "has a damaged part “{name:.200}”; save it as DOCX again.", name=name
        ) from error
    except OSError as error:
        raise FileError(file, "cannot be read ({reason}).", reason=os_reason(error)) from error
    return root


def _walk(node: ET.Element, builder: BlockBuilder, at: int) -> int:
    """Add what a node shows; returns the place behind it."""
    if node.tag in _SKIPPED:
        return at
    if node.tag == f"{_W}t":
        builder.add(node.text or "", at)
        return at + len(node.text or "")
    if node.tag in (f"{_W}br", f"{_W}cr"):
        builder.add_break(at)
        return at + 1
    if node.tag == f"{_W}tab":
        builder.add(" ", at)
        return at + 1
    if node.tag == f"{_W}ruby":
        start = builder.length
        for base in node.iter(f"{_W}rubyBase"):
            for child in base:
                at = _walk(child, builder, at)
        builder.read(
            start, "".join(one.text or "" for rt in node.iter(f"{_W}rt") for one in rt.iter(f"{_W}t"))
        )
        return at
    for child in _visible(node):
        at = _walk(child, builder, at)
    return at


def _visible(node: ET.Element) -> Iterator[ET.Element]:
    """The children; of alternative contents the first, which is the newest."""
    if node.tag.endswith("}AlternateContent"):
        return iter(list(node)[:1])
    return (child for child in node if child.tag != f"{_W}p")


def _style(paragraph: ET.Element) -> tuple[str, int | None]:
    """The style of a paragraph, and its level in the outline, from 0."""
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    outline = paragraph.find(f"{_W}pPr/{_W}outlineLvl")
    level = None if outline is None else outline.get(f"{_W}val", "")
    return (
        "" if style is None else style.get(f"{_W}val", ""),
        int(level) if level and level.isdigit() and int(level) < 9 else None,
    )


def _styles(root: ET.Element | None) -> dict[str, tuple[BlockKind, int]]:
    """Kind and level by the id of a style: Word's ids are in the language of its user, its names are not."""
    found: dict[str, tuple[BlockKind, int]] = {}
    for style in [] if root is None else root.iter(f"{_W}style"):
        name = style.find(f"{_W}name")
        named = "" if name is None else name.get(f"{_W}val", "").lower()
        heading = re.fullmatch(r"heading (\d)", named)
        key = style.get(f"{_W}styleId", "")
        if heading:
            found[key] = "heading", int(heading[1])
        elif named.startswith(("toc ", "table of ")):
            found[key] = "contents", 0
        elif named in ("footnote text", "endnote text"):
            found[key] = "note", 0
        elif named in ("title", "subtitle"):
            found[key] = "legend", 0
    return found


def _properties(root: ET.Element | None) -> tuple[str, str]:
    """Title and author."""
    told = {one.tag.rpartition("}")[2]: (one.text or "").strip() for one in root or ()}
    return told.get("title", ""), told.get("creator", "")
