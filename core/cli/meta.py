"""`python -m core meta`: agreement of metrics with human scores, from score files of mt-metrics-eval."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from core.cli.console import exit_on_error, number, output, say, table
from core.cli.document_scores import DocumentScores, document_rows, read_document_scores, rows_as_table
from core.cli.nearer import nearness_table
from core.cli.options import (
    AsJson,
    Assignments,
    Domain,
    Folder,
    Lang,
    LanguagePair,
    OutFile,
    People,
    Seed,
    choose,
    in_domain,
    named_files,
    split_names,
)
from core.cli.pointing import MarkedSample, Reference, Segments, WithPointing, point
from core.errors import FileError, InputError, OptionError, Wording
from core.metaeval.ceiling import LEAST, ceiling
from core.metaeval.correlation import COEFFICIENTS, GROUPINGS, Coefficient, Grouping, interval
from core.metaeval.evaluation import Floats, MetaTable, known
from core.metaeval.mtme import find_scores, one_of, table_of
from core.metaeval.significance import nearness
from core.metaeval.summary import MetricSummary, summarise

_FIGURES = {
    "accuracy": "acc",
    "kendall_like": "tau",
    "system_spearman": "sys rho",
    "system_kendall": "sys tau",
    "system_accuracy": "sys acc",
    "soft_accuracy": "spa",
}
"""Keys of the last columns, and their headers."""


MetricFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="Metric scores as NAME=FILE; repeatable. With --folder a NAME.",
        show_default="all",
    ),
]
ResampledDocuments = Annotated[
    Path | None,
    typer.Option("--documents", help="The .docs file; the bootstrap resamples whole documents."),
]
Lower = Annotated[
    str, typer.Option("--lower", help="Metrics for which lower is better, separated by commas.")
]
SegmentCoefficient = Annotated[
    str, typer.Option("--coefficient", help=f"Segment-level coefficient: {', '.join(COEFFICIENTS)}.")
]
GroupingName = Annotated[
    str, typer.Option("--grouping", help=f"Average the coefficient over groups: {', '.join(GROUPINGS)}.")
]
OwnItems = Annotated[
    bool,
    typer.Option(
        "--own-items",
        help="Take each metric on all translations that it has scored, not only on those that all have.",
    ),
]
RaterFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--rater",
        help="One person's scores, as --people; repeatable. Adds what one more rater would reach.",
    ),
]
NearerPair = Annotated[
    str | None,
    typer.Option(
        "--nearer", help="FIRST,SECOND: list the translations with which of two metrics is nearer to people."
    ),
]
FEW_DOCUMENTS = 10


@exit_on_error
def meta(
    people: People,
    metric: MetricFiles = None,
    folder: Folder = None,
    pair: LanguagePair = None,
    documents: ResampledDocuments = None,
    domain: Domain = None,
    lower: Lower = "",
    coefficient: SegmentCoefficient = "pearson",
    grouping: GroupingName = "none",
    own_items: OwnItems = False,
    rater: RaterFiles = None,
    document_scores: DocumentScores = None,
    seed: Seed = 0,
    nearer: NearerPair = None,
    with_pointing: WithPointing = False,
    reference: Reference = None,
    segments: Segments = None,
    assignments: Assignments = None,
    lang: Lang = "auto",
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Report how well metrics agree with human scores on segments and systems, with significance tests.

    With --pointing: whether they find errors where people mark them.
    """
    if with_pointing:
        drawn = MarkedSample(reference=reference, segments=segments, lang=lang, seed=seed)
        point(Path(people), metric or [], assignments, drawn, out, as_json=as_json)
        return
    kind = choose("--coefficient", coefficient, COEFFICIENTS)
    groups = choose("--grouping", grouping, GROUPINGS)
    by_document = None if document_scores is None else read_document_scores(document_scores)
    scores, files, documents = _files(
        people, metric or [], folder, pair, documents, needed=by_document is None
    )
    if by_document is not None and documents is None:
        raise OptionError("{option} is missing.", option="--documents")
    raters = {f"rater {number}": Path(path) for number, path in enumerate(rater or (), 1)}
    scored, docs = table_of(scores, files | raters, documents=documents, lower=_lower(lower, files))
    if domain is not None:
        scored = scored.among(np.array(in_domain(domain, docs))[scored.item])
    columns = {name: scored.metrics[name] for name in raters}
    scored = replace(scored, metrics={name: scored.metrics[name] for name in files})
    if nearer is not None:
        with output(out) as file:
            file.write(_nearer(scored, docs, nearer))
        return
    results = _summarise(scored, kind, groups, seed, own_items=own_items) if files else {}
    if by_document is not None:
        within = [document for _, document in docs]
        results["documents"] = [asdict(row) for row in document_rows(scored, within, by_document, seed)]
    if raters:
        results["ceiling"] = _ceiling(scored, columns, seed)
    with output(out) as file:
        file.write(
            json.dumps(results, ensure_ascii=False, indent=1) + "\n" if as_json else _as_table(results)
        )
    _say(results, scored, len(files), documents_named=documents is not None)


def _say(results: dict[str, Any], scored: MetaTable, metrics: int, *, documents_named: bool) -> None:
    """Print to standard error what to keep in mind, and of what the figures are."""
    for note in _notes(results, documents_named=documents_named) if metrics else ():
        say(note)
    rated = int(np.isfinite(scored.people).sum())
    say(
        f"{rated} of {len(scored.people)} translations rated, {len(scored.systems)} systems, "
        f"{metrics} metrics; n: rated translations that the metric scored."
    )


def _summarise(
    every: MetaTable, coefficient: Coefficient, grouping: Grouping, seed: int, *, own_items: bool
) -> dict[str, Any]:
    """The results as --json writes them. own_items: each metric on all that it has scored."""
    scored = every if own_items else every.scored_by_all()
    summary = summarise(scored, coefficient, grouping, seed=seed)
    counts = {name: int(known(every.people, column).sum()) for name, column in every.metrics.items()}
    return {
        "coefficient": coefficient,
        "grouping": grouping,
        "basis": asdict(summary.basis),
        "metrics": [
            _row(row, coefficient, interval(scored, row.metric, coefficient, grouping, seed=seed))
            | {"scored": counts[row.metric]}
            for row in summary.metrics
        ],
        "better": [
            {name: getattr(row, name) for name in ("first", "second", "williams", "permutation", "nearer")}
            | {"system_permutation": summary.system_permutation[row.first, row.second]}
            for row in summary.contrasts
        ],
        "partial": {
            "metrics": list(scored.metrics),
            "r": [[None if np.isnan(r) else r for r in row] for row in summary.partial.r.tolist()],
            "n": summary.partial.n.tolist(),
        },
    }


def _ceiling(scored: MetaTable, raters: Mapping[str, Floats], seed: int) -> dict[str, Any]:
    """What one more rater reaches, and what the metrics are worth. Raises InputError for too few scores."""
    given = np.array(list(raters.values()))
    scores = [column[np.isfinite(column)].tolist() for column in given.T]
    found = ceiling(scored, scores, seed=seed)
    if found is None:
        raise InputError(
            "The files of --rater have fewer than {least} translations that two of them score.", least=LEAST
        )
    return {
        "others": found.others,
        "one_rater": asdict(found.one_rater),
        "metrics": [
            {"metric": name, "r": asdict(one.r), "raters": asdict(one.raters)}
            for name, one in found.metrics.items()
        ],
    }


def _row(
    row: MetricSummary, coefficient: str, ends: tuple[float, float] | tuple[None, None]
) -> dict[str, Any]:
    return {
        "metric": row.metric,
        "in_segments": row.in_segments.value,
        "segments": row.in_segments.groups,
        "in_documents": row.in_documents.value,
        "documents": row.in_documents.groups,
        "lowest_document": row.in_documents.lowest,
        "highest_document": row.in_documents.highest,
        coefficient: row.segment.value,
        f"{coefficient}_low": ends[0],
        f"{coefficient}_high": ends[1],
        "n": row.segment.n,
        "groups": row.segment.groups,
        "r": row.interval.r,
        "low": row.interval.low,
        "high": row.interval.high,
        "accuracy": row.accuracy.value,
        "epsilon": row.accuracy.epsilon,
        "kendall_like": row.kendall_like.value,
        "system_pearson": row.systems.pearson,
        "system_low": row.systems.low,
        "system_high": row.systems.high,
        "system_spearman": row.systems.spearman,
        "system_kendall": row.systems.kendall,
        "system_accuracy": row.systems.accuracy,
        "soft_accuracy": row.systems.soft,
        "outliers": list(row.systems.outliers),
    }


def _notes(results: dict[str, Any], *, documents_named: bool) -> list[str]:
    """What to keep in mind when the figures are read."""
    notes = []
    counts = [row["n"] for row in results["metrics"]]
    if len(set(counts)) > 1:
        notes.append(
            f"The metrics have scored different translations (n {min(counts)} to {max(counts)}), so "
            "their figures are not comparable."
        )
    more = [f"{row['metric']} {row['scored']}" for row in results["metrics"] if row["scored"] > row["n"]]
    if more:
        notes.append(
            f"All figures rest on the translations that every metric has scored; scored are: "
            f"{', '.join(more)}. --own-items takes all of them."
        )
    if not documents_named:
        notes.append("Without --documents each segment counts as a document.")
    elif results["basis"]["documents"] < FEW_DOCUMENTS:
        notes.append(
            f"The number of documents is {results['basis']['documents']}; intervals from fewer than "
            f"{FEW_DOCUMENTS} are rough."
        )
    return notes


def _as_table(results: dict[str, Any]) -> str:
    by_document = rows_as_table(results["documents"]) if "documents" in results else ""
    if "metrics" not in results:
        return by_document
    chosen = results["coefficient"], results["grouping"]
    own = chosen != ("pearson", "none")
    columns = (
        "metric",
        "n",
        "r in segments",
        "r in documents",
        *([" by ".join(chosen).removesuffix(" by none") + " (95 %)"] if own else []),
        "pooled r (95 %)",
        "sys r (95 %)",
        *_FIGURES.values(),
    )
    rows = [
        (
            row["metric"],
            str(row["n"]),
            number(row["in_segments"]),
            _between(row, "in_documents", "lowest_document", "highest_document"),
            *([_between(row, chosen[0], f"{chosen[0]}_low", f"{chosen[0]}_high")] if own else []),
            _between(row, "r", "low", "high"),
            _between(row, "system_pearson", "system_low", "system_high"),
            *(number(row[key]) for key in _FIGURES),
        )
        for row in results["metrics"]
    ]
    figures = table([columns, *rows], right=range(1, len(columns))) + _basis(results["basis"])
    more = _better(results) + _partial(results) if len(rows) > 1 else ""
    worth = _as_raters(results["ceiling"]) if "ceiling" in results else ""
    return figures + more + worth + (f"\n{by_document}" if by_document else "")


def _as_raters(found: dict[str, Any]) -> str:
    """What one more rater reaches, and the metrics beside it."""
    one = found["one_rater"]
    rows = [
        ("one more rater", str(one["n"]), _between(one, "value", "low", "high"), "1"),
        *(
            (
                row["metric"],
                str(row["r"]["n"]),
                _between(row["r"], "value", "low", "high"),
                _between(row["raters"], "value", "low", "high"),
            )
            for row in found["metrics"]
        ),
    ]
    columns = ("", "n", f"r with {number(found['others'])} other raters (95 %)", "worth raters (95 %)")
    return f"\n{table([columns, *rows], right=(1, 2, 3))}"


def _between(row: dict[str, Any], middle: str, low: str, high: str) -> str:
    return f"{number(row[middle])} ({number(row[low])} … {number(row[high])})"


def _basis(found: dict[str, Any]) -> str:
    """What the figures rest on, and how to read them."""
    people = f"people's mean is {number(found['mean'])}, with a standard deviation of {number(found['sd'])}"
    return (
        f"These figures rest on {found['translations']} translations of {found['segments']} segments in "
        f"{found['documents']} documents; {people}.\n"
        "r in segments, r in documents: means of Pearson's r within each segment and within each document "
        "(lowest … highest document). The pooled r also depends on how much the documents differ in quality, "
        "and changes most from one set of documents to another.\n"
    )


def _better(results: dict[str, Any]) -> str:
    """Which metric is closer to people than which, on segments and on systems."""
    columns = ("closer to people", "than", "p segments", "p systems", "nearer in")
    rows = [
        (
            row["first"],
            row["second"],
            number(row["permutation"]),
            number(row["system_permutation"]),
            number(row["nearer"]),
        )
        for row in results["better"]
    ]
    said = (
        "one-sided p by PERM-BOTH that the first metric's Pearson r with people is no larger; nearer in: the "
        "share of translations on which the first is nearer to people, all with mean 0 and variance 1"
    )
    return f"\n{table([columns, *rows], right=(2, 3, 4))}{said}\n"


def _nearer(scored: MetaTable, docs: Sequence[tuple[str, str]], pair: str) -> str:
    """Each translation with people's and both metrics' scores on one scale, widest differences first."""
    names = split_names(pair)
    if len(names) != 2 or not {*names} <= scored.metrics.keys():
        known_names = ", ".join(scored.metrics)
        raise OptionError("--nearer {pair}: give two of {names}", pair=pair, names=known_names)

    def place(row: int) -> tuple[str, str, str]:
        item = int(scored.item[row])
        document = " ".join(filter(None, docs[item]))
        return document, str(item + 1), scored.systems[scored.system[row]]

    found = nearness(scored, names[0], names[1])
    return nearness_table(found, (names[0], names[1]), ("document", "line", "system"), place)


def _partial(results: dict[str, Any]) -> str:
    """Correlations of metrics with each other, given people."""
    names = results["partial"]["metrics"]
    rows = [(name, *map(number, row)) for name, row in zip(names, results["partial"]["r"], strict=True)]
    return f"\n{table([('given people', *names), *rows], right=range(1, len(names) + 1))}"


def _lower(names: str, files: Mapping[str, Path]) -> frozenset[str]:
    """The metrics of --lower. Raises OptionError for metrics without a file."""
    lower = frozenset(split_names(names))
    if not lower <= files.keys():
        unknown = ", ".join(sorted(lower - files.keys()))
        raise OptionError("--lower names {unknown}, which is not in --metric.", unknown=unknown)
    return lower


def _files(
    people: str,
    metrics: list[str],
    folder: Path | None,
    pair: str | None,
    documents: Path | None,
    *,
    needed: bool,
) -> tuple[Path, dict[str, Path], Path | None]:
    """The files of the human scores, of the metrics by name, and of the documents. needed: any metric."""
    if folder is None:
        if not metrics and needed:
            raise OptionError("Give --metric NAME=FILE, or --folder.")
        return Path(people), named_files(metrics, "--metric"), documents
    scores = find_scores(folder, pair)
    if not scores.metrics:
        raise FileError(folder, "has no metric scores in “metric-scores/{pair}”.", pair=scores.pair)
    files = {
        name: one_of(folder, Wording("metric"), scores.metrics, name) for name in metrics or scores.metrics
    }
    return (
        one_of(folder, Wording("human scores"), scores.people, people),
        files,
        documents or scores.documents,
    )
