"""Whether a metric finds errors where people mark them: its evidence on each character against marked spans.

A character is wrong where a person marked it. A metric's evidence ranks the characters (`evidence` of
`core.metrics`), and the ranking is measured by average precision, Σ (Rₙ - Rₙ₋₁) Pₙ over the distinct values
from the highest down, as scikit-learn defines it, and by the area under the ROC curve, with ties by half.
Both are means over translations that are marked in part, and pooled over the characters of all translations.
The share of marked characters is the pooled average precision that random numbers reach in the long run.

Blanks do not count, nor omissions and errors in the source, which have no place in the translation.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.protocols import NEUTRAL, TARGET, MarkedSpan, weight
from core.stats.bootstrap import MIN_UNITS, percentiles, ratio, resamples
from core.stats.estimate import Estimate, absent

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RANDOM, LENGTH, RATER = "random", "length", "rater"
"""The names of the baselines, and of what a second rater's marks reach."""

FIGURES = ("precision", "auc", "pooled_precision", "pooled_auc")
"""The figures of a row, in their order."""

LEAST = 10
"""Translations that are marked in part; with fewer there is no figure."""

BINS = 2000
"""In a resample the pooled characters are ranked by so many classes of about the same size at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedText:
    """A translation and what one rater marked in it; no spans for a translation without errors.

    item: which translation it is; ratings of one translation by several raters have the same. errors: the
    campaign's own severities, if it has some.
    """

    text: str
    document: str
    item: Hashable
    rater: str
    spans: Sequence[MarkedSpan]
    errors: OwnErrors = NO_OWN_ERRORS

    def marks(self) -> Floats:
        """(characters,) the weight of the gravest error that is marked there: Google's, or the campaign's."""
        found = np.zeros(len(self.text))
        for span in self.spans:
            if span.side == TARGET and not span.missing and span.severity != NEUTRAL:
                part = found[span.start : span.end]
                np.maximum(part, weight(span, self.errors), out=part)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingRow:
    """How well one ranking of characters points, each figure with its 95 % interval over documents.

    precision, auc: means over the n translations that are marked in part. pooled_precision, pooled_auc: over
    the characters of all n translations.
    """

    name: str
    precision: Estimate
    auc: Estimate
    pooled_precision: Estimate
    pooled_auc: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingTable:
    """The rows of a set of marked translations, each rated by one rater.

    texts: how many ratings; marked: those with a mark in part of the text. share: of the characters that are
    marked.
    """

    texts: int
    marked: int
    documents: int
    characters: int
    share: float
    rows: tuple[PointingRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointing:
    """everything: all translations that every metric has scored, with the baselines.

    twice: those that two raters have marked, with a row for what the marks of the other rater reach; None
    with fewer than LEAST of them that are marked in part.
    """

    everything: PointingTable
    twice: PointingTable | None


def average_precision(positive: Floats, negative: Floats) -> Floats:
    """Σ (Rₙ - Rₙ₋₁) Pₙ over the k distinct values of a ranking.

    positive, negative: (…, k) marked and unmarked characters of each value, the highest first. Gives (…,),
    NaN without characters of both kinds.
    """
    hits = np.cumsum(positive, axis=-1)
    shown = hits + np.cumsum(negative, axis=-1)
    total, unmarked = hits[..., -1], negative.sum(axis=-1)
    sums = np.sum(positive * ratio(hits, shown, shown > 0).clip(0), axis=-1, where=shown > 0)
    return ratio(sums, total, (total > 0) & (unmarked > 0))


def area_under_roc(positive: Floats, negative: Floats) -> Floats:
    """As `average_precision`: the share of pairs of a marked and an unmarked character in the right order."""
    total, unmarked = positive.sum(axis=-1), negative.sum(axis=-1)
    below = unmarked[..., None] - np.cumsum(negative, axis=-1)
    right = (positive * (below + negative / 2)).sum(axis=-1)
    return ratio(right, total * unmarked, (total > 0) & (unmarked > 0))


def pointing(
    marked: Sequence[MarkedText], evidence: Mapping[str, Sequence[Floats | None]], *, seed: int = 0
) -> Pointing:
    """Every metric beside the baselines and, on translations with two raters, beside the second rater.

    evidence: by metric, for each of `marked`, (characters,) or None; only what all metrics have counts.
    """
    texts = [bool(one.text.strip()) for one in marked]
    for values in evidence.values():
        texts = [known and one is not None for known, one in zip(texts, values, strict=True)]
    rows = [row for row, known in enumerate(texts) if known]
    cases = [_Case.of(marked[row]) for row in rows]
    rng = np.random.default_rng(seed)
    ranked = {name: [_kept(marked[row], values[row]) for row in rows] for name, values in evidence.items()}
    ranked[LENGTH] = [_kept(marked[row], run_lengths(marked[row].text)) for row in rows]
    ranked[RANDOM] = [rng.random(len(case.wrong)) for case in cases]
    others = _second_raters([marked[row] for row in rows])
    both = [place for place, other in enumerate(others) if other is not None]
    twice = None
    if sum(cases[place].partly for place in both) >= LEAST:
        second = [
            _kept(marked[rows[place]], marked[rows[other]].marks())
            for place, other in enumerate(others)
            if other is not None
        ]
        again = {RATER: second} | {name: [own[place] for place in both] for name, own in ranked.items()}
        twice = _table([cases[place] for place in both], again, seed)
    return Pointing(everything=_table(cases, ranked, seed), twice=twice)


def pointing_of_text(one: MarkedText, values: Floats) -> tuple[float | None, float | None, float | None]:
    """Average precision, area under the ROC curve and share of marked characters of one translation.

    values: (characters,). The first two are None where no character or every one is marked, the last one
    where there is none.
    """
    case = _Case.of(one)
    share = float(case.wrong.mean()) if len(case.wrong) else None
    if not case.partly:
        return None, None, share
    return (*_figures(case.wrong, _kept(one, values)), share)


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """Which characters, without blanks, one rater marked."""

    document: str
    wrong: NDArray[np.bool_]

    @classmethod
    def of(cls, one: MarkedText) -> _Case:
        return cls(one.document, _kept(one, one.marks()) > 0)

    @property
    def partly(self) -> bool:
        return bool(self.wrong.any() and not self.wrong.all())


def _kept(one: MarkedText, values: Floats | None) -> Floats:
    """The values of the characters that are no blanks."""
    if values is None or len(values) != len(one.text):
        raise ValueError(f"{0 if values is None else len(values)} values for {len(one.text)} characters")
    return values[[not char.isspace() for char in one.text]]


def _second_raters(marked: Sequence[MarkedText]) -> list[int | None]:
    """For each rating the next one of the same translation, the first one after the last; None without."""
    places: dict[Hashable, list[int]] = {}
    for place, one in enumerate(marked):
        places.setdefault(one.item, []).append(place)
    found: list[int | None] = [None] * len(marked)
    for own in places.values():
        for at, place in enumerate(own) if len(own) > 1 else ():
            found[place] = own[(at + 1) % len(own)]
    return found


def _table(cases: Sequence[_Case], ranked: Mapping[str, Sequence[Floats]], seed: int) -> PointingTable:
    documents, unit = np.unique([case.document for case in cases], return_inverse=True)
    sizes = [len(case.wrong) for case in cases]
    wrong = np.concatenate([case.wrong for case in cases]) if cases else np.zeros(0, bool)
    weights = list(resamples(len(documents), seed=seed)) if len(documents) >= MIN_UNITS else []
    marked = sum(case.partly for case in cases)
    rows = []
    for name, values in ranked.items():
        figures = [absent("few-items", marked)] * 4
        if marked >= LEAST:
            means = _in_texts(cases, values, unit, len(documents), weights)
            pooled = _pooled(wrong, np.concatenate(values), np.repeat(unit, sizes), len(documents), weights)
            figures = [
                *(_estimate(one, marked) for one in means),
                *(_estimate(one, len(cases)) for one in pooled),
            ]
        rows.append(PointingRow(name=name, **dict(zip(FIGURES, figures, strict=True))))
    return PointingTable(
        texts=len(cases),
        marked=marked,
        documents=len(documents),
        characters=len(wrong),
        share=float(wrong.mean()) if len(wrong) else 0.0,
        rows=tuple(rows),
    )


def _in_texts(
    cases: Sequence[_Case],
    values: Sequence[Floats],
    unit: Ints,
    units: int,
    weights: Sequence[NDArray[np.uint8]],
) -> Iterator[Floats]:
    """(1 + resamples,) of each figure: the mean over the texts, then over those of each resample."""
    partly = [place for place, case in enumerate(cases) if case.partly]
    figures = np.array([_figures(cases[place].wrong, values[place]) for place in partly])
    own = unit[partly]
    count = np.bincount(own, minlength=units).astype(np.float64)
    for column in figures.T:
        sums = np.bincount(own, column, units)
        known = [batch.astype(np.float64) for batch in weights]
        drawn = [ratio(batch @ sums, batch @ count, batch @ count > 0) for batch in known]
        yield np.concatenate([[column.mean()], *drawn])


def _figures(wrong: NDArray[np.bool_], values: Floats) -> tuple[float, float]:
    _, inverse = np.unique(-values, return_inverse=True)
    counts = _counts(wrong, inverse)
    return float(average_precision(*counts)), float(area_under_roc(*counts))


def _counts(wrong: NDArray[np.bool_], classes: Ints) -> tuple[Floats, Floats]:
    """Marked and unmarked characters of each class."""
    size = int(classes.max()) + 1
    every = np.bincount(classes, minlength=size).astype(np.float64)
    marked = np.bincount(classes, wrong, size).astype(np.float64)
    return marked, every - marked


def _pooled(
    wrong: NDArray[np.bool_], values: Floats, unit: Ints, units: int, weights: Sequence[NDArray[np.uint8]]
) -> Iterator[Floats]:
    """As `_in_texts`, over all characters together."""
    distinct, inverse, sizes = np.unique(-values, return_inverse=True, return_counts=True)
    exact = _counts(wrong, inverse)
    below = np.cumsum(sizes) - sizes
    coarse = below * BINS // len(values) if len(distinct) > BINS else np.arange(len(distinct))
    classes = np.unique(coarse, return_inverse=True)[1][inverse]
    bins = int(classes.max()) + 1
    cells = unit * bins + classes
    every = np.bincount(cells, minlength=units * bins).reshape(units, bins).astype(np.float64)
    marked = np.bincount(cells, wrong, units * bins).reshape(units, bins).astype(np.float64)
    known = [batch.astype(np.float64) for batch in weights]
    drawn = [(batch @ marked, batch @ (every - marked)) for batch in known]
    for figure in (average_precision, area_under_roc):
        yield np.concatenate([[figure(*exact)], *(figure(*one) for one in drawn)])


def _estimate(values: Floats, n: int) -> Estimate:
    if not np.isfinite(values[0]):
        return absent("no-variance", n)
    low, high = percentiles(values[1:]) if len(values) > 1 else (None, None)
    return Estimate(value=float(values[0]), n=n, low=low, high=high)


def run_lengths(text: str) -> Floats:
    """(characters,) how long the run of letters of one script is in which a character stands; 0 for marks.

    A word of a language that is written with blanks, a run of kanji, of katakana or of hiragana.
    """
    found = np.zeros(len(text))
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or _script(text[at]) != _script(text[start]):
            if _script(text[start]):
                found[start:at] = at - start
            start = at
    return found


def _script(char: str) -> str:
    """`CJK`, `HIRAGANA` or `KATAKANA`; one name for other letters and digits; none for marks and blanks."""
    if not char.isalnum() and unicodedata.category(char)[0] != "M" and char != "ー":
        return ""
    name = unicodedata.name(char, "").partition(" ")[0].partition("-")[0]
    return name if name in ("CJK", "HIRAGANA", "KATAKANA") else "letters"
