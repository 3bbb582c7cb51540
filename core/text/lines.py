"""Lines of text files of any size: read once to learn encoding and length, then again line by line.

Encodings, ends of lines and complaints are those of `core.textfile`; memory holds a megabyte of a file.
"""

from __future__ import annotations

import codecs
import gzip
import io
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

from core.errors import FileError
from core.text.encoding import (
    LEGACY,
    broken_utf8,
    cannot_be_read,
    damaged_gzip,
    holds_nul,
    mostly_utf8,
    not_utf16,
    plausibility,
    unknown_encoding,
)

BYTES_AT_ONCE = 1 << 20
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class LineFile:
    """A file that was read through: `len` is its number of lines, iterating reads them one at a time.

    Whoever iterates again begins anew. Raises FileError while iterating for a file that changed meanwhile.
    """

    def __init__(self, path: Path) -> None:
        """Read a file through, gzipped or not; a pipe is copied to a temporary file.

        Raises FileError where `core.textfile.read_text` does, but for no size.
        """
        self.path = path
        self._bytes = _Bytes(path)
        self.encoding, self._count = _survey(self._bytes)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        given = 0
        with self._bytes.opened() as raw, io.TextIOWrapper(raw, self.encoding, newline=None) as file:
            try:
                for line in file:
                    given += 1
                    yield line.removesuffix("\n")
            except UnicodeDecodeError:
                given = -1
        if given != self._count:
            raise FileError(self.path, "was changed while it was read; run the command again.")


class _Bytes:
    """The bytes of a file, decompressed, from its beginning as often as one likes."""

    def __init__(self, path: Path) -> None:
        self.path = self._place = path
        self._copy: IO[bytes] | None = None  # a temporary file lasts as long as this value
        self._packed = False
        with self._honest():
            if path.exists() and not path.is_file() and not path.is_dir():
                self._copy = cast(IO[bytes], tempfile.NamedTemporaryFile())  # noqa: SIM115
                with path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, self._copy)
                self._copy.flush()
                self._place = Path(self._copy.name)
            with self._place.open("rb") as file:
                self.head = file.read(2)
        self._packed = self.head == b"\x1f\x8b"
        if self._packed:
            with self.opened() as unpacked:
                self.head = unpacked.read(2)

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The file; FileError for what cannot be read, also later."""
        with self._honest(), self._unpacked() as file:
            yield file

    def _unpacked(self) -> IO[bytes]:
        return cast(IO[bytes], gzip.open(self._place)) if self._packed else self._place.open("rb")

    @contextmanager
    def _honest(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, zlib.error) as error:
            if self._packed or not isinstance(error, OSError):
                raise damaged_gzip(self.path) from error
            raise cannot_be_read(self.path, error) from error


@dataclass(slots=True)
class Ends:
    r"""Counts the lines of a text that comes in pieces; ends are LF, CR LF and CR, the last need not end."""

    ends: int = 0
    last: str = ""

    def add(self, piece: str) -> None:
        """The next piece."""
        if piece:
            split = self.last == "\r" and piece[0] == "\n"
            self.ends += piece.count("\n") + piece.count("\r") - piece.count("\r\n") - split
            self.last = piece[-1]

    @property
    def lines(self) -> int:
        """So far."""
        return self.ends + (self.last not in ("", "\n", "\r"))


@dataclass(slots=True)
class _Walk:
    """What one encoding makes of a file. fault, nul: the line of the first byte or character of that kind."""

    ends: Ends = field(default_factory=Ends)
    nul: int | None = None
    fault: int | None = None
    characters: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, *, count: bool) -> None:
        if self.nul is None and "\0" in text:
            before = Ends(self.ends.ends, self.ends.last)
            before.add(text[: text.index("\0")])
            self.nul = before.ends + 1
        self.ends.add(text)
        if count:
            self.characters.update(text)


def _survey(source: _Bytes) -> tuple[str, int]:
    """The encoding of a file and its number of lines; the decisions are those of `core.textfile.decode`."""
    if source.head in _UTF16_MARKS:
        walk = _walk(source, "utf-16")
        if walk.fault is not None:
            raise not_utf16(source.path)
        return "utf-16", _without_nul(walk, source.path)
    walk = _walk(source, "utf-8")
    if walk.fault is None:
        return "utf-8-sig", _without_nul(walk, source.path)
    if mostly_utf8(_walk(source, "utf-8", errors="replace", count=True).characters):
        raise broken_utf8(source.path, walk.fault)
    best, best_score, lines = "", 0, 0
    for encoding in LEGACY:
        walk = _walk(source, encoding, count=True)
        score = 0 if walk.fault is not None else plausibility(walk.characters)
        if score > best_score:
            best, best_score, lines = encoding, score, walk.ends.lines
    if not best:
        raise unknown_encoding(source.path)
    return best, lines


def _without_nul(walk: _Walk, path: Path) -> int:
    if walk.nul is not None:
        raise holds_nul(path, walk.nul)
    return walk.ends.lines


def _walk(source: _Bytes, encoding: str, *, errors: str = "strict", count: bool = False) -> _Walk:
    """Read a file to its end, or to the first byte that the encoding does not know."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    found, first = _Walk(), True
    with source.opened() as file:
        while True:
            chunk = file.read(BYTES_AT_ONCE)
            try:
                text = decoder.decode(chunk, not chunk)
            except UnicodeDecodeError as error:
                found.ends.add(error.object[: error.start].decode(encoding, "replace"))
                found.fault = found.ends.ends + 1
                return found
            if first and text:
                first = False
                text = text if count or encoding != "utf-8" else text.removeprefix("\ufeff")
            found.add(text, count=count)
            if not chunk:
                return found
