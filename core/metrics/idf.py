"""Inverse document frequency: how rare a token or a word is in a corpus.

idf(w) = ln((N + 1) / (df(w) + 1)) over N documents, what is unseen ln(N + 1): bert_score's form; the paper of
the reading penalty prints no formula. Document frequency counts the documents in which a token occurs,
special tokens included. A dictionary counts an encoder's tokens, or words, which need no encoder.

A corpus is read one document at a time (folders, zips, text files, JSON lines, plain or gzipped), so that
it may be larger than memory. Counted dictionaries are kept in the user's cache folder under a hash of the
files' names and contents, the encoder and the name of the dictionary.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import math
import os
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

import numpy as np
import platformdirs
from numpy.typing import NDArray

from core.assets import ASSETS
from core.backends import Encoder, Progress, Reader, Word, silent
from core.errors import FileError, os_reason
from core.text.files import LIMIT_BYTES, decode, read_text, split_lines
from core.text.japanese import letters

FORMAT = 1
QUANTILE = 0.70
"""Share of a dictionary's entries that is not rare, as in the paper of the reading penalty."""
UNITS = ("piece", "word")
LINES_AT_ONCE = 512
SHIPPED = ASSETS / "idf"
K = TypeVar("K", int, str)


@dataclass(frozen=True, slots=True, kw_only=True)
class Idf:
    """Document frequencies by token id or by word, and of which corpus.

    unit: `piece` for token ids, `word` for words in their `word_key`. tokenizer: the fingerprint of the
    encoder whose ids these are; of words, who cut them. fingerprint: eight characters that change with any
    number in here; part of the signature of every score that uses it.
    """

    name: str
    documents: int
    frequencies: Mapping[Any, int]
    tokenizer: str = ""
    licence: str = ""
    unit: str = "piece"

    @property
    def fingerprint(self) -> str:
        """Eight characters over the documents and every frequency."""
        content = repr((self.documents, sorted(self.frequencies.items())))
        return hashlib.sha256(content.encode()).hexdigest()[:8]

    @property
    def signature(self) -> str:
        """`novel-1703-1a2b3c4d`, of words `novel-words-1703-1a2b3c4d`."""
        words = "-words" if self.unit == "word" else ""
        return f"{self.name}{words}-{self.documents}-{self.fingerprint}"

    def weights(self, keys: NDArray[np.int64] | Sequence[str]) -> NDArray[np.float64]:
        """(n,) token ids or words -> (n,) idf, each at least 0."""
        numerator = math.log(self.documents + 1)
        listed = keys.tolist() if isinstance(keys, np.ndarray) else [word_key(word) for word in keys]
        seen = np.fromiter((self.frequencies.get(key, 0) for key in listed), np.float64, len(listed))
        return np.asarray(numerator - np.log(seen + 1), np.float64)

    def threshold(self, quantile: float = QUANTILE) -> float:
        """The idf that a rare token exceeds: the quantile over the dictionary's entries."""
        if not self.frequencies:
            return 0.0
        counts = np.fromiter(self.frequencies.values(), np.float64, len(self.frequencies))
        values = math.log(self.documents + 1) - np.log(counts + 1)
        return float(np.quantile(values, quantile, method="higher"))


def word_key(word: str) -> str:
    """The form in which a word is counted: casefolded NFKC without accents."""
    return letters(word)


def count_documents(documents: Iterable[NDArray[np.int64]], *, name: str, tokenizer: str = "") -> Idf:
    """Count over documents given as token ids, one array each."""
    frequencies: Counter[int] = Counter()
    total = 0
    for ids in documents:
        frequencies.update(set(ids.tolist()))
        total += 1
    return Idf(name=name, documents=total, frequencies=dict(frequencies), tokenizer=tokenizer)


def build_idf(
    documents: Iterable[Iterable[str]],
    encoder: Encoder,
    *,
    name: str,
    licence: str = "",
    progress: Progress = silent,
    expected: int = 0,
) -> Idf:
    """Count over documents given as lines. Memory holds some hundred lines and a counter, never a corpus."""

    def tokens(document: Iterable[str]) -> set[int]:
        seen: set[int] = set()
        lines = (line for line in document if line.strip())
        while batch := list(islice(lines, LINES_AT_ONCE)):
            seen.update(*(ids.tolist() for ids in encoder.ids(batch)))
        return seen

    total, frequencies = _frequencies(map(tokens, documents), progress, expected)
    return Idf(
        name=name, documents=total, frequencies=frequencies, tokenizer=encoder.fingerprint, licence=licence
    )


def build_word_idf(
    documents: Iterable[Iterable[str]],
    reader: Reader,
    lang: str,
    *,
    name: str,
    licence: str = "",
    progress: Progress = silent,
    expected: int = 0,
) -> Idf:
    """Count the words of a language, as the reader cuts them; marks are left out."""

    def words(document: Iterable[str]) -> set[str]:
        lines = ([line] for line in document if line.strip())
        return {word for line in lines for read in reader.read(line, lang=lang) for word in _counted(read)}

    total, frequencies = _frequencies(map(words, documents), progress, expected)
    return Idf(
        name=name,
        documents=total,
        frequencies=frequencies,
        tokenizer=reader.signature(lang),
        licence=licence,
        unit="word",
    )


def _frequencies(found: Iterable[set[K]], progress: Progress, expected: int) -> tuple[int, dict[K, int]]:
    """How many documents there are, and in how many of them each key stands; empty ones do not count."""
    frequencies: Counter[K] = Counter()
    total = 0
    for keys in filter(None, found):
        frequencies.update(keys)
        total += 1
        progress(total, max(expected, total))
    return total, dict(frequencies)


def _counted(words: Sequence[Word]) -> set[str]:
    return {word_key(word.text) for word in words if any(char.isalnum() for char in word.text)}


def save_idf(idf: Idf, path: Path) -> None:
    """Write a dictionary as gzipped JSON, always the same bytes for the same dictionary. Raises FileError."""
    ids = sorted(idf.frequencies)
    document = {
        "format": FORMAT,
        "name": idf.name,
        "documents": idf.documents,
        "licence": idf.licence,
        "tokenizer": idf.tokenizer,
        "fingerprint": idf.fingerprint,
        "unit": idf.unit,
        "ids": ids,
        "frequencies": [idf.frequencies[token] for token in ids],
    }
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        path.write_bytes(gzip.compress(data, mtime=0))
    except OSError as error:
        raise FileError(path, "cannot be written ({reason})", reason=os_reason(error)) from error


def load_word_idf(path: Path) -> Idf:
    """Read a dictionary of words. FileError when it is none, was changed, or counts an encoder's tokens."""
    idf = read_idf(path)
    if idf.unit != "word":
        raise FileError(
            path, "counts an encoder's tokens; build one of words with python -m core idf build --unit word"
        )
    return idf


def load_idf(path: Path, encoder: Encoder) -> Idf:
    """Read a dictionary of tokens. FileError when it is none, was changed, or is another tokenizer's."""
    idf = read_idf(path)
    if idf.unit != "piece":
        raise FileError(
            path, "counts words, which only bertscore-reading.unit=word takes; give one of tokens"
        )
    if idf.tokenizer != encoder.fingerprint:
        raise FileError(
            path,
            "was built for the tokenizer {tokenizer}, but {encoder} has {found}; build "
            "one with python -m core idf build --encoder {encoder}",
            tokenizer=idf.tokenizer,
            encoder=encoder.name,
            found=encoder.fingerprint,
        )
    return idf


def read_idf(path: Path) -> Idf:
    """Read a dictionary of either unit; FileError when it is none or was changed."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
    return _parse(path, changed)


@lru_cache(maxsize=16)
def _parse(path: Path, changed: int) -> Idf:
    """The dictionary of a file; `changed` is its time stamp, so that an edited file is read again."""
    document = _read(path)
    try:
        idf = Idf(
            name=str(document["name"]),
            documents=int(document["documents"]),
            frequencies=dict(zip(document["ids"], document["frequencies"], strict=True)),
            tokenizer=str(document["tokenizer"]),
            licence=str(document["licence"]),
            unit=str(document.get("unit", "piece")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(path, "is not an idf dictionary; build one with python -m core idf build") from error
    if document.get("fingerprint") != idf.fingerprint:
        raise FileError(path, "is damaged: its numbers do not match its own fingerprint; build it again")
    return idf


def _read(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        document = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
    except (ValueError, EOFError) as error:
        raise FileError(path, "is not an idf dictionary; build one with python -m core idf build") from error
    return document if isinstance(document, dict) else {}


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
            raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
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
        raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
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
            raise FileError(
                path, 'is no JSON object with a field "{field}"', line=number, field=TEXT_FIELD
            ) from error
        if not isinstance(text, str):
            raise FileError(path, 'has a field "{field}" that is not a text', line=number, field=TEXT_FIELD)
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
                    raise FileError(
                        name,
                        "is larger than the limit of {limit:,} bytes; split it",
                        limit=LIMIT_BYTES,
                    )
                yield split_lines(decode(archive.read(member), path=name))
    except (zipfile.BadZipFile, OSError) as error:
        raise FileError(path, "is not a zip that can be read") from error


COUNTING = 1  # raise it when the same corpus would be cut or counted differently
BYTES_AT_ONCE = 1 << 20
KEPT = 50  # dictionaries in the folder; the oldest go


def cache_folder() -> Path:
    """Where they lie; the folder may not exist yet."""
    return platformdirs.user_cache_path("yomikurabe") / "idf"


def corpus_key(paths: Sequence[Path], encoder: Encoder, *, name: str, licence: str) -> str | None:
    """64 hexadecimal digits; None where a file can be read only once, such as a pipe.

    Memory holds a megabyte of a file. FileError for a file that cannot be read.
    """
    found = hashlib.sha256(repr((FORMAT, COUNTING, encoder.fingerprint, name, licence)).encode())
    for path in corpus_files(paths):
        try:
            if not path.is_file():
                return None
            with path.open("rb") as file:
                content = hashlib.sha256()
                while piece := file.read(BYTES_AT_ONCE):
                    content.update(piece)
        except OSError as error:
            raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
        found.update(repr((path.name, content.hexdigest())).encode())
    return found.hexdigest()


def recall(key: str, encoder: Encoder) -> Idf | None:
    """The dictionary of a key; None where there is none, or none that is whole."""
    try:
        return load_idf(_place(key), encoder)
    except FileError:
        return None


def remember(key: str, idf: Idf) -> None:
    """Keep a dictionary, whole or not at all; without a word where the folder cannot be written."""
    with contextlib.suppress(OSError, FileError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=folder) as draft:
            save_idf(idf, Path(draft) / key)
            os.replace(Path(draft) / key, _place(key))
        known = sorted(folder.glob("*.json.gz"), key=lambda path: path.stat().st_mtime_ns)
        for old in known[:-KEPT]:
            old.unlink(missing_ok=True)


def kept(key: str) -> Path:
    """Where the dictionary of a key lies, if it is remembered."""
    return _place(key)


def _place(key: str) -> Path:
    return cache_folder() / f"{key}.json.gz"
