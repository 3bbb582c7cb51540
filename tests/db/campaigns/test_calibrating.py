"""What a campaign offers a calibrated score."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import AccessError, CalibrationError
from db.campaigns.calibration import chosen_signatures, gather, lengths, training_of
from db.campaigns.load import load_bundle
from db.permissions import OPERATOR, Viewer
from db.queries import list_translations, store_scores
from db.records import RatingRecord, ScoreRow
from tests.support.db_bundles import small_bundle

SYSTEMS = ("ash", "beech", "cedar")


@pytest.fixture
def rated(engine):
    """36 translations in twelve segments, spread over three documents, each with two ratings and a mark."""
    bundle = small_bundle()
    keys = {row.key: (f"doc{n % 3}", n // 3) for n, row in enumerate(bundle.segments)}
    segments = tuple(
        replace(row, document=keys[row.key][0], position=keys[row.key][1]) for row in bundle.segments
    )
    outputs = tuple(replace(row, key=keys[row.key]) for row in bundle.outputs)
    rows = [
        RatingRecord(key, system, rater, float(40 + 3 * n + 5 * place), mark=mark)
        for n, key in enumerate(keys.values())
        for place, system in enumerate((*SYSTEMS, "refA"))
        for rater, mark in (("aki", "ok"), ("ben", "dup" if n == 0 else "ok"))
    ]
    bundle = replace(bundle, segments=segments, outputs=outputs, ratings=tuple(rows))
    return load_bundle(engine, bundle, "Rated").campaign_id


def store(engine, campaign, metric, signature, *, but=0):
    """A score of all translations but the first so many; the last has none, with the reason."""
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference][but:]
    given = {"metric": metric, "signature": signature}
    *scored, last = [one.id for one in texts]
    rows = [ScoreRow(translation_id=key, score=key / 7, parts={"recall": 1.0}, **given) for key in scored]
    store_scores(engine, [*rows, ScoreRow(translation_id=last, score=None, missing="no words", **given)])


def test_systems_translations_with_their_official_ratings_are_offered(engine, rated):
    found = gather(engine, OPERATOR, rated)
    assert {one.system for one in found.translations} == set(SYSTEMS)
    assert len(found.rated) == 36
    assert len(found.ratings) == 2 * 36 - 3  # ben's three of the first segment are marked as repeated
    first = found.translations[0]
    assert lengths([first]) == [(len(first.reference), len(first.text))]


def test_the_signature_under_which_most_is_scored_is_learnt_from(engine, rated):
    store(engine, rated, "chrf", "chrf|v1")
    store(engine, rated, "chrf", "chrf|v2", but=5)
    store(engine, rated, "bleu", "bleu|v1")
    found = gather(engine, OPERATOR, rated)
    assert chosen_signatures(found, ["chrf", "bleu", "mteqa"]) == {"chrf": "chrf|v1", "bleu": "bleu|v1"}
    assert (found.covered("chrf"), found.covered("mteqa")) == (36, 0)
    store(engine, rated, "bleu", "bleu|v2")
    assert gather(engine, OPERATOR, rated).signature("bleu") == "bleu|v2"  # of equals the later one


def test_the_training_table_holds_what_is_rated_and_scored(engine, rated):
    store(engine, rated, "chrf", "chrf|v1")
    store(engine, rated, "bleu", "bleu|v1", but=3)
    data = training_of(gather(engine, OPERATOR, rated), ["chrf", "bleu"], "raw")
    assert (len(data), data.documents, data.gaps) == (36, 3, 4)  # three without bleu, the last without either
    assert data.features.signatures == {"bleu": "bleu|v1", "chrf": "chrf|v1"}
    first = [40.0, 45.0, 50.0]
    assert data.people()[:3].tolist() == first
    assert len(data.ratings.score) == 69


def test_too_little_and_unscored_campaigns_are_told(engine, rated, campaign):
    with pytest.raises(CalibrationError, match="No metric has a score"):
        training_of(gather(engine, OPERATOR, rated), ["chrf"], "raw")
    store(engine, rated, "chrf", "chrf|v1", but=10)
    with pytest.raises(CalibrationError, match="There are 26 rated translations"):
        training_of(gather(engine, OPERATOR, rated), ["chrf"], "raw")
    assert gather(engine, OPERATOR, campaign).rated == []


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(role="rater", rater_id=1)])
def test_who_may_not_see_scores_is_offered_nothing(engine, rated, viewer):
    with pytest.raises(AccessError):
        gather(engine, viewer, rated)
