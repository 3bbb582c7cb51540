"""The content of a report: facts, scores, texts or only fingerprints, and the statistics over them.

Each statistic is computed by the module that the pages use. Raters can be numbered instead of named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from core.metaeval.ceiling import Ceiling
from core.metaeval.evaluation import Evaluation
from core.metaeval.pointing import PointingTable
from core.novel.cast import CastList
from core.novel.documents import DocumentRow
from core.novel.strip import Strip
from core.novel.voice import VoiceLedger
from core.raters.agreement import AgreementReport, report
from core.raters.normalisation import Orders, orders
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.own_scales import OwnScale
from core.raters.protocols import MarkedSpan
from core.raters.quality import RaterQuality, check_raters
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
from core.raters.ratings import Method, Rating, normalise
from core.raters.reading.findings import StudyFindings
from core.raters.reliability import Reliability, intervals, reliability
from core.raters.rules import Rules
from core.stats.estimate import Estimate
from core.text.locale import Language, Speaker


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagePlace:
    """Where a translation belongs. position: from 0 within the document; segment: its id."""

    segment: int
    document: str
    position: int
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text: how many code points, its SHA-256 (of UTF-8, in hexadecimal), and perhaps itself."""

    length: int
    sha256: str
    text: str | None = None

    @classmethod
    def of(cls, text: str, *, keep: bool) -> Passage:
        """keep: whether the text itself may stand in the report."""
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return cls(length=len(text), sha256=digest, text=text if keep else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTexts:
    """source: None where the campaign has none."""

    source: Passage | None
    reference: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What one rater marked and wrote for one translation.

    Where no texts may be told, the comment and the spans' notes are empty.
    """

    rater: str
    translation: int
    spans: tuple[MarkedSpan, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SealFacts:
    """The seal on systems' names: the commitment, and what it is made of once the campaign is closed."""

    commitment: str
    names: Mapping[str, str] | None = None
    nonce: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The campaign. dates are in UTC; opened: by an organiser, first and last: ratings; None for never.

    systems: without the reference. skips: target items that were left without a score, for a reason. seed: of
    the raters' orders. description, credits: empty where no texts may be told. scale: the campaign's own
    scale that the scores are of, None for the protocol's. errors: its own categories and severities.
    """

    name: str
    source_lang: str
    target_lang: str
    protocol: str
    state: str
    created: datetime
    opened: datetime | None
    first: datetime | None
    last: datetime | None
    documents: int
    segments: int
    systems: int
    translations: int
    skips: int
    seed: int
    five_errors: bool
    description: str = ""
    credits: str = ""
    scale: OwnScale | None = None
    errors: OwnErrors = NO_OWN_ERRORS


@dataclass(frozen=True, slots=True, kw_only=True)
class NovelFindings:
    """What was found out of the whole novel, as far as it is stored.

    systems: those that have translations. places: what each segment is called. cast: with the terms of the
    glossary; None, as voice, where nothing is stored. strips: by system, of all segments. documents: how
    scores of documents agree with people's. pointing: over all marked translations.
    """

    systems: Sequence[str]
    places: Sequence[str]
    cast: CastList | None
    voice: VoiceLedger | None
    strips: Mapping[str, Strip]
    documents: Sequence[DocumentRow]
    pointing: PointingTable | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that goes into the file.

    scores: of target items, named by their translation; places: by translation. rows: the same and check
    items, for what is asked about raters. declared: whether the rules were the campaign's own, fixed before
    anybody had an item. computed: the scores are MQM's. texts: by segment, translations: by translation;
    both hold texts, or fingerprints alone. anonymous: names of raters are numbers. made: when, in UTC.
    evaluation: the scores of metrics beside people's on the scale of `method`. ceiling: what one more rater
    reaches on that scale. novel: None where nothing of the whole novel is told.
    study: of a reading study.
    """

    language: Language
    method: Method
    facts: Facts
    places: Mapping[int, PassagePlace]
    scores: Sequence[Rating]
    rows: Sequence[Rating]
    rules: Rules
    declared: bool
    computed: bool
    texts: Mapping[int, SegmentTexts]
    translations: Mapping[int, Passage]
    remarks: Sequence[Remark]
    seal: SealFacts | None
    with_texts: bool
    anonymous: bool
    made: datetime
    evaluation: Evaluation | None = None
    ceiling: Ceiling | None = None
    novel: NovelFindings | None = None
    study: StudyFindings | None = None


def numbered(given: Report) -> Report:
    """The same with raters called by numbers, in an order that follows from neither names nor arrival.

    It is that of the SHA-256 of each rater's scores: a campaign that stays as it is has the same numbers.
    """
    own: dict[str, list[str]] = {}
    for row in given.rows:
        own.setdefault(row.rater, []).append(f"{row.item} {row.kind} {row.score!r}")
    digests = {name: hashlib.sha256("\n".join(rows).encode()).digest() for name, rows in own.items()}
    order = sorted(own, key=lambda name: (digests[name], name))
    width, say = len(str(len(order))), Speaker(given.language)
    names = {name: say.t("report.rater", n=f"{place:0{width}}") for place, name in enumerate(order, 1)}
    remarks = [replace(one, rater=names[one.rater]) for one in given.remarks if one.rater in names]
    return replace(
        given,
        scores=[one._replace(rater=names[one.rater]) for one in given.scores],
        rows=[row._replace(rater=names[row.rater]) for row in given.rows],
        remarks=sorted(remarks, key=lambda one: one.rater),  # rater by rater, not as they came
        anonymous=True,
    )


SEED = 0
"""Of every bootstrap and every randomisation, as on the pages."""

TEST: Test = "wilcoxon"
"""By which the clusters are parted; the other test's p stands beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What the scores say. bootstrap: `mean_r` and `alpha` with intervals; more: by pair of systems."""

    agreement: AgreementReport
    reliability: Reliability
    bootstrap: Mapping[str, Estimate]
    orders: Orders
    means: tuple[SystemMean, ...]
    comparisons: tuple[Comparison, ...]
    more: Mapping[tuple[str, str], MoreItems]
    clusters: tuple[tuple[str, ...], ...]
    quality: tuple[RaterQuality, ...]
    entries: tuple[Entry, ...]
    sensitivity: Sensitivity


def find(given: Report) -> Findings:
    """Everything, for a report's scores. Raises InputError for a score or a time that is not a number."""
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


def _without(rows: Sequence[Rating], entries: Sequence[Entry], method: Method) -> Sensitivity:
    return sensitivity(rows, tuple(dict.fromkeys(one.rater for one in entries)), method=method)


def _by_system(scores: Sequence[Rating], places: Mapping[int, PassagePlace]) -> dict[str, list[Rating]]:
    """The scores of each system that has any, its items named by their segments; in the order of places."""
    found: dict[str, list[Rating]] = {place.system: [] for place in places.values()}
    for one in scores:
        place = places[cast(int, one.item)]
        found[place.system].append(Rating(one.rater, place.segment, one.score))
    return {system: own for system, own in found.items() if own}
