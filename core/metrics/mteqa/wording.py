"""What the rules of both languages look at when they word a question."""

from __future__ import annotations

from dataclasses import dataclass

from core.metrics.mteqa.answer_spans import Span
from core.trees import Parse, ParsedWord

GAP = "____"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """An answer in its sentence. places: half-open, of the sentence among the parse's words.

    before, after: the sentence's text on both sides of the answer.
    """

    parse: Parse
    places: tuple[int, int]
    span: Span
    answer: str
    before: str
    after: str

    @property
    def sentence(self) -> tuple[ParsedWord, ...]:
        """The words of the sentence."""
        return self.parse.words[slice(*self.places)]

    @property
    def head(self) -> ParsedWord:
        """The answer's head word."""
        return self.parse.words[self.span.head]

    @property
    def previous(self) -> ParsedWord | None:
        """The word before the answer in its sentence."""
        at = self.span.words[0] - 1
        return self.parse.words[at] if at >= self.places[0] else None

    def following(self, count: int = 0) -> ParsedWord | None:
        """The word after the answer in its sentence, or the one `count` words further on."""
        at = self.span.words[1] + count
        return self.parse.words[at] if at < self.places[1] else None

    def depending(self, relations: frozenset[str], *, on: int) -> list[int]:
        """The places of the sentence's words with one of these relations to the word at a place."""
        return [
            at
            for at in range(*self.places)
            if at != on and self.parse.words[at].head == on and self.parse.words[at].relation in relations
        ]
