"""Close reading in the database: chunks, sides, marks, preferences, rights, withdrawal, history, figures."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.errors import AccessError, InputError, RatingError
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.findings import findings_csv, findings_json
from core.raters.reading.told import EndReached, MarkMade, MarkRemoved, coded, sided
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.campaigns.self_study import own_findings, self_study, take_part
from db.campaigns.study import set_up, study_findings, study_tables
from db.design import from_json
from db.engine import read_session
from db.formats import FORMATS
from db.formats.bundle import ReadOptions
from db.models import ChunkPair, Highlight, PageVisit, ReadingAnswer
from db.permissions import OPERATOR, Viewer
from db.queries import (
    enter_rater,
    get_campaign,
    list_campaigns,
    list_translations,
    store_scores,
    withdraw,
)
from db.queries.close import (
    chunk_highlights,
    chunk_preview,
    chunk_texts,
    chunks_of,
    save_preference,
    store_close,
    text_around,
)
from db.queries.completion import completion
from db.queries.manage import plan_of, set_campaign, set_state
from db.queries.people import people_of
from db.queries.reading import (
    close_opens_at,
    compared_at,
    highlights_of,
    readings_of,
    save_final_answers,
    save_version_answers,
)
from db.queries.study import own_study, study_of, study_plan
from db.records import ScoreRow
from tests.support.close_studies import PARAGRAPHS, compare_all, sides_of
from tests.support.reading_studies import come, go_through, make_study, segments_of, study_bundle, tell

FOUR = ReadingChoices(human="ash", chunks=13)
"""Chunks of two paragraphs each: 13 words in the mean."""


def close_study(engine, name="closely", *, alone=True, choices=FOUR):
    """A study of chunks alone, or after whole versions; its campaign's number."""
    number = load_bundle(engine, study_bundle(name, PARAGRAPHS), name).campaign_id
    set_up(engine, OPERATOR, number, choices, readers=2, protocol="chunks" if alone else "reading")
    return number


def test_a_reader_gets_chunks_of_whole_paragraphs_in_the_order_of_the_text(engine):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    viewer = Viewer(rater_id=person)
    chunks = chunks_of(engine, viewer, number, person)
    assert [one.place for one in chunks] == [0, 1, 2, 3]
    left, right = chunk_texts(engine, viewer, chunks[1].id, person)
    assert [one.text.split(" ", 1)[1][:12] for one in (*left, *right)] == ["tells part 2", "tells part 3"] * 2
    assert {left[0].text[:3], right[0].text[:3]} == {"Ash", "Elm"}
    around = text_around(engine, viewer, chunks[1].id, person, 0)
    assert len(around) == 8
    assert around[2].text == left[0].text
    assert (chunks[1].first, chunks[1].last) == (around[2].segment_id, around[3].segment_id)
    assert study_plan(engine, OPERATOR, number, _design(engine, number)).chunks == 4


def _design(engine, number):
    return from_json(get_campaign(engine, number).design)


def test_sent_page_by_page_a_chunk_in_its_place_has_the_parts_next_to_it_and_no_more(engine):
    texts = {name: [f"{name} word " * 125] * 8 for name in ("ash", "elm")}  # each paragraph is a part
    number = load_bundle(engine, study_bundle("parts", texts), "parts").campaign_id
    choices = ReadingChoices(chunks=500, by_part=True)  # two paragraphs each
    set_up(engine, OPERATOR, number, choices, readers=2, protocol="chunks")
    person, _ = come(engine, number, "Aki")
    viewer, segments = Viewer(rater_id=person), segments_of(engine, number)
    chunks = chunks_of(engine, viewer, number, person)
    around = [text_around(engine, viewer, one.id, person, 0) for one in chunks]
    assert [[segments.index(one.segment_id) for one in own] for own in around] == [
        [0, 1, 2],
        [1, 2, 3, 4],
        [3, 4, 5, 6],
        [5, 6, 7],
    ]


def test_the_sides_of_two_readers_are_the_other_way_round_and_come_from_the_seed(engine):
    number = close_study(engine)
    for name in ("Aki", "Ben"):
        come(engine, number, name)
    first, second = (sides_of(engine, number, name) for name in ("Aki", "Ben"))
    assert second == [one[::-1] for one in first]
    assert sorted(left for left, _ in first) == ["ash", "ash", "elm", "elm"]


def test_a_highlight_is_stored_once_on_its_side_and_apart_from_those_of_the_whole(engine):
    number = close_study(engine, alone=False)
    person, readings = come(engine, number, "Aki")
    viewer = Viewer(rater_id=person)
    chunk = chunks_of(engine, viewer, number, person)[0]
    mark = MarkMade(mark="a", segment=coded(chunk.first, 1), start=0, end=3, kind="disturbs", reason="why")
    again = sided([mark, mark, MarkMade(**{**_fields(mark), "mark": "b", "segment": coded(chunk.last, 0)})])
    for _ in range(2):
        store_close(engine, viewer, chunk.id, person, again)
    assert [
        (side, one.mark, one.segment_id) for side, one in chunk_highlights(engine, viewer, chunk.id, person)
    ]
    held = {
        (side, one.mark): one.segment_id for side, one in chunk_highlights(engine, viewer, chunk.id, person)
    }
    assert held == {(1, "a"): chunk.first, (0, "b"): chunk.last}
    store_close(engine, viewer, chunk.id, person, sided([MarkRemoved(mark="c", removed="a")]))
    assert [one.mark for _, one in chunk_highlights(engine, viewer, chunk.id, person)] == ["b"]
    assert all(highlights_of(engine, viewer, one.id, person) == [] for one in readings)


def _fields(mark):
    return {name: getattr(mark, name) for name in ("mark", "segment", "start", "end", "kind", "reason")}


@pytest.mark.parametrize(("segment", "end"), [("outside", 3), ("inside", 999)])
def test_what_does_not_lie_in_the_chunk_is_refused_and_nothing_is_stored(engine, segment, end):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    viewer = Viewer(rater_id=person)
    first, second, *_ = chunks_of(engine, viewer, number, person)
    place = second.first if segment == "outside" else first.first
    good = MarkMade(mark="g", segment=coded(first.first, 0), start=0, end=3, kind="pleases", reason="")
    bad = MarkMade(mark="b", segment=coded(place, 0), start=0, end=end, kind="pleases", reason="")
    with pytest.raises(RatingError, match="does not lie in the text"):
        store_close(engine, viewer, first.id, person, sided([good, bad]))
    assert chunk_highlights(engine, viewer, first.id, person) == []


def test_a_chunk_is_of_one_person_and_a_closed_study_takes_nothing(engine):
    number = close_study(engine)
    (aki, _), (ben, _) = (come(engine, number, name) for name in ("Aki", "Ben"))
    chunk = chunks_of(engine, Viewer(rater_id=aki), number, aki)[0]
    with pytest.raises(AccessError):
        chunks_of(engine, Viewer(rater_id=ben), number, aki)
    with pytest.raises(RatingError, match="not among yours"):
        chunk_texts(engine, Viewer(rater_id=ben), chunk.id, ben)
    set_state(engine, OPERATOR, number, "closed")
    with pytest.raises(RatingError, match="closed"):
        save_preference(engine, Viewer(rater_id=aki), chunk.id, aki, {"preferred": 0, "margin": 1})


def test_a_preference_needs_its_margin_comes_in_order_and_can_be_changed(engine):
    number = close_study(engine, choices=ReadingChoices(chunks=13, no_difference=False))
    person, _ = come(engine, number, "Aki")
    viewer = Viewer(rater_id=person)
    first, second, *_ = chunks_of(engine, viewer, number, person)
    for answers in ({"preferred": 0}, {"preferred": -1}, {"preferred": 2, "margin": 1}):
        with pytest.raises(InputError):
            save_preference(engine, viewer, first.id, person, answers)
    with pytest.raises(InputError, match="earlier passage"):
        save_preference(engine, viewer, second.id, person, {"preferred": 0, "margin": 1})
    save_preference(engine, viewer, first.id, person, {"preferred": 0, "margin": 1, "why": " so "})
    save_preference(engine, viewer, first.id, person, {"preferred": 1, "margin": 3})
    held = chunks_of(engine, viewer, number, person)[0]
    assert held.answers == {"preferred": 1, "margin": 3, "why": None}
    with read_session(engine) as session:
        assert len(session.scalars(select(ReadingAnswer)).all()) == 6  # nothing is overwritten


def test_the_close_reading_follows_the_whole_and_only_then_the_study_is_finished(engine):
    number = close_study(engine, alone=False)
    person = go_through(engine, number, "Aki", prefers="ash", guess="ash")
    assert compared_at(engine, Viewer(rater_id=person), number, person) is not None
    (told,) = people_of(engine, OPERATOR, number)
    assert (told.done, told.total) == (2, 6)
    compare_all(engine, number, person, "Aki", ["ash", "elm", "ash", None])
    (told,) = people_of(engine, OPERATOR, number)
    assert (told.done, told.total) == (6, 6)
    compared = compared_at(engine, Viewer(rater_id=person), number, person)
    assert close_opens_at(compared, ReadingChoices()) is None
    assert (close_opens_at(compared, ReadingChoices(pause_hours=24)) - compared).total_seconds() == 24 * 3600


def test_the_code_is_told_once_all_passages_are_compared(engine):
    number = close_study(engine, alone=False)
    campaign = get_campaign(engine, number)
    design = replace(_design(engine, number), code_passed="C0DE")
    set_campaign(engine, OPERATOR, number, name=campaign.name, protocol="reading", design=design)
    person = go_through(engine, number, "Aki", prefers="ash", guess="ash")
    viewer = Viewer(rater_id=person)
    assert completion(engine, viewer, number, person) is None
    compare_all(engine, number, person, "Aki", ["ash"] * 4)
    assert completion(engine, viewer, number, person).code == "C0DE"


def test_the_figures_come_from_what_was_stored(engine):
    number = close_study(engine, alone=False)
    for name, prefers in (("Aki", ["ash", "ash", "elm", None]), ("Ben", ["ash", "elm", "elm", "ash"])):
        person = go_through(engine, number, name, prefers="ash", guess="ash")
        compare_all(engine, number, person, name, prefers, seconds=120)
    found = study_findings(engine, OPERATOR, [number])
    close = found.close
    assert close is not None
    (pair,) = close.preferences
    assert (pair.first, pair.share.hits, pair.share.n, pair.ties) == ("ash", 4, 7, 1)
    assert (close.readers, close.finished, close.minutes.value) == (2, 2, 2.0)
    assert (close.with_whole.hits, close.with_whole.n) == (1, 1)  # Ben has two and two
    (length,) = close.metrics  # Elm is longer in every chunk
    assert (length.metric, length.share.hits, length.share.n) == ("length", 3, 7)
    # two readers have marked one word each in two chunks of 12 words on the left with ash, two of 14 with elm
    assert {one.version: one.count for one in close.marks if one.kind == "pleases"} == {"ash": 4, "elm": 4}
    assert all(one.count == 0 for one in found.marks)  # none while reading whole versions
    figures = {row["figure"] for row in json.loads(findings_json(found))["figures"]}
    assert {"chunks_preferred", "left_side", "chunk_alpha", "chunk_metric_picks"} <= figures
    assert "chunk_alpha" in findings_csv(found)


def test_stored_scores_of_segments_become_scores_of_chunks(engine):
    number = close_study(engine)
    for n, one in enumerate(list_translations(engine, number)):
        value = float(n) if one.system == "ash" else 100.0 - n
        row = ScoreRow(translation_id=one.id, metric="chrf", signature="s", score=value)
        store_scores(engine, [row])
    person, _ = come(engine, number, "Aki")
    compare_all(engine, number, person, "Aki", ["elm", "elm", "elm", "elm"])
    found = study_findings(engine, OPERATOR, [number]).close
    assert found is not None
    picks = {one.metric: one for one in found.metrics}
    assert (picks["chrf"].share.hits, picks["chrf"].share.n) == (4, 4)


def test_readers_gave_chunks_as_a_table_and_highlights_with_their_chunk(engine):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    compare_all(engine, number, person, "Aki", ["ash", "elm", None, "ash"])
    files = study_tables(engine, OPERATOR, number)
    rows = [*csv.DictReader(io.StringIO(files["chunks.csv"]))]
    assert [(row["chunk"], row["first"], row["last"], row["preferred"], row["margin"]) for row in rows] == [
        ("1", "1", "2", "ash", "2"),
        ("2", "3", "4", "elm", "2"),
        ("3", "5", "6", "", ""),
        ("4", "7", "8", "ash", "2"),
    ]
    marks = [*csv.DictReader(io.StringIO(files["highlights.csv"]))]
    assert [row["chunk"] for row in marks] == ["1", "2", "3", "4"]
    assert {row["text"] for row in marks} <= {"Ash", "Elm"}


def test_withdrawing_removes_chunks_marks_times_and_preferences(engine):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    compare_all(engine, number, person, "Aki", ["ash"] * 4)
    withdraw(engine, Viewer(rater_id=person), person)
    with read_session(engine) as session:
        for table in (ChunkPair, Highlight, PageVisit, ReadingAnswer):
            assert session.scalars(select(table)).all() == [], table


def test_a_history_holds_the_close_reading_and_gives_it_back(engine, tmp_path):
    number = close_study(engine, alone=False)
    person = go_through(engine, number, "Aki", prefers="ash", guess="elm")
    compare_all(engine, number, person, "Aki", ["ash", "elm", None, "ash"])
    first = read_bundle(engine, number, history=True)
    file = tmp_path / "study.jsonl"
    with file.open("w", encoding="utf-8") as out:
        FORMATS["history"].write(first, out, file)
    copy = load_bundle(engine, FORMATS["history"].read(file, ReadOptions()), "copy").campaign_id
    second = read_bundle(engine, copy, history=True)
    for part in ("readings", "chunks", "visits", "highlights", "answers"):
        assert getattr(first, part) == getattr(second, part), part
    assert len(first.chunks) == 4
    before, after = (study_findings(engine, OPERATOR, [one]).close for one in (number, copy))
    assert [one.share for one in before.preferences] == [one.share for one in after.preferences]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"right":"elm"', '"right":"yew"', "two versions of this reader"),
        ('"last_position":1', '"last_position":77', "no translation"),
        ('"chunk":0', '"chunk":9', "is not a chunk of this reader"),
    ],
)
def test_a_wrong_line_of_a_chunk_gives_its_sentence(engine, tmp_path, old, new, says):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    compare_all(engine, number, person, "Aki", ["ash"] * 4)
    file = tmp_path / "study.jsonl"
    with file.open("w", encoding="utf-8") as out:
        FORMATS["history"].write(read_bundle(engine, number, history=True), out, file)
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InputError, match=says):
        FORMATS["history"].read(file, ReadOptions())


def test_chunks_alone_are_counted_in_the_list_and_planned_with_their_time(engine):
    number = close_study(engine)
    person, _ = come(engine, number, "Aki")
    compare_all(engine, number, person, "Aki", ["ash"] * 4)
    (found,) = list_campaigns(engine)
    assert (found.protocol, found.n_raters, found.n_ratings) == ("chunks", 1, 4)
    alone = plan_of(engine, OPERATOR, number, _design(engine, number), "chunks")
    both = plan_of(engine, OPERATOR, number, _design(engine, number), "reading")
    assert (alone.items, both.items) == (4, 6)
    # 52 words of 6 letters: whole versions are read at 1,800 letters a minute, both side by side at 900
    assert alone.minutes == pytest.approx(2 * 52 * 6 / 900)
    assert both.minutes == pytest.approx(2 * 52 * 6 / 1800 + 2 * 52 * 6 / 900)


def test_a_preview_shows_the_first_chunk_to_those_who_manage(engine):
    number = close_study(engine)
    left, right = chunk_preview(engine, OPERATOR, number)
    assert [one.text[:3] for one in (*left, *right)] == ["Ash", "Ash", "Elm", "Elm"]
    assert chunk_preview(engine, OPERATOR, make_study(engine)) == ([], [])


def test_a_study_on_oneself_is_made_once_and_only_its_reader_sees_which_version_is_which(engine):
    person = enter_rater(engine, "Aki").id
    viewer = Viewer(rater_id=person)
    campaign = take_part(engine, viewer, person)
    assert self_study(engine).id == campaign.id == take_part(engine, viewer, person).id
    readings = readings_of(engine, viewer, campaign.id, person)
    assert (len(readings), len(chunks_of(engine, viewer, campaign.id, person))) == (2, 8)
    study, found = own_findings(engine, viewer, campaign.id, person)
    assert {one.system for one in study.versions} == {"okubo", "mikami"}
    assert {one.metric for one in found.close.metrics} == {"length", "bertscore", "sentence-cosine"}
    other = enter_rater(engine, "Ben").id
    with pytest.raises(AccessError):
        own_findings(engine, Viewer(rater_id=other), campaign.id, person)
    with pytest.raises(InputError, match="Only in a demo"):
        own_findings(engine, viewer, close_study(engine), person)


def test_a_reader_of_a_demo_sees_nothing_of_other_readers(engine):
    number = close_study(engine)
    (aki, _), (ben, _) = (come(engine, number, name) for name in ("Aki", "Ben"))
    for person, name in ((aki, "Aki"), (ben, "Ben")):
        compare_all(engine, number, person, name, ["ash"] * 4)
    assert [one.rater for one in own_study(engine, Viewer(rater_id=ben), number, ben).readers] == ["Ben"]
    assert len(study_of(engine, OPERATOR, number).readers) == 2


def test_without_a_guess_nobody_is_asked_for_one(engine):
    number = make_study(engine, ReadingChoices(guess=False))
    person, readings = come(engine, number, "Aki")
    for one in readings:
        tell(engine, person, one.id, EndReached(mark="e"))
        save_version_answers(engine, Viewer(rater_id=person), one.id, person, {"quality": 4})
    final = {"preferred": 0, "margin": 1}
    save_final_answers(engine, Viewer(rater_id=person), number, person, final)
    assert compared_at(engine, Viewer(rater_id=person), number, person) is not None
    assert study_findings(engine, OPERATOR, [number]).right.n == 0
