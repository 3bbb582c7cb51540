"""`python -m core documents`: scores of whole documents, and how they agree with people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends
from core.cli.cast import GlossaryFile, glossary_of, read_novel
from core.cli.console import exit_on_error, number, output, progress_bar, say_if_tty, table
from core.cli.document_scores import rows_as_table
from core.cli.options import AsJson, Assignments, HypFiles, Lang, OutFile, RefFile, Seed, assign, split_names
from core.codec import encode_trace
from core.errors import FileError
from core.metaeval.mtme import read_documents, read_seg_scores
from core.metrics.documents import DOCUMENT_METRICS, find_document_metric
from core.metrics.documents.base import DocumentResult
from core.novel.cast import cast
from core.novel.discourse import discourse
from core.novel.documents import (
    Cell,
    DocumentRow,
    NovelOutline,
    against_people,
    by_cell,
    document_scores,
    means_by_document,
    models_of,
    rows_of,
)
from core.novel.terms import terms, with_terms
from core.novel.voice import voices
from core.text.pair_files import language


@exit_on_error
def documents(
    ref: RefFile,
    docs: Annotated[Path, typer.Option("--documents", help="The .docs file: the document of each segment.")],
    hyp: HypFiles = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            help=f"Metric: {', '.join(DOCUMENT_METRICS)}; separate with commas.",
            show_default="all for the language",
        ),
    ] = None,
    assignments: Assignments = None,
    glossary: GlossaryFile = None,
    people: Annotated[
        Path | None,
        typer.Option("--people", help="Human scores (.seg.score) to compare the scores of documents with."),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="With --json: what each score is made of.")] = False,
    seed: Seed = 0,
    lang: Lang = "auto",
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Score whole documents: names and terms, voices, and in English what BlonDe counts."""
    references, systems = read_novel(ref, hyp)
    within = [document for _, document in read_documents(docs, len(references))]
    code = language(lang, references[:200])
    chosen = _chosen(metric, code)
    settings = assign(chosen, assignments)
    entries = glossary_of(glossary, code)
    backends = load_backends(say=say_if_tty)
    for name, options in settings.items():
        DOCUMENT_METRICS[name].settle(options)
    analyses: dict[str, Any] = {}
    for kind in dict.fromkeys(DOCUMENT_METRICS[name].analysis for name in chosen):
        with progress_bar(kind) as progress:
            if kind == "cast":
                names = cast(references, systems, backends, lang=code, progress=progress)
                analyses[kind] = with_terms(names, terms(entries, references, systems))
            else:
                find = voices if kind == "voice" else discourse
                analyses[kind] = find(
                    references, systems, backends, lang=code, documents=within, progress=progress
                )
    outline = NovelOutline(documents=within, systems=list(systems), made_by=models_of(backends, code))
    scores = [
        one
        for name in chosen
        for one in document_scores(name, analyses[DOCUMENT_METRICS[name].analysis], outline, settings[name])
    ]
    rows = [] if people is None else against_people(_means(people, within), by_cell(scores), seed=seed)
    write_documents(scores, rows, out, as_json=as_json, trace=trace)


def write_documents(
    scores: Sequence[DocumentResult],
    rows: Sequence[DocumentRow],
    out: Path | None,
    *,
    as_json: bool,
    trace: bool = False,
) -> None:
    """Write scores of documents, and their agreement with people, as tables or JSON."""
    with output(out) as file:
        file.write(_as_json(scores, rows, trace=trace) if as_json else _as_table(scores, rows))


def _chosen(names: str | None, lang: str) -> list[str]:
    """The metrics that are named, or all for the language. Raises InputError where one cannot score it."""
    if names is None:
        able = [name for name, one in DOCUMENT_METRICS.items() if lang in one.languages]
        names = ",".join(able or DOCUMENT_METRICS)
    chosen = [find_document_metric(name) for name in dict.fromkeys(split_names(names))]
    for one in chosen:
        one.check_language(lang)
    return [one.name for one in chosen]


def _means(path: Path, within: Sequence[str]) -> dict[Cell, float]:
    """By document and system the mean of people's scores. Raises FileError for another number of segments."""
    given = read_seg_scores(path)
    if given.segments != len(within):
        raise FileError(
            path, "has {n} scores a system for {segments} segments.", n=given.segments, segments=len(within)
        )
    means: dict[Cell, float] = {}
    for system, values in given.by_system.items():
        means |= means_by_document(values, within, [system] * len(within), values)
    return means


def _as_json(scores: Sequence[DocumentResult], rows: Sequence[DocumentRow], *, trace: bool) -> str:
    told = [
        {
            "document": one.document,
            "system": one.system,
            "metric": one.metric,
            "score": one.score,
            "parts": dict(one.parts),
            "signature": one.signature,
        }
        | ({"missing": str(one.missing)} if one.missing is not None else {})
        | ({"trace": encode_trace(one.trace)} if trace else {})
        for one in rows_of(scores)
    ]
    found = {"documents": told, "people": [asdict(row) for row in rows]}
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _as_table(scores: Sequence[DocumentResult], rows: Sequence[DocumentRow]) -> str:
    metrics = list(dict.fromkeys(one.metric for one in scores))
    cells: dict[Cell, dict[str, float | None]] = {}
    for one in rows_of(scores):
        cells.setdefault((one.document, one.system), {})[one.metric] = one.score
    lines = [
        (document, system, *(number(own.get(name)) for name in metrics))
        for (document, system), own in cells.items()
    ]
    text = table([("document", "system", *metrics), *lines], right=range(2, 2 + len(metrics)))
    if rows:
        text += "\n" + rows_as_table([asdict(row) for row in rows])
    return text
