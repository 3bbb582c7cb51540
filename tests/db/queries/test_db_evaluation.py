"""People's and metrics' scores as columns, and as a folder of mt-metrics-eval."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from core.errors import AccessError
from db.campaigns.score_files import score_folder
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating, store_scores
from db.queries.evaluation import evaluation, newest_score, rating_table
from db.records import ScoreRow


@pytest.fixture
def scored(engine, campaign):
    """Two raters and two metrics, one of them stored twice with another layer."""
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference]
    rows = []
    for number, one in enumerate(texts):
        rows.append(score(one.id, "chrf", "chrf|v1", float(number)))
        rows.append(
            score(one.id, "bertscore", "bertscore|layer:9|yk:1", number / 100, flags=("windowed",)[:number])
        )
        if number < 3:
            rows.append(score(one.id, "bertscore", "bertscore|layer:12|yk:1", number / 50))
    rows.append(
        score(texts[0].id, "mteqa", "mteqa|v1", None, missing="no questions", flags=("no-questions",))
    )
    store_scores(engine, rows)
    return texts


def score(translation, metric, signature, value, **given):
    return ScoreRow(translation_id=translation, metric=metric, signature=signature, score=value, **given)


def rate(engine, campaign, name, scores):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    for item, score in zip(items_of(engine, campaign, rater), scores, strict=False):
        save_rating(engine, item_id=item.id, rater_id=rater, score=score, seconds=7)


def test_every_translation_of_a_system_is_a_row_in_the_order_of_segments(engine, campaign, scored):
    found = evaluation(engine, OPERATOR, campaign)
    assert found.translation.tolist() == [one.id for one in scored]
    assert [found.systems[one] for one in found.system] == [one.system for one in scored]
    assert found.domains == ["literary"]
    assert found.length.tolist() == [len(one.reference) for one in scored]
    assert np.isnan(found.people).all()


def test_a_metric_with_two_signatures_has_two_columns_named_by_what_differs(engine, campaign, scored):
    found = evaluation(engine, OPERATOR, campaign)
    assert set(found.metrics) == {"chrf", "bertscore", "bertscore (layer 12)", "mteqa"}
    assert found.metrics["chrf"].tolist() == list(range(len(scored)))
    other = found.metrics["bertscore (layer 12)"]
    assert other[:3].tolist() == [0, 0.02, 0.04]
    assert np.isnan(other[3:]).all()
    assert np.isnan(found.metrics["mteqa"]).all()  # a missing score is none
    assert found.signatures["bertscore (layer 12)"] == "bertscore|layer:12|yk:1"


def test_people_are_the_mean_over_raters_on_the_scale_that_is_asked_for(engine, campaign, scored):
    rate(engine, campaign, "Aki", range(0, 100, 3))
    rate(engine, campaign, "Ben", (50, 60, 70))
    given: dict[int, list[float]] = {}
    for row in rating_table(engine, OPERATOR, campaign):
        if row.system != "refA":
            given.setdefault(row.item, []).append(row.score)
    found = evaluation(engine, OPERATOR, campaign)
    for translation, people in zip(found.translation.tolist(), found.people.tolist(), strict=True):
        if translation in given:
            assert people == pytest.approx(np.mean(given[translation]))
        else:
            assert np.isnan(people)
    z = evaluation(engine, OPERATOR, campaign, method="z")
    assert abs(np.nanmean(z.people)) < 1


def test_flags_are_kept_by_translation(engine, campaign, scored):
    flags = evaluation(engine, OPERATOR, campaign).flags
    assert flags["no-questions"].tolist() == [True] + [False] * (len(scored) - 1)
    assert flags["windowed"].tolist() == [False] + [True] * (len(scored) - 1)


def test_scores_are_for_those_who_may_see_them(engine, campaign, scored):
    with pytest.raises(AccessError):
        evaluation(engine, Viewer(), campaign)


def test_a_new_score_is_noticed(engine, campaign, scored):
    before = newest_score(engine, campaign)
    store_scores(engine, [score(scored[0].id, "bleu", "bleu|v1", 1.0)])
    assert newest_score(engine, campaign) != before


def test_the_folder_holds_every_metric_segment_by_segment(engine, campaign, scored):
    made = score_folder(engine, OPERATOR, campaign)
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        names = archive.namelist()
        (chrf,) = [name for name in names if name.startswith("metric-scores/en-ja/chrf-") and ".seg." in name]
        (means,) = [
            name for name in names if name.startswith("metric-scores/en-ja/chrf-") and ".sys." in name
        ]
        lines = archive.read(chrf).decode().splitlines()
        means = dict(line.split("\t") for line in archive.read(means).decode().splitlines())
    ash = [number for number, one in enumerate(scored) if one.system == "ash"]
    assert [line.split("\t")[1] for line in lines if line.startswith("ash\t")] == [str(n) for n in ash]
    assert float(means["ash"]) == np.mean(ash)
    assert means["refA"] == "None"
