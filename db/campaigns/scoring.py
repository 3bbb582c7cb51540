"""Scores of a campaign's translations: stored scores are kept, missing ones are computed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Engine, or_, select

from core.backends import Backends, Judge, Progress, silent
from core.errors import OptionError, Wording
from core.metrics import find_metric
from core.metrics.base import Scorer, Settings
from core.scoring import new_costs, score_prepared
from core.text.languages import base_lang
from core.types import CostEstimate, TextPair
from db.campaigns.stored_results import score_row
from db.engine import read_session
from db.models import MetricScore, Segment, System, Translation
from db.queries import get_campaign, list_segments, list_translations, store_scores
from db.records import ScoreRow, TranslationRecord

BATCH = 200
"""How many scores one transaction holds: what a power cut can cost."""


Before = Callable[[Sequence[Scorer[Any]], Sequence[TextPair]], None]


@dataclass(frozen=True, slots=True)
class ScoringReport:
    """How many scores were computed and stored, how many were there already, and how many are missing."""

    computed: int
    kept: int
    missing: int


@dataclass(frozen=True, slots=True)
class _Work:
    """Metrics that lack scores of the same translations: they read each text together."""

    translations: list[TranslationRecord]
    pairs: list[TextPair]
    metrics: list[Scorer[Any]]


@dataclass(frozen=True, slots=True)
class ScoringPlan:
    """The scores that a campaign lacks. total: how many they are; kept: how many are stored already."""

    work: Sequence[_Work]
    total: int
    kept: int
    with_trace: bool

    def groups(self) -> Iterator[tuple[Sequence[Scorer[Any]], list[TextPair]]]:
        """Metrics with the pairs that they will score."""
        for part in self.work:
            yield part.metrics, part.pairs

    def costs(self) -> list[tuple[Judge, CostEstimate]]:
        """What the calls of language models cost at most; empty where no new call is needed."""
        return [cost for metrics, pairs in self.groups() for cost in new_costs(metrics, pairs)]


def plan_scoring(
    engine: Engine,
    campaign_id: int,
    settings: Mapping[str, Settings],
    backends: Backends,
    *,
    with_trace: bool = True,
    references: Sequence[str] = (),
) -> ScoringPlan:
    """Which scores of `settings`' metrics a campaign lacks; rated references are left out.

    references: names of further references (`further_references`), beside that of each segment.

    A score of the same translation, metric and signature is not computed again, unless its trace is wanted
    and was not stored; a missing score has no trace. Raises InputError for an unknown campaign and
    OptionError for a wrong option and a reference that is not there.
    """
    lang = base_lang(get_campaign(engine, campaign_id).target_lang)
    every = list_translations(engine, campaign_id)
    translations = [one for one in every if not one.is_reference]
    more = _more_references(every, references)
    context = [segment.pair(lang) for segment in list_segments(engine, campaign_id)]
    if more:
        context = [
            replace(pair, more_references=more.get(segment.id, ()))
            for pair, segment in zip(context, list_segments(engine, campaign_id), strict=True)
        ]
    prepared = {name: find_metric(name).prepare(given, backends, context) for name, given in settings.items()}
    pairs = [one.pair(lang, more.get(one.segment_id, ())) for one in translations]
    work = _plan(translations, pairs, prepared, _stored(engine, campaign_id, with_trace=with_trace))
    total = sum(len(part.translations) * len(part.metrics) for part in work)
    kept = len(translations) * len(prepared) - total
    return ScoringPlan(work, total, kept, with_trace)


def further_references(engine: Engine, campaign_id: int) -> tuple[str, ...]:
    """Names of the references, such as refB, whose texts are not those that the segments have already."""
    query = (
        select(System.name)
        .join(Translation, Translation.system_id == System.id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(System.campaign_id == campaign_id, System.is_reference, Translation.text != Segment.reference)
        .distinct()
        .order_by(System.name)
    )
    with read_session(engine) as session:
        return tuple(session.scalars(query))


def _more_references(
    translations: Sequence[TranslationRecord], names: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """The further references of each segment by its id; none that is empty or the segment's own reference."""
    known = sorted({one.system for one in translations if one.is_reference})
    for name in names:
        if name not in known:
            raise OptionError(
                "The campaign has no reference {name:.40} (it has: {known}).",
                name=name,
                known=", ".join(known) or Wording("none"),
            )
    found: dict[int, tuple[str, ...]] = {}
    for one in translations:
        if one.is_reference and one.system in names and one.text.strip() and one.text != one.reference:
            found[one.segment_id] = (*found.get(one.segment_id, ()), one.text)
    return found


def carry_out(engine: Engine, plan: ScoringPlan, *, progress: Progress = silent) -> ScoringReport:
    """Compute and store the scores of a plan.

    progress: called with (done, total) scores, also while texts are read. Stopping (an exception out of it,
    Ctrl-C) keeps what is done.
    """
    done, missing = _store(engine, plan, progress)
    return ScoringReport(computed=done, kept=plan.kept, missing=missing)


def score_campaign(
    engine: Engine,
    campaign_id: int,
    settings: Mapping[str, Settings],
    backends: Backends,
    *,
    with_trace: bool = True,
    references: Sequence[str] = (),
    progress: Progress = silent,
    before: Before | None = None,
) -> ScoringReport:
    """`plan_scoring` and `carry_out`.

    before: called with the metrics and the pairs that they will score, before anything is spent; may raise.
    """
    plan = plan_scoring(engine, campaign_id, settings, backends, with_trace=with_trace, references=references)
    if before is not None:
        for metrics, pairs in plan.groups():
            before(metrics, pairs)
    return carry_out(engine, plan, progress=progress)


def _store(engine: Engine, plan: ScoringPlan, progress: Progress) -> tuple[int, int]:
    """Store the scores as they come, many in a transaction; returns how many there were and had none."""
    batch: list[ScoreRow] = []
    done = missing = 0

    def reading(_: int, __: int) -> None:
        progress(done, plan.total)

    try:
        for row in _rows(plan, reading):
            batch.append(row)
            done += 1
            missing += row.score is None
            if len(batch) == BATCH:
                full, batch = batch, []
                store_scores(engine, full)
            progress(done, plan.total)
    finally:
        store_scores(engine, batch)
    return done, missing


def _stored(engine: Engine, campaign_id: int, *, with_trace: bool) -> set[tuple[int, str, str]]:
    """(translation, metric, signature) of the campaign's stored scores.

    with_trace: without those that have a score and no trace.
    """
    query = (
        select(MetricScore.translation_id, MetricScore.metric, MetricScore.signature)
        .join(Translation, Translation.id == MetricScore.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
    )
    if with_trace:
        query = query.where(or_(MetricScore.trace.is_not(None), MetricScore.score.is_(None)))
    with read_session(engine) as session:
        return {(row.translation_id, row.metric, row.signature) for row in session.execute(query)}


def _plan(
    translations: Sequence[TranslationRecord],
    pairs: Sequence[TextPair],
    prepared: Mapping[str, Scorer[Any]],
    stored: set[tuple[int, str, str]],
) -> list[_Work]:
    groups: dict[tuple[int, ...], list[Scorer[Any]]] = defaultdict(list)
    for name, metric in prepared.items():
        lacking = tuple(
            place for place, one in enumerate(translations) if (one.id, name, metric.signature) not in stored
        )
        if lacking:
            groups[lacking].append(metric)
    return [
        _Work([translations[place] for place in places], [pairs[place] for place in places], group)
        for places, group in groups.items()
    ]


def _rows(plan: ScoringPlan, reading: Progress) -> Iterator[ScoreRow]:
    """The rows as they are computed. reading: called while texts are read."""
    for part in plan.work:
        rows = score_prepared(part.pairs, part.metrics, progress=reading)
        for one, results in zip(part.translations, rows, strict=True):
            for result in results:
                yield score_row(one.id, result, with_trace=plan.with_trace)
