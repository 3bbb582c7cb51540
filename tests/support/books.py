"""Small books for tests: an EPUB file from its pages."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)


def page(body: str, title: str = "") -> str:
    """A page of XHTML."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{title}</title></head><body>{body}</body></html>'
    )


def write_epub(
    path: Path,
    pages: Mapping[str, str],
    *,
    spine: bool = True,
    nav: str | None = None,
    ncx: str | None = None,
    extra: Mapping[str, str | bytes] | None = None,
    lang: str = "en",
) -> Path:
    """An EPUB with the bodies in `pages` in that order; nav and ncx are its tables of contents."""
    items = [
        f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages)
    ]
    refs = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    if nav is not None:
        items.append('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>')
    if ncx is not None:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
    read = f'<spine toc="ncx">{refs}</spine>'
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Two Doors</dc:title>'
        f"<dc:creator>A. Writer</dc:creator><dc:language>{lang}</dc:language></metadata>"
        f"<manifest>{''.join(items)}</manifest>{read if spine else ''}</package>"
    )
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("OEBPS/book.opf", package)
        for name, body in pages.items():
            book.writestr(f"OEBPS/{name}", page(body))
        if nav is not None:
            book.writestr("OEBPS/nav.xhtml", page(f'<nav epub:type="toc"><ol>{nav}</ol></nav>'))
        if ncx is not None:
            book.writestr("OEBPS/toc.ncx", f"<ncx><navMap>{ncx}</navMap></ncx>")
        for name, data in (extra or {}).items():
            book.writestr(name, data)
    return path
