"""Scores of other programs' metrics for a campaign, read from a file or written as a mt-metrics-eval folder.

Two forms are read: mt-metrics-eval's (a system, a tab and a score per line, each system's segments in the
order of the campaign), and a table, TSV or CSV, with the columns document, position, system and score.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sqlalchemy import Engine

from core.backends.external import PREFIX
from core.errors import FileError, OptionError, Wording
from core.metaeval.evaluation import Evaluation
from core.metaeval.mtme import read_seg_scores
from core.signature import signature
from core.text.files import LIMIT_BYTES, read_text, split_lines
from db.campaigns.export import Download, More, download, read_bundle
from db.formats.bundle import Key
from db.formats.cells import Sheet, csv_rows, make_sheet, read_number, read_position, read_tsv_sheet
from db.formats.mtme import Judged, metric_files
from db.permissions import Viewer
from db.queries import list_segments, list_translations, store_scores
from db.queries.evaluation import evaluation
from db.records import ScoreRow

COLUMNS = ("document", "position", "system", "score")
Where = tuple[str, int, str]
"""Document, position and system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """How many scores were stored, and of how many translations the file says nothing."""

    stored: int
    without: int


def import_scores(engine: Engine, campaign_id: int, path: Path, name: str) -> Taken:
    """Store a file's scores as those of `external:NAME`, all of them or none.

    The signature holds a fingerprint of the file. Raises FileError, with the line, for a file that does not
    fit the campaign, and OptionError for a name that is none.
    """
    check_external_name(name)
    translations = {
        (row.document, row.position, row.system): row.id for row in list_translations(engine, campaign_id)
    }
    segments = [(row.document, row.position) for row in list_segments(engine, campaign_id)]
    scores = dict(_rows(path, segments, translations))
    metric = PREFIX + name
    fingerprint = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    signed = signature(metric, {"by": "file", "file": fingerprint})
    rows = [
        ScoreRow(
            translation_id=translations[where],
            metric=metric,
            signature=signed,
            score=score,
            parts={} if score is None else {"score": score},
            missing=Wording("The file has no score for it.") if score is None else None,
        )
        for where, score in scores.items()
    ]
    return Taken(stored=store_scores(engine, rows), without=len(translations.keys() - scores.keys()))


def check_external_name(name: str) -> None:
    """Raises OptionError for what cannot stand after `external:`."""
    if not name or not all(char.isalnum() or char in "-_." for char in name):
        raise OptionError("“{name:.40}” is not a name for a metric; use letters, digits, - and _.", name=name)


def _rows(
    path: Path, segments: list[tuple[str, int]], translations: dict[Where, int]
) -> Iterator[tuple[Where, float | None]]:
    header = next((line for line in split_lines(read_text(path)) if line.strip()), "")
    if all(column in header for column in COLUMNS):
        if "\t" in header:
            sheet = read_tsv_sheet(path, required=COLUMNS, limit_bytes=LIMIT_BYTES, what=Wording("scores"))
        else:
            sheet = make_sheet(path, csv_rows(path, LIMIT_BYTES), required=COLUMNS, what=Wording("scores"))
        yield from _table(sheet, translations)
        return
    found = read_seg_scores(path)
    if found.segments != len(segments):
        raise FileError(
            path, "has {n} segments; the campaign has {segments}.", n=found.segments, segments=len(segments)
        )
    known = {system for _, _, system in translations}
    for system, column in found.by_system.items():
        if system not in known:
            raise FileError(
                path, "names a system “{system:.80}” that the campaign does not have.", system=system
            )
        for place, score in zip(segments, column.tolist(), strict=True):
            if (*place, system) in translations:
                yield (*place, system), None if np.isnan(score) else score


def _table(sheet: Sheet, translations: dict[Where, int]) -> Iterator[tuple[Where, float | None]]:
    seen: set[Where] = set()
    for place, row in sheet.records():
        where = row["document"], read_position(row["position"], place), row["system"]
        text = row["score"].strip()
        score = None if text in ("", "None") else read_number(text, place)
        if where not in translations:
            raise place.error("names a translation that the campaign does not have.")
        if where in seen:
            raise place.error("names a translation for the second time.")
        seen.add(where)
        yield where, score


def score_folder(engine: Engine, viewer: Viewer, campaign_id: int) -> Download:
    """The folder as a zip file: texts, people's scores, and those of every metric under `metric-scores`.

    Raises AccessError for a viewer who may not see scores and FileError for a text with a line break.
    """
    bundle = read_bundle(engine, campaign_id)
    return download(bundle, "mtme", more=metric_scores(engine, viewer, campaign_id))


def metric_scores(engine: Engine, viewer: Viewer, campaign_id: int) -> More:
    """The files with every metric's scores, for a folder. Raises AccessError as above."""
    found = evaluation(engine, viewer, campaign_id)
    scores = {metric: _judged(found, metric) for metric in found.metrics}
    return lambda held: metric_files(held, scores)


def _judged(found: Evaluation, metric: str) -> Judged:
    judged: dict[tuple[Key, str], float] = {}
    for row, score in enumerate(found.metrics[metric].tolist()):
        if score == score:  # not NaN
            key = (found.documents[found.document[row]], int(found.position[row]))
            judged[key, found.systems[found.system[row]]] = score
    return judged
