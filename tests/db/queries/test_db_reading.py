"""Reading studies in the database: orders, what the screen tells, answers, rights, withdrawal, history."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from core.errors import AccessError, InputError, RatingError
from core.raters.reading.choices import ReadingChoices, ReadingQuestion
from core.raters.reading.told import EndReached, MarkMade, MarkRemoved, PageRead, PlaceReached
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.design import from_json
from db.engine import read_session, write_session
from db.formats import FORMATS
from db.formats.bundle import ReadOptions
from db.formats.capabilities import reduce
from db.models import Campaign, Highlight, PageVisit, Rater, Reading, ReadingAnswer
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, get_campaign, list_campaigns
from db.queries.completion import completion, outcomes
from db.queries.manage import set_campaign, set_state
from db.queries.people import people_of, withdraw
from db.queries.reading import (
    compared_at,
    highlights_of,
    opens_at,
    part_of,
    preview_of,
    readings_of,
    save_final_answers,
    save_version_answers,
    text_of,
)
from db.queries.study import study_of, study_plan
from tests.support.reading_studies import (
    come,
    go_through,
    make_study,
    order_of,
    segments_of,
    study_bundle,
    tell,
)

THREE = {"ash": ("one two three", "four"), "elm": ("un deux trois", "quatre"), "oak": ("eins zwei", "drei")}


def count(engine, table):
    with read_session(engine) as session:
        return session.scalar(select(func.count()).select_from(table))


def change(engine, number, **changes):
    """Another field of the design, past the check that people have versions already."""
    campaign = get_campaign(engine, number)
    design = {**campaign.design, **changes}
    with write_session(engine) as session:
        session.execute(update(Campaign).where(Campaign.id == number).values(design=design))


def test_two_versions_alternate_and_a_reader_keeps_their_order(engine):
    number = make_study(engine)
    orders = []
    for name in ("Aki", "Ben", "Cho", "Dan"):
        person, readings = come(engine, number, name)
        assert [one.place for one in readings] == [0, 1]
        assert ensure_items(engine, number, person) == 0
        orders.append(tuple(order_of(engine, number, name)))
    assert sorted(orders[:2]) == sorted(orders[2:]) == [("ash", "elm"), ("elm", "ash")]


def test_the_place_of_a_reader_who_withdrew_is_given_again(engine):
    number = make_study(engine)
    first, _ = come(engine, number, "Aki")
    gone = order_of(engine, number, "Aki")
    come(engine, number, "Ben")
    withdraw(engine, Viewer(rater_id=first), first)
    come(engine, number, "Cho")
    assert order_of(engine, number, "Cho") == gone


def test_the_plan_says_who_reads_what_and_where_it_is_not_balanced(engine):
    number = make_study(engine, ReadingChoices(), study_bundle("three", THREE), readers=4)
    plan = study_plan(engine, OPERATOR, number, from_json(get_campaign(engine, number).design))
    assert plan.versions == ("ash", "elm", "oak")
    assert (len(plan.orders), plan.given, plan.unit) == (4, 0, "words")
    assert plan.length == 4  # 4, 4 and 3 words
    assert set(plan.balance.uneven) == {"read", "at", "pairs"}
    person, _ = come(engine, number, "Aki")
    again = study_plan(engine, OPERATOR, number, from_json(get_campaign(engine, number).design))
    assert (again.orders, again.given) == (plan.orders, 1)
    with pytest.raises(AccessError):
        study_plan(engine, Viewer(rater_id=person), number, from_json({}))


def test_a_study_needs_as_many_versions_as_a_reader_reads_and_a_human_one_that_is_there(engine):
    with pytest.raises(InputError, match="There are 2 versions and a reader is to read 3"):
        make_study(engine, ReadingChoices(versions=3))
    with pytest.raises(InputError, match="There is no version “yew”"):
        make_study(engine, ReadingChoices(human="yew"), study_bundle("other"))


def test_the_excerpt_is_whole_paragraphs_from_the_beginning(engine):
    whole = make_study(engine)
    short = make_study(engine, ReadingChoices(words=4), study_bundle("short"))
    found = {}
    for number in (whole, short):
        person, readings = come(engine, number, f"Aki {number}")
        order = order_of(engine, number, f"Aki {number}")
        texts = text_of(engine, Viewer(rater_id=person), readings[order.index("ash")].id, person)
        found[number] = [one.text for one in texts]
    assert found[whole] == ["One two three four.", "Five six."]
    assert found[short] == ["One two three four."]  # (4 + 5) / 2 words, at least 4


def test_what_the_screen_tells_is_stored_once_and_a_highlight_that_is_removed_is_kept(engine):
    number = make_study(engine)
    person, (reading, _) = come(engine, number, "Aki")
    segment = segments_of(engine, number)[0]
    made = MarkMade(mark="a", segment=segment, start=0, end=3, kind="pleases", reason="")
    again = MarkMade(mark="b", segment=segment, start=0, end=3, kind="pleases", reason="short")
    tell(engine, person, reading.id, made)
    tell(engine, person, reading.id, made, MarkRemoved(mark="c", removed="a"), again)
    tell(engine, person, reading.id, MarkRemoved(mark="c", removed="a"), again)
    (held,) = highlights_of(engine, Viewer(rater_id=person), reading.id, person)
    assert (held.mark, held.start, held.end, held.reason) == ("b", 0, 3, "short")
    assert count(engine, Highlight) == 2
    tell(engine, person, reading.id, PlaceReached(mark="d", segment=segment, start=4))
    visit = PageRead(mark="e", segment=segment, start=0, last=segment, end=9, active=3.5, away=1.0)
    tell(engine, person, reading.id, visit, visit)
    assert count(engine, PageVisit) == 1
    (now, _) = readings_of(engine, Viewer(rater_id=person), number, person)
    assert (now.segment_id, now.start, now.finished_at) == (segment, 4, None)
    assert now.started_at is not None


@pytest.mark.parametrize(("start", "end", "problem"), [(0, 99, "does not lie"), (30, 31, "does not lie")])
def test_a_highlight_outside_the_text_is_refused_with_all_of_its_message(engine, start, end, problem):
    number = make_study(engine)
    person, (reading, _) = come(engine, number, "Aki")
    segment = segments_of(engine, number)[0]
    good = MarkMade(mark="a", segment=segment, start=0, end=3, kind="pleases", reason="")
    with pytest.raises(RatingError, match=problem):
        tell(engine, person, reading.id, good, replace(good, mark="b", start=start, end=end))
    assert count(engine, Highlight) == 0


def test_nobody_reads_or_marks_for_another_person_and_a_closed_study_takes_nothing(engine):
    number = make_study(engine)
    aki, (reading, _) = come(engine, number, "Aki")
    ben, _ = come(engine, number, "Ben")
    with pytest.raises(AccessError):
        readings_of(engine, Viewer(rater_id=ben), number, aki)
    with pytest.raises(RatingError, match="not among yours"):
        text_of(engine, Viewer(rater_id=ben), reading.id, ben)
    with pytest.raises(RatingError, match="not among yours"):
        tell(engine, ben, reading.id, EndReached(mark="e"))
    with pytest.raises(AccessError):
        study_of(engine, Viewer(rater_id=aki), number)
    set_state(engine, OPERATOR, number, "closed")
    with pytest.raises(RatingError, match="campaign is closed"):
        tell(engine, aki, reading.id, EndReached(mark="e"))


def test_answers_are_checked_and_stored_all_or_none(engine):
    number = make_study(engine)
    person, (first, second) = come(engine, number, "Aki")
    viewer = Viewer(rater_id=person)
    with pytest.raises(RatingError, match="not read to its end"):
        save_version_answers(engine, viewer, first.id, person, {"quality": 5})
    for one in (first, second):
        tell(engine, person, one.id, EndReached(mark="e"))
    for wrong in ({}, {"quality": 8}, {"quality": "5"}, {"quality": True}):
        with pytest.raises(InputError):
            save_version_answers(engine, viewer, first.id, person, wrong)
    assert count(engine, ReadingAnswer) == 0
    save_version_answers(engine, viewer, first.id, person, {"quality": 5})
    save_version_answers(engine, viewer, first.id, person, {"quality": 6, "comment": "fine"})
    final = {"preferred": 0, "margin": 1, "human": 1, "sure": 4, "why": " "}
    for wrong in ({**final, "preferred": 2}, {**final, "margin": None}, {**final, "sure": 0}, {}):
        with pytest.raises(InputError):
            save_final_answers(engine, viewer, number, person, wrong)
    assert compared_at(engine, viewer, number, person) is None
    save_final_answers(engine, viewer, number, person, final)
    assert compared_at(engine, viewer, number, person) is not None
    (reader,) = study_of(engine, OPERATOR, number).readers
    assert reader.read[0].answers == {"quality": 6, "comment": "fine"}
    assert reader.final == {"preferred": 0, "margin": 1, "why": None, "human": 1, "sure": 4}


def test_no_difference_is_an_answer_only_where_the_study_allows_it(engine):
    allowed = make_study(engine)
    refused = make_study(engine, ReadingChoices(no_difference=False), study_bundle("must"))
    go_through(engine, allowed, "Aki", prefers=None, guess="ash")
    with pytest.raises(InputError):
        go_through(engine, refused, "Ben", prefers=None, guess="ash")
    assert study_of(engine, OPERATOR, allowed).readers[0].final["margin"] is None


def test_the_second_version_opens_after_the_pause(engine):
    number = make_study(engine)
    person, (first, second) = come(engine, number, "Aki")
    choices = ReadingChoices(pause_hours=24)
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    readings = [replace(first, finished_at=at), second]
    assert opens_at(readings, 0, choices) is None
    assert opens_at(readings, 1, choices) == at + timedelta(hours=24)
    assert opens_at(readings, 1, ReadingChoices()) is None
    assert opens_at([readings[0], replace(second, started_at=at)], 1, choices) is None
    assert person


def test_who_has_compared_gets_the_code_and_progress_counts_versions(engine):
    number = make_study(engine)
    change(engine, number, code_passed="READ-9")
    aki = go_through(engine, number, "Aki", prefers="ash", guess="elm")
    ben, (first, _) = come(engine, number, "Ben")
    tell(engine, ben, first.id, EndReached(mark="e"))
    assert completion(engine, Viewer(rater_id=aki), number, aki).code == "READ-9"
    assert completion(engine, Viewer(rater_id=ben), number, ben) is None
    assert set(outcomes(engine, OPERATOR, number)) == {aki}
    people = {one.name: (one.done, one.total) for one in people_of(engine, OPERATOR, number)}
    assert people == {"Aki": (2, 2), "Ben": (1, 2)}


def test_the_protocol_stays_once_somebody_reads(engine):
    number = make_study(engine)
    come(engine, number, "Aki")
    campaign = get_campaign(engine, number)
    with pytest.raises(InputError, match="People have items already"):
        set_campaign(
            engine, OPERATOR, number, name=campaign.name, protocol="esa", design=from_json(campaign.design)
        )


@pytest.mark.parametrize(
    "changes", [{"repeats": 0.1}, {"practice_pass": 1}, {"post_edit": True}, {"raters_per_item": 1}]
)
def test_a_reading_study_has_no_checks_practice_corrections_or_shares(engine, changes):
    number = make_study(engine)
    campaign = get_campaign(engine, number)
    design = replace(from_json(campaign.design), **changes)
    with pytest.raises(InputError, match="In a reading study"):
        set_campaign(engine, OPERATOR, number, name=campaign.name, protocol="reading", design=design)


def test_withdrawing_removes_everything_of_one_reader_and_nothing_of_another(engine):
    number = make_study(engine)
    marks = {"ash": [(0, 0, 3, "pleases")], "elm": [(1, 0, 3, "disturbs")]}
    aki = go_through(engine, number, "Aki", prefers="ash", guess="ash", marks=marks)
    go_through(engine, number, "Ben", prefers="elm", guess="ash", marks=marks)
    tables = (Reading, PageVisit, Highlight, ReadingAnswer)
    before = [count(engine, table) for table in tables]
    withdraw(engine, Viewer(rater_id=aki), aki)
    assert [2 * count(engine, table) for table in tables] == before
    assert [one.rater for one in study_of(engine, OPERATOR, number).readers] == ["Ben"]
    with read_session(engine) as session:
        assert session.get(Rater, aki).name == "–"


def test_a_history_brings_back_all_that_readers_gave(engine, tmp_path):
    questions = (ReadingQuestion(name="quality", kind="scale", en="Good?"),)
    number = make_study(engine, ReadingChoices(human="ash", questions=questions))
    marks = {"ash": [(0, 0, 3, "pleases"), (0, 2, 7, "disturbs")]}
    go_through(engine, number, "Aki", prefers="ash", guess="elm", marks=marks)
    person, (reading, _) = come(engine, number, "Ben")
    segment = segments_of(engine, number)[0]
    made = MarkMade(mark="a", segment=segment, start=0, end=3, kind="pleases", reason="«π»")
    tell(engine, person, reading.id, made, MarkRemoved(mark="c", removed="a"))
    bundle = read_bundle(engine, number, history=True)
    assert (len(bundle.readings), len(bundle.visits), len(bundle.highlights), len(bundle.answers)) == (
        4,
        2,
        3,
        7,
    )
    file = tmp_path / "study.jsonl"
    with file.open("w", encoding="utf-8", newline="") as open_file:
        FORMATS["history"].write(bundle, open_file, file)
    again = FORMATS["history"].read(file, ReadOptions())
    kept = ("readings", "visits", "highlights", "answers")
    assert [getattr(again, name) for name in kept] == [getattr(bundle, name) for name in kept]
    doubled = tmp_path / "twice.jsonl"
    doubled.write_text(file.read_text("utf-8") * 2, "utf-8")
    twice = FORMATS["history"].read(doubled, ReadOptions())
    assert [getattr(twice, name) for name in kept] == [getattr(bundle, name) for name in kept]
    copy = load_bundle(engine, again, "copy").campaign_id
    copied = read_bundle(engine, copy, history=True)
    assert [getattr(copied, name) for name in kept] == [getattr(bundle, name) for name in kept]
    for one, other in zip(
        study_of(engine, OPERATOR, copy).readers, study_of(engine, OPERATOR, number).readers, strict=True
    ):
        assert (one.rater, one.final) == (other.rater, other.final)


def test_a_format_without_a_place_for_them_counts_what_it_leaves_out(engine):
    number = make_study(engine)
    go_through(engine, number, "Aki", prefers="ash", guess="elm", marks={"ash": [(0, 0, 3, "pleases")]})
    held = reduce(read_bundle(engine, number, history=True), FORMATS["csv"].holds)
    assert (held.readings, held.visits, held.highlights, held.answers) == ((), (), (), ())
    said = [str(note) for note in held.notes]
    assert "2 versions that were read were left out." in said
    assert "1 highlights were left out." in said


def test_in_the_list_of_campaigns_versions_that_were_read_count(engine):
    number = make_study(engine)
    go_through(engine, number, "Aki", prefers="ash", guess="elm")
    ben, (first, _) = come(engine, number, "Ben")
    come(engine, number, "Cho")
    tell(engine, ben, first.id, EndReached(mark="e"))
    (found,) = [one for one in list_campaigns(engine) if one.id == number]
    assert (found.protocol, found.n_raters, found.n_ratings) == ("reading", 2, 3)


def by_part(engine, *, on=True):
    """A study of ten paragraphs of 100 words: 4 parts, since 1,000 words are 4 times 250."""
    texts = {name: [f"{name} word " * 50] * 10 for name in ("ash", "elm")}
    return make_study(engine, ReadingChoices(by_part=on), study_bundle(texts=texts))


def test_sent_page_by_page_a_browser_holds_the_part_that_the_reader_has_reached(engine):
    number = by_part(engine)
    person, (first, _) = come(engine, number, "Aki")
    viewer, segments = Viewer(rater_id=person), segments_of(engine, number)
    part = part_of(engine, viewer, first.id, person)
    assert ([one.segment_id for one in part.passages], part.number, part.of) == (segments[:2], 1, 4)
    assert (part.before, part.after) == (None, segments[2])
    tell(engine, person, first.id, PlaceReached(mark="p", segment=part.after, start=0))
    part = part_of(engine, viewer, first.id, person)
    assert ([one.segment_id for one in part.passages], part.number) == (segments[2:5], 2)
    assert (part.before, part.after) == (segments[1], segments[5])
    tell(engine, person, first.id, PlaceReached(mark="p", segment=segments[9], start=3))
    part = part_of(engine, viewer, first.id, person)
    assert ([one.segment_id for one in part.passages], part.after) == (segments[7:], None)
    shown = preview_of(engine, OPERATOR, number)
    assert ([one.segment_id for one in shown.passages], shown.of) == (segments[:2], 4)
    ben, _ = come(engine, number, "Ben")
    with pytest.raises(RatingError):
        part_of(engine, Viewer(rater_id=ben), first.id, ben)


def test_sent_as_a_whole_the_only_part_holds_all_of_it(engine):
    number = by_part(engine, on=False)
    person, (first, _) = come(engine, number, "Aki")
    part = part_of(engine, Viewer(rater_id=person), first.id, person)
    assert (len(part.passages), part.number, part.of, part.before, part.after) == (10, 1, 1, None, None)


def test_an_organiser_sees_the_excerpt_of_the_first_version_and_a_reader_does_not(engine):
    number = make_study(engine, ReadingChoices(words=4))
    assert [one.text for one in preview_of(engine, OPERATOR, number).passages] == ["One two three four."]
    person, _ = come(engine, number, "Aki")
    with pytest.raises(AccessError):
        preview_of(engine, Viewer(rater_id=person), number)
