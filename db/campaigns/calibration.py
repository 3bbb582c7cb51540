"""What a campaign offers a calibrated score: stored scores, people's official ratings, lengths of texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from core.calibration.features import features_of
from core.calibration.training import Scale, Training, training
from core.raters.assignment import OFFICIAL
from core.raters.ratings import Rating
from core.types import Result
from db.permissions import Viewer
from db.queries import list_translations, scores_of_campaign
from db.queries.evaluation import rating_table
from db.records import ScoreRow, TranslationRecord


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Offer:
    """A campaign's translations by its systems (no reference), with what metrics and people say of them.

    scores: by metric, then signature, then translation. ratings: of targets, without those that an import
    marked as `dup` or `incomplete`; their items are translations' ids.
    """

    translations: tuple[TranslationRecord, ...]
    scores: Mapping[str, Mapping[str, Mapping[int, ScoreRow]]]
    ratings: tuple[Rating, ...]

    @property
    def rated(self) -> list[TranslationRecord]:
        """The rated translations."""
        ids = {rating.item for rating in self.ratings}
        return [one for one in self.translations if one.id in ids]

    def signature(self, metric: str) -> str | None:
        """The one under which most of the rated translations have a score; of equals the one stored last."""
        ids = {one.id for one in self.rated} or {one.id for one in self.translations}
        stored = self.scores.get(metric, {})
        counts = {signed: len(ids & rows.keys()) for signed, rows in stored.items()}
        return max(reversed(list(counts)), key=counts.__getitem__) if counts else None

    def covered(self, metric: str) -> int:
        """How many of the rated translations this metric was asked about, under its `signature`."""
        signed = self.signature(metric)
        rows = self.scores[metric][signed] if signed is not None else {}
        return sum(one.id in rows for one in self.rated)

    def results(
        self, translations: Sequence[TranslationRecord], signatures: Mapping[str, str]
    ) -> list[dict[str, Result[Any]]]:
        """For each translation the stored results with these signatures, by metric."""
        return [
            {
                metric: _result(self.scores[metric][signed][one.id])
                for metric, signed in signatures.items()
                if one.id in self.scores.get(metric, {}).get(signed, {})
            }
            for one in translations
        ]


def gather(engine: Engine, viewer: Viewer, campaign_id: int) -> Offer:
    """Everything stored. Raises AccessError for a viewer who may not see scores."""
    viewer.must_see_scores()
    translations = tuple(one for one in list_translations(engine, campaign_id) if not one.is_reference)
    ids = {one.id for one in translations}
    scores: dict[str, dict[str, dict[int, ScoreRow]]] = defaultdict(lambda: defaultdict(dict))
    for row in scores_of_campaign(engine, campaign_id):
        if row.translation_id in ids:
            scores[row.metric][row.signature][row.translation_id] = row
    ratings = tuple(
        row
        for row in rating_table(engine, viewer, campaign_id)
        if row.item in ids and row.mark in ("", OFFICIAL)
    )
    return Offer(translations=translations, scores=scores, ratings=ratings)


def chosen_signatures(offer: Offer, metrics: Sequence[str]) -> dict[str, str]:
    """By metric, of those that have stored scores, the signature that will be learnt from."""
    found = {metric: offer.signature(metric) for metric in metrics}
    return {metric: signed for metric, signed in found.items() if signed is not None}


def training_of(offer: Offer, metrics: Sequence[str], people: Scale) -> Training:
    """The rated translations under these metrics. Raises CalibrationError as `core.calibration.training`."""
    rows = offer.results(offer.rated, chosen_signatures(offer, metrics))
    scored = [(one, results) for one, results in zip(offer.rated, rows, strict=True) if results]
    features = features_of([results for _, results in scored], lengths([one for one, _ in scored]))
    places = {one.id: place for place, (one, _) in enumerate(scored)}
    ratings = [
        Rating(rating.rater, places[rating.item], rating.score)
        for rating in offer.ratings
        if rating.item in places
    ]
    return training(features, [one.document for one, _ in scored], ratings, people)


def lengths(translations: Sequence[TranslationRecord]) -> list[tuple[int, int]]:
    """Code points of reference and translation of each."""
    return [(len(one.reference), len(one.text)) for one in translations]


def _result(row: ScoreRow) -> Result[Any]:
    return Result(
        metric=row.metric,
        score=row.score,
        signature=row.signature,
        parts=row.parts,
        flags=row.flags,
        missing=row.missing,
    )
