"""Vectors of a frozen encoder for the words of a treebank: made once, kept in a file, standardised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends.parser.benepar import LayerReader, WordPieces
from tools.parser.trees import Tree

TOKENS_AT_ONCE = 1024
SAMPLE = 40_000


class Features:
    """(words + 2, d) float16 per sentence, with a special token at each end, in one array on disk."""

    def __init__(self, path: Path, sizes: Sequence[int], width: int) -> None:
        self.starts = np.cumsum([0, *sizes])
        self.values: NDArray[np.float16] = np.lib.format.open_memmap(
            path, mode="w+", dtype=np.float16, shape=(int(self.starts[-1]), width)
        )

    def __getitem__(self, sentence: int) -> NDArray[np.float16]:
        return self.values[self.starts[sentence] : self.starts[sentence + 1]]

    def moments(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(d,) mean and standard deviation over a sample of words."""
        rows = np.random.default_rng(seed).permutation(len(self.values))[:SAMPLE]
        sample = self.values[np.sort(rows)].astype(np.float32)
        return sample.mean(0), sample.std(0) + 1e-6


def make_features(trees: Sequence[Tree], encoder: LayerReader, layers: Sequence[int], path: Path) -> Features:
    """Encode every sentence as the finished parser does; sentences of one length share batches."""
    pieces = WordPieces(encoder)
    read = [pieces(tree.words, None) for tree in trees]
    by_length: dict[int, list[int]] = defaultdict(list)
    for index, one in enumerate(read):
        by_length[len(one["input_ids"])].append(index)
    found: Features | None = None
    for length, indices in sorted(by_length.items()):
        at_once = max(1, TOKENS_AT_ONCE // length)
        for start in range(0, len(indices), at_once):
            batch = indices[start : start + at_once]
            ids = np.array([read[index]["input_ids"] for index in batch], np.int64)
            hidden = encoder.hidden_layers(ids, layers)
            if found is None:
                found = Features(path, [len(tree.words) + 2 for tree in trees], hidden.shape[2])
            for index, row in zip(batch, hidden, strict=True):
                found[index][:] = row[read[index]["words_from_tokens"]]
    if found is None:
        raise ValueError("no trees")
    return found
