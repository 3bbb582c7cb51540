"""Blocks to chapters: which headings begin one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.text.books.book import SHOWN, Block, Chapter

FEWEST_CHARACTERS = 200
"""A heading with less text than this before the next one of its level is part of a larger one."""


def into_chapters(blocks: Sequence[Block], *, by_part: bool = False) -> tuple[Chapter, ...]:
    """The chapters, which together hold all blocks in their order.

    A chapter begins at each heading of the highest level that divides the text: that occurs twice with text
    behind it, or else the one that is there. Without headings the parts are chapters (`by_part`), or the
    whole is one. What stands before the first heading is a chapter if it has text, else part of the first.
    """
    level = _dividing_level(blocks)
    groups: list[list[Block]] = [[]]
    for number, block in enumerate(blocks):
        if level:
            begins = block.kind == "heading" and block.level <= level and not _continues(groups[-1], block)
        else:
            begins = by_part and number > 0 and block.part != blocks[number - 1].part
        if begins and groups[-1]:
            groups.append([])
        groups[-1].append(block)
    return tuple(_chapter(group) for group in _merged(groups))


def _dividing_level(blocks: Sequence[Block]) -> int:
    """The highest level of which two headings have text behind them; 0 without headings that have text."""
    with_text: Counter[int] = Counter()
    for number, block in enumerate(blocks):
        if block.kind == "heading" and _has_text(blocks, number):
            with_text[block.level] += 1
    levels = sorted(with_text)
    return next((level for level in levels if with_text[level] > 1), max(levels, default=0))


def _has_text(blocks: Sequence[Block], number: int) -> bool:
    for block in blocks[number + 1 :]:
        if block.kind == "heading":
            return False
        if block.kind in SHOWN:
            return True
    return False


def _continues(group: Sequence[Block], block: Block) -> bool:
    """Whether a heading follows another one directly: `Chapter 1`, then its title."""
    headings = [one for one in group if one.kind == "heading"]
    return bool(headings) and not any(one.kind in SHOWN for one in group)


def _merged(groups: Sequence[list[Block]]) -> list[list[Block]]:
    """Groups without text go to the next one, at the end to the last."""
    found: list[list[Block]] = []
    waiting: list[Block] = []
    for group in groups:
        if any(block.kind in SHOWN for block in group):
            found.append(waiting + group)
            waiting = []
        else:
            waiting += group
    if waiting and found:
        found[-1] += waiting
    return found


def _chapter(group: Sequence[Block]) -> Chapter:
    first_text = next(number for number, block in enumerate(group) if block.kind in SHOWN)
    headings = [block.text for block in group[:first_text] if block.kind == "heading" and block.text]
    title = " ".join(dict.fromkeys(headings[-2:]))
    return Chapter(title=" ".join(title.split()), blocks=tuple(group))
