"""Text files: encodings, line ends, and files of any size.

`read_text` and `read_lines` read a whole file. `LineFile` reads a file of any size line by line, after one
pass that finds the encoding and counts the lines. Texts are not normalised; `languages.py` normalises for
scoring.
"""

from __future__ import annotations

import codecs
import gzip
import io
import math
import re
import shutil
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, cast

from core.errors import FileError, os_reason

LIMIT_BYTES = 200_000_000
"""Default maximum size of a file, and of its decompressed content."""

LEGACY = ("euc_jp", "cp932", "euc_jis_2004")
"""The most plausible is chosen, the first on a tie. CP932 includes Shift_JIS; the last extends EUC-JP."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHITE_CONTROLS = "\t\n\v\f\r"


def read_text(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """The text of a file. Gzip files are decompressed; they are recognised by their first bytes.

    limit_bytes: the maximum size of the file, and of its decompressed content. Raises FileError.
    """
    try:
        if path.stat().st_size > limit_bytes:
            raise _too_large(path, limit_bytes)
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)  # pipes have no size before they are read
    except OSError as error:
        raise cannot_be_read(path, error) from error
    if data.startswith(b"\x1f\x8b"):
        data = _gunzip(path, limit_bytes)
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return decode(data, path=path)


def _too_large(path: Path, limit_bytes: int) -> FileError:
    return FileError(path, "is larger than the limit of {limit:,} bytes; split it.", limit=limit_bytes)


def decode(data: bytes, *, path: str | Path) -> str:
    """Bytes to text: UTF-8, UTF-16 with a byte order mark, else the most plausible Japanese encoding.

    path: name of the file in errors. Raises FileError for binary data, NUL characters and broken UTF-8.
    """
    text = _decode_unicode(data, path)
    if text is None:
        text = _decode_legacy(data)
    if text is None:
        raise unknown_encoding(path)
    nul = text.find("\0")
    if nul >= 0:
        raise nul_character(path, len(_LINE_END.findall(text, 0, nul)) + 1)
    return text


def read_lines(path: Path) -> list[str]:
    """The lines of a file, without their ends. Raises FileError."""
    return split_lines(read_text(path))


def check_line_count(path: Path, count: int, reference: str | Path, expected: int) -> None:
    """Raises FileError if `path` has `count` lines and not `expected` lines as the reference file."""
    if count != expected:
        raise FileError(
            path,
            "has {count} lines but {reference} has {expected}; write one segment per line in both",
            line=min(count, expected) + 1,
            count=count,
            reference=reference,
            expected=expected,
        )


def split_lines(text: str) -> list[str]:
    r"""Lines of a text, without their ends: LF, CR LF or CR.

    U+2028, U+2029, U+0085, VT and FF do not end a line, as in editors (unlike `str.splitlines`). The last
    line may lack its end; an empty text has no lines.
    """
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def parse_number(text: str) -> float:
    """A finite number in decimal digits, with or without an exponent. Raises ValueError for anything else.

    Unlike `float` it takes no `nan`, no `inf`, no `1_0` and no digits of other scripts.
    """
    number = float(text) if _NUMBER.fullmatch(text) else float("inf")
    if not math.isfinite(number):
        raise ValueError(text)
    return number + 0.0  # -0.0 is 0


def number_text(number: float) -> str:
    """A number as it is written to a file: short, and read back as the same."""
    return str(int(number)) if number.is_integer() else repr(number)


def _gunzip(path: Path, limit_bytes: int) -> bytes:
    try:
        with gzip.open(path, "rb") as file:
            return file.read(limit_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise damaged_gzip(path) from error


def _decode_unicode(data: bytes, path: str | Path) -> str | None:
    """UTF-16 with a byte order mark, or UTF-8; None for neither."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise not_utf16(path) from error
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(data, error.start, path)
    return None


def _refuse_broken_utf8(data: bytes, first_fault: int, path: str | Path) -> None:
    """Raises FileError for UTF-8 with a few invalid bytes: that is damage, not another encoding."""
    if mostly_utf8(Counter(data.decode("utf-8", errors="replace"))):
        raise broken_utf8(path, len(_LINE_END.findall(data[:first_fault].decode("utf-8"))) + 1)


def mostly_utf8(characters: Mapping[str, int]) -> bool:
    """Whether there are over four times as many valid non-ASCII characters as faults (U+FFFD)."""
    faults = characters.get("\ufffd", 0)
    good = sum(count for char, count in characters.items() if char > "\x7f") - faults
    return good > 4 * faults


def _decode_legacy(data: bytes) -> str | None:
    """The bytes in the most plausible Japanese encoding; None if none is plausible."""
    best, best_score = None, 0
    for encoding in LEGACY:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = plausibility(Counter(text))
        if score > best_score:
            best, best_score = as_standard(text, encoding), score
    return best


_WINDOWS = str.maketrans("～－∥￠￡￢", "〜−‖¢£¬")


def as_standard(text: str, encoding: str) -> str:
    """The marks that only Windows' table has for 〜 − ‖ ¢ £ ¬ as every other table has them."""
    return text.translate(_WINDOWS) if encoding == "cp932" else text


def plausibility(characters: Mapping[str, int]) -> int:
    """How plausible a decoding with these character counts is as Japanese text; 0 or less: implausible.

    Kana and common kanji count for it; halfwidth katakana and rare characters count against it. A control
    character other than white space makes it implausible.
    """
    score = 0
    for char, count in characters.items():
        if char < "\x80":
            if char < " " and char not in _WHITE_CONTROLS:
                return 0
        else:
            score += count if _everyday(char) else -count
    return score


def _everyday(char: str) -> bool:
    """Kana, Japanese punctuation, fullwidth forms, or a kanji of JIS level 1 (rows 16-47)."""
    if "\u3000" <= char <= "\u30ff" or "\uff01" <= char <= "\uff5e" or char in "―‐‥…‘’“”":
        return True
    if not "\u4e00" <= char <= "\u9fff":
        return False
    try:
        return 0xB0 <= char.encode("euc_jp")[0] <= 0xCF
    except UnicodeEncodeError:
        return False


def cannot_be_read(path: str | Path, error: OSError) -> FileError:
    """The error for a file that the system cannot read."""
    return FileError(path, "cannot be read ({reason}).", reason=os_reason(error))


def damaged_gzip(path: str | Path) -> FileError:
    """The error for a gzip header without valid gzip data."""
    return FileError(path, "is a damaged gzip file; fetch or compress it again.")


def not_utf16(path: str | Path) -> FileError:
    """The error for a UTF-16 byte order mark without valid UTF-16."""
    return FileError(path, "starts with a UTF-16 byte order mark but is not UTF-16; save it as UTF-8.")


def broken_utf8(path: str | Path, line: int) -> FileError:
    """The error for UTF-8 with a few invalid bytes."""
    return FileError(path, "has invalid UTF-8 bytes; save it as UTF-8 again.", line=line)


def unknown_encoding(path: str | Path) -> FileError:
    """The error for data that is not text in a supported encoding."""
    return FileError(path, "is not text in UTF-8, UTF-16, EUC-JP, CP932 or Shift_JIS; save it as UTF-8.")


def nul_character(path: str | Path, line: int) -> FileError:
    """The error for binary data that can be decoded."""
    return FileError(path, "has a NUL character, so it is not a text file.", line=line)


BYTES_AT_ONCE = 1 << 20
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class LineFile:
    """A text file of any size: `len` is its number of lines; each iteration re-reads the file.

    Iterating raises FileError if the file has changed.
    """

    def __init__(self, path: Path) -> None:
        """Read the file once, gzipped or not; a pipe is copied to a temporary file.

        Raises FileError as `read_text`, but has no size limit.
        """
        self.path = path
        self._bytes = _Bytes(path)
        self.encoding, self._count = _survey(self._bytes)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        count = 0
        with self._bytes.opened() as raw, io.TextIOWrapper(raw, self.encoding, newline=None) as file:
            try:
                for line in file:
                    count += 1
                    yield as_standard(line.removesuffix("\n"), self.encoding)
            except UnicodeDecodeError:
                count = -1
        if count != self._count:
            raise FileError(self.path, "changed while it was read; run the command again.")


STANDARD_INPUT = Path("-")


@cache
def _standard_input() -> IO[bytes]:
    """Standard input as a temporary file, so that it can be read more than once."""
    copy = cast(IO[bytes], tempfile.NamedTemporaryFile())  # noqa: SIM115 - lives as long as the process
    shutil.copyfileobj(sys.stdin.buffer, copy)
    copy.flush()
    return copy


class _Bytes:
    """The decompressed bytes of a file; can be opened repeatedly."""

    def __init__(self, path: Path) -> None:
        self.path = self._source = path
        self._copy: IO[bytes] | None = None  # keeps the temporary file alive
        self._packed = False
        with self._translate_errors():
            if path == STANDARD_INPUT and not path.exists():
                self._source = Path(_standard_input().name)
            elif path.exists() and not path.is_file() and not path.is_dir():
                self._copy = cast(IO[bytes], tempfile.NamedTemporaryFile())  # noqa: SIM115
                with path.open("rb") as pipe:
                    shutil.copyfileobj(pipe, self._copy)
                self._copy.flush()
                self._source = Path(self._copy.name)
            with self._source.open("rb") as file:
                self.head = file.read(2)
        self._packed = self.head == b"\x1f\x8b"
        if self._packed:
            with self.opened() as unpacked:
                self.head = unpacked.read(2)

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """The file, opened. Raises FileError, also while reading."""
        with self._translate_errors(), self._unpacked() as file:
            yield file

    def _unpacked(self) -> IO[bytes]:
        return cast(IO[bytes], gzip.open(self._source)) if self._packed else self._source.open("rb")

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except (OSError, EOFError, zlib.error) as error:
            if self._packed or not isinstance(error, OSError):
                raise damaged_gzip(self.path) from error
            raise cannot_be_read(self.path, error) from error


@dataclass(slots=True)
class Ends:
    """Counts the lines of a text in chunks. Line ends are LF, CR LF and CR; the last line may lack one."""

    ends: int = 0
    last: str = ""

    def add(self, chunk: str) -> None:
        """Add the next chunk."""
        if chunk:
            split = self.last == "\r" and chunk[0] == "\n"
            self.ends += chunk.count("\n") + chunk.count("\r") - chunk.count("\r\n") - split
            self.last = chunk[-1]

    @property
    def lines(self) -> int:
        """Number of lines so far."""
        return self.ends + (self.last not in ("", "\n", "\r"))


@dataclass(slots=True)
class _Scan:
    """A file decoded in one encoding. fault, nul: line of the first invalid byte and of the first NUL."""

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
    """The encoding of a file, chosen as in `decode`, and its number of lines."""
    if source.head in _UTF16_MARKS:
        scan = _scan(source, "utf-16")
        if scan.fault is not None:
            raise not_utf16(source.path)
        return "utf-16", _without_nul(scan, source.path)
    scan = _scan(source, "utf-8")
    if scan.fault is None:
        return "utf-8-sig", _without_nul(scan, source.path)
    if mostly_utf8(_scan(source, "utf-8", errors="replace", count=True).characters):
        raise broken_utf8(source.path, scan.fault)
    best, best_score, lines = "", 0, 0
    for encoding in LEGACY:
        scan = _scan(source, encoding, count=True)
        score = 0 if scan.fault is not None else plausibility(scan.characters)
        if score > best_score:
            best, best_score, lines = encoding, score, scan.ends.lines
    if not best:
        raise unknown_encoding(source.path)
    return best, lines


def _without_nul(scan: _Scan, path: Path) -> int:
    if scan.nul is not None:
        raise nul_character(path, scan.nul)
    return scan.ends.lines


def _scan(source: _Bytes, encoding: str, *, errors: str = "strict", count: bool = False) -> _Scan:
    """Decode a file to its end, or to the first byte that is invalid in the encoding."""
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    scan, first = _Scan(), True
    with source.opened() as file:
        while True:
            chunk = file.read(BYTES_AT_ONCE)
            try:
                text = decoder.decode(chunk, not chunk)
            except UnicodeDecodeError as error:
                scan.ends.add(error.object[: error.start].decode(encoding, "replace"))
                scan.fault = scan.ends.ends + 1
                return scan
            if first and text:
                first = False
                text = text if count or encoding != "utf-8" else text.removeprefix("\ufeff")
            scan.add(text, count=count)
            if not chunk:
                return scan
