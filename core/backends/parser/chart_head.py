"""The shipped heads without torch: many sentences of a length at a time, and a chart decoder in numpy.

What it computes is benepar's ChartParser (Kitaev et al., 2019, *Multilingual Constituency Parsing with
Self-Attention and Pre-Training*): a partitioned transformer over the words' vectors, a score for each label
of each span, and the tree with the highest sum. The first matrix of the labels is multiplied with the n + 1
places between words, and not with their n² differences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.parser.benepar import HEADS, Head, LayerReader, WordPieces, must_fit

Floats = NDArray[np.float32]
TOKENS_AT_ONCE = 1024
SPANS_AT_ONCE = 8192
EPS = 1e-5


@dataclass(frozen=True, slots=True)
class Chart:
    """The labelled spans of a tree in pre-order: (spans,) half-open places, and numbers of labels."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    labels: NDArray[np.int64]


class HeadParser:
    """A shipped head on its encoder; it parses like benepar's ChartParser.

    Raises UnavailableError where the head belongs to another encoder.
    """

    def __init__(self, head: Head, encoder: LayerReader) -> None:
        must_fit(head, encoder)
        self._head, self._encoder = head, encoder
        self._pieces = WordPieces(encoder)
        self._scores = _Scores({name: values.astype(np.float32) for name, values in head.state.items()})
        self.label_vocab = {label: index for index, label in enumerate(("", *head.config.labels))}

    def parse(self, examples: Sequence[SimpleNamespace], **_: object) -> list[Chart]:
        """The tree of each sentence, which depends on its words only. Each example has `words`."""
        read = [self._pieces(one.words, None) for one in examples]
        vectors = self._vectors(read)
        charts: dict[int, Chart] = {}
        for places in _alike(
            [len(one.words) for one in examples], cost=lambda words: words * (words + 1) // 2
        ):
            scores = self._scores(np.stack([vectors[place] for place in places]))
            charts.update(zip(places, _trees(scores), strict=True))
        return [charts[place] for place in range(len(examples))]

    def _vectors(self, read: Sequence[Mapping[str, list[int]]]) -> dict[int, Floats]:
        """(words + 2, d · layers) of each sentence, standardised."""
        found: dict[int, Floats] = {}
        for places in _alike([len(one["input_ids"]) for one in read], most=TOKENS_AT_ONCE):
            ids = np.array([read[place]["input_ids"] for place in places])
            hidden = self._encoder.hidden_layers(ids, self._head.config.layers)
            for place, states in zip(places, hidden, strict=True):
                ends = np.minimum(read[place]["words_from_tokens"], len(states) - 1)
                found[place] = (states[ends] - self._head.mean) / self._head.std
        return found


def _alike(sizes: Sequence[int], *, most: int = SPANS_AT_ONCE, cost: Any = int) -> Iterator[list[int]]:
    """Places of equal sizes, as many at a time as cost `most` together."""
    by_size: dict[int, list[int]] = defaultdict(list)
    for place, size in enumerate(sizes):
        by_size[size].append(place)
    for size, places in by_size.items():
        count = max(1, most // max(1, cost(size)))
        yield from (places[start : start + count] for start in range(0, len(places), count))


class _Scores:
    """From words to spans: (batch, n + 2, width) -> (batch, n, n, labels) float32."""

    def __init__(self, state: Mapping[str, Floats]) -> None:
        self._state = state
        self._layers = sum(name.endswith("norm_ff.weight") for name in state)

    def __call__(self, words: Floats) -> Floats:
        places = self._between(self._transformed(words))
        first = places @ self._state["f_label.0.weight"].T
        size = places.shape[1] - 1
        starts, ends = np.triu_indices(size)
        spans = first[:, ends + 1] - first[:, starts] + self._state["f_label.0.bias"]
        hidden = np.maximum(self._norm(spans, "f_label.1"), 0)
        told = hidden @ self._state["f_label.3.weight"].T + self._state["f_label.3.bias"]
        scores = np.zeros((len(words), size, size, told.shape[-1] + 1), np.float32)
        scores[:, starts, ends, 1:] = told
        return scores

    def _transformed(self, words: Floats) -> Floats:
        content = words @ self._state["project_pretrained.weight"].T
        timing = self._state["add_timing.timing_table"][: words.shape[1]]
        state = np.concatenate([content, np.broadcast_to(timing, content.shape)], axis=-1)
        state = self._norm(state, "add_timing.norm")
        for number in range(self._layers):
            part = f"encoder.layers.{number}"
            state = self._norm(state + self._attention(state, f"{part}.self_attn"), f"{part}.norm_attn")
            wide = [np.maximum(one, 0) for one in self._halves(np.split(state, 2, -1), f"{part}.linear1")]
            read = np.concatenate(self._halves(wide, f"{part}.linear2"), axis=-1)
            state = self._norm(state + read, f"{part}.norm_ff")
        return state

    def _halves(self, halves: Sequence[Floats], name: str) -> list[Floats]:
        """Content and position, each by its own matrix."""
        return [
            half @ self._state[f"{name}.linear_{kind}.weight"].T + self._state[f"{name}.linear_{kind}.bias"]
            for half, kind in zip(halves, "cp", strict=True)
        ]

    def _attention(self, state: Floats, name: str) -> Floats:
        """Every word reads every word, with content and position in halves of a head."""
        made = []
        for half, kind in zip(np.split(state, 2, -1), "cp", strict=True):
            matrix = self._state[f"{name}.w_qkv_{kind}"]  # (heads, half, 3, size)
            flat = matrix.transpose(1, 2, 0, 3).reshape(half.shape[-1], -1)
            made.append((half @ flat).reshape(*half.shape[:2], 3, HEADS, -1))
        queries, keys, values = np.moveaxis(np.concatenate(made, axis=-1), 2, 0).transpose(0, 1, 3, 2, 4)
        dots = (queries * np.float32(queries.shape[-1] ** -0.5)) @ keys.swapaxes(-1, -2)
        weights = np.exp(dots - dots.max(-1, keepdims=True))
        read = (weights / weights.sum(-1, keepdims=True)) @ values  # (batch, heads, n, size)
        out = []
        for half, kind in zip(np.split(read, 2, -1), "cp", strict=True):
            matrix = self._state[f"{name}.w_o_{kind}"]  # (heads, size, half)
            joined = half.transpose(0, 2, 1, 3).reshape(*state.shape[:2], -1)
            out.append(joined @ matrix.reshape(-1, matrix.shape[-1]))
        return np.concatenate(out, axis=-1)

    def _between(self, state: Floats) -> Floats:
        """(batch, n + 1, d): what stands between two words, half from the left one, half from the right."""
        state = np.concatenate([state[..., 0::2], state[..., 1::2]], axis=-1)
        half = state.shape[-1] // 2
        return np.concatenate([state[:, :-1, :half], state[:, 1:, half:]], axis=-1)

    def _norm(self, state: Floats, name: str) -> Floats:
        centred = state - state.mean(-1, keepdims=True)
        spread = np.sqrt(np.einsum("...d,...d->...", centred, centred)[..., None] / state.shape[-1] + EPS)
        scaled: Floats = centred / spread * self._state[f"{name}.weight"] + self._state[f"{name}.bias"]
        return scaled


def _trees(scores: Floats) -> Iterator[Chart]:
    """(batch, n, n, labels) -> the tree with the highest sum of each sentence.

    scores[:, i, j] is for the span of words i to j, both included; the label 0 is no constituent and scores
    0. The whole sentence is one. Cocke, Kasami and Younger's chart, for all sentences of the batch at once.
    """
    size = scores.shape[1]
    scores[:, 0, size - 1, 0] = -np.inf
    labels, own = scores.argmax(-1), scores.max(-1).astype(np.float64)
    total = np.zeros((len(scores), size + 1, size + 1))
    split = np.zeros((len(scores), size + 1, size + 1), np.int64)
    places = np.arange(size)
    total[:, places, places + 1] = own[:, places, places]
    for width in range(2, size + 1):
        starts = np.arange(size - width + 1)
        middles = starts[:, None] + np.arange(1, width)
        sums = total[:, starts[:, None], middles] + total[:, middles, starts[:, None] + width]
        best = sums.argmax(-1)
        split[:, starts, starts + width] = best + starts + 1
        highest = np.take_along_axis(sums, best[..., None], -1)[..., 0]
        total[:, starts, starts + width] = highest + own[:, starts, starts + width - 1]
    for number in range(len(scores)):
        yield _spans(split[number], labels[number])


def _spans(split: NDArray[np.int64], labels: NDArray[np.int64]) -> Chart:
    """The labelled spans of one sentence, from the whole downwards, left before right."""
    found: list[tuple[int, int, int]] = []
    waiting = [(0, len(labels))]
    while waiting:
        start, end = waiting.pop()
        if label := int(labels[start, end - 1]):
            found.append((start, end, label))
        if end - start > 1:
            middle = int(split[start, end])
            waiting += [(middle, end), (start, middle)]
    rows = np.array(found, np.int64).reshape(-1, 3)
    return Chart(rows[:, 0], rows[:, 1], rows[:, 2])
