"""The head word of a constituent: Collins' rules for English, the last content word for Japanese.

English: the table of Collins (1999, appendix A), with his rules for NP and for coordination. Japanese is
head-final: the last word that is neither punctuation nor a particle or auxiliary (those are looked through,
so that the head of 彼女を見ていた。 is 見); where there is no other, the last one that is no punctuation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from core.assets import ASSETS
from core.trees import Parse, ParsedWord

TABLE = ASSETS / "heads" / "collins.en.tsv"
NP_LABELS = frozenset({"NP", "NX", "NML"})
NP_RULES = (
    ("right", ("NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR")),
    ("left", ("NP", "NML")),
    ("right", ("$", "ADJP", "PRN")),
    ("right", ("CD",)),
    ("right", ("JJ", "JJS", "RB", "QP")),
)
MARKS = frozenset({"PUNCT", "SYM", "SPACE"})
LOOKED_THROUGH = MARKS | {"ADP", "AUX", "PART", "SCONJ"}


@dataclass(frozen=True, slots=True)
class _Child:
    """A daughter of a constituent: a constituent or a word. `head` is the place of its head word."""

    label: str
    head: int
    mark: bool


def constituent_heads(parse: Parse, lang: str) -> tuple[int, ...]:
    """For each constituent the place of its head word among the words."""
    if lang == "en":
        return _by_rules(parse)
    return tuple(_last_content(parse.words, one.start, one.end) for one in parse.constituents)


def _last_content(words: tuple[ParsedWord, ...], start: int, end: int) -> int:
    for skipped in (LOOKED_THROUGH, MARKS):
        for place in range(end - 1, start - 1, -1):
            if words[place].pos not in skipped:
                return place
    return end - 1


def _by_rules(parse: Parse) -> tuple[int, ...]:
    heads = [0] * len(parse.constituents)
    inner: list[list[int]] = [[] for _ in parse.constituents]
    for place, one in enumerate(parse.constituents):
        if one.parent >= 0:
            inner[one.parent].append(place)
    for place in range(len(parse.constituents) - 1, -1, -1):  # children stand after their parents
        children = _children(parse, place, inner[place], heads)
        heads[place] = children[_head_child(parse.constituents[place].label, children)].head
    return tuple(heads)


def _children(parse: Parse, place: int, inner: list[int], heads: list[int]) -> list[_Child]:
    """The daughters from left to right; marks only where there is nothing else."""
    whole = parse.constituents[place]
    starts = {parse.constituents[one].start: one for one in inner}
    found: list[_Child] = []
    at = whole.start
    while at < whole.end:
        if at in starts:
            child = parse.constituents[starts[at]]
            found.append(_Child(child.label, heads[starts[at]], mark=False))
            at = child.end
        else:
            word = parse.words[at]
            found.append(_Child(word.tag, at, mark=word.pos in MARKS and word.tag != "$"))
            at += 1
    return [child for child in found if not child.mark] or found


def _head_child(label: str, children: list[_Child]) -> int:
    if label in NP_LABELS:
        head = _noun_phrase(children)
    else:
        side, labels = _table().get(label, ("left", ()))
        found = _first(children, side, labels, by_label=True)
        head = found if found is not None else 0 if side == "left" else len(children) - 1
    if head > 1 and children[head - 1].label == "CC":  # coordination: the conjunct before it
        return head - 2
    return head


def _noun_phrase(children: list[_Child]) -> int:
    if children[-1].label == "POS":
        return len(children) - 1
    for side, labels in NP_RULES:
        head = _first(children, side, labels, by_label=False)
        if head is not None:
            return head
    return len(children) - 1


def _first(children: list[_Child], side: str, labels: tuple[str, ...], *, by_label: bool) -> int | None:
    """The first child from that side: of the first label that occurs, or of any of the labels."""
    order = range(len(children)) if side == "left" else range(len(children) - 1, -1, -1)
    for wanted in [(label,) for label in labels] if by_label else [labels]:
        for place in order:
            if children[place].label in wanted:
                return place
    return None


@cache
def _table() -> dict[str, tuple[str, tuple[str, ...]]]:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line and line[0] != "#"]
    rows = [line.split("\t") for line in lines]
    return {label: (side, tuple(labels.split())) for label, side, labels in rows}
