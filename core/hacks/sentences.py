"""A sentence of a text left out: the last one, or any one. Quotation marks stay in pairs."""

from __future__ import annotations

import re
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.text.languages import sentence_starts

_ABBREVIATED = re.compile(
    r"(?:^|[\s(\"'“‘])(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Capt|Col|Gen|No|vs|etc|e\.g|i\.e|[A-Z]\.[A-Z])\s?\.\s*$"
)
_CONTINUES = re.compile(r"\s*(?:[a-z,;:]|と(?!はいえ|ころ|もあれ|にかく)|って|、|なんて|などと|[(|])")
_PAIRS = ("「」", "『』", "“”", "（）", "()", "‘’")
_SAYS = re.compile(r"[^\W_]")


FEW = (8, 4)
"""Letters of a sentence that says something, in other languages and in Japanese: `Yes.` is not left out."""


def pieces(text: str) -> list[tuple[int, int]]:
    """Half-open places of the sentences with the blanks after them, in order, without a gap.

    「行け。」と言った。 is one sentence, and so is “Go!” he said.
    """
    starts = sentence_starts(text)
    kept = [0]
    for start in starts[1:]:
        before = text[kept[-1] : start]
        if not (_ABBREVIATED.search(before) or _CONTINUES.match(text, start) or not _SAYS.search(before)):
            kept.append(start)
    if len(kept) > 1 and not _SAYS.search(text[kept[-1] :]):
        kept.pop()
    return list(zip(kept, [*kept[1:], len(text)], strict=True))


def drop_last_sentence(given: Given, rng: Random) -> Edited | Skipped:
    """The text without its last sentence."""
    found = pieces(given.text)
    return _without(given.text, found[-1]) if len(found) > 1 else Skipped("one-sentence")


def drop_sentence(given: Given, rng: Random) -> Edited | Skipped:
    """The text without one of its sentences."""
    found = pieces(given.text)
    if len(found) < 2:
        return Skipped("one-sentence")
    most = [
        place for place in found if len(_SAYS.findall(given.text[slice(*place)])) >= FEW[given.lang == "ja"]
    ]
    return _without(given.text, rng.choice(most or found))


def _without(text: str, place: tuple[int, int]) -> Edited:
    start, end = place
    kept = unpaired(text[start:end])
    opens = bool(kept) and kept[-1] in "「『“(（"
    shown = arrow(text[start:end], "")
    if opens or start == 0:  # no blank at the front, none behind an opening mark
        end += len(text[end:]) - len(text[end:].lstrip())
    elif end == len(text) and not kept:
        start = len(text[:start].rstrip())
    return rewritten(text, [Change(start, end, kept)], shown)


def unpaired(piece: str) -> str:
    """The quotation marks and brackets of a piece whose partner stands outside of it."""
    left: list[str] = []
    for char in piece:
        pair = next((pair for pair in _PAIRS if char in pair), None)
        if pair is None or (char in "’‘" and pair == "‘’"):
            continue
        if char == pair[1] and left and left[-1] == pair[0]:
            left.pop()
        else:
            left.append(char)
    straight = '"' if piece.count('"') % 2 else ""
    return "".join(left) + straight
