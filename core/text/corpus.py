"""Documents of a corpus, one at a time: folders, zips, text files, JSON lines, plain or gzipped.

A document is given as an iterable of its lines, so that a corpus larger than memory can be counted.
"""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO, cast

from core.errors import FileError
from core.text.encoding import LIMIT_BYTES, decode, read_text, split_lines

TEXT_ENDINGS = (".txt", ".text", ".md")
JSON_LINES_ENDINGS = (".jsonl", ".jsonl.gz", ".ndjson")
TEXT_FIELD = "text"
GZIP_MAGIC = b"\x1f\x8b"


def documents(paths: Sequence[Path]) -> Iterator[Iterable[str]]:
    """Every document of every path, in order; FileError names the file, and the line where there is one."""
    for path in corpus_files(paths):
        if path.name.endswith(JSON_LINES_ENDINGS):
            yield from _json_lines(path)
        elif path.suffix == ".zip":
            yield from _zipped(path)
        else:
            yield _text(path)


def corpus_files(paths: Sequence[Path]) -> Iterator[Path]:
    """The files of a corpus in the order in which they are read: folders give theirs by name.

    FileError for a folder that cannot be listed. A path that is named itself comes whatever it is.
    """
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        try:
            inside = sorted(child for child in path.iterdir() if _is_corpus(child))
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror or error})") from error
        yield from corpus_files(inside)


def count_files(paths: Sequence[Path]) -> int:
    """How many files there are to read: what a progress bar can know before reading them."""
    return sum(1 for _ in corpus_files(paths))


def _is_corpus(path: Path) -> bool:
    endings = (*TEXT_ENDINGS, *JSON_LINES_ENDINGS, ".zip", ".txt.gz")
    return path.is_dir() or path.name.endswith(endings)


def _text(path: Path) -> Iterable[str]:
    try:
        small = path.stat().st_size <= LIMIT_BYTES
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error})") from error
    return split_lines(read_text(path)) if small else _stream(path)


def _stream(path: Path) -> Iterator[str]:
    """Lines of a file too large to hold; it must be UTF-8, for a guess would need all of it."""
    number = 0
    try:
        with _opened(path) as file:
            for number, line in enumerate(file, 1):  # noqa: B007
                yield line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise FileError(path, "is not UTF-8, which a file of this size must be", line=number + 1) from error
    except (OSError, EOFError) as error:
        raise FileError(path, "cannot be read to its end", line=number + 1) from error


def _opened(path: Path) -> TextIO:
    with path.open("rb") as file:
        packed = file.read(2) == GZIP_MAGIC
    opener = gzip.open if packed else open
    return cast(TextIO, opener(path, "rt", encoding="utf-8-sig", newline="\n"))


def _json_lines(path: Path) -> Iterator[Iterable[str]]:
    """One document a line, its text in the field `text`."""
    for number, line in enumerate(_stream(path), 1):
        if not line.strip():
            continue
        try:
            text = json.loads(line)[TEXT_FIELD]
        except (ValueError, KeyError, TypeError) as error:
            raise FileError(path, f'is no JSON object with a field "{TEXT_FIELD}"', line=number) from error
        if not isinstance(text, str):
            raise FileError(path, f'has a field "{TEXT_FIELD}" that is no text', line=number)
        yield split_lines(text)


def _zipped(path: Path) -> Iterator[Iterable[str]]:
    """The text files of a zip, read in memory, never unpacked; a huge one is refused by its stated size."""
    try:
        with zipfile.ZipFile(path) as archive:
            for member in sorted(archive.infolist(), key=lambda one: one.filename):
                if member.is_dir() or not member.filename.endswith(TEXT_ENDINGS):
                    continue
                name = f"{path}: {member.filename}"
                if member.file_size > LIMIT_BYTES:
                    raise FileError(name, f"is larger than the limit of {LIMIT_BYTES:,} bytes; split it")
                yield split_lines(decode(archive.read(member), path=name))
    except (zipfile.BadZipFile, OSError) as error:
        raise FileError(path, "is no zip that can be read") from error
