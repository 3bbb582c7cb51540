"""Reads a book of any form that is known; the content decides, and only for Markdown the file's name."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import FileError, InputError, Wording
from core.text.archive import is_zip, unpacked
from core.text.books.aozora import is_aozora, read_aozora
from core.text.books.book import SHOWN, Block, Book
from core.text.books.chapters import into_chapters
from core.text.books.docx import DOCUMENT, read_docx
from core.text.books.epub import CONTAINER, markup_text, read_epub
from core.text.books.lines import read_markdown, read_plain
from core.text.books.markup import BlockParser
from core.text.files import LIMIT_BYTES, cannot_be_read, damaged_gzip, decode
from core.text.languages import guess_lang, iso_code

ENDINGS = (".epub", ".txt", ".docx", ".html", ".htm", ".xhtml", ".md", ".markdown", ".zip", ".gz")
_INNER = (".txt", ".html", ".htm", ".xhtml", ".md", ".markdown", ".docx", ".epub")
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html|head|body)\b", re.I | re.S
)
_FOREIGN = {
    b"%PDF": "PDF",
    b"\xd0\xcf\x11\xe0": "DOC",
    b"{\\rtf": "RTF",
    b"Rar!": "RAR",
    b"7z\xbc\xaf": "7z",
}


def read_book(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> Book:
    """Read a book. Raises FileError for what cannot be read, has no text, or has only headings.

    limit_bytes: of the file, and of what it unpacks to.
    """
    data = _bytes(path, limit_bytes)
    if is_zip(path):
        with unpacked(path, limit_bytes=limit_bytes) as folder:
            return _from_folder(path, folder, limit_bytes)
    for start, name in _FOREIGN.items():
        if data.startswith(start):
            raise FileError(
                path, "is a {form} file, which is not read; save it as EPUB, DOCX or plain text.", form=name
            )
    if data[60:68] in (b"BOOKMOBI", b"TEXtREAd"):
        raise FileError(
            path, "is a {form} file, which is not read; save it as EPUB, DOCX or plain text.", form="Kindle"
        )
    return _from_text(path, data, path.name.lower().removesuffix(".gz"))


def _bytes(path: Path, limit_bytes: int) -> bytes:
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= limit_bytes else b""
    except OSError as error:
        raise cannot_be_read(path, error) from error
    if data.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(path, "rb") as file:
                data = file.read(limit_bytes + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise damaged_gzip(path) from error
        size = len(data)
    if size > limit_bytes:
        raise FileError(path, "is larger than the limit of {limit:,} bytes; split it.", limit=limit_bytes)
    return data


def _from_folder(path: Path, folder: Path, limit_bytes: int) -> Book:
    """An EPUB, a DOCX, or a ZIP file of texts, which are read in the order of their names."""
    if (folder / CONTAINER).is_file() or (folder / "mimetype").is_file():
        if not (folder / CONTAINER).is_file():
            raise FileError(path, "does not name its package document; convert it to EPUB again.")
        content = read_epub(path, folder)
        return _book(
            path,
            "epub",
            content.blocks,
            content.title,
            content.author,
            content.lang,
            content.notes,
            pictures=content.pictures,
            by_part=True,
        )
    if (folder / DOCUMENT).is_file():
        blocks, title, author = read_docx(path, folder)
        return _book(path, "docx", _numbered(blocks), title, author)
    inner = sorted(
        (one for one in folder.rglob("*") if one.is_file() and one.suffix.lower() in _INNER), key=_natural
    )
    if not inner:
        raise FileError(path, "holds no book; put a file of {endings} into it.", endings=", ".join(_INNER))
    books = [_inner(path, one, limit_bytes) for one in inner]
    if len(books) == 1:
        return books[0]
    first = books[0]
    return Book(
        form="zip",
        title=first.title,
        author=first.author,
        lang=first.lang,
        chapters=tuple(chapter for book in books for chapter in book.chapters),
        notes=tuple(note for book in books for note in book.notes),
    )


def _inner(path: Path, file: Path, limit_bytes: int) -> Book:
    """A book within a ZIP file, which errors name with its place."""
    try:
        return read_book(file, limit_bytes=limit_bytes)
    except FileError as error:
        within = Wording("“{name:.200}”", name=file.name)
        details: dict[str, Any] = dict(error.details)
        raise FileError(path, error.template, line=error.line, within=within, **details) from error


def _natural(path: Path) -> list[tuple[int, str]]:
    """An order in which 2 comes before 10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", path.as_posix())]


def _from_text(path: Path, data: bytes, name: str) -> Book:
    if name.endswith((".html", ".htm", ".xhtml")) or re.match(
        rb"(?:\xef\xbb\xbf)?\s*<(?:!DOCTYPE|html|\?xml)", data, re.I
    ):
        text = markup_text(data, path=path)
    else:
        text = decode(data, path=path)
    if not text.strip():
        raise FileError(path, "is empty.")
    if _HTML.match(text) or name.endswith((".html", ".htm", ".xhtml")):
        parser = BlockParser("", text)
        return _book(
            path, "html", parser.blocks, " ".join(parser.title.split()), "", pictures=parser.pictures
        )
    if name.endswith((".md", ".markdown")):
        return _book(path, "markdown", read_markdown(text), "", "")
    if is_aozora(text):
        return _book(path, "aozora", *read_aozora(text), lang="ja")
    return _book(path, "text", *read_plain(text))


def _numbered(blocks: list[Block]) -> list[Block]:
    """A document without a heading by style: lines that number a chapter are headings."""
    from dataclasses import replace

    from core.text.books.lines import is_title

    if any(block.kind == "heading" for block in blocks):
        return blocks
    return [replace(one, kind="heading", level=1) if is_title(one.text) else one for one in blocks]


def _book(
    path: Path,
    form: str,
    blocks: Sequence[Block],
    title: str,
    author: str,
    lang: str = "",
    notes: tuple[Wording, ...] = (),
    *,
    pictures: int = 0,
    by_part: bool = False,
) -> Book:
    texts = [block.text for block in blocks if block.kind in SHOWN]
    if not texts:
        if any(block.kind == "heading" for block in blocks):
            raise FileError(path, "has headings and no text under them.")
        if pictures:
            raise FileError(
                path, "has pictures of pages and no text, as a scanned book; read it with OCR first."
            )
        raise FileError(path, "has no text.")
    if form in ("markdown", "html") and not title:
        title = next((block.text for block in blocks if block.kind == "heading" and block.level == 1), "")
    return Book(
        form=form,
        title=title or path.name.partition(".")[0],
        author=author,
        lang=_lang(lang, texts),
        chapters=into_chapters(blocks, by_part=by_part),
        notes=notes,
    )


def _lang(told: str, texts: Sequence[str]) -> str:
    """What the book says of itself, if its script agrees; else a guess."""
    middle = len(texts) // 3
    guessed = guess_lang(texts[middle : middle + 200])
    try:
        code = iso_code(told) if told else guessed
    except InputError:
        return guessed
    scripts = ("ja", "zh", "ko")
    return guessed if (code in scripts) != (guessed in scripts) else code
