"""The page of the calibrated score, as an organiser meets it."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest

from core.calibration.calibrate import calibrate
from core.calibration.files import apply, dump
from core.types import Result
from db.campaigns.calibration import gather, lengths, training_of
from db.campaigns.score_files import import_scores
from db.permissions import OPERATOR
from db.queries import list_campaigns, list_translations, store_scores
from db.queries.evaluation import evaluation
from db.records import ScoreRow
from pages.debug.calibrate.apply import scores_csv

PAGE = "pages/debug/calibrate/page.py"
METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading", "subspace", "structure-dep", "mteqa",
           "sentence-cosine")  # fmt: skip


@pytest.fixture
def scored(start, engine):
    """The demo campaign that people rated most, with made-up scores under every usual metric."""
    start()
    campaign = max(list_campaigns(engine), key=lambda one: one.n_ratings).id
    people = {one.item: one.score for one in gather(engine, OPERATOR, campaign).ratings}
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference]
    store_scores(
        engine,
        [
            ScoreRow(
                translation_id=one.id,
                metric=metric,
                signature=f"{metric}|v1",
                score=people.get(one.id, 50) + (number * (7 + 4 * place)) % 41,
            )
            for number, one in enumerate(texts)
            for place, metric in enumerate(METRICS)
        ],
    )
    return campaign


def said(at):
    """Every word on the page."""
    words = [str(one.value) for kind in (at.markdown, at.text, at.error, at.info) for one in kind]
    return " ".join([*words, *(str(one.proto.body) for one in at.get("html"))])


def opened(start, campaign, lang="en"):
    at = start(lang, PAGE)
    at.selectbox(key="campaign-calibrate").set_value(campaign).run()
    assert not at.exception
    return at


def pressed(at, label):
    next(one for one in at.button if one.label == label).click().run(timeout=60)
    assert not at.exception
    return at


def choose(at, label, value):
    next(one for one in at.segmented_control if one.label == label).set_value(value)


@pytest.mark.parametrize(
    ("lang", "nobody", "rated"),
    [
        ("en", "There are no ratings of system translations", "Press Fit"),
        ("ja", "まだ評点がありません", "「合わせる」を押して"),
    ],
)
def test_before_a_fit_the_page_says_what_will_be_here_and_how_to_get_it(
    scored, start, engine, lang, nobody, rated
):
    at = start(lang, PAGE)
    assert not at.exception
    shown = at.session_state["campaign-calibrate"]
    assert (rated if shown == scored else nobody) in said(at)


def test_a_fit_shows_r_the_gain_why_and_a_model_to_take_away(scored, start, engine):
    at = opened(start, scored)
    choose(at, "Model", "ridge")
    pressed(at, "Fit")
    found = calibrate(
        training_of(gather(engine, OPERATOR, scored), METRICS, "z"), families=("ridge",), seed=20261128
    )
    told = said(at)
    assert f"r = {found.validation.calibrated.value:.3f}" in told
    assert "Inside single documents" in told
    assert ("Why not more?" in told) == (found.validation.verdict != "reached")
    assert [one.label for one in at.get("download_button")] == ["Save the model", "Download as CSV"]


def used(start, campaign, text):
    """The other tab with a model's file."""
    at = opened(start, campaign)
    at.session_state["calibrate-tabs"] = "Use a saved model"
    at.run()
    at.file_uploader(key="calibrate-model-file").set_value(("m.json", text.encode(), "application/json"))
    at.run()
    assert not at.exception
    return at


def test_a_saved_model_scores_a_campaign(scored, start, engine):
    given = gather(engine, OPERATOR, scored)
    saved = calibrate(training_of(given, METRICS[:2], "raw"), families=("ridge",)).saved
    results = apply(saved, given.results(given.translations, saved.signatures), lengths(given.translations))
    system = given.translations[0].system
    scores = [
        one.score for one, text in zip(results, given.translations, strict=True) if text.system == system
    ]
    told = said(used(start, scored, dump(saved)))
    assert "Learnt from" in told
    assert f"{fmean(scores):.3f}" in told
    assert f"{len(scores)}" in told


def test_a_model_of_other_settings_and_a_file_that_is_none_are_refused_in_a_sentence(scored, start, engine):
    saved = calibrate(
        training_of(gather(engine, OPERATOR, scored), ["bleu"], "raw"), families=("ridge",)
    ).saved
    other = replace(saved, signatures={"bleu": "bleu|v1|case:lower"})
    (told,) = used(start, scored, dump(other)).error
    assert "learnt from other scores of BLEU" in told.value
    (told,) = used(start, scored, "{}").error
    assert "is not a model" in told.value


def test_too_little_data_is_said_in_the_readers_words(start, engine):
    start()
    campaign = min(
        (one for one in list_campaigns(engine) if gather(engine, OPERATOR, one.id).ratings),
        key=lambda one: one.n_ratings,
    )
    given = gather(engine, OPERATOR, campaign.id)
    store_scores(
        engine,
        [
            ScoreRow(translation_id=one.id, metric=metric, signature=f"{metric}|v1", score=float(one.id % 5))
            for one in given.rated[:20]
            for metric in METRICS
        ],
    )
    at = opened(start, campaign.id)
    pressed(at, "Fit")
    (told,) = at.error
    assert "a model needs at least 30" in told.value


def test_the_scores_of_a_new_campaign_can_be_taken_into_it(start, engine, tmp_path):
    start()
    campaign = list_campaigns(engine)[0].id
    texts = list_translations(engine, campaign)
    results = [
        Result(metric="calibrated", score=-0.25 if number else None, signature="calibrated|m:1")
        for number, _ in enumerate(texts)
    ]
    path = tmp_path / "scores.csv"
    path.write_bytes(scores_csv(texts, results))
    assert import_scores(engine, campaign, path, "calibrated").stored == len(texts)
    column = evaluation(engine, OPERATOR, campaign).metrics["external:calibrated"]
    assert np.isnan(column).sum() <= 1
    assert set(column[~np.isnan(column)]) == {-0.25}
