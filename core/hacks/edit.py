"""What an edit of a translation takes and gives: small frozen values, and the one way to rewrite a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from core.backends import Word
from core.trees import Parse

REASONS = (
    "empty", "too-long", "no-parse", "no-words", "no-source", "no-other", "no-reference", "no-predicate",
    "no-arguments", "no-name", "no-number", "no-full-stop", "one-sentence", "one-word", "language",
    "unchanged",
)  # fmt: skip
LONGEST_NOTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What an edit may look at.

    text: the translation. lang: `ja` or `en`; the edits that read grammar know no other. source, reference,
    other (another translation, or another text): None where there is none. parse, words: of `text`, with
    entities in the words; only the edits that name them in `needs` look at them.
    """

    text: str
    lang: str
    source: str | None = None
    reference: str | None = None
    other: str | None = None
    parse: Parse | None = None
    words: Sequence[Word] | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """A text after an edit. note: what was done, the same in every language (`見た → 見なかった`).

    start, end: the changed place in the new text, half-open code points; start = end where a piece was cut.
    """

    text: str
    note: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Why an edit cannot be made on a text: one of REASONS."""

    reason: str


Apply = Callable[[Given, Random], Edited | Skipped]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One way to change a translation.

    breaks_meaning: whether a reader who knows the source sees a wrong statement; None where that depends on
    the text. aims_at: the metrics that it tries to fool, or to catch asleep. needs: what `Given` must hold
    besides the text: `parser`, `reader`, `source`, `other`, `reference`.
    """

    name: str
    breaks_meaning: bool | None
    aims_at: tuple[str, ...]
    needs: tuple[str, ...]
    summary_en: str
    summary_ja: str
    apply: Apply


@dataclass(frozen=True, slots=True)
class Change:
    """`new` instead of the text between two places, half-open code points of the old text."""

    start: int
    end: int
    new: str


def rewritten(text: str, changes: Sequence[Change], note: str = "") -> Edited:
    """The text after these changes, which do not overlap; without a note `old → new` of the first."""
    ordered = sorted(changes, key=lambda change: (change.start, change.end))
    pieces: list[str] = []
    at = length = 0
    edges: list[int] = []
    for change in ordered:
        pieces += [text[at : change.start], change.new]
        length += change.start - at
        edges += [length, length + len(change.new)]
        length += len(change.new)
        at = change.end
    whole = "".join([*pieces, text[at:]])
    first = ordered[0]
    shown = note or arrow(text[first.start : first.end], first.new)
    return Edited(whole, shown, min(edges), max(edges))


def arrow(old: str, new: str) -> str:
    """`old → new`, each cut to what a note may hold; `∅` for nothing."""
    return f"{short(old)} → {short(new)}"


def short(text: str) -> str:
    """A piece of a text for a note, on one line."""
    line = " ".join(text.split())
    return (line if len(line) <= LONGEST_NOTE else f"{line[: LONGEST_NOTE - 1]}…") or "∅"
