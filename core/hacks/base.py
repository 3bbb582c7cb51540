"""What an edit receives and returns, and the one way to rewrite a text.

Parses are handed on sentence by sentence. The classes of words that edits use are in
`assets/edit_words.LANG.txt`. Words are counted as BLEU counts them: by MeCab for Japanese, else by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import cast

from core.assets import ASSETS
from core.backends import Word
from core.errors import UnavailableError
from core.text.languages import well_formed
from core.types import Parse

REASONS = (
    "empty",
    "too-long",
    "no-parse",
    "no-words",
    "no-source",
    "no-other",
    "no-reference",
    "no-predicate",
    "no-arguments",
    "no-name",
    "no-number",
    "no-full-stop",
    "one-sentence",
    "one-word",
    "language",
    "unchanged",
)
LONGEST_NOTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class EditInput:
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


Apply = Callable[[EditInput, Random], Edited | Skipped]


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
class Replacement:
    """`new` instead of the text between two places, half-open code points of the old text."""

    start: int
    end: int
    new: str


def rewritten(text: str, changes: Sequence[Replacement], note: str = "") -> Edited:
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


LONGEST = 300
"""Words of a sentence at most: what is longer is a list or no prose."""


def each_sentence(parse: Parse) -> Iterator[Parse]:
    """Each sentence as a parse of its own: places among the words begin at 0, offsets into the text stay.

    Sentences of more than LONGEST words are left out.
    """
    for first, end in pairwise([*parse.sentences, len(parse.words)]):
        if end - first > LONGEST:
            continue
        words = tuple(replace(word, head=word.head - first) for word in parse.words[first:end])
        yield Parse(words=words, sentences=(0,))


def words(lang: str, name: str) -> tuple[str, ...]:
    """The words of a class in their order; KeyError for a class that the file does not have."""
    return _read(lang)[name]


@cache
def _read(lang: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in (ASSETS / f"edit_words.{lang}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(": ", 1)
            found[name] = (*found.get(name, ()), *rest.split())
    return found


_WORD = re.compile(r"\S+")


def word_places(text: str, lang: str) -> list[tuple[int, int]]:
    """Half-open code points of each word, in order. Raises UnavailableError where MeCab is not installed."""
    if lang != "ja":
        return [found.span() for found in _WORD.finditer(text)]
    plain = well_formed(text).replace("\0", " ")
    places, at = [], 0
    for line in re.split("[\r\n]", plain):
        for token in _mecab()(line).split():
            start = plain.find(token, at)
            if start >= 0:
                at = start + len(token)
                places.append((start, at))
    return places


def glue(lang: str) -> str:
    """What stands between two words of a language."""
    return "" if lang in ("ja", "zh", "th") else " "


@cache
def _mecab() -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    try:
        return cast("Callable[[str], str]", BLEU(tokenize="ja-mecab", effective_order=True).tokenizer)
    except (ImportError, RuntimeError) as error:
        raise UnavailableError("MeCab is not installed; pip install 'sacrebleu[ja]'.") from error
