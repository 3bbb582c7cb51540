"""Inverse document frequency: how rare a token is in a corpus.

idf(w) = ln((N + 1) / (df(w) + 1)) over N documents, unseen tokens ln(N + 1) (bert_score's form). Document
frequency counts the documents in which a token occurs at all, special tokens included.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Idf:
    """Document frequencies by token id. `name` and `fingerprint` say of which corpus."""

    name: str
    documents: int
    frequencies: Mapping[int, int]
    fingerprint: str

    def weights(self, ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """(n,) ids -> (n,) idf, each at least 0."""
        numerator = math.log(self.documents + 1)
        seen = np.fromiter((self.frequencies.get(int(token), 0) for token in ids), np.float64, len(ids))
        return np.asarray(numerator - np.log(seen + 1), np.float64)


def count_documents(documents: Iterable[NDArray[np.int64]], *, name: str) -> Idf:
    """Count over documents given as token ids, one array each."""
    frequencies: Counter[int] = Counter()
    total = 0
    for ids in documents:
        frequencies.update(set(ids.tolist()))
        total += 1
    digest = hashlib.sha256(repr((total, sorted(frequencies.items()))).encode()).hexdigest()[:8]
    return Idf(name=name, documents=total, frequencies=dict(frequencies), fingerprint=digest)
