"""Tables on agreement between people: every rater pair, three raters, and the cells with two ratings."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median, stdev

import numpy as np
import pandas as pd
from scipy import stats

from core.cli.console import number
from core.raters.agreement import gold, pairwise, report
from core.raters.ratings import Rating, normalise, summarise
from core.raters.reliability import intervals, reliability
from tools.tables.inputs import DataSets, Seed, rows_of
from tools.tables.markdown import interval, print_table, print_title

FEWEST = 30
"""Pairs of raters that share fewer items are left out of means: with 12 items the 95 % interval of r = .50
is -.10 to .83, with 30 items .17 to .73."""


def agreement(data: DataSets, seed: Seed = 0) -> None:
    """Print agreement between people on two data sets with several raters per item.

    `wmt22-zhen-calibration`: 13 raters, 100 common segments. `wmt24-enja`: 200 cells have two raters. The
    bootstrap draws 1,000 samples of items. pandas and scipy compute the main figures a second time.
    """
    ratings = _segment_ratings(data / "wmt22-zhen-calibration" / "calibration_ratings.tsv")
    _all_raters(ratings, seed)
    _three_raters(ratings)
    _two_raters(data / "wmt24-enja" / "ratings.tsv.gz", seed)


def _segment_ratings(path: Path) -> list[Rating]:
    """The scores of segments, without those of whole documents."""
    return [
        Rating(row["annotator"], (row["doc_id"], row["seg_id"], row["system"]), float(row["score"]))
        for row in rows_of(path)
        if row["level"] == "seg"
    ]


def _all_raters(ratings: Sequence[Rating], seed: int) -> None:
    """Print each rater, each pair, and the agreement of the raters who share enough items."""
    pairs = pairwise(ratings)
    few = [pair for pair in pairs if pair.n < FEWEST]
    apart = {name for name, k in Counter(n for p in few for n in (p.first, p.second)).items() if k > 1}
    kept = [rating for rating in ratings if rating.rater not in apart]
    found = reliability(kept)
    print_title("wmt22-zhen-calibration: raters")
    others = {w.rater: (number(w.mean_r.value), f"{w.change:+.3f}") for w in found.without}
    print_table(
        ("rater", "n", "mean", "sd", "lowest", "highest", "mean r of the others", "change"),
        (
            (r.rater, r.n, f"{r.mean:.1f}", f"{r.sd:.1f}", r.low, r.high, *others.get(r.rater, "––"))
            for r in summarise(ratings)
        ),
    )
    print_title("Pearson's r of every two raters (items they share)")
    _print_triangle({(p.first, p.second): f"{number(p.r)} ({p.n})" for p in pairs})
    print(f"\n{len(few)} of {len(pairs)} pairs share fewer than {FEWEST} items (rater {', '.join(apart)}).")
    defined = [pair.r for pair in pairs if pair.r is not None]
    print(f"Mean r of all {len(defined)} pairs: {number(fmean(defined))}; without the few: see below.")
    print_title(f"Agreement of the {len(found.raters)} raters who share {FEWEST} items or more")
    again, drawn = _by_pandas(kept), intervals(kept, seed=seed)
    figures = {
        "mean pairwise Pearson": drawn["mean_r"],
        "mean pairwise Spearman": found.mean_spearman,
        "mean pairwise Kendall": found.mean_kendall,
        "ICC(2,1)": found.icc_single,
        "ICC(2,k)": found.icc_mean,
        "Krippendorff's alpha": drawn["alpha"],
    }
    print_table(
        ("figure", "value", "95 %", "pairs or items", "pandas and scipy"),
        (
            (name, number(f.value), interval(f.low, f.high), f.n, again.get(name, "–"))
            for name, f in figures.items()
        ),
    )


def _three_raters(ratings: Sequence[Rating]) -> None:
    """Print a campaign of three raters: the first three, by name, of those who scored every item."""
    items = {rating.item for rating in ratings}
    complete = [one.rater for one in summarise(ratings) if one.n == len(items)]
    chosen = complete[:3]
    print_title(f"A campaign of three raters: {', '.join(chosen)}")
    found = report([rating for rating in ratings if rating.rater in chosen], method="z")
    print_table(
        ("pair", "items", "Pearson's r", "95 %"),
        ((f"{p.first} × {p.second}", p.n, number(p.r), interval(p.low, p.high)) for p in found.pairs),
    )
    means = [one.mean for one in found.gold]
    print(f"\nMean r {number(found.mean_r)}. Gold (mean z): {len(means)} items, sd {stdev(means):.2f}.")
    print_title("Gold by system, z per rater")
    systems = sorted({item[2] for item in items})
    scores = {s: [one.mean for one in found.gold if one.item[2] == s] for s in systems}
    ordered = sorted(scores.items(), key=lambda one: -fmean(one[1]))
    print_table(("system", "items", "mean gold"), ((s, len(own), f"{fmean(own):+.2f}") for s, own in ordered))
    r = {frozenset((p.first, p.second)): p.r or 0.0 for p in pairwise(ratings)}
    of_three = [
        fmean(r[frozenset(two)] for two in itertools.combinations(three, 2))
        for three in itertools.combinations(complete, 3)
    ]
    print(
        f"\nMean r of all {len(of_three)} choices of three: least {number(min(of_three))}, "
        f"median {number(median(of_three))}, greatest {number(max(of_three))}."
    )


def _two_raters(path: Path, seed: int) -> None:
    """Print the cells of WMT24 with two ratings, raw and z; x is the score that comes first in the file."""
    ratings = [Rating(r["annotator"], (r["system"], r["seg_id"]), float(r["score"])) for r in rows_of(path)]
    twice = {one.item for one in gold(ratings) if one.n > 1}
    print_title(f"wmt24-enja: the {len(twice)} cells that two raters scored")
    lines = []
    for method in ("raw", "z"):
        cells: dict[Hashable, dict[str, list[float]]] = {item: {} for item in twice}
        kept = [one for one in normalise(ratings, method=method).ratings if one.item in twice]
        for one in kept:
            cells[one.item].setdefault(one.rater, []).append(one.score)
        x, y = zip(*([fmean(own) for own in cell.values()] for cell in cells.values()), strict=True)
        both = [Rating(who, i, score) for who, own in (("x", x), ("y", y)) for i, score in enumerate(own)]
        (pair,) = pairwise(both)
        alpha = intervals(kept, seed=seed)["alpha"]
        either_way = float(np.corrcoef(x + y, y + x)[0, 1])
        again = f"{number(stats.pearsonr(x, y).statistic)}, {number(_plain_alpha(kept))}"
        r = (number(pair.r), interval(pair.low, pair.high), number(either_way))
        lines.append((method, pair.n, *r, number(alpha.value), interval(alpha.low, alpha.high), again))
    figures = ("scores", "cells", "r", "95 %", "r, each cell both ways", "alpha", "95 %")
    print_table((*figures, "pandas and scipy: r, alpha"), lines)


def _frame(ratings: Sequence[Rating]) -> pd.DataFrame:
    return pd.DataFrame(
        [(r.rater, str(r.item), r.score) for r in ratings], columns=["rater", "item", "score"]
    )


def _by_pandas(ratings: Sequence[Rating]) -> dict[str, str]:
    """The main figures from a plain table with items in rows and raters in columns."""
    wide = _frame(ratings).pivot(index="item", columns="rater", values="score")
    upper = np.triu_indices(wide.shape[1], 1)
    found = {
        f"mean pairwise {method.title()}": float(wide.corr(method).to_numpy()[upper].mean())
        for method in ("pearson", "spearman", "kendall")
    }
    full = wide.dropna().to_numpy()
    n, k = full.shape
    between = k * full.mean(axis=1).var(ddof=1)
    judges = n * full.mean(axis=0).var(ddof=1)
    rest = full - full.mean(axis=1)[:, None] - full.mean(axis=0) + full.mean()
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    found["ICC(2,1)"] = (between - error) / (between + (k - 1) * error + k * (judges - error) / n)
    found["ICC(2,k)"] = (between - error) / (between + (judges - error) / n)
    found["Krippendorff's alpha"] = _plain_alpha(ratings)
    return {name: number(value) for name, value in found.items()}


def _plain_alpha(ratings: Sequence[Rating]) -> float:
    """Krippendorff's alpha by definition: squared differences within items and between all scores."""
    once = _frame(ratings).groupby(["item", "rater"]).score.mean()
    units = [own.to_numpy() for _, own in once.groupby("item") if len(own) > 1]
    everything = np.concatenate(units)
    within = sum((np.subtract.outer(unit, unit) ** 2).sum() / (len(unit) - 1) for unit in units)
    return float(1 - within / len(everything) / (2 * everything.var(ddof=1)))


def _print_triangle(cells: Mapping[tuple[str, str], str]) -> None:
    """Print a cell for each pair of raters, by the last two letters of their names."""
    names = sorted({name for pair in cells for name in pair})
    rows = ((a[-2:], *(cells.get((a, b), "") for b in names[1:])) for a in names[:-1])
    print_table(("", *(name[-2:] for name in names[1:])), rows)
