"""Readers' answers on a scale, compared between versions that were read in different orders.

answer = version + later x (place - 1) + reader + book + residual, with random effects of readers and books. A
generous reader, a popular book or the second position in the order is not mistaken for a better version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.stats.correlation import is_flat
from core.stats.mixed import MixedFit, fit_mixed

_NOTHING = 1e-9
MOST_READERS = 400
"""The time of the fit grows with the cube of the number of readers and books."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleAnswer:
    """What a reader answered after one version. place: in the order of reading, from 1."""

    reader: str
    book: str
    version: str
    place: int
    question: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleEffect:
    """A difference in steps of the scale, with its 95 % interval and two-sided p (Student's t)."""

    value: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionDifference:
    """The mean answer to first less that to second, for the same reader, book and place."""

    first: str
    second: str
    effect: ScaleEffect


Missing = Literal["few-answers", "no-variance", "too-many", "no-residual", "no-fit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleModel:
    """The model of one question, from n answers of `readers` readers.

    later: what one position later in the order adds; None where versions and places cannot be separated, as
    where all read in the same order. reader_sd, book_sd, residual_sd: standard deviations in steps; book_sd
    is None for one book. missing: `few-answers` (no answers are left to tell chance from effects), `no-
    variance`, `too-many` (over 400 readers and books), `no-residual` (readers, books, versions and places
    explain all answers), `no-fit`; then there are no effects.
    """

    question: str
    n: int
    readers: int
    differences: tuple[VersionDifference, ...] = ()
    later: ScaleEffect | None = None
    reader_sd: float | None = None
    book_sd: float | None = None
    residual_sd: float | None = None
    missing: Missing | None = None


def scale_models(answers: Sequence[ScaleAnswer]) -> tuple[ScaleModel, ...]:
    """The model of each question, in the order of the questions in the answers."""
    questions = dict.fromkeys(one.question for one in answers)
    return tuple(
        _model(question, [one for one in answers if one.question == question]) for question in questions
    )


def _model(question: str, answers: Sequence[ScaleAnswer]) -> ScaleModel:
    versions = sorted({one.version for one in answers})
    readers, books = (_levels(getattr(one, name) for one in answers) for name in ("reader", "book"))
    y = np.array([one.value for one in answers], np.float64)
    empty = ScaleModel(question=question, n=len(y), readers=int(readers.max(initial=-1)) + 1)
    fixed, placed = _fixed(answers, versions)
    explained = np.column_stack([fixed, _dummies(readers), _dummies(books)])
    freedom = len(y) - int(np.linalg.matrix_rank(explained))
    missing = _missing(y, explained, versions, freedom, readers, books)
    if missing:
        return replace(empty, missing=missing)
    components = {"reader": readers} | ({"book": books} if books.max() else {})
    fit = fit_mixed(y, fixed, components) or _without_components(y, fixed, explained)
    if fit is None:
        return replace(empty, missing="no-fit")
    contrasts = np.eye(fixed.shape[1])
    return replace(
        empty,
        differences=tuple(
            VersionDifference(
                first=versions[i],
                second=versions[j],
                effect=_effect(fit, contrasts[i] - contrasts[j], freedom),
            )
            for i, j in combinations(range(len(versions)), 2)
        ),
        later=_effect(fit, contrasts[-1], freedom) if placed else None,
        reader_sd=fit.sd.get("reader", 0.0),
        book_sd=fit.sd.get("book", 0.0) if "book" in components else None,
        residual_sd=fit.sd["residual"],
    )


def _levels(names: Iterable[str]) -> NDArray[np.int64]:
    found = list(names)
    index = {name: i for i, name in enumerate(dict.fromkeys(found))}
    return np.array([index[name] for name in found], np.int64)


def _dummies(levels: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,) levels to (n, levels) of 0 and 1."""
    return np.asarray(levels[:, None] == np.arange(levels.max(initial=-1) + 1), np.float64)


def _fixed(answers: Sequence[ScaleAnswer], versions: Sequence[str]) -> tuple[NDArray[np.float64], bool]:
    """(n, columns): a column a version, and the places before, if they can be told from the versions."""
    own = np.array([[float(one.version == name) for name in versions] for one in answers])
    own = own.reshape(len(answers), len(versions))
    before = np.array([one.place - 1.0 for one in answers])
    both = np.column_stack([own, before])
    placed = int(np.linalg.matrix_rank(both)) > own.shape[1]
    return (both if placed else own), placed


def _missing(
    y: NDArray[np.float64],
    explained: NDArray[np.float64],
    versions: Sequence[str],
    freedom: int,
    readers: NDArray[np.int64],
    books: NDArray[np.int64],
) -> Missing | None:
    if len(versions) < 2 or freedom < 1:
        return "few-answers"
    if is_flat(y):
        return "no-variance"
    if readers.max() + books.max() + 2 > MOST_READERS:
        return "too-many"
    rest = y - explained @ np.linalg.lstsq(explained, y, rcond=None)[0]
    return "no-residual" if np.abs(rest).max() < _NOTHING * np.ptp(y) else None


def _without_components(
    y: NDArray[np.float64], fixed: NDArray[np.float64], explained: NDArray[np.float64]
) -> MixedFit | None:
    """Least squares: the model where readers and books differ no more than chance.

    They do where their effects lower the residual variance; then there is no such model, and None is given.
    """
    estimate, variance = _least_squares(y, fixed)
    if variance > _least_squares(y, explained)[1]:
        return None
    covariance = np.asarray(variance * np.linalg.inv(fixed.T @ fixed), np.float64)
    return MixedFit(
        estimate=estimate, covariance=covariance, sd={"residual": variance**0.5}, likelihood=float("nan")
    )


def _least_squares(y: NDArray[np.float64], columns: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Estimates and residual variance."""
    estimate, _, rank, _ = np.linalg.lstsq(columns, y, rcond=None)
    rest = y - columns @ estimate
    return np.asarray(estimate, np.float64), float(rest @ rest) / (len(y) - int(rank))


def _effect(fit: MixedFit, contrast: NDArray[np.float64], freedom: int) -> ScaleEffect:
    """Loads scipy on first use."""
    from scipy import stats

    value = float(contrast @ fit.estimate)
    error = float(np.sqrt(contrast @ fit.covariance @ contrast))
    half = float(stats.t.ppf(0.975, freedom)) * error
    p = float(2 * stats.t.sf(abs(value) / error, freedom))
    return ScaleEffect(value=value, low=value - half, high=value + half, p=p)
