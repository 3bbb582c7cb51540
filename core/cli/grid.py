"""`python -m core grid`: score with every combination of settings and correlate each with human scores.

The texts and human scores come from single files or from a test set folder in mt-metrics-eval layout.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import unquote

import numpy as np
import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, number, output, progress_bar, say, say_if_tty, table
from core.cli.nearer import nearness_table
from core.cli.options import (
    AsJson,
    Documents,
    Domain,
    Folder,
    Lang,
    LanguagePair,
    OutFile,
    People,
    choose,
    in_domain,
    named_files,
    parse_settings,
)
from core.errors import FileError, InputError, OptionError, Wording
from core.grid.corpora import GridCorpora
from core.grid.run import (
    PAPER_A,
    GridResult,
    Subject,
    cells,
    make_grid,
    parse_axis,
    rows,
    shown,
    with_preset,
)
from core.grid.store import Store
from core.metaeval.correlation import COEFFICIENTS
from core.metaeval.evaluation import MetaTable, turned
from core.metaeval.mtme import Scores, find_scores, one_of, read_documents, read_seg_scores
from core.metaeval.significance import nearness
from core.metrics import find_metric
from core.metrics.bertscore.weights import SHIPPED_NAMES
from core.text.files import check_line_count, read_lines
from core.text.languages import base_lang, guess_lang
from core.types import TextPair

AUTO = "auto"
CACHE_BYTES = 2 << 30

Axes = Annotated[
    list[str] | None,
    typer.Option("--axis", help="Axis as OPTION=VALUE,VALUE; OPTION may be metric. Repeatable."),
]
PresetName = Annotated[
    str | None,
    typer.Option("--preset", help="paper-a: metrics, idf and settings of the grid of the novels paper."),
]
CorpusPaths = Annotated[
    list[str] | None,
    typer.Option(
        "--corpus",
        help="Corpus of idf=novel or idf=wiki for other encoders, as NAME=PATH; repeatable.",
    ),
]
BaseMetric = Annotated[str, typer.Option("--metric", help="Metric, unless it is an axis.")]
Reference = Annotated[
    str | None,
    typer.Option("--ref", help="Reference file, one segment per line; with --folder the reference's name."),
]
Outputs = Annotated[
    list[str] | None, typer.Option("--hyp", help="Translation file as SYSTEM=FILE; repeatable.")
]
Fixed = Annotated[
    list[str] | None, typer.Option("--set", help="Option of all cells as OPTION=VALUE; repeatable.")
]
Resume = Annotated[
    Path | None,
    typer.Option("--resume", help="Checkpoint file: resume from its scores and append the others."),
]
Keep = Annotated[Path | None, typer.Option("--keep", hidden=True, help="Same as --resume.")]
HeatmapCoefficient = Annotated[
    str, typer.Option("--coefficient", help=f"Coefficient in --heatmap: {', '.join(COEFFICIENTS)}.")
]
NearerRows = Annotated[
    str | None,
    typer.Option(
        "--nearer",
        help="Two rows of the table, such as 1,2: list the translations with which of them is nearer to "
        "people.",
    ),
]
Heatmap = Annotated[Path | None, typer.Option("--heatmap", help="HTML file for a heatmap.")]


@exit_on_error
def grid(
    people: People,
    axis: Axes = None,
    metric: BaseMetric = "bertscore",
    ref: Reference = None,
    hyp: Outputs = None,
    folder: Folder = None,
    pair: LanguagePair = None,
    documents: Documents = None,
    domain: Domain = None,
    lang: Lang = AUTO,
    assignments: Fixed = None,
    preset: PresetName = None,
    corpus: CorpusPaths = None,
    resume: Resume = None,
    keep: Keep = None,
    coefficient: HeatmapCoefficient = "pearson",
    heatmap: Heatmap = None,
    nearer: NearerRows = None,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Score with every combination of the axis values and correlate each with human scores."""
    name = find_metric(metric).name
    axes, fixed = with_preset(preset, [parse_axis(text) for text in axis or []])
    if not axes:
        raise OptionError("Give --axis OPTION=VALUE,VALUE, or --preset {preset}", preset=PAPER_A)
    combinations = cells(name, axes, fixed | parse_settings(name, assignments)[name])
    choose("--coefficient", coefficient, COEFFICIENTS)
    two = None if nearer is None else _two_rows(nearer, len(combinations))
    subject = _subject(people, ref, hyp or [], folder, pair, documents, domain, lang)
    backends = load_backends(say=say_if_tty, cache_bytes=CACHE_BYTES)
    with progress_bar("counting") as progress:
        combinations = parse_corpora(corpus or []).cells(combinations, backends, progress=progress)
    plan = make_grid(axes, combinations, subject, backends)
    store = Store(resume or keep, subject.pairs)
    with progress_bar("cells × translations") as progress:
        for _ in plan.run(store, progress=progress):
            pass
    results = plan.result(store)
    with output(out) as file:
        if two is not None:
            file.write(_nearer(results, subject, two))
        else:
            file.write(_as_lines(results) if as_json else as_table(results))
    if heatmap is not None:
        _write_heatmap(results, coefficient, heatmap)
    say(f"{len(combinations)} cells ({len(plan.works)} different), {len(subject.pairs)} translations.")


def parse_corpora(given: Sequence[str]) -> GridCorpora:
    """`novel=FOLDER`, repeatable. Raises OptionError for another form and another name."""
    found: dict[str, list[Path]] = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or name not in SHIPPED_NAMES or not path:
            raise OptionError(
                "--corpus {text}: write NAME=PATH with one of {names}",
                text=text,
                names=", ".join(SHIPPED_NAMES),
            )
        found.setdefault(name, []).append(Path(path))
    return GridCorpora(paths=found)


def as_table(results: GridResult) -> str:
    """A row for each cell; `*` marks the highest Pearson correlation."""
    best = results.best()
    lines = [
        (
            *map(shown, row.cell.choice),
            number(row.pearson),
            number(row.kendall),
            str(row.n),
            str(row.missing),
            "*" if row is best else "",
        )
        for row in results.cells
    ]
    names = [axis.name for axis in results.axes]
    columns = (*names, "pearson", "kendall", "n", "missing", "")
    return table([columns, *lines], right=range(len(names), len(columns) - 1))


def _two_rows(text: str, n: int) -> tuple[int, int]:
    """The places of two different cells. Raises OptionError."""
    first, _, second = text.partition(",")
    rows = [str(row) for row in range(1, n + 1)]
    if first == second or not {first, second} <= {*rows}:
        raise OptionError(
            "--nearer {text}: give two rows of the table, from 1 to {n}, as 1,2", text=text, n=n
        )
    return rows.index(first), rows.index(second)


def _nearer(results: GridResult, subject: Subject, two: tuple[int, int]) -> str:
    """Each translation with people's scores and those of two cells on one scale."""
    chosen = [results.cells[place] for place in two]
    columns = {
        f"{place}": turned(one.scores, higher_is_better=find_metric(one.cell.request.metric).higher_is_better)
        for place, one in zip(two, chosen, strict=True)
    }
    people = replace(subject.table, metrics=columns)
    found = nearness(people, *columns)
    first, second = (" ".join(map(shown, one.cell.choice)) for one in chosen)

    def place_of(row: int) -> tuple[str, str]:
        return str(people.item[row] + 1), people.systems[people.system[row]]

    return nearness_table(found, (first, second), ("line", "system"), place_of)


def _as_lines(results: GridResult) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows(results))


def _write_heatmap(results: GridResult, coefficient: str, path: Path) -> None:
    from core.charts.embed import document  # loads plotly
    from core.charts.grid import GridWords, heatmap
    from core.charts.palette import LIGHT

    words = GridWords(hover="{cell}: {value}, n = {n}", none="no value")
    figure = heatmap(results, coefficient, words=words, palette=LIGHT)
    title = f"{coefficient} with people, {results.pairs} translations"
    with output(path) as file:
        file.write(document(figure, title=title, alt=title, palette=LIGHT))


def _subject(
    people: str,
    ref: str | None,
    hyp: Sequence[str],
    folder: Path | None,
    pair: str | None,
    documents: Path | None,
    domain: str | None,
    lang: str,
) -> Subject:
    """The rated translations, from a folder or from files."""
    if folder is not None:
        if hyp:
            raise OptionError("--folder contains the translations; leave out --hyp")
        return subject_of_folder(folder, people, pair=pair, reference=ref, domain=domain, lang=lang)
    if ref is None or not hyp:
        raise OptionError("Give --ref FILE and --hyp SYSTEM=FILE, or --folder")
    outputs = named_files(hyp, "--hyp", form="SYSTEM=FILE")
    return subject_of_files(Path(people), Path(ref), outputs, documents=documents, domain=domain, lang=lang)


class _Rating(NamedTuple):
    """A rated translation: segment, index of the system, and human score."""

    segment: int
    system: int
    score: float


def subject_of_files(
    people: Path,
    reference: Path,
    outputs: Mapping[str, Path],
    *,
    source: Path | None = None,
    documents: Path | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """The rated translations, ordered by segment and then by system.

    people: a .seg.score file of mt-metrics-eval. outputs: translation files by system. documents: a .docs
    file. domain: use only its segments. Raises FileError for files that do not belong together, OptionError
    for an unknown domain, and InputError if no translation is rated.
    """
    references, human = read_lines(reference), read_seg_scores(people)
    n = len(references)
    texts = {
        name: _lines_like(path, n, reference) for name, path in outputs.items() if name in human.by_system
    }
    _check_people(human, outputs, texts, reference, n)
    docs = read_documents(documents, n) if documents else [("", str(segment)) for segment in range(n)]
    ratings = _ratings(human, list(texts), in_domain(domain, docs))
    if not ratings:
        raise InputError("None of these translations has a human score.")
    sources: Sequence[str | None] = [None] * n if source is None else _lines_like(source, n, reference)
    code, columns = guess_lang(references) if lang == AUTO else lang, list(texts.values())
    pairs = [
        TextPair(
            reference=references[segment],
            hypothesis=columns[system][segment],
            source=sources[segment],
            lang=code,
        )
        for segment, system, _ in ratings
    ]
    return Subject(pairs=pairs, table=_meta_table(ratings, list(texts), docs))


def _ratings(human: Scores, systems: Sequence[str], inside: Sequence[bool]) -> list[_Rating]:
    """The human scores of the systems for the segments that are inside the domain."""
    return [
        _Rating(segment, index, float(human.by_system[name][segment]))
        for segment in np.flatnonzero(inside).tolist()
        for index, name in enumerate(systems)
        if np.isfinite(human.by_system[name][segment])
    ]


def _lines_like(path: Path, n: int, reference: Path) -> list[str]:
    """The lines of a file. Raises FileError for another number than `n`."""
    lines = read_lines(path)
    check_line_count(path, len(lines), reference, n)
    return lines


def _check_people(
    human: Scores, outputs: Iterable[str], texts: Collection[str], reference: Path, n: int
) -> None:
    """Raises FileError if the human scores are for other systems or another number of segments."""
    if not texts:
        known = ", ".join(human.by_system)
        raise FileError(
            human.path,
            "has no scores for {outputs}; its systems are {known}.",
            outputs=", ".join(outputs),
            known=known,
        )
    if human.segments != n:
        raise FileError(
            human.path,
            "has {n} segments but {reference} has {lines} lines.",
            n=human.segments,
            reference=reference,
            lines=n,
        )


def _meta_table(
    ratings: Sequence[_Rating], systems: Sequence[str], docs: Sequence[tuple[str, str]]
) -> MetaTable:
    groups = {document: index for index, document in enumerate(dict.fromkeys(docs))}
    return MetaTable(
        people=np.array([rating.score for rating in ratings], np.float64),
        metrics={},
        item=np.array([rating.segment for rating in ratings], np.int64),
        system=np.array([rating.system for rating in ratings], np.int64),
        items=[str(segment) for segment in range(len(docs))],
        systems=systems,
        group=np.array([groups[docs[rating.segment]] for rating in ratings], np.int64),
    )


def subject_of_folder(
    folder: Path,
    people: str,
    *,
    pair: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """As `subject_of_files`, from a test set folder in mt-metrics-eval layout.

    people: name of the human scores. reference: name of the reference; the first by default. Raises FileError
    for missing files.
    """
    scores = find_scores(folder, pair)
    references = _files_by_name((folder / "references").glob(f"{scores.pair}.*.txt"), f"{scores.pair}.")
    if not references:
        raise FileError(folder / "references", "has no reference for {pair}.", pair=scores.pair)
    name = reference if reference is not None else next(iter(references))
    outputs = _files_by_name((folder / "system-outputs" / scores.pair).glob("*.txt"), "")
    source = folder / "sources" / f"{scores.pair}.txt"
    return subject_of_files(
        one_of(folder, Wording("human scores"), scores.people, people),
        one_of(folder, Wording("reference"), references, name),
        {system: path for system, path in outputs.items() if system != name},
        source=source if source.is_file() else None,
        documents=scores.documents,
        domain=domain,
        lang=base_lang(scores.pair.rpartition("-")[2]) if lang == AUTO else lang,
    )


def _files_by_name(paths: Iterable[Path], prefix: str) -> dict[str, Path]:
    return {unquote(path.name.removeprefix(prefix).removesuffix(".txt")): path for path in sorted(paths)}
