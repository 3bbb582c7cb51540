"""`python -m core documents`: scores of whole documents, and how they agree with people."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from core.backends.registry import load_backends
from core.cli.cast import GlossaryFile, glossary_of, read_novel
from core.cli.console import exit_on_error, number, output, progress_bar, say_if_tty, table
from core.cli.options import AsJson, HypFiles, Lang, OutFile, RefFile, Seed, split_names
from core.codec import encode_trace
from core.errors import FileError, OptionError
from core.metaeval.mtme import read_documents, read_seg_scores
from core.novel.cast import cast
from core.novel.documents import (
    DOCUMENT_METRICS,
    Cell,
    DocumentResult,
    DocumentRow,
    against_people,
    by_cell,
    rows_of,
)
from core.novel.terms import terms, with_terms
from core.novel.voice import voices
from core.text.files import language


@exit_on_error
def documents(
    ref: RefFile,
    docs: Annotated[Path, typer.Option("--documents", help="The .docs file: the document of each segment.")],
    hyp: HypFiles = None,
    metric: Annotated[
        str, typer.Option("--metric", help=f"Metric: {', '.join(DOCUMENT_METRICS)}; separate with commas.")
    ] = ",".join(DOCUMENT_METRICS),
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
    """Score whole documents: whether names keep their rendering, and quotations their voice."""
    chosen = [_metric(name) for name in dict.fromkeys(split_names(metric))]
    references, systems = read_novel(ref, hyp)
    within = [document for _, document in read_documents(docs, len(references))]
    code = language(lang, references[:200])
    entries = glossary_of(glossary, code)
    backends = load_backends(say=say_if_tty)
    scores: list[DocumentResult] = []
    for name in chosen:
        one = DOCUMENT_METRICS[name]
        with progress_bar(name) as progress:
            found: Any
            if one.analysis == "cast":
                names = cast(references, systems, backends, lang=code, progress=progress)
                found = with_terms(names, terms(entries, references, systems))
            else:
                found = voices(references, systems, backends, lang=code, documents=within, progress=progress)
        scores += one.scores(found, within)
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


def _metric(name: str) -> str:
    if name not in DOCUMENT_METRICS:
        raise OptionError(
            "There is no metric of documents {metric}; choose among {metrics}.",
            metric=name,
            metrics=", ".join(DOCUMENT_METRICS),
        )
    return name


def _means(path: Path, within: Sequence[str]) -> dict[Cell, float]:
    """By document and system the mean of people's scores. Raises FileError for another number of segments."""
    given = read_seg_scores(path)
    if given.segments != len(within):
        raise FileError(
            path, "has {n} scores a system for {segments} segments.", n=given.segments, segments=len(within)
        )
    cells: dict[Cell, list[float]] = {}
    for system, values in given.by_system.items():
        for place in np.flatnonzero(np.isfinite(values)).tolist():
            cells.setdefault((within[place], system), []).append(float(values[place]))
    return {cell: math.fsum(own) / len(own) for cell, own in cells.items()}


def _as_json(scores: Sequence[DocumentResult], rows: Sequence[DocumentRow], *, trace: bool) -> str:
    told = [
        {
            "document": one.document,
            "system": one.system,
            "metric": one.metric,
            "score": one.score,
            "parts": dict(one.parts),
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
        head = ("", "r with people (95 %)", "n", "documents")
        told = [
            (
                row.name,
                f"{number(row.r.value)} ({number(row.r.low)} … {number(row.r.high)})",
                str(row.r.n),
                str(row.documents),
            )
            for row in rows
        ]
        text += "\n" + table([head, *told], right=(1, 2, 3))
    return text
