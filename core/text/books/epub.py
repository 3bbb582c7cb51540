"""EPUB 2 and 3: the container names the package, whose spine is the order of reading.

Titles of chapters are those of the navigation document (EPUB 3) or of the NCX (EPUB 2).
Source: https://www.w3.org/TR/epub-33/.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET  # nosec B405  # its types; defusedxml parses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from core.errors import FileError, Wording, os_reason
from core.text.books.book import Block
from core.text.books.markup import BlockParser
from core.text.files import decode

CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_DECLARED = re.compile(rb"(?:encoding|charset)\s*=\s*[\"']?([A-Za-z0-9_-]+)")
_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>|<!DOCTYPE[^>\[]*(?:\[[^\]]*\])?[^>]*>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)")


@dataclass(frozen=True, slots=True, kw_only=True)
class EpubContent:
    """What an EPUB file holds. pictures: how many images its pages show."""

    blocks: list[Block]
    title: str
    author: str
    lang: str
    pictures: int
    notes: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    path: str
    media: str
    properties: str


def read_epub(file: Path, folder: Path) -> EpubContent:
    """Read the unpacked `folder`. Raises FileError; `file` is its name in errors."""
    package_path = _package_path(file, folder)
    package = _xml(file, folder, package_path)
    base = str(PurePosixPath(package_path).parent)
    items = {
        one.get("id", ""): _Item(
            _resolve(base, one.get("href", "")), one.get("media-type", ""), one.get("properties", "")
        )
        for one in _all(package, "item")
    }
    spine = next(_all(package, "spine"), None)
    order = [items[one.get("idref", "")] for one in _all(package, "itemref") if one.get("idref", "") in items]
    if spine is None or not order:
        raise FileError(
            file, "has no spine, so the order of its chapters is unknown; convert it to EPUB again."
        )
    _refuse_protection(file, folder, {item.path for item in order})
    titles = _titles(file, folder, items, spine)
    blocks: list[Block] = []
    pictures = 0
    missing = [item.path for item in order if not _inside(folder, item.path)]
    for item in order:
        if item.path in missing or "nav" in item.properties.split():
            continue
        text = text_of(file, folder, item.path)
        parser = BlockParser(item.path, text)
        pictures += parser.pictures + text.count("<image")
        blocks += _with_titles(parser, item.path, titles)
    notes = (Wording("{n} parts that the book names are missing in it.", n=len(missing)),) if missing else ()
    return EpubContent(
        blocks=blocks,
        title=_meta(package, "title"),
        author=_meta(package, "creator"),
        lang=_meta(package, "language"),
        pictures=pictures,
        notes=notes,
    )


def text_of(file: Path, folder: Path, path: str) -> str:
    """A text within the unpacked folder, in the encoding that it declares where it is not Unicode."""
    try:
        data = (folder / path).read_bytes()
    except OSError as error:
        raise FileError(file, "cannot be read ({reason}).", reason=os_reason(error)) from error
    return markup_text(data, path=file, within=path)


def markup_text(data: bytes, *, path: Path, within: str = "") -> str:
    """HTML to text: in UTF-8, UTF-16 or a Japanese encoding, else in the one that it declares."""
    try:
        return decode(data, path=path)
    except FileError:
        declared = _DECLARED.search(data[:1024])
        try:
            return data.decode(declared[1].decode() if declared else "ascii").replace("\0", "\ufffd")
        except (LookupError, UnicodeDecodeError):
            raise


def _package_path(file: Path, folder: Path) -> str:
    root = next(_all(_xml(file, folder, CONTAINER), "rootfile"), None)
    path = "" if root is None else _resolve("", root.get("full-path", ""))
    if not path or not _inside(folder, path):
        raise FileError(file, "does not name its package document; convert it to EPUB again.")
    return path


def _resolve(base: str, href: str) -> str:
    """A link within the book to a path from its root, without a fragment; "" where it leads out."""
    parts: list[str] = []
    for part in [*PurePosixPath(base).parts, *unquote(href.partition("#")[0]).split("/")]:
        if part == ".." and not parts:
            return ""
        if part == "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _inside(folder: Path, path: str) -> bool:
    return bool(path) and (folder / path).is_file()


def _xml(file: Path, folder: Path, path: str) -> ET.Element:
    try:
        text = _PROLOGUE.sub("", text_of(file, folder, path))
        root: ET.Element = fromstring(_ENTITY.sub("&amp;", text).strip())
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise FileError(
            file,
            "has a damaged part “{name:.200}”; get the file again or convert it to EPUB again.",
            name=path,
        ) from error
    return root


def _all(root: ET.Element, name: str) -> Iterator[ET.Element]:
    return (one for one in root.iter() if one.tag.rpartition("}")[2] == name)


def _meta(package: ET.Element, name: str) -> str:
    return next((" ".join("".join(one.itertext()).split()) for one in _all(package, name)), "")


def _refuse_protection(file: Path, folder: Path, texts: set[str]) -> None:
    """Raises FileError where texts are encrypted; fonts often are, and are not read."""
    if not (folder / _ENCRYPTION).is_file():
        return
    for one in _all(_xml(file, folder, _ENCRYPTION), "EncryptedData"):
        method = next(_all(one, "EncryptionMethod"), None)
        target = next(_all(one, "CipherReference"), None)
        named = "" if target is None else _resolve("", target.get("URI", ""))
        algorithm = "" if method is None else method.get("Algorithm", "")
        if named in texts and algorithm not in _FONT_ALGORITHMS:
            raise FileError(
                file,
                "is protected against copying (DRM), so it cannot be read; use a file without protection.",
            )


def _titles(
    file: Path, folder: Path, items: dict[str, _Item], spine: ET.Element
) -> dict[tuple[str, str], tuple[str, int]]:
    """Title and level by the part and the fragment that an entry of the table of contents leads to."""
    nav = next((item.path for item in items.values() if "nav" in item.properties.split()), "")
    found: dict[tuple[str, str], tuple[str, int]] = {}
    if _inside(folder, nav):
        parser = BlockParser(nav, text_of(file, folder, nav))
        base = str(PurePosixPath(nav).parent)
        for href, said in parser.links:
            key = _resolve(base, href) or (nav if href.startswith("#") else ""), href.partition("#")[2]
            found.setdefault(key, (" ".join(said.split()), 1))
        return found
    ncx = items.get(spine.get("toc", "")) or next(
        (item for item in items.values() if item.media == "application/x-dtbncx+xml"), None
    )
    if ncx is not None and _inside(folder, ncx.path):
        base = str(PurePosixPath(ncx.path).parent)
        for point in _all(_xml(file, folder, ncx.path), "navPoint"):
            content = next(_all(point, "content"), None)
            href = "" if content is None else content.get("src", "")
            said = " ".join("".join(next(_all(point, "text"), ET.Element("text")).itertext()).split())
            found.setdefault((_resolve(base, href), href.partition("#")[2]), (said, 1))
    return found


def _with_titles(
    parser: BlockParser, path: str, titles: dict[tuple[str, str], tuple[str, int]]
) -> Sequence[Block]:
    """The blocks of a part, with a heading where the table of contents has an entry and the text has none."""
    blocks = list(parser.blocks)
    if not blocks:
        return []
    at: dict[int, str] = {}
    for (part, fragment), (title, _) in titles.items():
        if part == path and (not fragment or fragment in parser.marks):
            at.setdefault(parser.marks[fragment] if fragment else 0, title)
    found: list[Block] = []
    for number, block in enumerate(blocks):
        if number in at and block.kind not in ("colophon", "contents"):
            following = blocks[number : number + 3]
            if any(one.kind == "heading" for one in following):
                block = replace(block, level=1) if block.kind == "heading" else block
            elif block.text == at[number]:
                block = replace(block, kind="heading", level=1)
            else:
                found.append(
                    Block(text=at[number], kind="heading", level=1, part=path, places=block.places[:1])
                )
        found.append(block)
    if not any(one.kind == "heading" for one in found):
        found.insert(0, Block(text="", kind="break", part=path))
    return found
