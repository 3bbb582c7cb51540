"""A report says what the scores say, in sentences where there is no number, and tells no text unasked."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random
import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime
from statistics import fmean, stdev

import pytest

from core.raters.protocols import MarkedSpan
from core.raters.ranking import system_means
from core.raters.ratings import Rating
from core.raters.rules import Rules, rules_to_json
from core.report import as_csv, as_json, document
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.campaigns.reporting import gather
from db.design import Design
from db.engine import make_engine
from db.formats.bundle import CheckRow
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    items_of,
    list_campaigns,
    list_translations,
    save_rating,
    store_scores,
)
from db.queries.evaluation import judgements
from db.queries.manage import set_campaign
from db.records import RatingRecord, ScoreRow
from tests.support.report_files import GIVEN, KEYS, Page, marked, report_of, small


@pytest.fixture(scope="module")
def page(empty_database, tmp_path_factory):
    """The report on the scores of which the numbers are known, in English, raw, with texts."""
    file = tmp_path_factory.mktemp("report") / "small.sqlite"
    shutil.copy(empty_database, file)
    engine = make_engine(f"sqlite:///{file}")
    yield report_of(engine, marked(small(GIVEN)))[2]
    engine.dispose()


def test_the_numbers_are_those_worked_out_by_hand(page):
    assert ["Aki", "8", "45.0", "24.5", "10.0", "80.0"] in page.rows
    assert ["Aki", "Ben", "0.90", "0.55 to 0.98", "8"] in page.rows
    assert ["Mean pairwise Spearman ρ", "0.90", "–", "1"] in page.rows
    assert ["Mean pairwise Kendall τ", "0.71", "–", "1"] in page.rows
    assert ["Krippendorff's α", "0.91"] in [row[:2] for row in page.rows]
    assert ["1–2", "beech", "65.0", "–", "4"] in page.rows
    assert ["ash – beech", "−40.0", "4", "0.125", "0.125", "0"] in page.rows
    assert ["beech", "4", "65.0 (1)", "20.0 (1)", "0.82 (1)", "0.79 (1)", "0.79 (1)"] in page.rows
    assert ["doc1", "2", "beech", "75.0", "2"] in page.rows


@pytest.mark.slow
def test_times_are_those_of_the_file_and_none_are_made_up_for_ratings_without_one(engine):
    bundle = small(GIVEN)
    days = (datetime(2026, 3, 1, 9, tzinfo=UTC), datetime(2026, 3, 4, 9, tzinfo=UTC))
    dated = [replace(row, rated_at=day) for row, day in zip(bundle.ratings, days, strict=False)]
    mixed = replace(bundle, ratings=(*dated, *bundle.ratings[2:]))
    given, _, page = report_of(engine, mixed)
    assert (given.facts.first, given.facts.last) == days
    assert "given from 1 March 2026 to 4 March 2026" in page.said
    number = next(one.id for one in list_campaigns(engine) if one.name == "Small")
    times = [row.rated_at for row in read_bundle(engine, number).ratings]
    assert sorted(filter(None, times)) == list(days)
    assert times.count(None) == len(bundle.ratings) - 2


def test_the_method_is_a_paragraph_with_every_number(page):
    for sentence in (
        "2 raters judged 8 translations of 4 segments from 2 documents, by 2 systems (en → ja).",
        "The protocol was adequacy: One score, 0 to 100: how much of the meaning arrives.",
        "16 valid ratings were given; the imported file does not say when.",
        "There are no ratings of check items.",
        "Scores were used as they were given.",
        "Mean pairwise Pearson r 0.90 (95 % ",
        "the middle 95 % of 1,000 resamples",
        "with seed 0 and from 5 items on",
        "by Wilcoxon signed-rank, two-sided",
        "(9,999 random flips of signs with seed 0; up to 13 segments all flips)",
        "corrected by Holm's method over 1 comparison.",
        "declared no rules that flag a rater",
        "Repeats differ by more than 20 points on average (from 5 repeats on).",
    ):
        assert sentence in page.said


def test_japanese_says_the_same_in_japanese(engine):
    _, html, page = report_of(engine, small(GIVEN), lang="ja")
    assert '<html lang="ja">' in html
    assert (
        "評価者 2 人が、文書 2 点のセグメント 4 個について、システム 2 種による訳文 8 件を評価した"
        in page.said
    )
    assert ["Aki", "8", "45.0", "24.5", "10.0", "80.0"] in page.rows
    assert "1,000 回の再抽出の中央 95 %" in page.said
    assert r"\caption{評価者ごとの点数（そのまま）。}" in page.said


@pytest.mark.slow
def test_means_under_z_are_those_of_each_raters_own_scale(engine):
    chance = random.Random(3)
    keys = tuple(("doc", at) for at in range(9))
    ratings = {
        rater: {system: [chance.randint(0, 100) for _ in keys] for system in ("ash", "beech", "cedar")}
        for rater in ("Aki", "Ben", "Cy")
    }
    bundle = small(ratings, systems=("ash", "beech", "cedar"), keys=keys)
    _, _, page = report_of(engine, bundle, method="z")
    by_system = {system: [] for system in ("ash", "beech", "cedar")}
    for rater, own in ratings.items():
        all_own = [score for scores in own.values() for score in scores]
        for system, scores in own.items():
            by_system[system] += [
                Rating(rater, at, (score - fmean(all_own)) / stdev(all_own))
                for at, score in enumerate(scores)
            ]
    for one in system_means(by_system):
        numbers = [f"{value:.2f}".replace("-", "−") for value in (one.mean, one.low, one.high)]
        expected = [one.system, numbers[0], f"{numbers[1]} to {numbers[2]}", "9"]
        assert expected in [row[1:] for row in page.rows]


def test_figures_show_the_same_numbers(page):
    figures = ["figure-matrix", "figure-orders", "figure-means", "figure-strip-0", "figure-strip-1"]
    assert list(page.data) == figures
    assert page.data["figure-matrix"]["data"][0]["z"][0][1] == pytest.approx(3800 / 4200)
    assert page.data["figure-means"]["data"][-1]["text"] == ["65.0", "25.0"]
    assert "Wilcoxon" in page.data["figure-means"]["layout"]["xaxis"]["title"]["text"]


@pytest.mark.slow
def test_check_items_are_counted_and_in_no_mean(engine):
    bundle = small(GIVEN)
    checks = tuple(CheckRow(key, "ash", "degraded", "こわれた訳") for key in KEYS)
    rated = tuple(RatingRecord(key, "ash", "Aki", 100, kind="degraded") for key in KEYS)
    _, _, page = report_of(engine, replace(bundle, checks=checks, ratings=bundle.ratings + rated))
    assert "Raters also judged 4 check items" in page.said
    assert "(0 repeats, 0 references, 4 damaged texts); none of them enters a mean." in page.said
    assert ["1–2", "ash", "25.0", "–", "4"] in page.rows
    assert ["Aki", "8", "45.0", "24.5", "10.0", "80.0"] in page.rows


FLAT = {"Aki": {"ash": (50,) * 4, "beech": (50,) * 4}, "Ben": {"ash": (50,) * 4, "beech": (50,) * 4}}
POOR = {
    "empty": ({}, "There are no scores in this campaign yet"),
    "one rater": ({"Aki": GIVEN["Aki"]}, "at least two raters are needed"),
    "one item": ({"Aki": {"ash": (10,)}, "Ben": {"ash": (20,)}}, "too few shared items"),
    "all ties": (FLAT, "All scores are the same"),
    "disjoint raters": (
        {"Aki": {"ash": (1, 2, 3, 4)}, "Ben": {"beech": (1, 2, 3, 4)}},
        "There is no item that all of those concerned have scored",
    ),
    "one rating": ({"Aki": {"ash": (1, 2, 3, 4), "beech": (9,)}}, "beech has a single rating."),
}


@pytest.mark.parametrize(
    ("poor", "method"), [*((poor, "raw") for poor in POOR), ("all ties", "z"), ("one rating", "z")]
)
def test_where_there_is_no_number_there_is_a_sentence(engine, poor, method):
    ratings, sentence = POOR[poor]
    _, _, page = report_of(engine, small(ratings), method=method)
    assert sentence in page.said
    assert page.faults == []
    whole = page.said + json.dumps(page.data)
    assert not re.search(r"\b(nan|NaN|None|inf|Infinity)\b", whole)


def test_only_check_items_are_no_scores(engine):
    bundle = small({})
    checks = tuple(CheckRow(key, "ash", "degraded", "こわれた訳") for key in KEYS)
    rated = tuple(RatingRecord(key, "ash", "Aki", 10, kind="degraded") for key in KEYS)
    _, _, page = report_of(engine, replace(bundle, checks=checks, ratings=rated))
    assert "There are no scores in this campaign yet" in page.said
    assert "No system has a score on this scale" in page.said
    assert "nan" not in page.said.casefold().split()


def test_scores_of_mqm_are_computed_from_the_errors(engine):
    number = load_bundle(engine, small(), "Small").campaign_id
    set_campaign(engine, OPERATOR, number, name="Small", protocol="mqm", design=Design(five_errors=True))
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    span = MarkedSpan(0, 4, "major", "accuracy/mistranslation")
    for item in items_of(engine, number, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=[span])
    page = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    assert "major 5, minor 1, minor punctuation 0.1, non-translation 25" in page.said
    assert "Only the five gravest errors" in page.said
    assert ["doc0", "1", "ash", "−5.0", "1"] in page.rows


def test_declared_rules_are_the_ones_that_are_told(engine):
    number = load_bundle(engine, small(), "Small").campaign_id
    rules = rules_to_json(Rules(repeat_error=7, same_share=None))
    set_campaign(engine, OPERATOR, number, name="Small", protocol="adequacy", design=Design(rules=rules))
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    save_rating(engine, item_id=items_of(engine, number, rater)[0].id, rater_id=rater, score=1)
    page = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    assert "were declared with the campaign before any item was assigned" in page.said
    assert "Repeats differ by more than 7 points" in page.said
    assert "The most frequent score makes up" not in page.said


def test_the_fingerprint_of_the_ratings_can_be_computed_from_them(engine):
    bundle = small({"Aki": {"ash": (10, 20.5)}})
    _, _, page = report_of(engine, bundle)
    text = '["doc0",0,"ash","target",10.0]\n["doc0",1,"ash","target",20.5]'
    assert ["SHA-256 of the ratings", hashlib.sha256(text.encode()).hexdigest()] in page.rows


@pytest.mark.slow
def test_the_figures_are_those_of_the_report_unrounded(page, engine):
    given = report_of(engine, marked(small(GIVEN)))[0]
    about = json.loads(as_json(given))
    rows = {(row["table"], row["measure"], row["of"], row["and"]): row for row in about["figures"]}
    assert (about["protocol"], about["method"], about["seed"]) == (given.facts.protocol, "raw", 0)
    aki = [one.score for one in given.scores if one.rater == "Aki"]
    assert rows["raters", "mean", "Aki", ""]["value"] == pytest.approx(fmean(aki))
    assert rows["raters", "sd", "Aki", ""]["value"] == pytest.approx(stdev(aki))
    pair = rows["pairs", "r", "Aki", "Ben"]
    assert [f"{pair[name]:.2f}" for name in ("value", "low", "high")] == ["0.90", "0.55", "0.98"]
    assert f"{rows['reliability', 'alpha', '', '']['value']:.2f}" == "0.91"
    assert (
        rows["systems", "places", "beech", ""]["low"],
        rows["systems", "places", "beech", ""]["high"],
    ) == (1, 2)
    listed = list(csv.DictReader(io.StringIO(as_csv(given))))
    assert len(listed) == len(about["figures"])
    assert float(listed[0]["value"]) == about["figures"][0]["value"]


@pytest.mark.slow
def test_the_report_shows_what_metrics_gave_and_names_the_papers_that_they_come_from(engine):
    number = load_bundle(engine, small(GIVEN), "Small").campaign_id
    listed = list_translations(engine, number)
    places = judgements(engine, OPERATOR, number).places
    rated = {"ash": (15, 15, 35, 35), "beech": (55, 55, 75, 75)}
    found = {
        one.id: rated[places[one.id].system][KEYS.index((places[one.id].document, places[one.id].position))]
        for one in listed
    }
    store_scores(
        engine,
        [
            ScoreRow(
                translation_id=one.id,
                metric=metric,
                signature=f"{metric}|layer:9",
                score=scale * found[one.id],
            )
            for one in listed
            for metric, scale in (("subspace", 0.01), ("bleu", -1.0))
        ],
    )
    page = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    assert ["ash", "25.0", "0.250", "−25.0"] in page.rows
    assert ["Subspace F", "1.00", "8", "subspace|layer:9"] in page.rows
    assert ["BLEU", "−1.00", "8", "bleu|layer:9"] in page.rows
    assert "Subspace F: 石橋陽一, 横井祥, 須藤克仁, 中村哲: 正準角および部分空間に基づく" in page.said
    assert "BLEU: Papineni et al. 2002" in page.said
    page = Page.of(document(gather(engine, OPERATOR, number, language="ja")))
    assert ["部分空間 F", "1.00", "8", "subspace|layer:9"] in page.rows
    assert "指標の出典です" in page.said
