"""Tables on metrics against people: segments, systems, sentence similarity, and layers of the encoder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated

import numpy as np
from typer import Option

from core.cli.console import number
from core.metaeval.correlation import correlate, partial_correlations
from core.metaeval.evaluation import MetaTable, turned
from core.metaeval.significance import intervals
from core.metaeval.systems import kendall_like, system_level, system_permutation
from core.metrics import find_metric
from core.stats.correlation import pearson, spearman
from core.types import TextPair
from tools.tables.inputs import (
    Campaign,
    DataSet,
    Floats,
    JudgedPair,
    Metrics,
    MetricScores,
    Seed,
    Segments,
    judged_in_campaign,
    judged_in_mlqe,
    meta_table,
    path_and_language,
    places_by_group,
    rated_by_mqm,
    rated_in_wmt21,
    request_of,
    rows_by_segment,
    rows_of,
)
from tools.tables.markdown import interval, print_header, print_row, print_signatures, signed_interval

SAMPLES = 1000
CRITERIA = ("Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")
HUMAN = "WebNLG-2020-reference"
SIGNIFICANT = 0.05
GRADES = ("label", "score", "relatedness_score")

MlqeFolder = Annotated[Path | None, Option("--mlqe", help="Folder with ??-en.tsv.gz of MLQE-PE.")]
OneCampaign = Annotated[str | None, Option("--campaign", help="Campaign in the database (YOMIKURABE_DB).")]
Reference = Annotated[str, Option("--reference", help="The reference; others are systems.")]
Layers = Annotated[str, Option("--layers", help="Layers, separated by commas.")]
Weight = Annotated[str, Option("--weight", help="Option weight of bertscore.")]
Domains = Annotated[list[str] | None, Option("--domain", help="A domain to take; may be repeated.")]
NoIntervals = Annotated[bool, Option("--no-intervals", help="Print r without intervals.")]
Parts = Annotated[
    str | None, Option("--parts", help="Parts of the score, each in a row: f1,precision,recall.")
]
GradedFiles = Annotated[list[str], Option("--file", help="FILE:LANG, a TSV with grades; repeatable.")]


def layers(
    campaign: OneCampaign = None,
    mlqe: MlqeFolder = None,
    layers: Layers = "1,3,5,6,7,8,9,10,11,12",
    weight: Weight = "none",
    seed: Seed = 20261127,
) -> None:
    """Print Pearson's r of BERTScore F with people for each layer, raw / z per rater.

    --campaign: the official ratings of a campaign, by domain. --mlqe: 500 items per language, dev splits.
    """
    scores = MetricScores()
    sets = [judged_in_campaign(campaign)] if campaign else []
    sets += [judged_in_mlqe(mlqe, seed)] if mlqe else []
    for judged in sets:
        _print_layers(judged, layers.split(","), weight, scores)
        print_signatures(scores.signatures, seed)


def _print_layers(judged: list[JudgedPair], layers: list[str], weight: str, scores: MetricScores) -> None:
    groups = places_by_group(judged)
    raw, z = (np.array([getattr(one, name) for one in judged]) for name in ("raw", "z"))
    pairs = [one.pair for one in judged]
    print_header(["layer", *(f"{name}, {len(at)}" for name, at in groups.items())])
    for layer in layers:
        described = f"bertscore layer={layer} weight={weight}"
        found = scores.of(described, pairs, label=f"layer {layer}")
        both = ((pearson(found[at], raw[at]), pearson(found[at], z[at])) for at in groups.values())
        print_row(layer, *(f"{number(one)} / {number(two)}" for one, two in both))


def correlation(
    metrics: Metrics,
    campaign: Campaign,
    no_intervals: NoIntervals = False,
    domain: Domains = None,
    seed: Seed = 20261127,
) -> None:
    """Print segment-level Pearson of metrics with people on a campaign, by domain, z per rater.

    In brackets: the 95 % interval of the difference to the first metric `bertscore`, by 1,000 bootstrap
    samples of whole documents.
    """
    judged = [one for one in judged_in_campaign(campaign) if not domain or one.group in domain]
    pairs = [one.pair for one in judged]
    print_header(["metric", *(f"{name}, {len(at)}" for name, at in places_by_group(judged).items())])
    scores, base = MetricScores(), None
    for described in metrics:
        found = scores.of(described, pairs)
        print_row(described, *correlations_by_group(judged, found, None if no_intervals else base, seed))
        if described.split()[0] == "bertscore" and base is None:
            base = found
    print_signatures(scores.signatures, seed)


def correlations_by_group(
    judged: Sequence[JudgedPair], scores: Floats, base: Floats | None, seed: int
) -> list[str]:
    """A cell per group: r with people's z, and the interval of its difference to the base scores."""
    people = np.array([one.z for one in judged])
    cells = []
    for places in places_by_group(judged).values():
        at = np.array(places)
        cells.append(number(pearson(scores[at], people[at])))
        if base is not None:
            drawn = [at[pick] for pick in _document_samples([judged[i].document for i in places], seed)]
            gaps = [pearson(scores[i], people[i]) - pearson(base[i], people[i]) for i in drawn]
            low, high = np.quantile(gaps, [0.025, 0.975])
            cells[-1] += f" ({signed_interval(low, high)})"
    return cells


def _document_samples(documents: Sequence[str], seed: int) -> list[np.ndarray]:
    """The places of the items of each bootstrap sample of documents."""
    rng = np.random.default_rng(seed)
    places = defaultdict(list)
    for place, document in enumerate(documents):
        places[document].append(place)
    groups = [np.array(group) for group in places.values()]
    return [
        np.concatenate([groups[pick] for pick in rng.integers(len(groups), size=len(groups))])
        for _ in range(SAMPLES)
    ]


Rated = tuple[list[str], list[list[TextPair]], dict[str, list[float]]]
"""The system of each text, its pairs with each reference, and people's scores by criterion."""


def systems(data: DataSet, metrics: Metrics, segments: Segments = 10_000, seed: Seed = 20261128) -> None:
    """Print system-level Pearson of metrics with people, on WebNLG 2020 or on WMT 2021 into English.

    A system's score is the mean over its segments; human texts are left out. With several references a
    segment has the best score of them. People: WebNLG's mean ratings; WMT's z-scores per rater.
    """
    webnlg = (data / "items.tsv.gz").exists()
    names, by_text, people = _webnlg_texts(data) if webnlg else _wmt21_texts(data, segments, seed)
    pairs = [pair for own in by_text for pair in own]
    starts = np.cumsum([0, *map(len, by_text)])[:-1]
    print(f"{len(set(names))} systems, {len(names)} texts, {len(pairs)} pairs\n")
    print_header(["metric", *people])
    scores = MetricScores()
    for described in metrics:
        found = np.nan_to_num(scores.of(described, pairs), nan=-np.inf)
        means = _system_means(names, np.maximum.reduceat(found, starts).tolist())
        print_row(described, *(number(pearson(means, _system_means(names, own))) for own in people.values()))
    print_signatures(scores.signatures, seed)


def _webnlg_texts(folder: Path) -> Rated:
    """Every rated text of a system."""
    rows = [row for row in rows_of(folder / "ratings_mean.tsv.gz") if row["system"] != HUMAN]
    texts = {row["sample_id"]: row for row in rows_of(folder / "outputs.tsv.gz")}
    references = {
        row["sample_id"]: [text for name, text in row.items() if name.startswith("ref") and text]
        for row in rows_of(folder / "items.tsv.gz")
    }
    pairs = [
        [TextPair(reference=one, hypothesis=texts[key][name], lang="en") for one in references[key]]
        for key, name in ((row["sample_id"], row["system"]) for row in rows)
    ]
    people = {name: [float(row[name]) for row in rows] for name in CRITERIA}
    return [row["system"] for row in rows], pairs, people


def _wmt21_texts(folder: Path, segments: int, seed: int) -> Rated:
    """Every rated text of a system in the drawn segments."""
    rated, pairs = rated_in_wmt21(folder, segments, seed)
    people = {"z": [float(row["z_mean"]) for row in rated]}
    return [row["system"] for row in rated], [[pair] for pair in pairs], people


def _system_means(names: Sequence[str], values: Sequence[float]) -> Floats:
    """(systems,) the mean value of each system, by name."""
    grouped: dict[str, list[float]] = defaultdict(list)
    for name, value in zip(names, values, strict=True):
        grouped[name].append(value)
    return np.array([fmean(grouped[name]) for name in sorted(grouped)])


def mqm(
    data: DataSet,
    metrics: Metrics,
    reference: Reference = "refA",
    segments: Segments = 10_000,
    seed: Seed = 20261129,
) -> None:
    """Print system-level correlations with MQM, Chinese to English, as Suzuki et al. do (table 3).

    A system's score is the mean over its segments; another reference is a system more. r has a 95 % interval
    by 1,000 bootstrap samples of segments, and a metric is marked * if no other is significantly closer to
    people (PERM-BOTH over systems, one-sided p below .05).
    """
    rated = rated_by_mqm(data, reference, segments, seed)
    scores = MetricScores()
    pairs = [row.pair for row in rated]
    columns = {one: _upwards(one, scores.of(one, pairs)) for one in metrics}
    segments_of = [row.segment for row in rated]
    table = meta_table(
        [row.score for row in rated],
        columns,
        segments_of,
        [row.system for row in rated],
        segments_of,
        segments_of,
    )
    print(f"{len(table.systems)} systems, {len(table.items)} segments, {len(rated)} texts\n")
    print_header(["metric", "Pearson", "95 %", "Spearman", "Kendall", "pairs in order", "soft", "beaten by"])
    for name in columns:
        found = system_level(table, name)
        rivals = [other for other in columns if other != name]
        ahead = [other for other in rivals if _is_ahead(table, other, name)]
        figures = (found.spearman, found.kendall, found.accuracy, found.soft)
        print_row(
            f"{name}{'' if ahead else ' *'}",
            number(found.pearson),
            interval(found.low, found.high),
            *map(number, figures),
            len(ahead),
        )
    print_signatures(scores.signatures, seed)


def _upwards(described: str, found: Floats) -> Floats:
    """Scores so that higher is better."""
    return turned(found, higher_is_better=find_metric(request_of(described).metric).higher_is_better)


def _is_ahead(table: MetaTable, first: str, second: str) -> bool:
    p = system_permutation(table, first, second)
    return p is not None and p < SIGNIFICANT


def into_english(
    data: DataSet,
    metrics: Metrics,
    segments: Segments = 10_000,
    parts: Parts = None,
    seed: Seed = 20261128,
) -> None:
    """Print segment-level correlations on WMT 2021, Japanese to English, and partial ones between metrics.

    Pearson and Kendall with z-scored people; WMT's tau over the pairs that people separate by 25 points or
    more, raw; then the partial correlations of metrics given people (Chousa and Hirao, figure 3). --parts:
    precision and recall, too, as Ishibashi et al. have them (table 4), without partial correlations.
    """
    rated, pairs = rated_in_wmt21(data, segments, seed)
    scores = MetricScores()
    columns = {name: found for one in metrics for name, found in _rows(scores, one, pairs, parts).items()}
    document_of = {key: row["doc_id"] for key, row in rows_by_segment(data / "segments.tsv.gz").items()}
    segment, system = ([row[name] for row in rated] for name in ("seg_id", "system"))
    document, every_document = [document_of[key] for key in segment], list(document_of.values())
    z, raw = (
        meta_table([float(row[people]) for row in rated], columns, segment, system, document, every_document)
        for people in ("z_mean", "raw_mean")
    )
    print(f"{len(z.systems)} systems, {len(z.items)} segments, {len(rated)} rated texts\n")
    print_header(["metric", "Pearson", "95 %", "Kendall", "WMT's tau, pairs"])
    for name, ends in zip(columns, intervals(z, seed=seed), strict=True):
        tau, kendall = kendall_like(raw, name), correlate(z, name, "kendall").value
        shown = f"{number(tau.value)}, {tau.concordant + tau.discordant}"
        print_row(name, number(ends.r), interval(ends.low, ends.high), number(kendall), shown)
    if not parts:
        _print_partial(z)
    print_signatures(scores.signatures, seed)


def _print_partial(table: MetaTable) -> None:
    partial = partial_correlations(table)
    print()
    print_header(["given people", *partial.metrics])
    for name, row in zip(partial.metrics, partial.r.tolist(), strict=True):
        print_row(name, *(f"{value:.2f}" for value in row))


def _rows(
    scores: MetricScores, described: str, pairs: Sequence[TextPair], parts: str | None
) -> dict[str, Floats]:
    """(n,) scores by the name of the row: of the metric, or of each of its parts."""
    if not parts:
        return {described: scores.of(described, pairs)}
    found = scores.parts(described, pairs, parts.split(","))
    return {f"{described}, {part}": values for part, values in found.items()}


def similarity(metrics: Metrics, file: GradedFiles, parts: Parts = None) -> None:
    """Print Spearman of metrics with graded similarity of short sentences (JSTS, STS, SICK).

    Columns of a file: `sentence1` or `sentence_A`, `sentence2` or `sentence_B`, and `label`, `score` or
    `relatedness_score`. A file with a `year` makes one column of the table per year; with a `split`, only
    `test` counts. The last column is the mean of the others. --parts: precision and recall, too, as Ishibashi
    et al. have them (table 5).
    """
    sets = {name: graded for one in file for name, graded in _graded_sets(*path_and_language(one)).items()}
    print_header(["metric", *(f"{name}, {len(pairs)}" for name, (pairs, _) in sets.items()), "mean"])
    scores = MetricScores()
    for described in metrics:
        rows: dict[str, list[float]] = defaultdict(list)
        for pairs, grades in sets.values():
            for name, found in _rows(scores, described, pairs, parts).items():
                rows[name].append(spearman(found, np.array(grades)))
        for name, own in rows.items():
            print_row(name, *map(number, (*own, fmean(own))))
    print_signatures(scores.signatures)


def _graded_sets(path: Path, lang: str) -> dict[str, tuple[list[TextPair], list[float]]]:
    """The pairs and grades of a file, by the name of their set."""
    sets: dict[str, tuple[list[TextPair], list[float]]] = {}
    for row in rows_of(path):
        if row.get("split", "test") != "test":
            continue
        name = f"STS {row['year']}" if "year" in row else path.name.split(".")[0]
        pairs, grades = sets.setdefault(name, ([], []))
        first, second = (row.get(f"sentence{one}") or row[f"sentence_{two}"] for one, two in ("1A", "2B"))
        pairs.append(TextPair(reference=first, hypothesis=second, lang=lang))
        grades.append(float(next(row[name] for name in GRADES if name in row)))
    return sets
