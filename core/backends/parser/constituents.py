"""Phrases of sentences by a benepar ChartParser: what is too long is cut, charts become constituents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from core.trees import ROOT, Constituent, ParsedWord

TOKENS_PER_BATCH = 500  # more is slower: the chart is padded to the longest sentence, squared
CHAIN = "::"
CLOSING = frozenset("。．.！!？?」』）)]】、，,;；:：…―—–")
PLAIN = {"`": "'", "«": '"', "»": '"', "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "‹": "'", "›": "'"}
PLAIN |= {"—": "--"}  # how the Penn Treebank writes them: benepar's own table


def quiet_decoder() -> None:
    """Keep torch_struct from warning, at every sentence, that it states no limits of its arguments."""
    from torch_struct import TreeCRF

    TreeCRF.arg_constraints = {}


class ChartTrees:
    """A ChartParser with its limits.

    costs: the sub-words of each word. plain: write quotation marks as the Penn Treebank does.
    """

    def __init__(
        self,
        parser: Any,
        *,
        costs: Callable[[Sequence[str]], list[int]],
        max_words: int,
        max_pieces: int,
        plain: bool = False,
    ) -> None:
        self._parser = parser
        self._costs = costs
        self._limits = max_words, max_pieces
        self._plain = plain
        labels = {index: label for label, index in parser.label_vocab.items()}
        self._labels = [labels[index].split(CHAIN) if labels[index] else [] for index in range(len(labels))]

    def trees(self, sentences: Sequence[Sequence[ParsedWord]]) -> list[tuple[list[Constituent], bool]]:
        """The constituents of each sentence, over its own words, and whether it was parsed in pieces."""
        parts = [self._cut(words) for words in sentences]
        examples = [
            self._example(words[start:end])
            for words, spans in zip(sentences, parts, strict=True)
            for start, end in spans
        ]
        if not examples:
            return [([], False) for _ in sentences]
        charts = iter(
            self._parser.parse(examples, return_compressed=True, subbatch_max_tokens=TOKENS_PER_BATCH)
        )
        out = []
        for spans in parts:
            found: list[Constituent] = []
            for start, _ in spans:
                found += self._constituents(next(charts), start, len(found))
            out.append((found, len(spans) > 1))
        return out

    def _example(self, words: Sequence[ParsedWord]) -> SimpleNamespace:
        texts = [word.text for word in words]
        ends = [word.end for word in words]
        spaces = [end < after.start for end, after in zip(ends, words[1:], strict=False)] + [False]
        if self._plain:
            texts = [PLAIN.get(text, text) for text in texts]
        return SimpleNamespace(words=texts, space_after=spaces, tree=None)

    def _cut(self, words: Sequence[ParsedWord]) -> list[tuple[int, int]]:
        """Spans within the limits, cut behind the last closing mark in a span's second half, or anywhere."""
        max_words, max_pieces = self._limits
        costs = self._costs([word.text for word in words]) if words else []
        spans: list[tuple[int, int]] = []
        start = 0
        while start < len(words):
            end, used = start, 0
            while (
                end < len(words)
                and end - start < max_words
                and (end == start or used + costs[end] <= max_pieces)
            ):
                used += costs[end]
                end += 1
            if end < len(words):
                marks = [at for at in range((start + end) // 2, end) if words[at].text[-1] in CLOSING]
                end = marks[-1] + 1 if marks else end
            spans.append((start, end))
            start = end
        return spans

    def _constituents(self, chart: Any, shift: int, before: int) -> list[Constituent]:
        """Benepar's pre-order spans as constituents; `before` of them stand in front of these."""
        out: list[Constituent] = []
        open_: list[tuple[int, int]] = []  # (end, place)
        rows: Iterable[tuple[int, int, int]] = zip(
            chart.starts.tolist(), chart.ends.tolist(), chart.labels.tolist(), strict=True
        )
        for start, end, label in rows:
            while open_ and open_[-1][0] <= start:
                open_.pop()
            for name in self._labels[label]:
                parent = open_[-1][1] if open_ else ROOT
                open_.append((end, before + len(out)))
                out.append(Constituent(name, start + shift, end + shift, parent))
        return out
