"""A parsed text: words that depend on words, and constituents over them. Small frozen values for a trace."""

from __future__ import annotations

from dataclasses import dataclass

ROOT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedWord:
    """A word of a text; `start` and `end` are half-open code-point offsets into the stored text.

    tag: the fine part of speech (Penn Treebank for English), pos: the universal one. head: the place among
    the words of the one it depends on, its own at the root of a sentence. relation: the dependency's label.
    """

    text: str
    start: int
    end: int
    lemma: str
    tag: str
    pos: str
    head: int
    relation: str


@dataclass(frozen=True, slots=True)
class Constituent:
    """A phrase over the words `start` to `end` (half-open places among the words).

    parent: place among the constituents, ROOT (-1) at the top of a sentence; parents come before children.
    Words by themselves are no constituents; a unary chain is several constituents over the same words.
    """

    label: str
    start: int
    end: int
    parent: int = ROOT


@dataclass(frozen=True, slots=True, kw_only=True)
class Parse:
    """One text as a parser saw it; blanks are no words.

    sentences: the place of each sentence's first word. constituents: empty when none were asked for.
    origin: who made the constituents (`built-in`, `benepar_en3`, `dependency`), empty without any.
    flags: `cut-parse` where a sentence was too long and was parsed in pieces. problem: why there is no parse
    (then there are no words), one sentence; None otherwise.
    """

    words: tuple[ParsedWord, ...]
    sentences: tuple[int, ...] = ()
    constituents: tuple[Constituent, ...] = ()
    origin: str = ""
    flags: tuple[str, ...] = ()
    problem: str | None = None
