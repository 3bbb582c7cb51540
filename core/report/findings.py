"""The statistics of a report, each by the module that the pages of the app take it from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from core.raters.agreement import AgreementReport, report
from core.raters.figures import Figure
from core.raters.normalise import Method, normalise
from core.raters.orders import Orders, orders
from core.raters.quality import RaterQuality, check_raters
from core.raters.quality_rows import QualityRow
from core.raters.ranking import (
    Comparison,
    MoreItems,
    SystemMean,
    Test,
    clusters,
    compare_all,
    more_items_of,
    system_means,
)
from core.raters.rater_flags import Entry, Sensitivity, ledger, sensitivity
from core.raters.ratings import Rating
from core.raters.reliability import Reliability, intervals, reliability
from core.report.content import Place, Report

SEED = 0
"""Of every bootstrap and every randomisation, as on the pages."""

TEST: Test = "wilcoxon"
"""By which the clusters are parted; the other test's p stands beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What the scores say. bootstrap: `mean_r` and `alpha` with intervals; more: by pair of systems."""

    agreement: AgreementReport
    reliability: Reliability
    bootstrap: Mapping[str, Figure]
    orders: Orders
    means: tuple[SystemMean, ...]
    comparisons: tuple[Comparison, ...]
    more: Mapping[tuple[str, str], MoreItems]
    clusters: tuple[tuple[str, ...], ...]
    quality: tuple[RaterQuality, ...]
    entries: tuple[Entry, ...]
    sensitivity: Sensitivity


def find(given: Report) -> Findings:
    """Everything, for a report's scores. Raises InputError for a score or a time that is no number."""
    scaled = normalise(given.scores, method=given.method).ratings
    by_system = _by_system(scaled, given.places)
    means = system_means(by_system, seed=SEED)
    compared = compare_all(by_system, seed=SEED)
    quality = check_raters(given.rows, given.rules)
    entries = ledger(quality, given.rules)
    return Findings(
        agreement=report(given.scores, method=given.method),
        reliability=reliability(given.scores),
        bootstrap={str(name): one for name, one in intervals(given.scores, seed=SEED).items()},
        orders=orders(_by_system(given.scores, given.places), mixed=False),
        means=means,
        comparisons=compared,
        more={(one.first, one.second): more_items_of(one) for one in compared},
        clusters=clusters(means, compared, test=TEST),
        quality=quality,
        entries=entries,
        sensitivity=_without(given.rows, entries, given.method),
    )


def _without(rows: Sequence[QualityRow], entries: Sequence[Entry], method: Method) -> Sensitivity:
    return sensitivity(rows, tuple(dict.fromkeys(one.rater for one in entries)), method=method)


def _by_system(scores: Sequence[Rating], places: Mapping[int, Place]) -> dict[str, list[Rating]]:
    """The scores of each system that has any, its items named by their segments; in the order of places."""
    found: dict[str, list[Rating]] = {place.system: [] for place in places.values()}
    for rater, item, score in scores:
        place = places[cast(int, item)]
        found[place.system].append(Rating(rater, place.segment, score))
    return {system: own for system, own in found.items() if own}
