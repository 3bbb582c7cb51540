"""Scores of whole documents beside people's: files of them, means over documents, and the table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli.console import number, table
from core.errors import FileError
from core.metaeval.evaluation import Floats, MetaTable
from core.novel.documents import Cell, DocumentRow, against_people, means_by_document
from core.text.files import read_text

DocumentScores = Annotated[
    Path | None,
    typer.Option(
        "--document-scores",
        help="Scores of whole documents, written by core documents --json. Adds how they, and the metrics' "
        "document means, agree with people's document means; needs --documents.",
    ),
]


def read_document_scores(path: Path) -> dict[str, dict[Cell, float]]:
    """By metric, then by document and system. Raises FileError for another file than `core documents` writes.

    A document without a score is left out.
    """
    try:
        rows = json.loads(read_text(path))["documents"]
        found: dict[str, dict[Cell, float]] = {str(row["metric"]): {} for row in rows}
        for row in rows:
            if row["score"] is not None:
                found[str(row["metric"])][str(row["document"]), str(row["system"])] = float(row["score"])
    except (ValueError, LookupError, TypeError) as error:
        raise FileError(path, "is not what `core documents --json` writes.") from error
    return found


def document_rows(
    scored: MetaTable, documents: Sequence[str], scores: Mapping[str, Mapping[Cell, float]], seed: int
) -> list[DocumentRow]:
    """How document scores, and the document means of a table's metrics, agree with people's document means.

    documents: of each segment.
    """
    within = [documents[item] for item in scored.item.tolist()]
    systems = [scored.systems[system] for system in scored.system.tolist()]

    def means(values: Floats) -> dict[Cell, float]:
        return means_by_document(values, within, systems, scored.people)

    columns = {**scores, **{name: means(values) for name, values in scored.metrics.items()}}
    return against_people(means(scored.people), columns, seed=seed)


def rows_as_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The table of correlations. rows: `DocumentRow` as mappings."""
    head = ("", "r with people (95 %)", "n", "documents")
    told = [
        (
            row["name"],
            f"{number(row['r']['value'])} ({number(row['r']['low'])} … {number(row['r']['high'])})",
            str(row["r"]["n"]),
            str(row["documents"]),
        )
        for row in rows
    ]
    return table([head, *told], right=(1, 2, 3))
