"""The study on oneself: its texts are those of its translators, its scores those of this program."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.metrics import find_metric
from db.campaigns.load import load_bundle
from db.campaigns.self_study import NAME, SCORES, self_study, take_part
from db.permissions import Viewer
from db.queries import enter_rater, list_segments, list_translations, scores_of_campaign
from tests.support.reading_studies import study_bundle


def test_every_paragraph_has_both_versions_and_the_scores_of_this_program(engine, backends):
    campaign = self_study(engine)
    assert (campaign.protocol, campaign.demo, campaign.target_lang) == ("reading", True, "ja")
    texts = list_translations(engine, campaign.id)
    assert len(texts) == 2 * len(list_segments(engine, campaign.id)) == 62
    assert all(one.text.strip() for one in texts)
    assert SCORES.stat().st_size < 10_000
    scores = scores_of_campaign(engine, campaign.id)
    (pair, *_) = [one.pair("ja") for one in texts]
    for name in ("bertscore", "sentence-cosine"):
        own = [row for row in scores if row.metric == name]
        prepared = find_metric(name).prepare({}, backends, [pair])
        assert len(own) == 62
        assert {str(row.signature) for row in own} == {str(prepared.signature)}


def test_the_credits_name_translators_library_and_licence(engine):
    campaign = self_study(engine)
    for owed in (campaign.credits_en, campaign.credits_ja):
        for part in ("大久保ゆう", "三上於菟吉", "61393", "42929", "CC BY 4.0", "Project Gutenberg 834"):
            assert part in owed


def test_a_campaign_of_that_name_which_is_no_demo_takes_nobody_in(engine):
    load_bundle(engine, study_bundle(), NAME)
    person = enter_rater(engine, "Aya").id
    with pytest.raises(InputError, match="its organiser can rename it"):
        take_part(engine, Viewer(rater_id=person), person)
