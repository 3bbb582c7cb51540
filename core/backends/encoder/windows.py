"""Texts as token ids, and the overlapping windows in which long texts are encoded."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.types import Token

if TYPE_CHECKING:
    from tokenizers import Encoding

BARE_SPACE = "▁"


@dataclass(frozen=True, slots=True)
class Tokenized:
    """One text before the model: all tokens with their ids, and how many specials stand at either end."""

    tokens: tuple[Token, ...]
    ids: NDArray[np.int64]
    head: int
    tail: int
    lost: int = 0
    flags: tuple[str, ...] = ()

    def with_unknown(self, places: Collection[int]) -> Tokenized:
        """The same with tokens at these places marked as unknown, and the flag that says so."""
        tokens = tuple(
            replace(token, unknown=True) if place in places else token
            for place, token in enumerate(self.tokens)
        )
        return replace(self, tokens=tokens, flags=(*self.flags, "unknown-token"))


@dataclass(frozen=True, slots=True)
class Window:
    """What the model reads at once, where its vectors go, and which of them are kept."""

    ids: NDArray[np.int64]
    target: slice
    kept: slice


def tokenized(encoding: Encoding, text: str, *, shift: int) -> Tokenized:
    """From an encoding of `text` by the `tokenizers` library; `shift` code points stood before `text`."""
    special = encoding.special_tokens_mask
    tokens = tuple(
        Token(piece, 0, 0, True) if is_special else _placed(piece, start, end, text, shift)
        for piece, (start, end), is_special in zip(encoding.tokens, encoding.offsets, special, strict=True)
    )
    head = next((index for index, flag in enumerate(special) if not flag), len(special) - 1)
    tail = next((index for index, flag in enumerate(reversed(special)) if not flag), len(special) - head)
    return Tokenized(tokens, np.asarray(encoding.ids, np.int64), head, tail)


def _placed(piece: str, start: int, end: int, text: str, shift: int) -> Token:
    """A bare ▁ that the tokenizer put where no blank stands covers nothing."""
    if piece == BARE_SPACE and not text[start:end].isspace():
        end = start
    return Token(piece, start + shift, end + shift)


def truncated(one: Tokenized, max_tokens: int, *, text_end: int) -> Tokenized:
    """Keep what fits, with the closing specials; `lost` counts the code points up to `text_end` that went."""
    if len(one.ids) <= max_tokens:
        return one
    keep, size = max_tokens - one.tail, len(one.ids)
    tokens = one.tokens[:keep] + one.tokens[size - one.tail :]
    ids = np.concatenate([one.ids[:keep], one.ids[size - one.tail :]])
    return Tokenized(tokens, ids, one.head, one.tail, text_end - one.tokens[keep - 1].end, ("truncated",))


def window_plan(tokens: int, room: int) -> list[tuple[int, int, int]]:
    """Cover `tokens` by full windows of `room`, neighbours overlapping by at least a quarter.

    Returns (start of the window, first kept, end of kept) per window: each token is kept from the window
    in which it stands furthest from an edge.
    """
    count = 1 + -(-(tokens - room) // (room - room // 4)) if tokens > room else 1
    starts = [round(index * (tokens - room) / (count - 1)) for index in range(count)] if count > 1 else [0]
    cuts = [0, *((right + left + room) // 2 for left, right in pairwise(starts)), tokens]
    return list(zip(starts, cuts[:-1], cuts[1:], strict=True))


def windows(one: Tokenized, max_tokens: int) -> Iterator[Window]:
    """One window for a text that fits, else full overlapping ones with the special tokens round each."""
    size = len(one.ids)
    if size <= max_tokens:
        yield Window(one.ids, slice(0, size), slice(0, size))
        return
    head, tail = one.head, one.tail
    content = size - head - tail
    room = max_tokens - head - tail
    for start, first, last in window_plan(content, room):
        middle = one.ids[head + start : head + start + room]
        ids = np.concatenate([one.ids[:head], middle, one.ids[size - tail :]])
        begin = 0 if first == 0 else head + first  # the first window also gives the leading specials
        end = size if last == content else head + last  # and the last one the closing specials
        yield Window(ids, slice(begin, end), slice(begin - start, end - start))
