"""People's and metrics' scores of a campaign's translations as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from sqlalchemy import Engine, String, func, select
from sqlalchemy import cast as sql_cast

from core.errors import YomikurabeError
from core.metaeval.evaluation import Evaluation
from core.metrics import find_metric
from core.raters.agreement import gold
from core.raters.normalise import Method, normalise
from core.signature import differences
from db.engine import reading
from db.models import MetricScore, Segment, Translation
from db.permissions import Viewer
from db.queries.judgements import judgements

_Scores = Mapping[tuple[str, str], Mapping[int, float | None]]
"""By metric and signature: the score of each translation, None for a missing one."""


def evaluation(engine: Engine, viewer: Viewer, campaign_id: int, *, method: Method = "raw") -> Evaluation:
    """All translations of a campaign's systems. method: how raters' scores are brought on one scale.

    A metric that was stored with several signatures has a column for each, named by what differs. Raises
    AccessError for a viewer who may not see scores.
    """
    given = judgements(engine, viewer, campaign_id)
    places = {key: one for key, one in given.places.items() if not one.is_reference}
    lengths, scores, flags = _stored(engine, campaign_id)
    order = sorted(places, key=lambda key: (places[key].segment_id, places[key].system))
    people = {one.item: one.mean for one in gold(normalise(given.scores, method=method).ratings)}
    systems, documents, domains = (_names(getattr(places[key], name) for key in order) for name in _NAMED)
    columns = _columns(scores)
    return Evaluation(
        translation=np.array(order, np.int64),
        segment=np.array([places[key].segment_id for key in order], np.int64),
        system=_indices([places[key].system for key in order], systems),
        document=_indices([places[key].document for key in order], documents),
        domain=_indices([places[key].domain for key in order], domains),
        position=np.array([places[key].position for key in order], np.int64),
        length=np.array([lengths[key] for key in order], np.int64),
        people=np.array([people.get(key, np.nan) for key in order], np.float64),
        metrics={name: _values(scores[key], order) for name, key in columns.items()},
        flags={flag: np.array([key in ids for key in order], bool) for flag, ids in sorted(flags.items())},
        systems=systems,
        documents=documents,
        domains=domains,
        lower=frozenset(name for name, key in columns.items() if not _upwards(key[0])),
        signatures={name: key[1] for name, key in columns.items()},
    )


_NAMED = ("system", "document", "domain")


def newest_score(engine: Engine, campaign_id: int) -> tuple[int, int]:
    """How many metric scores a campaign has and the latest one's id: while both stay, so do the scores."""
    query = (
        select(func.count(MetricScore.id), func.coalesce(func.max(MetricScore.id), 0))
        .join(Translation, Translation.id == MetricScore.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    with reading(engine) as session:
        count, last = session.execute(query).one()
    return count, last


def _stored(engine: Engine, campaign_id: int) -> tuple[dict[int, int], _Scores, dict[str, set[int]]]:
    """Of each translation the reference's length; all scores; the translations that have a flag."""
    texts = (
        select(Translation.id, func.length(Segment.reference))
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    own = MetricScore.translation_id.in_(
        select(Translation.id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    columns = (MetricScore.metric, MetricScore.signature, MetricScore.translation_id, MetricScore.score)
    flagged = select(MetricScore.translation_id, MetricScore.flags).where(
        own, sql_cast(MetricScore.flags, String) != "[]"
    )
    scores: dict[tuple[str, str], dict[int, float | None]] = {}
    flags: dict[str, set[int]] = {}
    with reading(engine) as session:
        lengths = {one[0]: one[1] for one in session.execute(texts)}
        for metric, signature, key, score in session.execute(
            select(*columns).where(own).order_by(MetricScore.id)
        ):
            scores.setdefault((metric, signature), {})[key] = score
        for key, given in session.execute(flagged):
            for flag in given:
                flags.setdefault(flag, set()).add(key)
    return lengths, scores, flags


def _columns(scores: _Scores) -> dict[str, tuple[str, str]]:
    """A name for each metric and signature: the metric's, and with several of one what differs."""
    by_metric: dict[str, list[str]] = {}
    for metric, signature in scores:
        by_metric.setdefault(metric, []).append(signature)
    found: dict[str, tuple[str, str]] = {}
    for metric, signatures in by_metric.items():
        for place, signature in enumerate(signatures):
            name = metric if not place else f"{metric} ({_told(signatures[0], signature)})"
            found[name] = (metric, signature)
    return found


def _told(first: str, other: str) -> str:
    """What the other signature has otherwise: `layer: 9 ≠ 12` becomes `layer 12`."""
    parts = [one.partition(": ") for one in differences(first, other)]
    return ", ".join(f"{key} {values.rpartition('≠ ')[2]}" for key, _, values in parts)


def _upwards(metric: str) -> bool:
    """Of a metric that is not known here, such as one from outside, higher is taken to be better."""
    try:
        return find_metric(metric).higher_is_better
    except YomikurabeError:
        return True


def _names(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _indices(values: Sequence[str], names: Sequence[str]) -> np.ndarray:
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[value] for value in values], np.int64)


def _values(scores: Mapping[int, float | None], order: Sequence[int]) -> np.ndarray:
    found = (scores.get(key) for key in order)
    return np.array([np.nan if value is None else value for value in found], np.float64)
