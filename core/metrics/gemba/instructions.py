"""Instructions to a judge inside a translation: sentences addressed to the judge, not to the reader.

They are found by the rules of `assets/instructions.tsv`, in English and Japanese. A rule that the source sets
off too finds nothing in the translation: there the sentence is part of the story.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.assets import ASSETS
from core.text.segmentation import sentences

TABLE = ASSETS / "instructions.tsv"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A sentence that reads as an instruction.

    start, end: half-open code-point offsets into the text. rule: `praise`, `no-errors`, `override`, `score`
    or `address`.
    """

    start: int
    end: int
    rule: str


def suspicions(text: str, source: str = "") -> tuple[Suspicion, ...]:
    """Sentences of a translation that speak to a judge, in order, each by the first rule it sets off."""
    told = {name for name, pattern in _rules().items() if pattern.search(_plain(source))}
    rules = {name: pattern for name, pattern in _rules().items() if name not in told}
    found = []
    for start, end in sentences(text):
        sentence = _plain(text[start:end])
        rule = next((name for name, pattern in rules.items() if pattern.search(sentence)), None)
        if rule is not None:
            found.append(Suspicion(start, end, rule))
    return tuple(found)


def without(text: str, found: Sequence[Suspicion]) -> str:
    """The text without these sentences, blanks at its ends cut."""
    kept, at = [], 0
    for one in found:
        kept.append(text[at : one.start])
        at = one.end
    return "".join([*kept, text[at:]]).strip()


def kept_places(text: str, found: Sequence[Suspicion]) -> list[int]:
    """The places in the text of the characters that `without` keeps, in order."""
    gone = {at for one in found for at in range(one.start, one.end)}
    places = [at for at in range(len(text)) if at not in gone]
    shown = "".join(text[at] for at in places)
    front = len(shown) - len(shown.lstrip())
    return places[front : front + len(shown.strip())]


@cache
def _rules() -> dict[str, re.Pattern[str]]:
    lines = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    names = dict.fromkeys(name for name, _ in lines)
    return {
        name: re.compile("|".join(rule for of, rule in lines if of == name), re.IGNORECASE | re.MULTILINE)
        for name in names
    }


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
