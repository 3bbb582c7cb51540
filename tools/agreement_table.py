"""Agreement between people, measured on two data sets with several raters an item.

    python tools/agreement_table.py DATA_FOLDER

DATA_FOLDER holds `wmt22-zhen-calibration` (13 raters, 100 common segments, 0-100; an item is a document,
segment and system) and `wmt24-enja` (ESA scores; 200 cells have two raters). Bootstrap: 1,000 resamples of
items, seed 0. The headlines are computed a second time from a plain table, by pandas and scipy.
"""

from __future__ import annotations

import argparse
import csv
import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median, stdev

import numpy as np
import pandas as pd
from scipy import stats

from core.raters.agreement import Agreement, gold, pairwise, report
from core.raters.ratings import Rating, normalise, summarise
from core.raters.reliability import Reliability, intervals, reliability
from core.stats.estimate import Estimate
from core.text.files import read_text, split_lines

SEED = 0
FEWEST = 30
"""Pairs of raters that share fewer items are left out of means: with 12 items the 95 % interval of r = .50
reaches from -.10 to .83, with 30 from .17 to .73."""


def main() -> None:
    """Print the tables of both sets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="folder of the data sets")
    folder: Path = parser.parse_args().data
    ratings = calibration(folder / "wmt22-zhen-calibration" / "calibration_ratings.tsv")
    calibration_tables(ratings)
    three_raters(ratings)
    twice_rated(folder / "wmt24-enja" / "ratings.tsv.gz")


def rows_of(path: Path) -> list[dict[str, str]]:
    """A table with a header."""
    return list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))


def calibration(path: Path) -> list[Rating]:
    """The scores for segments, without those for whole documents."""
    return [
        Rating(row["annotator"], (row["doc_id"], row["seg_id"], row["system"]), float(row["score"]))
        for row in rows_of(path)
        if row["level"] == "seg"
    ]


def calibration_tables(ratings: Sequence[Rating]) -> None:
    """Everything on agreement of the raters who share enough items, and the pairs of the others."""
    pairs = pairwise(ratings)
    few = [pair for pair in pairs if pair.n < FEWEST]
    seldom = {name for name, k in Counter(n for p in few for n in (p.first, p.second)).items() if k > 1}
    kept = [rating for rating in ratings if rating.rater not in seldom]
    found = reliability(kept)
    title("wmt22-zhen-calibration: raters")
    others = {w.rater: (decimals(w.mean_r.value), f"{w.change:+.3f}") for w in found.without}
    table(
        ("rater", "n", "mean", "sd", "lowest", "highest", "mean r of the others", "change"),
        (
            (
                one.rater,
                one.n,
                f"{one.mean:.1f}",
                f"{one.sd:.1f}",
                one.low,
                one.high,
                *others.get(one.rater, ("–", "–")),
            )
            for one in summarise(ratings)
        ),
    )
    title("Pearson's r of every two raters (items they share)")
    matrix({(p.first, p.second): f"{decimals(p.r)} ({p.n})" for p in pairs})
    print(f"\n{len(few)} of {len(pairs)} pairs share fewer than {FEWEST} items (rater {', '.join(seldom)}).")
    defined = [pair.r for pair in pairs if pair.r is not None]
    print(f"Mean r of all {len(defined)} pairs: {decimals(fmean(defined))}; without the few: see below.")
    title(f"Agreement of the {len(found.raters)} raters who share {FEWEST} items or more")
    drawn = intervals(kept, seed=SEED)
    again = by_pandas(kept)
    shown = summary(found) | {
        "mean pairwise Pearson": drawn["mean_r"],
        "Krippendorff's alpha": drawn["alpha"],
    }
    table(
        ("figure", "value", "95 %", "pairs or items", "pandas and scipy"),
        ((name, decimals(f.value), ends(f), f.n, again.get(name, "–")) for name, f in shown.items()),
    )


def summary(found: Reliability) -> dict[str, Estimate]:
    """The headlines by name."""
    return {
        "mean pairwise Pearson": found.mean_r,
        "mean pairwise Spearman": found.mean_spearman,
        "mean pairwise Kendall": found.mean_kendall,
        "ICC(2,1)": found.icc_single,
        "ICC(2,k)": found.icc_mean,
        "Krippendorff's alpha": found.alpha,
    }


def three_raters(ratings: Sequence[Rating]) -> None:
    """Three raters as in a small campaign: the first three, by name, of those who scored every item."""
    items = {rating.item for rating in ratings}
    complete = [one.rater for one in summarise(ratings) if one.n == len(items)]
    chosen = complete[:3]
    own = [rating for rating in ratings if rating.rater in chosen]
    title(f"A campaign of three raters: {', '.join(chosen)}")
    found = report(own, method="z")
    table(
        ("pair", "items", "Pearson's r", "95 %"),
        ((f"{p.first} × {p.second}", p.n, decimals(p.r), ends(p)) for p in found.pairs),
    )
    means = [one.mean for one in found.gold]
    print(f"\nMean r {decimals(found.mean_r)}. Gold (mean z): {len(means)} items, sd {stdev(means):.2f}.")
    title("Gold by system, z per rater")
    systems = sorted({item[2] for item in items})
    scores = {s: [one.mean for one in found.gold if one.item[2] == s] for s in systems}
    ordered = sorted(scores.items(), key=lambda one: -fmean(one[1]))
    table(("system", "items", "mean gold"), ((s, len(own), f"{fmean(own):+.2f}") for s, own in ordered))
    r = {frozenset((p.first, p.second)): p.r or 0.0 for p in pairwise(ratings)}
    of_three = [
        fmean(r[frozenset(two)] for two in itertools.combinations(three, 2))
        for three in itertools.combinations(complete, 3)
    ]
    print(
        f"\nMean r of all {len(of_three)} choices of three: least {decimals(min(of_three))}, "
        f"median {decimals(median(of_three))}, greatest {decimals(max(of_three))}."
    )


def twice_rated(path: Path) -> None:
    """The cells of WMT24 with two raters, raw and z over all of a rater's scores, who came first as x."""
    rows = rows_of(path)
    ratings = [Rating(row["annotator"], (row["system"], row["seg_id"]), float(row["score"])) for row in rows]
    twice = {one.item for one in gold(ratings) if one.n > 1}
    title(f"wmt24-enja: the {len(twice)} cells that two raters scored")
    lines = []
    for method in ("raw", "z"):
        cells: dict[Hashable, dict[str, list[float]]] = {item: {} for item in twice}
        kept = [one for one in normalise(ratings, method=method).ratings if one.item in twice]
        for one in kept:
            cells[one.item].setdefault(one.rater, []).append(one.score)
        x, y = zip(*([fmean(own) for own in cell.values()] for cell in cells.values()), strict=True)
        both = [Rating(who, i, score) for who, own in (("x", x), ("y", y)) for i, score in enumerate(own)]
        (pair,) = pairwise(both)
        alpha = intervals(kept, seed=SEED)["alpha"]
        either_way = float(np.corrcoef(x + y, y + x)[0, 1])
        oracle = f"{decimals(stats.pearsonr(x, y).statistic)}, {decimals(plain_alpha(kept))}"
        found = [decimals(pair.r), ends(pair), decimals(either_way), decimals(alpha.value), ends(alpha)]
        lines.append((method, pair.n, *found, oracle))
    header = (
        "scores",
        "cells",
        "r",
        "95 %",
        "r, each cell both ways",
        "alpha",
        "95 %",
        "pandas and scipy: r, alpha",
    )
    table(header, lines)


def by_pandas(ratings: Sequence[Rating]) -> dict[str, str]:
    """The headlines once more from a plain table: items in rows, raters in columns."""
    frame = pd.DataFrame(
        [(r.rater, str(r.item), r.score) for r in ratings], columns=["rater", "item", "score"]
    )
    wide = frame.pivot(index="item", columns="rater", values="score")
    upper = np.triu_indices(wide.shape[1], 1)
    names = {"pearson": "Pearson", "spearman": "Spearman", "kendall": "Kendall"}
    found = {
        f"mean pairwise {name}": decimals(float(wide.corr(method).to_numpy()[upper].mean()))
        for method, name in names.items()
    }
    full = wide.dropna().to_numpy()
    n, k = full.shape
    between = k * full.mean(axis=1).var(ddof=1)
    judges = n * full.mean(axis=0).var(ddof=1)
    rest = full - full.mean(axis=1)[:, None] - full.mean(axis=0) + full.mean()
    error = (rest**2).sum() / ((n - 1) * (k - 1))
    found["ICC(2,1)"] = decimals((between - error) / (between + (k - 1) * error + k * (judges - error) / n))
    found["ICC(2,k)"] = decimals((between - error) / (between + (judges - error) / n))
    found["Krippendorff's alpha"] = decimals(plain_alpha(ratings))
    return found


def plain_alpha(ratings: Sequence[Rating]) -> float:
    """Krippendorff's alpha from its definition: squared differences within items and between all scores."""
    frame = pd.DataFrame(
        [(r.rater, str(r.item), r.score) for r in ratings], columns=["rater", "item", "score"]
    )
    once = frame.groupby(["item", "rater"]).score.mean()
    units = [own.to_numpy() for _, own in once.groupby("item") if len(own) > 1]
    everything = np.concatenate(units)
    within = sum((np.subtract.outer(unit, unit) ** 2).sum() / (len(unit) - 1) for unit in units)
    return float(1 - within / len(everything) / (2 * everything.var(ddof=1)))


def matrix(cells: Mapping[tuple[str, str], str]) -> None:
    """A triangle of raters, by the last two letters of their names."""
    names = sorted({name for pair in cells for name in pair})
    rows = ((a[-2:], *(cells.get((a, b), "") for b in names[1:])) for a in names[:-1])
    table(("", *(name[-2:] for name in names[1:])), rows)


def title(text: str) -> None:
    """Print a heading in Markdown."""
    print(f"\n### {text}\n")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table in Markdown."""
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def ends(found: Estimate | Agreement) -> str:
    """The 95 % interval."""
    return "–" if found.low is None else f"{decimals(found.low)} … {decimals(found.high)}"


def decimals(value: float | None) -> str:
    """Three places, or a dash for none."""
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
