"""Questions, orders, excerpts and messages of the screen: what is accepted and what comes of it."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from core.errors import InputError, RatingError
from core.raters.reading.choices import (
    ReadingChoices,
    ReadingQuestion,
    check_answer,
    choices_from_json,
    choices_to_json,
    parse_questions,
)
from core.raters.reading.excerpt import length_of, segments_read, shown_offset
from core.raters.reading.findings import (
    FIGURE_COLUMNS,
    StudyData,
    figure_rows,
    findings,
    findings_csv,
    findings_json,
)
from core.raters.reading.orders import balance, next_order, planned_orders
from core.raters.reading.preferences import ReaderChoice
from core.raters.reading.scales import ScaleAnswer
from core.raters.reading.told import EndReached, MarkMade, PageRead, read_told

SCALE = ReadingQuestion(name="voice", kind="scale", en="Voice?", steps=5)
CHOICE = ReadingQuestion(name="who", kind="choice", ja="誰に？", options_ja=("友人", "家族"), needed=False)


def test_choices_come_back_from_json():
    choices = ReadingChoices(versions=3, words=800, pause_hours=1.5, human="ash", questions=(SCALE, CHOICE))
    assert choices_from_json(json.loads(json.dumps(choices_to_json(choices)))) == choices
    assert choices_from_json({}) == ReadingChoices()


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ('{"name": "a"}', "a list of objects"),
        ('[{"name": "a"}]', "Question 1 is not an object"),
        ('[{"name": "a", "kind": "text", "en": "A?", "colour": "red"}]', "Question 1 is not an object"),
        ('[{"name": "A b", "kind": "text", "en": "A?"}]', "name of question 1"),
        ('[{"name": "preferred", "kind": "text", "en": "A?"}]', "name of question 1"),
        ('[{"name": "a", "kind": "song", "en": "A?"}]', "none of the kinds"),
        ('[{"name": "a", "kind": "text"}]', "has no words"),
        ('[{"name": "a", "kind": "text", "en": 3}]', "“en” of question 1"),
        ('[{"name": "a", "kind": "scale", "en": "A?", "steps": 1}]', "2 to 11 steps"),
        ('[{"name": "a", "kind": "scale", "en": "A?", "steps": true}]', "“steps” of question 1"),
        ('[{"name": "a", "kind": "choice", "en": "A?", "options_en": ["x"]}]', "2 to 20 options"),
        (
            '[{"name": "a", "kind": "choice", "en": "A?", "options_en": ["x", "y"], "options_ja": ["z"]}]',
            "2 to 20 options",
        ),
        (
            '[{"name": "a", "kind": "text", "en": "A?"}, {"name": "a", "kind": "text", "en": "B?"}]',
            "Two questions",
        ),
        ("[\n{]", "line 2"),
    ],
)
def test_questions_that_make_no_sense_are_refused(rows, problem):
    with pytest.raises(InputError, match=problem):
        parse_questions(rows)


def test_an_answer_must_fit_its_question():
    assert [check_answer(SCALE, 5), check_answer(CHOICE, 1), check_answer(CHOICE, None)] == [5, 1, None]
    for question, value in (
        (SCALE, 6),
        (SCALE, 0),
        (SCALE, None),
        (SCALE, "5"),
        (CHOICE, 2),
        (CHOICE, "友人"),
    ):
        with pytest.raises(InputError):
            check_answer(question, value)


def test_orders_are_balanced_whenever_they_can_be():
    for versions, per_reader, readers in ((2, 2, 8), (3, 2, 6), (3, 3, 6), (4, 2, 12)):
        found = balance(planned_orders(versions, per_reader, readers, seed=7), versions, per_reader)
        assert found.uneven == (), (versions, per_reader, readers)
        assert sum(found.read) == readers * per_reader


def test_a_seed_gives_the_same_orders_and_an_order_that_is_missing_is_given_next():
    orders = planned_orders(3, 2, 6, seed=1)
    assert orders == planned_orders(3, 2, 6, seed=1)
    assert len({planned_orders(3, 2, 6, seed=seed) for seed in range(8)}) > 1
    for gone in range(6):
        rest = orders[:gone] + orders[gone + 1 :]
        assert next_order(rest, 3, 2, seed=9) == orders[gone]


def test_an_uneven_plan_says_what_is_not_even():
    found = balance(((0, 1), (1, 0), (0, 1)), 2, 2)
    assert (found.read, found.at, found.uneven) == ((3, 3), ((2, 1), (1, 2)), ("at",))
    assert Counter(found.pairs) == Counter({(0, 1): 3})


def test_lengths_are_words_or_for_japanese_characters_without_readings_and_blanks():
    assert length_of("It's a well-known cat, isn't it?", "en") == 6
    assert length_of("吾輩《わがはい》は　猫。", "ja") == 5
    assert [segments_read([4.5, 2], words) for words in (None, 1, 4, 5, 99)] == [2, 1, 1, 2, 2]


def test_a_place_in_the_stored_text_is_a_place_among_the_characters_that_are_seen():
    text = "私は吾輩《わがはい》だ"
    assert [shown_offset(text, at) for at in (0, 2, 4, 10, 11)] == [0, 2, 4, 4, 5]


MARK = {"what": "mark", "id": "a1", "segment": 3, "start": 0, "end": 2, "kind": "pleases", "reason": " good "}


def test_what_the_screen_tells_is_read():
    visit = {
        "what": "visit",
        "id": "b",
        "segment": 1,
        "start": 0,
        "last": 2,
        "end": 9,
        "active": 1e9,
        "away": -1,
    }
    made, page, end = read_told([MARK, visit, {"what": "finish", "id": "c"}])
    assert made == MarkMade(mark="a1", segment=3, start=0, end=2, kind="pleases", reason="good")
    assert page == PageRead(mark="b", segment=1, start=0, last=2, end=9, active=86400.0, away=0.0)
    assert end == EndReached(mark="c")


@pytest.mark.parametrize(
    "event",
    [
        "mark",
        {},
        {**MARK, "id": "a b"},
        {**MARK, "id": "x" * 41},
        {**MARK, "kind": "hurts"},
        {**MARK, "end": 0},
        {**MARK, "start": -1},
        {**MARK, "start": 0.5},
        {**MARK, "segment": True},
        {**MARK, "reason": None},
        {**MARK, "reason": "x" * 2001},
        {"what": "visit", "id": "b", "segment": 1, "start": 0, "last": 2, "end": 9, "active": "1", "away": 0},
        {
            "what": "visit",
            "id": "b",
            "segment": 1,
            "start": 0,
            "last": 2,
            "end": 9,
            "active": float("nan"),
            "away": 0,
        },
        {"what": "erase", "id": "b"},
    ],
)
def test_a_message_of_another_form_is_refused(event):
    with pytest.raises(RatingError):
        read_told([event])


def test_figures_are_rows_with_the_same_columns_for_every_program():
    choices = (ReaderChoice(reader="1", book="b", order=("A", "B"), preferred="A", margin=2, guess="B"),)
    data = StudyData(
        books=("b",),
        choices=choices,
        read=(),
        human={"b": "A"},
        pooled={"length": {("b", "A"): 10.0, ("b", "B"): 9.0}},
        answers=(ScaleAnswer(reader="1", book="b", version="A", place=1, question="quality", value=6.0),),
        unit="words",
    )
    found = findings(data)
    rows = {(row["figure"], row["of"]): row for row in figure_rows(found)}
    assert all(tuple(row) == FIGURE_COLUMNS for row in rows.values())
    assert (rows["preferred", "A"]["hits"], rows["preferred", "A"]["n"]) == (1, 1)
    assert rows["strength", "A"]["missing"] == "few-choices"
    assert rows["guessed_right", None]["value"] == 0.0
    assert rows["metric_picks", "length"]["value"] == 1.0
    assert (rows["scale", "A"]["value"], rows["scale", "A"]["missing"]) == (6.0, "one-reader")
    assert rows["difference_quality", None]["missing"] == "few-answers"
    told = json.loads(findings_json(found))
    assert (told["few_readers"], told["unit"], len(told["figures"])) == (True, "words", len(rows))
    assert findings_csv(found).splitlines()[0] == ",".join(FIGURE_COLUMNS)
