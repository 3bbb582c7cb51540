"""Contrast sets: a good and a bad translation of one reference, which differ in one phenomenon.

tau = (concordant - discordant) / (concordant + discordant), as in Suzuki et al. (section 3.4): a pair is
concordant where the good translation has the strictly better score, and discordant in every other case.
Equal scores and missing scores are discordant.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import FileError
from core.text.files import read_text, split_lines
from core.types import TextPair

COLUMNS = ("ref", "good", "bad", "phenomenon")
ALL = ""
"""The name of the row with every phenomenon."""
SUZUKI = "numbers, dates and names (Suzuki et al.)"
"""The name of the row with the phenomena of Suzuki et al. (table 5) alone."""
_SUZUKI_GROUPS = frozenset({"number", "time & date", "named entity & terminology", "date", "name"})
"""These phenomena as HW-TSC's set and the Japanese pairs of this program call them, in lower case."""

Outcome = Literal["right", "wrong", "equal", "missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastPair:
    """Two translations of a reference; the bad one fails at a phenomenon. line: of the file, from 1."""

    reference: str
    good: str
    bad: str
    phenomenon: str
    line: int
    source: str | None = None

    @property
    def group(self) -> str:
        """What stands before a bracket: `Number` of `Number(Swapped Number)`."""
        return self.phenomenon.partition("(")[0].strip()

    @property
    def in_suzuki(self) -> bool:
        """Whether Suzuki et al. count the phenomenon: numbers, dates, and names with terminology."""
        return self.group.casefold() in _SUZUKI_GROUPS

    def texts(self, lang: str) -> tuple[TextPair, TextPair]:
        """The good one and the bad one, to be scored."""
        return (
            TextPair(reference=self.reference, hypothesis=self.good, source=self.source, lang=lang),
            TextPair(reference=self.reference, hypothesis=self.bad, source=self.source, lang=lang),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastVerdict:
    """A metric's scores of both translations.

    fault: of a lost pair under `mteqa`, the step that lost it (`core.metrics.mteqa.faults`), else None.
    """

    pair: ContrastPair
    good: float | None
    bad: float | None
    higher_is_better: bool = True
    fault: str | None = None

    @property
    def outcome(self) -> Outcome:
        """`right` where the good translation has the better score."""
        if self.good is None or self.bad is None:
            return "missing"
        if self.good == self.bad:
            return "equal"
        return "right" if (self.good > self.bad) == self.higher_is_better else "wrong"

    @property
    def gap(self) -> float:
        """The absolute difference of both scores; 0 where one is missing."""
        return 0.0 if self.good is None or self.bad is None else abs(self.good - self.bad)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How a metric judged the pairs of a phenomenon: wins, losses, ties, and pairs without a score."""

    right: int = 0
    wrong: int = 0
    equal: int = 0
    missing: int = 0

    @property
    def tau(self) -> float | None:
        """In -1..1: wins minus all other pairs, over all pairs. None without pairs."""
        discordant = self.wrong + self.equal + self.missing
        pairs = self.right + discordant
        return (self.right - discordant) / pairs if pairs else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Phenomenon:
    """A row: its name (`ALL` for everything), how many pairs it has, and each metric's counts."""

    name: str
    n: int
    counts: Mapping[str, Counts]


def read_contrast_set(path: Path, left_out: list[FileError] | None = None) -> list[ContrastPair]:
    """A file with a header line and tabs: ref, good, bad, phenomenon, and src if there is one.

    A line with a cell too many or too few, an empty text or two equal translations makes no pair: its error,
    with the line, is raised, or appended to `left_out` where that is given. Raises FileError for a column
    that lacks and for a file without pairs.
    """
    lines = split_lines(read_text(path))
    rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    header = next(rows, [])
    lacking = [name for name in COLUMNS if name not in header]
    if lacking:
        raise FileError(
            path,
            "lacks the columns {lacking}; its first line must name them.",
            line=1,
            lacking=", ".join(lacking),
        )
    found: list[ContrastPair] = []
    for number, row in enumerate(rows, 2):
        if not any(row):
            continue
        try:
            found.append(_pair(path, number, header, row))
        except FileError as error:
            if left_out is None:
                raise
            left_out.append(error)
    if not found:
        raise FileError(path, "holds no pairs.")
    return found


def phenomena(verdicts: Mapping[str, Sequence[ContrastVerdict]]) -> list[Phenomenon]:
    """Rows for all pairs, for groups of several phenomena, and for each phenomenon, in order of appearance.

    verdicts: by metric, of the same pairs. Where only a part of the phenomena are those of Suzuki et al.,
    `SUZUKI` is the second row, so that its figures may stand beside the paper's.
    """
    first = next(iter(verdicts.values()), ())
    members: dict[str, dict[str, None]] = {}
    for one in first:
        members.setdefault(one.pair.group, {})[one.pair.phenomenon] = None
    names: dict[str, frozenset[str]] = {ALL: frozenset(one.pair.phenomenon for one in first)}
    in_paper = frozenset(one.pair.phenomenon for one in first if one.pair.in_suzuki)
    if in_paper and in_paper < names[ALL]:
        names[SUZUKI] = in_paper
    for group, parts in members.items():
        if len(parts) > 1:
            names[group] = frozenset(parts)
        names |= {part: frozenset([part]) for part in parts}
    return [
        Phenomenon(
            name=name,
            n=sum(one.pair.phenomenon in parts for one in first),
            counts={metric: _counts(found, parts) for metric, found in verdicts.items()},
        )
        for name, parts in names.items()
    ]


def failures(verdicts: Sequence[ContrastVerdict]) -> list[ContrastVerdict]:
    """The discordant pairs: losses with the largest gap first, then ties, then pairs without a score."""
    order = {"wrong": 0, "equal": 1, "missing": 2}
    lost = [one for one in verdicts if one.outcome in order]
    return sorted(lost, key=lambda one: (order[one.outcome], -one.gap))


def faults(verdicts: Sequence[ContrastVerdict]) -> dict[str, Counter[str]]:
    """How many lost pairs each step is at fault for, by group of phenomena and in all (`ALL` comes first)."""
    found: dict[str, Counter[str]] = {ALL: Counter()}
    for one in failures(verdicts):
        if one.fault is not None:
            found[ALL][one.fault] += 1
            found.setdefault(one.pair.group, Counter())[one.fault] += 1
    return found


def _counts(verdicts: Sequence[ContrastVerdict], phenomena_of: frozenset[str]) -> Counts:
    outcomes = [one.outcome for one in verdicts if one.pair.phenomenon in phenomena_of]
    return Counts(
        right=outcomes.count("right"),
        wrong=outcomes.count("wrong"),
        equal=outcomes.count("equal"),
        missing=outcomes.count("missing"),
    )


def _pair(path: Path, number: int, header: Sequence[str], row: Sequence[str]) -> ContrastPair:
    if len(row) != len(header):
        raise FileError(
            path,
            "has {n} cells where its header has {columns}.",
            line=number,
            n=len(row),
            columns=len(header),
        )
    cells = dict(zip(header, row, strict=True))
    empty = [name for name in COLUMNS if not cells[name].strip()]
    if empty:
        raise FileError(path, "has an empty {column}.", line=number, column=empty[0])
    if cells["good"] == cells["bad"]:
        raise FileError(path, "has the same text as good and as bad translation.", line=number)
    return ContrastPair(
        reference=cells["ref"],
        good=cells["good"],
        bad=cells["bad"],
        phenomenon=cells["phenomenon"],
        line=number,
        source=cells.get("src") or None,
    )
