"""Whether metrics find errors where the raters of a campaign mark them, from the traces that are stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Engine, select

from core import __version__
from core.backends import Progress, silent
from core.errors import InputError
from core.metaeval.pointing import MarkedText, Pointing, pointing
from core.metrics import METRICS, evidence
from db.campaigns.analyses import store_analysis, stored_analysis
from db.campaigns.stored_results import result_of
from db.engine import read_session
from db.models import MetricScore
from db.permissions import Viewer
from db.queries.evaluation import column_names, newest, newest_score
from db.queries.marks import MarkRecord, marks_of_campaign
from db.queries.reading import newest_reading
from db.records import ScoreRow

Floats = NDArray[np.float64]

KIND = "pointing"
AT_ONCE = 100
"""Traces that are read from the database at a time."""

ENOUGH = 0.5
"""A metric with traces of a smaller share of the marked translations is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointingReport:
    """The figures, and the metrics with evidence that were left out for want of stored traces.

    shares: by left out metric, the share of the marked translations that it has a trace of.
    """

    figures: Pointing
    shares: Mapping[str, float]


def point_campaign(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    *,
    metrics: Collection[str] = (),
    seed: int = 0,
    progress: Progress = silent,
) -> PointingReport:
    """Measure how well the stored traces of a campaign point. No model is loaded.

    metrics: those to take; none for all that have a trace of at least half of the marked translations.
    Raises InputError without marks and without traces, AccessError for a viewer who may not see scores.
    """
    marked = marks_of_campaign(engine, viewer, campaign_id)
    if not marked:
        raise InputError(
            "Nobody has marked errors in this campaign; its protocol must be esa, mqm, reading or chunks."
        )
    texts = {one.translation_id: one.text for one in marked}
    columns, shares = _columns(engine, set(texts), metrics)
    if not columns:
        raise InputError(
            "No metric that says where errors are has stored traces of the marked translations; "
            "score the campaign first."
        )
    found = _evidence(engine, texts, columns, progress)
    rows = {name: [found[name].get(one.translation_id) for one in marked] for name in columns}
    return PointingReport(figures=pointing(list(map(_text, marked)), rows, seed=seed), shares=shares)


def analyse_pointing(
    engine: Engine, viewer: Viewer, campaign_id: int, *, progress: Progress = silent
) -> PointingReport:
    """The same of all metrics, stored until somebody rates or scores. Raises as `point_campaign`."""
    fingerprint = _fingerprint(engine, campaign_id)
    found = point_campaign(engine, viewer, campaign_id, progress=progress)
    store_analysis(engine, campaign_id, KIND, fingerprint, found)
    return found


def stored_pointing(engine: Engine, viewer: Viewer, campaign_id: int) -> PointingReport | None:
    """What `analyse_pointing` stored of the ratings and scores that there are; None where nothing is.

    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    found: PointingReport | None = stored_analysis(
        engine, campaign_id, KIND, _fingerprint(engine, campaign_id), PointingReport
    )
    return found


def _text(one: MarkRecord) -> MarkedText:
    return MarkedText(
        text=one.text,
        document=one.document,
        item=one.translation_id,
        rater=one.rater,
        spans=one.spans,
        errors=one.errors,
    )


def _fingerprint(engine: Engine, campaign_id: int) -> str:
    """SHA-256 of what changes with every rating and score, and of the program's version."""
    told = [__version__, *newest(engine, campaign_id), *newest_score(engine, campaign_id)]
    read = newest_reading(engine, campaign_id)
    told += read if any(read) else []
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def _columns(
    engine: Engine, marked: Collection[int], metrics: Collection[str]
) -> tuple[dict[str, tuple[str, str]], dict[str, float]]:
    """Metric and signature by name, and the shares of those left out."""
    query = select(MetricScore.metric, MetricScore.signature, MetricScore.translation_id).where(
        MetricScore.trace.is_not(None)
    )
    counts: dict[tuple[str, str], int] = {}
    with read_session(engine) as session:
        for metric, signature, translation in session.execute(query.order_by(MetricScore.id)):
            known = METRICS.get(metric)
            if translation in marked and known is not None and known.evidence is not None:
                counts[metric, signature] = counts.get((metric, signature), 0) + 1
    names = {name: key for name, key in column_names(counts).items() if not metrics or key[0] in metrics}
    shares = {name: counts[key] / len(marked) for name, key in names.items()}
    kept = {name: key for name, key in names.items() if shares[name] >= ENOUGH or metrics}
    return kept, {name: share for name, share in shares.items() if name not in kept}


def _evidence(
    engine: Engine, texts: Mapping[int, str], columns: Mapping[str, tuple[str, str]], progress: Progress
) -> dict[str, dict[int, Floats]]:
    """By column and translation what its stored trace says of each character."""
    found: dict[str, dict[int, Floats]] = {name: {} for name in columns}
    done, total = 0, len(columns) * len(texts)
    for name, (metric, signature) in columns.items():
        for rows, size in _rows(engine, metric, signature, list(texts)):
            for row in rows:
                result = result_of(row)
                values = None if result is None else evidence(result, texts[row.translation_id])
                if values is not None:
                    found[name][row.translation_id] = values
            done += size
            progress(done, total)
    return found


def _rows(
    engine: Engine, metric: str, signature: str, translations: Sequence[int]
) -> Iterator[tuple[list[ScoreRow], int]]:
    """The scores with a trace, some at a time, and of how many translations they are."""
    names = list(ScoreRow.__slots__)
    for start in range(0, len(translations), AT_ONCE):
        part = translations[start : start + AT_ONCE]
        query = select(*(getattr(MetricScore, name) for name in names)).where(
            MetricScore.translation_id.in_(part),
            MetricScore.metric == metric,
            MetricScore.signature == signature,
            MetricScore.trace.is_not(None),
        )
        with read_session(engine) as session:
            found = session.execute(query).mappings().all()
        yield [ScoreRow(**{**row, "flags": tuple(row["flags"])}) for row in found], len(part)
