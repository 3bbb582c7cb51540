"""A text cut into parts: those of a text that is sent page by page, and the chunks of a close reading.

Of the chunks also which two versions stand left and right in each, by reader.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, groupby
from random import Random

from core.raters.assignment import CHARACTERS_A_WORD
from core.raters.protocols import CHUNKS
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.excerpt import counts_characters

USUAL_WORDS = 300
"""Words of a chunk where the organiser chose no length, as in the study LAIT (arXiv 2606.26040)."""

PART_WORDS = 250
"""Words of a part where the browser is sent the text page by page: about a page of a book."""

Sides = tuple[int, int]
"""The versions that stand left and right, by number."""


def usual_size(lang: str) -> int:
    """The usual length of a chunk: 300 words, or 600 characters where lengths are in characters."""
    return _length(USUAL_WORDS, lang)


def cut_parts(
    lengths: Sequence[float], documents: Sequence[object], lang: str
) -> tuple[tuple[int, int], ...]:
    """The parts of a text that is sent page by page, as `cut_chunks` cuts them by `PART_WORDS`."""
    return cut_chunks(lengths, documents, _length(PART_WORDS, lang))


def _length(words: int, lang: str) -> int:
    """Words, or the characters that so many words have, where lengths are in characters."""
    return round(words * CHARACTERS_A_WORD) if counts_characters(lang) else words


def size_of_chunks(choices: ReadingChoices, protocol: str, lang: str) -> int | None:
    """About how long the chunks of a study are, in words or characters; None without close reading."""
    if choices.chunks is None and protocol == CHUNKS:
        return usual_size(lang)
    return choices.chunks


def cut_chunks(
    lengths: Sequence[float], documents: Sequence[object], size: int
) -> tuple[tuple[int, int], ...]:
    """Half-open ranges of consecutive segments, each of about `size`; no segment and no document is shared.

    lengths: of each segment, the mean over the versions. documents: where each segment lies. A document is
    cut into as many chunks as its length has sizes, rounded and at least one, at the ends of segments that
    are nearest to equal parts. Segments without any text make no chunk of their own.
    """
    found: list[tuple[int, int]] = []
    at = 0
    for _, run in groupby(documents):
        end = at + sum(1 for _ in run)
        found += [(at + first, at + last) for first, last in _cut(lengths[at:end], size)]
        at = end
    return tuple((first, last) for first, last in found if math.fsum(lengths[first:last]) > 0)


def _cut(lengths: Sequence[float], size: int) -> list[tuple[int, int]]:
    ends = list(accumulate(lengths, initial=0.0))
    count = max(1, min(len(lengths), math.floor(ends[-1] / size + 0.5)))
    edges = [0]
    for part in range(1, count):
        target = ends[-1] * part / count
        last = len(lengths) - (count - part)  # a segment at least is left for each chunk that follows
        edges.append(min(range(edges[-1] + 1, last + 1), key=lambda edge: abs(ends[edge] - target)))
    return list(zip(edges, [*edges[1:], len(lengths)], strict=True))


def next_sides(
    given: Sequence[Mapping[int, Sides]], versions: Sequence[int], chunks: int, *, seed: int
) -> tuple[Sides, ...]:
    """What stands left and right in each chunk of the next reader, who reads these versions.

    given: of each reader that there is, the sides by chunk. Each two of the reader's versions meet in as many
    chunks as any other two. Of two versions each stands left in half of the reader's chunks; over readers,
    in each chunk as often as the other. What is equal is drawn by the seed and the number of readers.
    """
    draw = Random(f"{seed}:sides:{len(given)}").random  # nosec B311  # a draw that can be repeated
    met = Counter((chunk, tuple(sorted(sides))) for own in given for chunk, sides in own.items())
    left = Counter((chunk, sides) for own in given for chunk, sides in own.items())
    pairs = list(combinations(sorted(versions), 2))
    own: Counter[Sides] = Counter()
    chosen: dict[int, Sides] = {}
    for chunk in range(chunks):
        pair = min(pairs, key=lambda one: (own[one], met[chunk, one], draw()))
        own[pair] += 1
        chosen[chunk] = pair
    for first, second in pairs:
        here = [chunk for chunk in chosen if chosen[chunk] == (first, second)]
        ahead = {
            chunk: left[chunk, (first, second)] - left[chunk, (second, first)] for chunk in range(chunks)
        }
        total = sum(ahead.values())
        more = len(here) % 2 and (total < 0 or (total == 0 and draw() < 0.5))
        here.sort(key=lambda chunk: (ahead[chunk], draw()))
        for chunk in here[len(here) // 2 + bool(more) :]:
            chosen[chunk] = (second, first)
    return tuple(chosen[chunk] for chunk in range(chunks))
