"""Bracketed trees of a treebank: words with labelled spans, their unary chains, and their comparison."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from core.types import Constituent

PIECE = re.compile(r"\(|\)|[^\s()]+")
ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
SPLICED = frozenset({"TOP", "multi"})  # `multi`: several sentences inside one, no constituent of its own
FILES = {"en": "en_gum_listed", "ja": "ja_keyaki_ginza"}
CHAIN = "::"
RARE = 5

Bracket = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Tree:
    """words and tags of a sentence, and its labelled spans, parents first, without pre-terminals."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    brackets: tuple[Bracket, ...]

    @property
    def chains(self) -> list[Bracket]:
        """One bracket per span: the labels of a unary chain joined, the highest first."""
        groups = groupby(self.brackets, key=lambda bracket: bracket[:2])
        return [(start, end, CHAIN.join(one[2] for one in same)) for (start, end), same in groups]


def read_tree(line: str) -> Tree:
    """A tree of one line."""
    words: list[str] = []
    tags: list[str] = []
    brackets: list[list[int | str]] = []
    opened: list[int] = []
    pieces = PIECE.findall(line)
    at = 0
    while at < len(pieces):
        if pieces[at] == ")":
            brackets[opened.pop()][1] = len(words)
            at += 1
        elif pieces[at + 2] == "(":
            opened.append(len(brackets))
            brackets.append([len(words), -1, pieces[at + 1]])
            at += 2
        else:
            tags.append(pieces[at + 1])
            words.append(ESCAPED.get(pieces[at + 2], pieces[at + 2]))
            at += 4
    kept = tuple((int(s), int(e), str(label)) for s, e, label in brackets if label not in SPLICED)
    return Tree(tuple(words), tuple(tags), kept)


def read_trees(folder: Path, lang: str, part: str) -> list[Tree]:
    """The trees of a part (`train`, `dev`) of a language's treebank in `folder`."""
    with gzip.open(folder / f"{FILES[lang]}.{part}.txt.gz", "rt", encoding="utf-8") as file:
        return [read_tree(line) for line in file if line.strip()]


def label_chains(trees: Iterable[Tree]) -> tuple[str, ...]:
    """The chains for a head: those with at least RARE occurrences, sorted."""
    seen = Counter(label for tree in trees for _, _, label in tree.chains)
    return tuple(sorted(label for label, count in seen.items() if count >= RARE))


def known_chain(chain: str, labels: Sequence[str]) -> str:
    """The chain, or its longest part in `labels`; empty without one."""
    parts = chain.split(CHAIN)
    for length in range(len(parts), 0, -1):
        for start in range(len(parts) - length + 1):
            part = CHAIN.join(parts[start : start + length])
            if part in labels:
                return part
    return ""


def coarse(label: str) -> str:
    """`IP` for `IP-REL`: the label without the kind of clause."""
    return label.partition("-")[0] if label.startswith(("IP-", "CP-")) else label


class Agreement:
    """Labelled brackets as evalb counts them, over multisets; with punctuation, without TOP."""

    def __init__(self) -> None:
        self.fine, self.coarse = [0, 0, 0], [0, 0, 0]

    def add(self, gold: Iterable[Bracket], found: Iterable[Bracket]) -> None:
        """Count one sentence."""
        gold, found = list(gold), list(found)
        for counts, form in ((self.fine, str), (self.coarse, coarse)):
            ours, theirs = (Counter((s, e, form(label)) for s, e, label in side) for side in (found, gold))
            for place, value in enumerate(((ours & theirs).total(), ours.total(), theirs.total())):
                counts[place] += value

    @property
    def f1(self) -> float:
        """In percent."""
        return _f1(self.fine)

    @property
    def coarse_f1(self) -> float:
        """In percent, with IP for IP-REL and the like."""
        return _f1(self.coarse)


def _f1(counts: Sequence[int]) -> float:
    common, ours, theirs = counts
    return round(200 * common / max(1, ours + theirs), 2)


def brackets(constituents: Iterable[Constituent]) -> list[Bracket]:
    """The constituents of a parse as brackets."""
    return [(one.start, one.end, one.label) for one in constituents]
