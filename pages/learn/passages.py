"""Passages of Holmes stories in two Japanese translations, with the beads that the aligner found.

`tools/lesson_story.py` writes the file, so that the lesson opens without a model. The texts have their
credits in `assets/lessons/CREDITS.md`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.alignment.beads import Bead
from core.alignment.books import line_sentences
from core.alignment.units import rated_units
from core.assets import ASSETS
from core.types import TextPair

FILE = ASSETS / "lessons" / "story.json"
TRANSLATORS = ("okubo", "mikami")
BESIDE = ("bleu", "chrf", "bertscore", "mteqa", "sentence-cosine")
"""Metrics of one translation against the other."""

ACROSS = ("bertscore", "sentence-cosine")
"""Those that can compare a translation with the English, for one encoder reads both languages."""


@dataclass(frozen=True, slots=True)
class PassageRow:
    """What stands beside each other: sentences of the English and of each translation, by their numbers.

    sure: for each translation the least confidence of the beads in this row; None where it has no sentence.
    """

    english: tuple[int, ...]
    translated: tuple[tuple[int, ...], ...]
    sure: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPassage:
    """A passage: its English sentences, those of each translation, and the beads of each with the English."""

    name: str
    english: tuple[str, ...]
    translations: dict[str, tuple[str, ...]]
    beads: dict[str, tuple[Bead, ...]]

    def text(self, translator: str) -> str:
        """A whole translation of the passage."""
        return "".join(self.translations[translator])

    def beside(self, reference: str) -> TextPair:
        """The other translation against this one."""
        other = next(one for one in TRANSLATORS if one != reference)
        return TextPair(reference=self.text(reference), hypothesis=self.text(other), lang="ja")

    def across(self, translator: str) -> TextPair:
        """A translation against the English, which takes the reference's place."""
        return TextPair(reference=" ".join(self.english), hypothesis=self.text(translator), lang="ja")

    def rows(self) -> list[PassageRow]:
        """The passage cut where a bead ends in both alignments."""
        units = rated_units(
            line_sentences(self.english), [self.beads[one] for one in TRANSLATORS], kind="sentence"
        )
        return [
            PassageRow(
                unit.pivot,
                unit.others,
                tuple(
                    _least(self.beads[one], unit.pivot, found)
                    for one, found in zip(TRANSLATORS, unit.others, strict=True)
                ),
            )
            for unit in units
        ]


def _least(beads: tuple[Bead, ...], left: tuple[int, ...], right: tuple[int, ...]) -> float | None:
    met = [one.confidence for one in beads if {*one.left} & {*left} or {*one.right} & {*right}]
    return min(met) if right else None


@cache
def passages() -> tuple[StoryPassage, ...]:
    """All passages, in the order of the lesson."""
    return tuple(
        StoryPassage(
            name=one["name"],
            english=tuple(one["english"]),
            translations={who: tuple(one["translations"][who]) for who in TRANSLATORS},
            beads={
                who: tuple(
                    Bead(tuple(bead["left"]), tuple(bead["right"]), bead["confidence"], bead["edge"])
                    for bead in one["beads"][who]
                )
                for who in TRANSLATORS
            },
        )
        for one in json.loads(FILE.read_text("utf-8"))
    )


def write(found: list[StoryPassage], path: Path = FILE) -> None:
    """Write the file; confidences have four decimals."""
    listed: list[dict[str, Any]] = [asdict(one) for one in found]
    for one in listed:
        for beads in one["beads"].values():
            for bead in beads:
                bead |= {name: round(float(bead[name]), 4) for name in ("confidence", "edge")}
    path.write_text(json.dumps(listed, ensure_ascii=False, indent=1) + "\n", "utf-8")
