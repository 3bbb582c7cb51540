"""Where the next rating matters, against random assignment: how many ratings until the order is certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau
from typer import Argument, Option

from core.raters.assignment import OFFICIAL
from core.raters.narrowing import AT_RANDOM, Candidates, Rated, Sums, SystemStanding, choose, standing
from core.stats.bootstrap import resamples
from tools.tables.inputs import Floats, Seed, rows_by_segment, rows_of
from tools.tables.markdown import print_table, print_title

RANDOM, WHOLE, NARROWING, NO_QUARTER = (
    "random",
    "whole segments",
    "where it matters",
    "the same, nothing at random",
)
WAYS = (RANDOM, WHOLE, NARROWING, NO_QUARTER)
AT_RANDOM_OF = {NARROWING: AT_RANDOM, NO_QUARTER: 0.0}
LOOKS = 60
"""How often the order is looked at, from the first rating to the last."""
LEVEL = 0.9
"""The Kendall's tau with the order by all ratings whose probability is told."""
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
REFIT = 25
"""After so many ratings the variance of segments is estimated again."""

Integers = NDArray[np.int64]
Repetitions = Annotated[int, Option("--repetitions", min=2, help="How often documents are drawn.")]
Documents = Annotated[
    int | None,
    Option("--documents", min=1, help="Documents of a repetition; without it as many as there are."),
]
Folder = Annotated[
    Path | None, Argument(help="Folder of wmt24-enja or wmt23-zhen-mqm; simulated raters without it.")
]


@dataclass(frozen=True, slots=True)
class Judged:
    """A rating that was given, with its document."""

    document: str
    segment: str
    system: str
    rater: str
    score: float


def assignment(
    data: Folder = None, repetitions: Repetitions = 60, documents: Documents = None, seed: Seed = 0
) -> None:
    """Print how many ratings each way of assignment needs, and whether the means stay right.

    Each repetition draws documents with replacement and lets the raters come in a random order; a rater gets
    the translations that he or she really rated, in the order of the way. The truth is the order by all
    ratings of the repetition; of simulated raters it is the order that was simulated. Intervals: 1,000
    bootstrap samples of repetitions.
    """
    runs: dict[str, list[Run]] = {way: [] for way in WAYS}
    everything = _read(data) if data else None
    for number in range(repetitions):
        rng = np.random.default_rng([seed, number])
        means = None
        if everything is None:
            judged, means = _simulated(rng)
        else:
            judged = _drawn(everything, documents, rng)
        for way in WAYS:
            runs[way].append(_run(judged, way, means, seed=f"{seed}:{number}"))
    ratings = np.mean([run.ratings[-1] for run in runs[RANDOM]])
    title = "simulated raters" if data is None else data.name
    print_title(f"{title}: {repetitions} repetitions of {ratings:,.0f} ratings on average")
    _print_orders(runs)
    _print_needed(runs, TRUE_GOALS if data is None else GOALS, seed)
    _print_means(runs)


def _read(folder: Path) -> list[Judged]:
    """Official ratings of systems; MQM from -25 to 0 as 0 to 100."""
    if (folder / "ratings.tsv.gz").exists():
        return [
            Judged(row["doc_id"], row["seg_id"], row["system"], row["annotator"], float(row["score"]))
            for row in rows_of(folder / "ratings.tsv.gz")
            if row["kind"] == OFFICIAL and row["system"] != "refA"
        ]
    documents = {key: row["doc_id"] for key, row in rows_by_segment(folder / "segments.tsv.gz").items()}
    return [
        Judged(
            documents[row["seg_id"]],
            row["seg_id"],
            row["system"],
            row["rater"],
            100 + 4 * max(float(row["score"]), -25),
        )
        for row in rows_of(folder / "mqm_by_rater.tsv.gz")
        if row["system"] != "refA"
    ]


def _drawn(judged: Sequence[Judged], documents: int | None, rng: np.random.Generator) -> list[Judged]:
    """The ratings of documents that are drawn with replacement; each drawing is a document of its own."""
    by_document: dict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        by_document[one.document].append(one)
    names = sorted(by_document)
    drawn = rng.choice(len(names), documents or len(names))
    return [
        Judged(f"{n}:{one.document}", f"{n}:{one.segment}", one.system, one.rater, one.score)
        for n, index in enumerate(drawn)
        for one in by_document[names[index]]
    ]


def _simulated(rng: np.random.Generator) -> tuple[list[Judged], Floats]:
    """150 segments, 10 systems, 6 raters, one rating each; and the systems' own means."""
    system, segment, rater = rng.normal(80, 4, 10), rng.normal(0, 10, 150), rng.normal(0, 6, 6)
    judged = [
        Judged(
            str(s // 8),
            f"{s:03}",
            f"{k:02}",
            str(r),
            float(np.clip(system[k] + segment[s] + rater[r] + rng.normal(0, 15), 0, 100)),
        )
        for s in range(150)
        for k in range(10)
        for r in [int(rng.integers(6))]
    ]
    return judged, system


@dataclass(frozen=True, slots=True)
class Run:
    """One way in one repetition, at each look.

    ratings: how many. tau: with the true order. said: expected pairs in the wrong order by the
    model; wrong: such pairs. off, plain: (looks, systems), the model's means and plain means less those of
    all ratings; of the model both are centred. truth: (systems,), the true means.
    """

    ratings: Floats
    tau: Floats
    said: Floats
    wrong: Floats
    off: Floats
    plain: Floats
    truth: Floats


@dataclass(frozen=True, slots=True)
class _Table:
    """Ratings as numbers: (n,) segments, systems, raters and scores; and how many of each there are."""

    segment: Integers
    system: Integers
    rater: Integers
    score: Floats
    sizes: tuple[int, int, int]

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> _Table:
        names, columns = [], []
        for field in ("segment", "system", "rater"):
            found, number = np.unique([getattr(one, field) for one in judged], return_inverse=True)
            names.append(len(found))
            columns.append(number.astype(np.int64))
        scores = np.array([one.score for one in judged], np.float64)
        return cls(columns[0], columns[1], columns[2], scores, (names[0], names[1], names[2]))

    def rated(self, rows: Sequence[int] | Integers) -> Rated:
        return Rated(self.segment[rows], self.system[rows], self.rater[rows], self.score[rows])


def _run(judged: Sequence[Judged], way: str, means: Floats | None, *, seed: str) -> Run:
    table = _Table.of(judged)
    everything = Sums.empty(*table.sizes)
    everything.add(table.rated(np.arange(len(judged))))
    truth = standing(everything).means if means is None else means
    rng = np.random.default_rng([len(judged), *seed.encode()])
    turns = rng.permutation(table.rater)
    left = _shares(table, way, rng)
    sums, looks, now = Sums.empty(*table.sizes), [], standing(Sums.empty(*table.sizes))
    done: list[int] = []
    marks = {round(look * len(judged) / LOOKS) for look in range(1, LOOKS + 1)}
    for turn, rater in enumerate(turns.tolist(), 1):
        share, place = left[rater], 0
        if way in AT_RANDOM_OF:
            place = _place(table, share, now, f"{seed}:{turn}", AT_RANDOM_OF[way])
        done.append(share.pop(place))
        sums.add(table.rated(done[-1:]))
        if turn in marks:
            looks.append(_look(table, standing(sums), truth, done))
        if way in AT_RANDOM_OF:
            now = standing(sums, ratios=None if turn % REFIT == 0 else (now.ratio,))
    return Run(*(np.array(column) for column in zip(*looks, strict=True)), truth)


def _shares(table: _Table, way: str, rng: np.random.Generator) -> list[list[int]]:
    """Each rater's ratings in the order of the way."""
    order = rng.permutation(len(table.score))
    if way == WHOLE:
        order = order[np.argsort(rng.permutation(table.sizes[0])[table.segment[order]], kind="stable")]
    return [order[table.rater[order] == rater].tolist() for rater in range(table.sizes[2])]


def _place(table: _Table, share: Sequence[int], now: SystemStanding, seed: str, at_random: float) -> int:
    rows = np.array(share)
    candidates = Candidates(table.segment[rows], table.system[rows], table.rater[rows])
    return choose(now, candidates, seed=seed, at_random=at_random)


def _look(
    table: _Table, now: SystemStanding, truth: Floats, done: Sequence[int]
) -> tuple[int, float, float, int, Floats, Floats]:
    i, j = now.pairs()
    wrong = np.sign(now.means[i] - now.means[j]) != np.sign(truth[i] - truth[j])
    systems = table.sizes[1]
    rows = np.array(done)
    number = np.bincount(table.system[rows], minlength=systems)
    plain = np.bincount(table.system[rows], table.score[rows], systems) / np.maximum(number, 1)
    of_all = np.bincount(table.system, table.score, systems) / np.bincount(table.system, minlength=systems)
    off = now.means - now.means.mean() - truth + truth.mean()
    tau = float(kendalltau(now.means, truth).statistic)
    return len(done), tau, float(now.wrong().sum()), int(wrong.sum()), off, plain - of_all


def _at(share: float) -> int:
    """The look at this share of the ratings."""
    return round(share * LOOKS) - 1


def _print_orders(runs: dict[str, list[Run]]) -> None:
    """Kendall's tau, how often it reaches `LEVEL`, and the wrong pairs beside what the model says."""
    heads = ("share of the ratings", *(f"{share:.0%}" for share in SHARES))
    looks = [_at(share) for share in SHARES]
    rows = []
    for way, own in runs.items():
        tau, wrong, said = (
            np.array([getattr(run, name) for run in own])[:, looks] for name in ("tau", "wrong", "said")
        )
        rows.append((f"tau, {way}", *(f"{value:.3f}" for value in tau.mean(axis=0))))
        rows.append((f"P(tau >= {LEVEL}), {way}", *(f"{v:.2f}" for v in (tau >= LEVEL).mean(axis=0))))
        both = zip(wrong.mean(axis=0), said.mean(axis=0), strict=True)
        rows.append((f"wrong pairs, found / expected, {way}", *(f"{a:.1f} / {b:.1f}" for a, b in both)))
    print_table(heads, sorted(rows, key=lambda row: row[0].split(",")[0]))


GOALS = (("mean tau", 0.8), ("mean tau", 0.9), ("mean tau", 0.95), ("P", 0.8))
TRUE_GOALS = (("mean tau", 0.7), ("mean tau", 0.75), ("mean tau", 0.78))
"""Where the order that was simulated is known: all ratings together do not reach more."""


def _print_needed(runs: dict[str, list[Run]], goals: Sequence[tuple[str, float]], seed: int) -> None:
    """The share of the ratings until a goal is reached, and what is saved against random assignment."""
    taus = {way: np.array([run.tau for run in own]) for way, own in runs.items()}
    drawn = np.concatenate(list(resamples(len(runs[RANDOM]), seed=seed))).astype(np.float64)
    drawn /= drawn.sum(axis=1, keepdims=True)
    rows = []
    for name, level in goals:
        of = {way: tau if name == "mean tau" else tau >= LEVEL for way, tau in taus.items()}
        once = {way: _needed(own.mean(axis=0)[None], level)[0] for way, own in of.items()}
        often = {way: _needed(drawn @ own, level) for way, own in of.items()}
        goal = f"{name} {level}" if name == "mean tau" else f"P(tau >= {LEVEL}) {level}"
        for way in runs:
            low, high = np.quantile(1 - often[way] / often[RANDOM], (0.025, 0.975))
            told = "" if way == RANDOM else f"{1 - once[way] / once[RANDOM]:.0%} ({low:.0%} to {high:.0%})"
            if once[way] > 1 or once[RANDOM] > 1:
                told = ""
            rows.append((goal, way, f"{once[way]:.0%}" if once[way] <= 1 else "not reached", told))
    print_table(("goal", "way", "ratings needed", "saved (95 %)"), rows)


def _needed(curves: Floats, level: float) -> Floats:
    """(n, looks) curves to the share of the ratings from which each stays at its level, (n,)."""
    below = curves < level - 1e-9
    last = np.where(below.any(axis=1), LOOKS - np.argmax(below[:, ::-1], axis=1), 0)
    return (last + 1) / LOOKS


def _print_means(runs: dict[str, list[Run]]) -> None:
    """How far off means are: plain ones and the model's, of the best, middle and worst third of systems."""
    heads = ("means less those of all ratings", *(f"{name} third" for name in ("best", "middle", "worst")))
    rows = []
    for share in (0.25, 0.5, 0.75):
        for way, own in runs.items():
            for name in ("plain", "off"):
                ranked = np.array([getattr(run, name)[_at(share)][np.argsort(-run.truth)] for run in own])
                thirds = [part.mean(axis=1) for part in np.array_split(ranked, 3, axis=1)]
                error = [third.std(ddof=1) / len(own) ** 0.5 for third in thirds]
                label = f"{share:.0%}, {way}, {'plain' if name == 'plain' else 'model'}"
                told = (f"{third.mean():+.2f} ± {e:.2f}" for third, e in zip(thirds, error, strict=True))
                rows.append((label, *told))
    print_table(heads, rows)
