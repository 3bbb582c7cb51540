"""Text files as people really have them: which encoding, where the lines end.

The stored text is what the file says: nothing is normalised here (`languages.py` does that for scoring).

Lines of text files of any size: read once to learn encoding and length, then again line by line.

Encodings, ends of lines and complaints are those of `core.textfile`; memory holds a megabyte of a file.

Pairs of texts from files with one segment a line, of any size: a few lines are in memory at a time.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import shutil
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, repeat
from pathlib import Path
from typing import IO, cast, overload

from core.errors import FileError, OptionError
from core.text.languages import guess_lang
from core.types import TextPair

LIMIT_BYTES = 200_000_000
"""How large a file may be, once decompressed, unless the caller says otherwise."""

LEGACY = ("euc_jp", "cp932", "euc_jis_2004")
"""The most plausible wins, the first on a tie. CP932 holds Shift_JIS; the last is EUC-JP with ① and more."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_WHITE_CONTROLS = "\t\n\v\f\r"


def read_text(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> str:
    """The text of a file, which may be gzipped (recognised by its first bytes, not by its name).

    `limit_bytes` holds for the file and for what it decompresses to. Raises FileError.
    """
    try:
        if path.stat().st_size > limit_bytes:
            raise _too_large(path, limit_bytes)
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)  # what is no plain file has no size before it is read
    except OSError as error:
        raise cannot_be_read(path, error) from error
    if data.startswith(b"\x1f\x8b"):
        data = _gunzip(path, limit_bytes)
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return decode(data, path=path)


def _too_large(path: Path, limit_bytes: int) -> FileError:
    return FileError(path, f"is larger than the limit of {limit_bytes:,} bytes; split it.")


def decode(data: bytes, *, path: str | Path) -> str:
    """Bytes to text: UTF-8, UTF-16 with a byte order mark, else the likeliest Japanese encoding.

    `path` only names the file in errors. Raises FileError for binary data, NUL characters and broken UTF-8.
    """
    text = _decode_unicode(data, path)
    if text is None:
        text = _decode_legacy(data)
    if text is None:
        raise unknown_encoding(path)
    nul = text.find("\0")
    if nul >= 0:
        raise holds_nul(path, len(_LINE_END.findall(text, 0, nul)) + 1)
    return text


def split_lines(text: str) -> list[str]:
    r"""Lines of a text, without their ends. Ends are LF, CR LF and CR.

    U+2028, U+2029, U+0085, VT and FF are characters of a line, as editors and line counters have it
    (`str.splitlines` would cut there). The last line need not end; a text of no characters has no line.
    """
    lines = _LINE_END.split(text)
    if lines[-1] == "":
        lines.pop()
    return lines


def _gunzip(path: Path, limit_bytes: int) -> bytes:
    try:
        with gzip.open(path, "rb") as file:
            return file.read(limit_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise damaged_gzip(path) from error


def _decode_unicode(data: bytes, path: str | Path) -> str | None:
    """UTF-16 if a byte order mark says so, else UTF-8; None when it is neither."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError as error:
            raise not_utf16(path) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(data, error.start, path)
    return None


def _refuse_broken_utf8(data: bytes, first_fault: int, path: str | Path) -> None:
    """A few bad bytes in much good UTF-8 are damage, not another encoding: guessing would store nonsense."""
    if mostly_utf8(Counter(data.decode("utf-8", errors="replace"))):
        raise broken_utf8(path, len(_LINE_END.findall(data[:first_fault].decode("utf-8"))) + 1)


def mostly_utf8(characters: Mapping[str, int]) -> bool:
    """Whether there are four times as many good characters beyond ASCII as faults, read as U+FFFD."""
    faults = characters.get("\ufffd", 0)
    good = sum(count for char, count in characters.items() if char > "\x7f") - faults
    return good > 4 * faults


def _decode_legacy(data: bytes) -> str | None:
    """The most plausible Japanese reading of the bytes, or None when none makes sense."""
    best, best_score = None, 0
    for encoding in LEGACY:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = plausibility(Counter(text))
        if score > best_score:
            best, best_score = text, score
    return best


def plausibility(characters: Mapping[str, int]) -> int:
    """How much a text with so many of each character looks like Japanese; 0 or less for one that does not.

    Kana and everyday kanji speak for a reading; halfwidth katakana and rare characters against it.

    A control character other than white space rules the reading out.
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
    """For what the system does not give."""
    return FileError(path, f"cannot be read ({error.strerror or error}).")


def damaged_gzip(path: str | Path) -> FileError:
    """For what begins like gzip and is none."""
    return FileError(path, "is a damaged gzip file; fetch or compress it again.")


def not_utf16(path: str | Path) -> FileError:
    """For what has the byte order mark of UTF-16 only."""
    return FileError(path, "begins like UTF-16 but is not; save it as UTF-8 and try again.")


def broken_utf8(path: str | Path, line: int) -> FileError:
    """For a few bad bytes in much good UTF-8."""
    return FileError(path, "holds a byte that is not UTF-8; save the file as UTF-8 again.", line=line)


def unknown_encoding(path: str | Path) -> FileError:
    """For what no encoding makes a text of."""
    problem = "is not text in UTF-8, UTF-16, EUC-JP, CP932 or Shift_JIS; save it as UTF-8 and try again."
    return FileError(path, problem)


def holds_nul(path: str | Path, line: int) -> FileError:
    """For binary data that can be decoded."""
    return FileError(path, "holds a NUL character, so it is not a text file.", line=line)


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


LINES_THAT_TELL = 200
"""How many references say which language it is."""

_LANG = re.compile("[a-z]{2,3}")


class PairFiles(Sequence[TextPair]):
    """References, hypotheses and sources line by line. A sequence, but whoever wants the last reads them all.

    Each iteration begins anew and holds one pair.
    """

    def __init__(self, ref: Path, hyp: Path, src: Path | None = None, lang: str = "auto") -> None:
        """Reads the files through, and checks them.

        Raises FileError for one that cannot be read, is empty or has not as many lines (both are named), and
        OptionError for what is no language.
        """
        self._references = LineFile(ref)
        if not len(self._references):
            raise FileError(ref, "is empty; give one segment a line")
        self._hypotheses = LineFile(hyp)
        self._sources = LineFile(src) if src is not None else None
        for one in (self._hypotheses, self._sources):
            if one is not None:
                self._check(one)
        self.lang = language(lang, list(islice(self._references, LINES_THAT_TELL)))

    def _check(self, other: LineFile) -> None:
        ours, theirs = len(self._references), len(other)
        if theirs != ours:
            raise FileError(
                other.path,
                f"has {theirs} lines but {self._references.path} has {ours}; give a line per segment in both",
                line=min(theirs, ours) + 1,
            )

    def __len__(self) -> int:
        return len(self._references)

    def __iter__(self) -> Iterator[TextPair]:
        sources: Iterator[str | None] = repeat(None) if self._sources is None else iter(self._sources)
        for reference, hypothesis, source in zip(self._references, self._hypotheses, sources, strict=False):
            yield TextPair(reference=reference, hypothesis=hypothesis, source=source, lang=self.lang)

    @overload
    def __getitem__(self, place: int) -> TextPair: ...

    @overload
    def __getitem__(self, place: slice) -> list[TextPair]: ...

    def __getitem__(self, place: int | slice) -> TextPair | list[TextPair]:
        """One pair, or some: everything up to there is read for it."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step > 0:
                return list(islice(self, start, stop, step))
            raise ValueError("Pairs from files are read forwards.")
        at = range(len(self))[place]
        return next(islice(self, at, None))


def language(lang: str, texts: Sequence[str]) -> str:
    """The language that --lang names, or that the texts are in where it says auto; else OptionError."""
    if lang == "auto":
        return guess_lang(texts)
    if not _LANG.fullmatch(lang):
        raise OptionError(f"--lang {lang} is not a language; write an ISO 639-1 code like ja, or auto")
    return lang
