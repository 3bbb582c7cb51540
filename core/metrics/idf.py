"""Inverse document frequency: how rare a token is in a corpus.

idf(w) = ln((N + 1) / (df(w) + 1)) over N documents, unseen tokens ln(N + 1) (bert_score's form, paper A).
Document frequency counts the documents in which a token occurs at all, special tokens included.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.assets import ASSETS
from core.backends import Encoder, Progress, silent
from core.errors import FileError

FORMAT = 1
QUANTILE = 0.70
LINES_AT_ONCE = 512
SHIPPED = ASSETS / "idf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Idf:
    """Document frequencies by token id, and of which corpus under which tokenizer.

    tokenizer: the fingerprint of the encoder whose ids these are. fingerprint: eight characters that change
    with any number in here; part of the signature of every score that uses it.
    """

    name: str
    documents: int
    frequencies: Mapping[int, int]
    tokenizer: str = ""
    licence: str = ""

    @property
    def fingerprint(self) -> str:
        """Eight characters over the documents and every frequency."""
        content = repr((self.documents, sorted(self.frequencies.items())))
        return hashlib.sha256(content.encode()).hexdigest()[:8]

    @property
    def signature(self) -> str:
        """`novel-1703-1a2b3c4d`."""
        return f"{self.name}-{self.documents}-{self.fingerprint}"

    def weights(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n,) ids -> (n,) idf, each at least 0."""
        numerator = math.log(self.documents + 1)
        seen = np.fromiter((self.frequencies.get(int(token), 0) for token in ids), np.float64, len(ids))
        return np.asarray(numerator - np.log(seen + 1), np.float64)

    def threshold(self, quantile: float = QUANTILE) -> float:
        """The idf from which a token is rare: the quantile over the dictionary's entries (paper A, 0.70)."""
        if not self.frequencies:
            return 0.0
        counts = np.fromiter(self.frequencies.values(), np.float64, len(self.frequencies))
        values = math.log(self.documents + 1) - np.log(counts + 1)
        return float(np.quantile(values, quantile, method="higher"))


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
    frequencies: Counter[int] = Counter()
    total = 0
    for document in documents:
        seen: set[int] = set()
        batch: list[str] = []
        for line in document:
            if line.strip():
                batch.append(line)
            if len(batch) == LINES_AT_ONCE:
                seen.update(*(ids.tolist() for ids in encoder.ids(batch)))
                batch = []
        if batch:
            seen.update(*(ids.tolist() for ids in encoder.ids(batch)))
        if seen:
            frequencies.update(seen)
            total += 1
            progress(total, max(expected, total))
    return Idf(
        name=name,
        documents=total,
        frequencies=dict(frequencies),
        tokenizer=encoder.fingerprint,
        licence=licence,
    )


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
        "ids": ids,
        "frequencies": [idf.frequencies[token] for token in ids],
    }
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        path.write_bytes(gzip.compress(data, mtime=0))
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error})") from error


def load_idf(path: Path, encoder: Encoder) -> Idf:
    """Read a dictionary. FileError when it is none, was changed, or is another tokenizer's (names both)."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error})") from error
    idf = _parse(path, changed)
    if idf.tokenizer != encoder.fingerprint:
        raise FileError(
            path,
            f"was built for the tokenizer {idf.tokenizer}, but {encoder.name} has {encoder.fingerprint}; "
            f"build one with python -m core idf build --encoder {encoder.name}",
        )
    return idf


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
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FileError(path, "is no idf dictionary; build one with python -m core idf build") from error
    if document.get("fingerprint") != idf.fingerprint:
        raise FileError(path, "is damaged: its numbers do not match its own fingerprint; build it again")
    return idf


def _read(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        document = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror or error})") from error
    except (ValueError, EOFError) as error:
        raise FileError(path, "is no idf dictionary; build one with python -m core idf build") from error
    return document if isinstance(document, dict) else {}
