"""Constituents derived from a dependency parse by rules, where there is no constituency parser.

A word with all its dependents is a phrase; the rules of the language give its label and its children. A
word whose head would make arcs cross is first attached to its head's head, until every phrase is
contiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.types import ROOT, Constituent, ParsedWord


@dataclass(slots=True)
class Phrase:
    """A phrase being built: its parts are words (places in the sentence) and phrases, in order.

    An empty label makes it transparent: its parts stand where it stands.
    """

    label: str
    parts: list[Part]


Part = Phrase | int


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a sentence with projective heads (its own at the root) and, by word, its dependents."""

    words: Sequence[ParsedWord]
    heads: Sequence[int]
    left: Sequence[Sequence[int]]
    right: Sequence[Sequence[int]]
    built: dict[int, Part] = field(default_factory=dict)

    def relation(self, word: int) -> str:
        """The relation without its subtype, in small letters."""
        return self.words[word].relation.partition(":")[0].lower()

    def tag(self, word: int) -> str:
        """The fine tag."""
        return self.words[word].tag

    def kids(self, word: int) -> list[int]:
        """All dependents in order."""
        return [*self.left[word], *self.right[word]]

    def has(self, word: int, *relations: str) -> bool:
        """Whether a dependent has one of these relations."""
        return any(self.relation(kid) in relations for kid in self.kids(word))


Rules = Callable[[Sentence, int], Part]


def derive(words: Sequence[ParsedWord], lang: str) -> list[Constituent]:
    """The constituents of one sentence, whose heads are places in `words`; English rules but for Japanese."""
    from core.backends.parser.rules_en import english_phrase
    from core.backends.parser.rules_ja import japanese_phrase

    rules: Rules = japanese_phrase if lang == "ja" else english_phrase
    sentence, order = _sentence(words)
    for word in order:
        sentence.built[word] = rules(sentence, word)
    tops = [sentence.built[word] for word in range(len(words)) if sentence.heads[word] == word]
    return _flat(tops)


def _sentence(words: Sequence[ParsedWord]) -> tuple[Sentence, list[int]]:
    """The sentence, and its words in an order in which dependents come before their heads."""
    heads = projective([word.head for word in words])
    left: list[list[int]] = [[] for _ in words]
    right: list[list[int]] = [[] for _ in words]
    for word, head in enumerate(heads):
        if head != word:
            (left if word < head else right)[head].append(word)
    order = [word for word, head in enumerate(heads) if head == word]
    for word in order:
        order += [*left[word], *right[word]]
    return Sentence(words, heads, left, right), order[::-1]


def projective(heads: Sequence[int]) -> list[int]:
    """Heads in which no arc crosses another or covers a root, by lifting; one root a word that heads itself.

    With arcs taken from short to long, a word that something between it and its head reaches out of the
    arc is lifted; each lift shortens the way to the root, so it ends.
    """
    heads = list(heads)
    waiting = sorted((word for word in range(len(heads))), key=lambda word: abs(word - heads[word]))
    while waiting:
        word = waiting.pop(0)
        if heads[word] != word and not _reaches(word, heads):
            upper = heads[heads[word]]
            heads[word] = upper if upper != heads[word] else heads[word]
            waiting.append(word)
    return heads


def _reaches(word: int, heads: Sequence[int]) -> bool:
    """Whether no word between this one and its head is a root or has its head elsewhere."""
    head = heads[word]
    if heads[head] == head:  # a root has all of its sentence below it
        return True
    low, high = sorted((word, head))
    return all(low <= heads[at] <= high and heads[at] != at for at in range(low + 1, high))


def _flat(tops: Sequence[Part]) -> list[Constituent]:
    """Phrases as constituents, parents first."""
    out: list[Constituent] = []
    todo: list[tuple[Part, int]] = [(top, ROOT) for top in reversed(tops)]
    spans: dict[int, tuple[int, int]] = {}
    for top in tops:
        _measure(top, spans)
    while todo:
        part, parent = todo.pop()
        if isinstance(part, int):
            continue
        here = parent
        if part.label:
            here = len(out)
            out.append(Constituent(part.label, *spans[id(part)], parent))
        todo += [(child, here) for child in reversed(part.parts)]
    return out


def _measure(top: Part, spans: dict[int, tuple[int, int]]) -> None:
    """The span of every phrase by its identity, without recursion."""
    order, todo = [], [top]
    while todo:
        part = todo.pop()
        if isinstance(part, Phrase):
            order.append(part)
            todo += part.parts
    for phrase in reversed(order):
        ends = [(p, p + 1) if isinstance(p, int) else spans[id(p)] for p in phrase.parts]
        spans[id(phrase)] = min(start for start, _ in ends), max(end for _, end in ends)
