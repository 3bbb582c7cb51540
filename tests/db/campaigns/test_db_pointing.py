"""Whether stored traces point at the errors that the raters of a campaign marked."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from core.errors import AccessError, InputError
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.told import MarkMade, coded, sided
from db.__main__ import app
from db.campaigns.load import load_bundle
from db.campaigns.pointing import analyse_pointing, point_campaign, stored_pointing
from db.campaigns.scoring import score_campaign
from db.campaigns.study import set_up
from db.permissions import OPERATOR, Viewer
from db.queries.close import chunk_texts, chunks_of, store_close
from db.queries.marks import marks_of_campaign, marks_of_translation
from tests.support.close_studies import PARAGRAPHS, compare_all, sides_of
from tests.support.fake_backends import FakeEncoder, fake_backends
from tests.support.marked_campaign import marked_bundle
from tests.support.reading_studies import come, finish_whole, go_through, make_study, study_bundle

RATER = Viewer("rater")


def scored(engine, bundle=None, metrics=("bleu", "chrf", "ter")):
    number = load_bundle(engine, bundle or marked_bundle(24), "Marked").campaign_id
    settings = {name: {} for name in metrics}
    score_campaign(engine, number, settings, fake_backends(FakeEncoder({})))
    return number


def rows(table):
    return {one.name: one for one in table.rows}


def test_metrics_with_stored_traces_are_measured_against_the_marks(engine):
    found = point_campaign(engine, OPERATOR, scored(engine)).figures
    everything = found.everything
    # 24 ratings by Aki and 12 by Bo
    assert (everything.texts, everything.marked, everything.documents) == (36, 36, 6)
    assert list(rows(everything)) == ["bleu", "chrf", "length", "random"]
    # the wrong words alone are in no n-gram of the reference: right for Aki, 3 of 8 letters for Bo
    assert rows(everything)["bleu"].precision.value == pytest.approx((24 + 12 * 3 / 8) / 36)
    assert rows(everything)["random"].precision.value < 0.7
    assert rows(found.twice)["rater"].precision.n == 24


def test_an_analysis_is_stored_until_somebody_rates_or_scores(engine):
    number = scored(engine)
    assert stored_pointing(engine, OPERATOR, number) is None
    found = analyse_pointing(engine, OPERATOR, number)
    assert stored_pointing(engine, OPERATOR, number) == found
    score_campaign(engine, number, {"chrf": {"word_order": "2"}}, fake_backends(FakeEncoder({})))
    assert stored_pointing(engine, OPERATOR, number) is None
    names = list(rows(point_campaign(engine, OPERATOR, number).figures.everything))
    assert names[:3] == ["bleu", "chrf", "chrf (nw 2)"]


def test_a_metric_with_few_traces_is_left_out_unless_it_is_asked_for(engine):
    number = scored(engine)
    few = "DELETE FROM metric_score WHERE metric = 'chrf' AND translation_id % 3 > 0"
    with engine.begin() as connection:
        connection.execute(text(few))
    found = point_campaign(engine, OPERATOR, number)
    assert list(found.shares) == ["chrf"]
    assert 0 < found.shares["chrf"] < 0.5
    assert found.figures.everything.texts == 36
    asked = point_campaign(engine, OPERATOR, number, metrics=["chrf"])
    assert (list(asked.shares), asked.figures.everything.texts < 36) == ([], True)


def test_without_marks_or_traces_a_sentence_says_so(engine):
    plain = marked_bundle()
    none = replace(plain, ratings=tuple(replace(one, spans=None) for one in plain.ratings))
    number = load_bundle(engine, none, "Plain").campaign_id
    with pytest.raises(InputError, match="Nobody has marked errors"):
        point_campaign(engine, OPERATOR, number)
    number = load_bundle(engine, plain, "Unscored").campaign_id
    with pytest.raises(InputError, match="score the campaign first"):
        point_campaign(engine, OPERATOR, number)


def test_marks_are_those_that_hold_and_of_one_translation_alone(engine):
    number = load_bundle(engine, marked_bundle(), "Marked").campaign_id
    marked = marks_of_campaign(engine, OPERATOR, number)
    assert [one.rater for one in marked] == ["Aki"] * 12 + ["Bo"] * 6
    first = marked[0].translation_id
    assert [one.rater for one in marks_of_translation(engine, OPERATOR, number, first)] == ["Aki", "Bo"]
    assert marked[0].spans[1].missing


def test_raters_may_not_see_marks_of_others(engine):
    number = load_bundle(engine, marked_bundle(), "Marked").campaign_id
    for call in (marks_of_campaign, point_campaign, stored_pointing):
        with pytest.raises(AccessError):
            call(engine, RATER, number)


def test_the_command_writes_tables_and_json(engine, monkeypatch):
    scored(engine)
    monkeypatch.setattr("db.cli.pointing.ready_engine", lambda: engine)
    done = CliRunner().invoke(app, ["pointing", "--campaign", "Marked", "--metric", "bleu", "--json"])
    assert done.exit_code == 0, done.stderr
    assert [one["name"] for one in json.loads(done.stdout)["twice"]["rows"]][:2] == ["rater", "bleu"]
    done = CliRunner().invoke(app, ["pointing", "--campaign", "Marked"])
    assert "Translations that two raters have marked:" in done.stdout


def test_what_disturbed_readers_in_passages_that_they_compared_counts(engine):
    number = make_study(engine, ReadingChoices(chunks=13), study_bundle(texts=PARAGRAPHS))
    person, _ = come(engine, number, "Aya")
    finish_whole(engine, number, person, {"preferred": 0, "margin": 2, "why": "", "human": 0, "sure": 2})
    compare_all(engine, number, person, "Aya", ["ash"] * 4, only=3, kind="disturbs")
    viewer = Viewer(rater_id=person)
    last = chunks_of(engine, viewer, number, person)[3]
    begun = coded(chunk_texts(engine, viewer, last.id, person)[0][0].segment_id, 0)
    made = MarkMade(mark="l", segment=begun, start=0, end=3, kind="disturbs", reason="")
    store_close(engine, viewer, last.id, person, sided([made]))  # in a passage that is not compared yet
    found = marks_of_campaign(engine, OPERATOR, number)
    assert [len(found), sum(bool(one.spans) for one in found)] == [16, 3]  # 8 paragraphs of 2 versions
    marked = sorted(one.text[span.start : span.end] for one in found for span in one.spans)
    assert marked == sorted(left.title() for left, _ in sides_of(engine, number, "Aya")[:3])


def test_a_study_of_passages_alone_counts_those_that_were_compared(engine):
    right, wrong = ("One two three four.",) * 12, ("XXX two three four.",) * 12
    bundle = study_bundle("alone", {"ash": wrong, "elm": right})
    segments = tuple(replace(segment, reference=right[0]) for segment in bundle.segments)
    number = load_bundle(engine, replace(bundle, segments=segments), "alone").campaign_id
    choices = ReadingChoices(chunks=10)  # 48 words: 5 passages
    set_up(engine, OPERATOR, number, choices, protocol="chunks")
    score_campaign(engine, number, {"bleu": {}}, fake_backends(FakeEncoder({})))
    person, _ = come(engine, number, "Aya")
    assert marks_of_campaign(engine, OPERATOR, number) == []
    compare_all(engine, number, person, "Aya", ["elm"] * 5, kind="disturbs")
    found = analyse_pointing(engine, OPERATOR, number).figures.everything
    assert found.texts == 24
    assert stored_pointing(engine, OPERATOR, number).figures.everything == found  # with too few for a figure
    assert found.marked == 5  # the first paragraph on the left of each passage


def test_metrics_are_measured_against_what_disturbed_readers(engine):
    right, wrong = ("One two three four.",) * 12, ("One two XXXX four.",) * 12
    bundle = study_bundle(texts={"ash": wrong, "elm": right})
    segments = tuple(replace(segment, reference=right[0]) for segment in bundle.segments)
    number = make_study(engine, bundle=replace(bundle, segments=segments))
    score_campaign(engine, number, {"bleu": {}}, fake_backends(FakeEncoder({})))
    marks = {"ash": [*((n, 8, 12, "disturbs") for n in range(11)), (11, 0, 3, "pleases")]}
    go_through(engine, number, "Aya", prefers="elm", guess="elm", marks=marks)
    come(engine, number, "Ben")  # has read nothing: whether something disturbs Ben is not known
    found = analyse_pointing(engine, OPERATOR, number)
    everything = found.figures.everything
    assert (everything.texts, everything.marked) == (24, 11)  # what pleases is no error
    assert rows(everything)["bleu"].precision.value == 1.0
    assert [one.rater for one in marks_of_campaign(engine, OPERATOR, number)] == ["Aya"] * 24
    assert stored_pointing(engine, OPERATOR, number) == found
    go_through(engine, number, "Ben", prefers="elm", guess="elm", marks=marks)
    assert stored_pointing(engine, OPERATOR, number) is None
