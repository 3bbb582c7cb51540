"""Text files as people really have them: which encoding, where the lines end.

The stored text is what the file says: nothing is normalised here (`languages.py` does that for scoring).
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from core.errors import FileError

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
