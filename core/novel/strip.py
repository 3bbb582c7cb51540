"""The chapter strip: a system's translation of a novel as bands in reading order.

Each band has a value for every segment and its share: the part of the campaign's translations that are not
above it, so that bands of different units can be compared. Bands part where the shares of people and metrics
lie furthest from each other. What the aligner of books found left out or added has bands as well, whose share
is the value by the strip's largest one. Length is the translation's against the reference's, in the
campaign's middle 1; a segment far from it is marked as perhaps shortened or padded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import pstdev

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from core.metaeval.evaluation import PEOPLE, Evaluation, Floats

SPREAD, LENGTH = "spread", "length"
"""Bands beside people and the metrics: the standard deviation of raters, and the length."""

OMITTED, ADDED = "omitted", "added"
"""Bands of what the aligner found: sentences that are left out, and code points that are added."""

FAR = 1.6
"""A length from this factor on, either way, is far from the campaign's middle."""

MARKED = 10
"""How many places are listed at which the bands part."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Band:
    """A row of the strip. values: (n,) float64, NaN where there is none; shares: (n,) in [0, 1], NaN too."""

    name: str
    values: Floats
    shares: Floats


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Strip:
    """n segments of one system in reading order.

    bands: people first, if anybody rated, then their spread, the metrics, the length, and what the aligner
    found, if it did. gaps: (n,) the
    highest less the lowest share of people and metrics, NaN where fewer than two are known. parted: the
    segments with the largest gaps, the largest first. short, long: segments whose length is far from the
    middle. starts: the first segment of each document.
    """

    bands: tuple[Band, ...]
    gaps: Floats
    parted: tuple[int, ...]
    short: tuple[int, ...]
    long: tuple[int, ...]
    starts: tuple[int, ...]


def strip(
    found: Evaluation,
    numbers: Sequence[int | None],
    documents: Sequence[str],
    *,
    scores: Mapping[int, Sequence[float]],
    lengths: Sequence[float | None],
    middle: float,
    marks: Sequence[Mapping[str, float] | None] = (),
) -> Strip:
    """The strip of one system.

    numbers: the translation's id of each segment, None without a translation. documents: of each segment.
    scores: each rater's score by translation. lengths: translation against reference, in code points, None
    without one. middle: the median of these over the campaign. marks: what the aligner found in each
    translation, None without one; empty where no aligner looked.
    """
    rows = {one: row for row, one in enumerate(found.translation.tolist())}
    places = [rows.get(number) if number is not None else None for number in numbers]
    bands = [
        Band(
            name=name,
            values=_picked(found.column(name), places),
            shares=_picked(_ranked(found.upwards(name)), places),
        )
        for name in found.columns
        if np.isfinite(found.column(name)).any()
    ]
    compared = np.array([band.shares for band in bands]).reshape(len(bands), len(numbers))
    gaps = _gaps(compared)
    spread = np.array([_spread(scores.get(number or 0, ())) for number in numbers])
    ratio = np.array([np.nan if one is None else one / middle for one in lengths])
    more = [
        Band(name=name, values=values, shares=_ranked(values))
        for name, values in ((SPREAD, spread), (LENGTH, ratio))
        if np.isfinite(values).any()
    ]
    people = sum(band.name == PEOPLE for band in bands)
    spreads = [band for band in more if band.name == SPREAD]
    others = [band for band in more if band.name != SPREAD]
    if marks:
        others += [_found(name, marks) for name in (OMITTED, ADDED)]
    order = np.argsort(-np.nan_to_num(gaps, nan=-1.0), kind="stable")
    return Strip(
        bands=(*bands[:people], *spreads, *bands[people:], *others),
        gaps=gaps,
        parted=tuple(int(one) for one in order[:MARKED] if gaps[one] > 0),
        short=tuple(np.flatnonzero(ratio < 1 / FAR).tolist()),
        long=tuple(np.flatnonzero(ratio > FAR).tolist()),
        starts=tuple(n for n, name in enumerate(documents) if n == 0 or name != documents[n - 1]),
    )


def _found(name: str, marks: Sequence[Mapping[str, float] | None]) -> Band:
    """A band of what the aligner found."""
    values = np.array([np.nan if one is None else one.get(name, 0.0) for one in marks])
    most = np.nanmax(values) if np.isfinite(values).any() else 0.0
    return Band(name=name, values=values, shares=values / most if most else values)


def _picked(column: Floats, places: Sequence[int | None]) -> Floats:
    return np.array([np.nan if place is None else column[place] for place in places])


def _ranked(values: Floats) -> Floats:
    """(n,) the share of known values that are not above each; NaN for an unknown one."""
    shares: NDArray[np.float64] = np.full(len(values), np.nan)
    known = np.isfinite(values)
    if known.any():
        shares[known] = rankdata(values[known], "max") / known.sum()
    return shares


def _gaps(shares: Floats) -> Floats:
    """(n,) the range of each column, NaN where fewer than two are known."""
    gaps: NDArray[np.float64] = np.full(shares.shape[1], np.nan)
    if len(shares):
        enough = np.isfinite(shares).sum(axis=0) > 1
        known = shares[:, enough]
        gaps[enough] = np.nanmax(known, axis=0) - np.nanmin(known, axis=0)
    return gaps


def _spread(scores: Sequence[float]) -> float:
    return pstdev(scores) if len(scores) > 1 else float("nan")
