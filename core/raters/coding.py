"""Comments that people coded by hand: whether coders agree, and what was said of which version.

A coder gives a comment any number of codes of a code book, none among them. For one code that is a yes or no
for each comment, and Cohen's kappa (1960) compares two coders beyond what they would share by chance. Over
all codes, the yes and no of every code on every comment are taken together. Of more than two coders the
kappas of all pairs are averaged (Light, 1971). Intervals: bootstrap over comments.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.stats.bootstrap import MIN_UNITS, percentiles, resamples
from core.stats.estimate import Estimate, Missing, absent

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedComment:
    """A comment that every coder has coded.

    version: the system that it is about, "" for none. codes: by coder, the names of the codes given.
    """

    comment: str
    version: str
    codes: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeAgreement:
    """How far coders agree on one code. code: "" for all codes together.

    kappa: -1 to 1; its n is the number of comments. agreed: the share of comments (of decisions, over all
    codes) on which two coders say the same, the mean over pairs of coders. by_all, by_any: comments with the
    code by all coders, and by at least one; over all codes, codes of comments.
    """

    code: str
    kappa: Estimate
    agreed: float | None
    by_all: int
    by_any: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeCount:
    """Comments about a version that all coders, or at least one, gave a code; of so many comments."""

    code: str
    version: str
    by_all: int
    by_any: int
    comments: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodingFindings:
    """All figures of a coding. comments, coders: how many; differing: comments whose codes differ.

    waiting: comments that came later and are not coded by everybody; they are in no figure.
    """

    comments: int
    coders: int
    differing: int
    overall: CodeAgreement
    codes: tuple[CodeAgreement, ...]
    counts: tuple[CodeCount, ...]
    waiting: int = 0


def coding_findings(
    comments: Sequence[CodedComment], codes: Sequence[str], *, waiting: int = 0, seed: int = 0
) -> CodingFindings:
    """Agreement and counts of the comments, by the codes of the book in their order.

    waiting: how many comments are not coded by everybody.
    Missing: `one-rater` for fewer than two coders, `no-shared-items` without comments, `no-variance` where no
    pair of coders has a kappa, since both of them always, or never, give the code.
    """
    coders = sorted({coder for one in comments for coder in one.codes})
    given = np.array(
        [[[code in one.codes[coder] for code in codes] for coder in coders] for one in comments], np.bool_
    ).reshape(len(comments), len(coders), len(codes))
    ordered = sorted(range(len(comments)), key=lambda place: comments[place].comment)
    given = given[ordered]  # the order of rows does not change the resamples
    versions = [comments[place].version for place in ordered]
    return CodingFindings(
        comments=len(comments),
        coders=len(coders),
        differing=sum(len(set(one.codes.values())) > 1 for one in comments),
        overall=_agreement("", given, seed),
        codes=tuple(_agreement(code, given[:, :, [n]], seed) for n, code in enumerate(codes)),
        counts=tuple(
            _count(code, version, given[[one == version for one in versions], :, n])
            for n, code in enumerate(codes)
            for version in sorted(set(versions))
        ),
        waiting=waiting,
    )


def _count(code: str, version: str, given: NDArray[np.bool_]) -> CodeCount:
    """given: (comments, coders)."""
    return CodeCount(
        code=code,
        version=version,
        by_all=int(given.all(axis=1).sum()) if given.shape[1] else 0,
        by_any=int(given.any(axis=1).sum()),
        comments=len(given),
    )


def _agreement(code: str, given: NDArray[np.bool_], seed: int) -> CodeAgreement:
    """given: (comments, coders, codes)."""
    n, coders = given.shape[:2]
    both = int(given.all(axis=1).sum()) if coders else 0
    either = int(given.any(axis=1).sum())
    pairs = list(itertools.combinations(range(coders), 2))
    cells = np.array([_cells(given[:, a], given[:, b]) for a, b in pairs], np.float64).reshape(
        len(pairs), n, 4
    )
    kappa = _estimate(cells, n, coders, seed)
    agreed = None if not cells.sum() else float(cells[:, :, [0, 3]].sum() / cells.sum())
    return CodeAgreement(code=code, kappa=kappa, agreed=agreed, by_all=both, by_any=either)


def _cells(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> Floats:
    """(comments, codes) of two coders to (comments, 4): how often both yes, only first, only second, none."""
    kinds = (first & second, first & ~second, ~first & second, ~first & ~second)
    return np.stack([kind.sum(axis=1) for kind in kinds], axis=1).astype(np.float64)


def _estimate(cells: Floats, n: int, coders: int, seed: int) -> Estimate:
    """(pairs, comments, 4) to the mean kappa of the pairs that have one, with its interval."""
    missing: Missing | None = "one-rater" if coders < 2 else "no-shared-items" if n == 0 else None
    if missing is not None:
        return absent(missing, n)
    value = float(_mean_kappa(cells.sum(axis=1)[:, None])[0])
    if not np.isfinite(value):
        return absent("no-variance", n)
    low, high = None, None
    if n >= MIN_UNITS:
        drawn = np.concatenate(list(resamples(n, seed=seed))).astype(np.float64)
        low, high = percentiles(_mean_kappa(drawn @ cells))
    return Estimate(value=value, n=n, low=low, high=high)


def _mean_kappa(tables: Floats) -> Floats:
    """(pairs, resamples, 4) to (resamples,); NaN where no pair has a kappa."""
    both, first, second, none = np.moveaxis(tables, -1, 0)
    total = both + first + second + none
    observed = (both + none) / total
    expected = ((both + first) * (both + second) + (none + first) * (none + second)) / total**2
    known = expected < 1
    kappa = np.where(known, (observed - expected) / np.where(known, 1 - expected, 1), 0.0)
    count = known.sum(axis=0)
    return np.asarray(np.where(count, kappa.sum(axis=0) / np.maximum(count, 1), np.nan), np.float64)


CODING_COLUMNS = ("figure", "of", "and", "n", "hits", "value", "low", "high", "missing")


def coding_rows(found: CodingFindings) -> list[dict[str, Any]]:
    """One row a figure, unrounded, with the keys `CODING_COLUMNS`."""
    rows: list[dict[str, Any]] = [
        {"figure": "comments", "n": found.comments},
        {"figure": "coders", "n": found.coders},
        {"figure": "comments_with_other_codes", "n": found.comments, "hits": found.differing},
        {"figure": "comments_waiting", "n": found.waiting},
    ]
    for one in (found.overall, *found.codes):
        rows.append({"figure": "kappa", "of": one.code or None, **asdict(one.kappa)})
        rows.append(
            {"figure": "coders_say_the_same", "of": one.code or None, "n": one.kappa.n, "value": one.agreed}
        )
    for count in found.counts:
        about = {"of": count.code, "and": count.version, "n": count.comments}
        rows.append({"figure": "code_by_all", "hits": count.by_all, **about})
        rows.append({"figure": "code_by_any", "hits": count.by_any, **about})
    return [{name: row.get(name) for name in CODING_COLUMNS} for row in rows]
