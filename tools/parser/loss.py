"""The chart of a sentence for training: span scores on the upper triangle, the best tree, the hinge loss.

Same results as benepar's `ChartParser.forward` and `compute_loss`, several times faster: the first layer of
the labels is linear, so it is applied once per fencepost instead of once per span.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

Spans = list[tuple[int, int, int]]
NEVER = -1e9


def span_scores(parser: torch.nn.Module, features: torch.Tensor, valid: torch.Tensor) -> torch.Tensor:
    """(batch, n + 2, d) features -> (batch, spans, labels), as `np.triu_indices(n)`; label 0 scores 0."""
    content = parser.project_pretrained(features)
    annotations = parser.encoder(parser.add_timing(parser.morpho_emb_dropout(content)), valid)
    annotations = torch.cat([annotations[..., 0::2], annotations[..., 1::2]], -1)
    half = parser.d_model // 2
    posts = torch.cat([annotations[:, :-1, :half], annotations[:, 1:, half:]], -1)
    first, *rest = parser.f_label
    posts = torch.nn.functional.linear(posts, first.weight)
    starts, ends = np.triu_indices(posts.shape[1] - 1)
    upper, lower = (posts.index_select(1, torch.from_numpy(side)) for side in (ends + 1, starts))
    hidden = upper - lower + first.bias
    for layer in rest:
        hidden = layer(hidden)
    return torch.cat([hidden.new_zeros((*hidden.shape[:2], 1)), hidden], -1)


def best_trees(scores: NDArray[np.float32], lengths: Sequence[int]) -> list[Spans]:
    """(batch, n, n, labels) -> the spans (start, last word, label) of each best binary tree, label 0 too."""
    size, n = scores.shape[:2]
    labels, best = scores.argmax(-1), scores.max(-1)
    rows = np.arange(size)
    last = np.asarray(lengths) - 1
    labels[rows, 0, last] = scores[rows, 0, last, 1:].argmax(-1) + 1
    by_start = np.full((size, n + 1, n + 1), NEVER, np.float32)  # [sentence, start, length]
    by_end = np.full((size, n + 1, n + 1), NEVER, np.float32)  # [sentence, end, length]
    splits = np.zeros((size, n, n + 1), np.int64)
    for length in range(1, n + 1):
        starts = np.arange(n - length + 1)
        value = best[:, starts, starts + length - 1]
        if length > 1:
            left = by_start[:, : n - length + 1, 1:length]
            right = by_end[:, length:, length - 1 : 0 : -1]
            both = left + right
            splits[:, starts, length] = both.argmax(-1) + 1
            value = value + both.max(-1)
        by_start[:, starts, length] = value
        by_end[:, starts + length, length] = value
    return [_spans(splits[row], labels[row], int(count)) for row, count in enumerate(lengths)]


def _spans(splits: NDArray[np.int64], labels: NDArray[np.int64], count: int) -> Spans:
    out, todo = [], [(0, count)]
    while todo:
        start, length = todo.pop()
        out.append((start, start + length - 1, int(labels[start, start + length - 1])))
        if length > 1:
            left = int(splits[start, length])
            todo += [(start + left, length - left), (start, left)]
    return out


def square(scores: torch.Tensor, n: int) -> NDArray[np.float32]:
    """(batch, spans, labels) -> (batch, n, n, labels) without gradients; a cell without a span never wins."""
    starts, ends = np.triu_indices(n)
    full = np.full((len(scores), n, n, scores.shape[-1]), NEVER, np.float32)
    full[:, starts, ends] = scores.detach().numpy()
    return full


def hinge_loss(scores: torch.Tensor, n: int, gold: Sequence[Spans], lengths: Sequence[int]) -> torch.Tensor:
    """Structured hinge, summed over the sentences: the best tree with its margin against the right tree."""
    full = square(scores, n) + 1
    for row, spans in enumerate(gold):
        labelled = np.zeros((n, n), np.int64)
        for start, last, label in spans:
            labelled[start, last] = label
        np.put_along_axis(
            full[row], labelled[..., None], np.take_along_axis(full[row], labelled[..., None], -1) - 1, -1
        )
    places = np.zeros((n, n), np.int64)
    places[np.triu_indices(n)] = np.arange(n * (n + 1) // 2)
    margins = []
    for tree, spans in zip(found := best_trees(full, lengths), gold, strict=True):
        wanted = {(start, last): label for start, last, label in spans}
        margins.append(sum(wanted.get((s, e), 0) != label for s, e, label in tree))
    width = scores.shape[2]
    signs = np.zeros((len(scores), scores.shape[1] * width), np.float32)
    for sign, trees in ((1, found), (-1, gold)):
        for row, spans in enumerate(trees):
            start, last, label = np.array(spans).T
            np.add.at(signs[row], places[start, last] * width + label, sign)
    scored = (scores.flatten(1) * torch.from_numpy(signs)).sum(1)
    return torch.relu(scored + torch.tensor(margins)).sum()
