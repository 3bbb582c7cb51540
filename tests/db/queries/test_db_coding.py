"""Comments coded by hand: independent coders, what they see and when, and what goes on withdrawal."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select

from core.errors import AccessError, FileError, InputError
from core.raters.coding import coding_findings
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.told import MarkMade, MarkRemoved
from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.engine import read_session
from db.formats import get_format
from db.formats.bundle import ReadOptions
from db.models import CommentCoder, CommentCoding
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, save_rating
from db.queries.coding import (
    code_book,
    coded_comments,
    coders_of,
    comments_to_code,
    finish_coding,
    save_codes,
    set_code_book,
)
from db.queries.people import withdraw
from db.records import CodeRecord
from tests.support.close_studies import PARAGRAPHS, compare_all
from tests.support.reading_studies import (
    come,
    go_through,
    make_study,
    order_of,
    segments_of,
    study_bundle,
    tell,
)

BOOK = (
    CodeRecord(name="wording", label="Wording", meaning="One word or phrase is named."),
    CodeRecord(name="voice", label="Voice", meaning="How somebody speaks."),
)


@pytest.fixture
def commented(engine, campaign):
    """A campaign of ratings with a code book, in which Aki commented three items and Bo one."""
    set_code_book(engine, OPERATOR, campaign, BOOK)
    for name, count in (("Aki", 3), ("Bo", 1)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, campaign, rater)
        for n, item in enumerate(items_of(engine, campaign, rater)[:count]):
            save_rating(engine, item_id=item.id, rater_id=rater, score=50, comment=f"{name} says {n}")
    return campaign


def code(engine, campaign, name, given, *, through=True):
    """Give codes by the comments' texts; a comment that is not named gets none. Gives the coder's number."""
    coder = enter_rater(engine, name).id
    comments, _ = comments_to_code(engine, OPERATOR, campaign, coder)
    codes = {one.key: given.get(one.text, ()) for one in comments}
    save_codes(engine, OPERATOR, campaign, coder, codes)
    if through:
        finish_coding(engine, OPERATOR, campaign, coder)
    return coder


def test_of_a_finished_coder_only_comments_that_came_later_take_codes(engine, commented):
    given = {"Aki says 0": ["wording"]}
    ito, _ = (code(engine, commented, name, given) for name in ("Ito", "Mori"))
    aki = enter_rater(engine, "Aki").id
    late = items_of(engine, commented, aki)[3]
    save_rating(engine, item_id=late.id, rater_id=aki, score=50, comment="Aki says late")
    found = coded_comments(engine, OPERATOR, commented)
    assert (len(found.comments), found.waiting) == (4, 1)
    keys = {one.text: one.key for one in comments_to_code(engine, OPERATOR, commented, ito)[0]}
    with pytest.raises(InputError, match="has finished"):
        save_codes(
            engine,
            OPERATOR,
            commented,
            ito,
            {keys["Aki says late"]: ["voice"], keys["Aki says 0"]: ["voice"]},
        )
    save_codes(engine, OPERATOR, commented, ito, {keys["Aki says late"]: [], keys["Aki says 0"]: ["wording"]})
    assert coded_comments(engine, OPERATOR, commented).waiting == 1
    with pytest.raises(InputError, match="has finished"):
        save_codes(engine, OPERATOR, commented, ito, {keys["Aki says late"]: ["voice"]})
    code(engine, commented, "Mori", {**given, "Aki says late": ["voice"]}, through=False)
    found = coded_comments(engine, OPERATOR, commented)
    assert (len(found.comments), found.waiting) == (5, 0)
    assert coding_findings(found.comments, found.codes, waiting=2).waiting == 2


def test_codes_are_seen_by_others_only_when_all_coders_have_finished(engine, commented):
    ito = code(engine, commented, "Ito", {"Aki says 0": ["wording"], "Bo says 0": ["voice", "wording"]})
    assert coded_comments(engine, OPERATOR, commented) is None  # one coder is none
    mori = code(engine, commented, "Mori", {"Aki says 0": ["wording"]}, through=False)
    assert coded_comments(engine, OPERATOR, commented) is None
    assert [(one.name, one.coded, one.finished) for one in coders_of(engine, OPERATOR, commented)] == [
        ("Ito", 4, True),
        ("Mori", 4, False),
    ]
    with pytest.raises(AccessError):
        comments_to_code(engine, Viewer(role="organiser", rater_id=mori), commented, ito)
    with pytest.raises(AccessError):
        save_codes(engine, Viewer(role="organiser", rater_id=mori), commented, ito, {})

    finish_coding(engine, OPERATOR, commented, mori)
    found = coded_comments(engine, OPERATOR, commented)
    by_text = {found.texts[one.comment][1]: one.codes for one in found.comments}
    assert by_text["Bo says 0"] == {"Ito": {"wording", "voice"}, "Mori": frozenset()}
    figures = coding_findings(found.comments, found.codes, seed=found.seed)
    # Wording: both 1, only Ito 1, neither 2: (3/4 - 1/2) / (1/2) = 1/2. Voice: Mori never gives it: 0.
    assert [one.kappa.value for one in figures.codes] == [pytest.approx(0.5), pytest.approx(0.0)]
    assert figures.differing == 1


def test_a_coder_sees_neither_writers_nor_versions_in_an_order_of_the_seed(engine, commented):
    ito, mori = enter_rater(engine, "Ito").id, enter_rater(engine, "Mori").id
    first, through = comments_to_code(engine, OPERATOR, commented, ito)
    assert not through
    assert {one.text for one in first} == {"Aki says 0", "Aki says 1", "Aki says 2", "Bo says 0"}
    assert [one.key for one in first] == [
        one.key for one in comments_to_code(engine, OPERATOR, commented, mori)[0]
    ]
    assert {field for one in first for field in one.__slots__} == {"key", "about", "text", "codes"}


def test_who_has_finished_changes_nothing_any_more_and_nobody_is_before_all_is_coded(engine, commented):
    ito = enter_rater(engine, "Ito").id
    comments, _ = comments_to_code(engine, OPERATOR, commented, ito)
    save_codes(engine, OPERATOR, commented, ito, {comments[0].key: ["voice"]})
    with pytest.raises(InputError, match=r"^Comments that are not coded yet: 3"):
        finish_coding(engine, OPERATOR, commented, ito)
    save_codes(engine, OPERATOR, commented, ito, {comments[0].key: []})  # until then it may change
    code(engine, commented, "Ito", {})
    with pytest.raises(InputError, match=r"^This coder has finished"):
        save_codes(engine, OPERATOR, commented, ito, {comments[0].key: ["voice"]})


def test_what_does_not_fit_is_refused_and_nothing_is_stored(engine, commented):
    ito = enter_rater(engine, "Ito").id
    comments, _ = comments_to_code(engine, OPERATOR, commented, ito)
    for given, sentence in (
        ({comments[0].key: ["voice"], "rating-999": []}, "There is no comment “rating-999”"),
        ({comments[0].key: ["voice"], comments[1].key: ["style"]}, "There is no code “style”"),
    ):
        with pytest.raises(InputError, match=rf"^{sentence}"):
            save_codes(engine, OPERATOR, commented, ito, given)
    assert all(one.codes is None for one in comments_to_code(engine, OPERATOR, commented, ito)[0])


def test_a_code_book_can_change_but_keeps_what_was_given(engine, commented):
    code(engine, commented, "Ito", {"Aki says 0": ["voice"]}, through=False)
    renamed = CodeRecord(name="voice", label="Tone", meaning="")
    set_code_book(engine, OPERATOR, commented, [CodeRecord(name="new"), renamed])
    assert [(one.name, one.label) for one in code_book(engine, OPERATOR, commented)] == [
        ("new", ""),
        ("voice", "Tone"),
    ]
    with pytest.raises(InputError, match=r"^The code “voice” was given to comments already"):
        set_code_book(engine, OPERATOR, commented, [CodeRecord(name="new")])
    for bad in ("a;b", "-", " "):
        with pytest.raises(InputError):
            set_code_book(engine, OPERATOR, commented, [CodeRecord(name=bad)])
    with pytest.raises(InputError, match="twice"):
        set_code_book(engine, OPERATOR, commented, [BOOK[0], BOOK[0]])


def test_raters_see_nothing_of_it_and_teachers_do_not_change_the_book(engine, commented):
    rater, teacher = Viewer(role="rater", rater_id=1), Viewer(role="teacher", rater_id=1)
    for call in (code_book, coders_of, coded_comments):
        with pytest.raises(AccessError):
            call(engine, rater, commented)
    with pytest.raises(AccessError):
        comments_to_code(engine, rater, commented, 1)
    with pytest.raises(AccessError):
        set_code_book(engine, teacher, commented, BOOK)
    assert len(code_book(engine, teacher, commented)) == 2


def test_who_withdraws_takes_along_the_codes_of_their_comments_and_those_they_gave(engine, commented):
    ito = code(engine, commented, "Ito", {"Aki says 0": ["voice"], "Bo says 0": ["voice"]})
    mori = code(engine, commented, "Mori", {"Aki says 0": ["voice"]})
    withdraw(engine, OPERATOR, enter_rater(engine, "Bo").id)
    found = coded_comments(engine, OPERATOR, commented)
    assert sorted(text for _, text in found.texts.values()) == ["Aki says 0", "Aki says 1", "Aki says 2"]
    with read_session(engine) as session:
        assert session.scalar(select(func.count()).select_from(CommentCoding)) == 6
    withdraw(engine, OPERATOR, mori)
    with read_session(engine) as session:
        assert session.scalars(select(CommentCoding.coder_id).distinct()).all() == [ito]
        assert session.scalars(select(CommentCoder.rater_id)).all() == [ito]


def test_only_the_last_comment_on_an_item_is_there(engine, commented):
    rater = enter_rater(engine, "Aki").id
    item = items_of(engine, commented, rater)[0]
    save_rating(engine, item_id=item.id, rater_id=rater, score=50, comment="on second thought")
    save_rating(
        engine, item_id=items_of(engine, commented, rater)[1].id, rater_id=rater, score=50, comment=""
    )
    comments, _ = comments_to_code(engine, OPERATOR, commented, rater)
    assert {one.text for one in comments} == {"on second thought", "Aki says 2", "Bo says 0"}


def test_a_reading_study_offers_reasons_and_free_answers_with_the_version_that_they_are_about(engine):
    choices = ReadingChoices(human="ash", chunks=13)
    number = make_study(engine, choices, bundle=study_bundle(texts=PARAGRAPHS))
    set_code_book(engine, OPERATOR, number, BOOK)
    person, readings = come(engine, number, "Aki")
    segment, first = segments_of(engine, number)[0], order_of(engine, number, "Aki")[0]
    for n, reason in ((1, "what a word"), (2, "too long"), (3, "")):
        made = MarkMade(mark=f"w{n}", segment=segment, start=0, end=n, kind="pleases", reason=reason)
        tell(engine, person, readings[0].id, made)
    tell(engine, person, readings[0].id, MarkRemoved(mark="r2", removed="w2"))
    go_through(engine, number, "Aki", prefers="elm", guess="ash")
    compare_all(engine, number, person, "Aki", ["ash", None, "elm", "ash"])
    for name in ("Ito", "Mori"):
        code(engine, number, name, {})
    found = coded_comments(engine, OPERATOR, number)
    told = {found.texts[one.comment]: one.version for one in found.comments}
    assert told == {
        ("pleases", "what a word"): first,
        ("comment", "on ash"): "ash",
        ("comment", "on elm"): "elm",
        ("why", "because"): "elm",
        ("why", "in 1"): "ash",
        ("why", "in 2"): "",
        ("why", "in 3"): "elm",
        ("why", "in 4"): "ash",
    }


def history_of(engine, campaign, path):
    """A campaign written as a history, and read again."""
    bundle = read_bundle(engine, campaign, history=True)
    write_bundle(bundle, "history", path)
    return bundle, get_format("history").read(path, ReadOptions())


def test_a_history_takes_the_code_book_and_the_codes_of_ratings_along(engine, commented, tmp_path):
    code(engine, commented, "Ito", {"Aki says 0": ["voice", "wording"], "Bo says 0": ["voice"]})
    code(engine, commented, "Mori", {"Aki says 0": ["wording"]}, through=False)
    aki = enter_rater(engine, "Aki").id
    first = items_of(engine, commented, aki)[0]
    save_rating(engine, item_id=first.id, rater_id=aki, score=60, comment="Aki says more")  # a revision
    bundle, again = history_of(engine, commented, tmp_path / "coded.jsonl")
    assert again.codes == bundle.codes == BOOK
    assert [(one.rater, one.finished_at is not None) for one in again.coders] == [
        ("Ito", True),
        ("Mori", False),
    ]
    found = {(one.coder, one.rater, one.number): one.codes for one in again.codings}
    assert (found["Ito", "Aki", 1], found["Ito", "Bo", 1]) == (("wording", "voice"), ("voice",))
    assert found["Mori", "Aki", 4] == ()  # Aki’s ratings: 1, its revision 2, and those of two other items
    assert (again.coders, again.codings) == (bundle.coders, bundle.codings)
    copy = load_bundle(engine, again, "Copy").campaign_id
    copied = read_bundle(engine, copy, history=True)
    assert (copied.codes, copied.coders, copied.codings) == (bundle.codes, bundle.coders, bundle.codings)
    assert [one.finished for one in coders_of(engine, OPERATOR, copy)] == [True, False]


def test_a_history_takes_codes_of_highlights_and_answers_along(engine, tmp_path):
    number = make_study(engine)
    for name in ("Aki", "Ben"):
        go_through(engine, number, name, prefers="ash", guess="elm")
    person, (reading, _) = come(engine, number, "Cho")
    segment = segments_of(engine, number)[0]
    made = MarkMade(mark="a", segment=segment, start=0, end=3, kind="pleases", reason="so dry")
    tell(engine, person, reading.id, made)
    set_code_book(engine, OPERATOR, number, BOOK)
    given = {"so dry": ["voice"], "because": ["wording"], "on ash": ["wording", "voice"]}
    for name in ("Ito", "Mori"):
        code(engine, number, name, given)
    bundle, again = history_of(engine, number, tmp_path / "study.jsonl")
    assert again.codings == bundle.codings
    copy = load_bundle(engine, again, "Copy").campaign_id
    before, after = (coded_comments(engine, OPERATOR, one) for one in (number, copy))
    shown = [
        sorted(
            (found.texts[one.comment], one.version, *map(sorted, one.codes.values()))
            for one in found.comments
        )
        for found in (before, after)
    ]
    assert shown[0] == shown[1]
    assert (("pleases", "so dry"), order_of(engine, number, "Cho")[0], ["voice"], ["voice"]) in shown[0]
    assert [len(one) for one in shown] == [
        7,
        7,
    ]  # two answers on versions and one reason of each reader, and so dry


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"number": 9}, "rating 9 of “Aki”, and there are 3"),
        ({"on": "dream"}, "“dream” is none of rating, highlight, answer"),
        ({"number": 0}, "from 1 upwards"),
        ({"codes": ["tone"]}, "“tone” is not a code"),
        ({"coder": "Eve"}, "“Eve” is not a coder"),
    ],
)
def test_a_line_on_codes_that_fits_nothing_is_refused(engine, commented, tmp_path, wrong, message):
    code(engine, commented, "Ito", {})
    path = tmp_path / "bad.jsonl"
    write_bundle(read_bundle(engine, commented, history=True), "history", path)
    row = {"coder": "Ito", "on": "rating", "rater": "Aki", "number": 1, "codes": [], **wrong}
    path.write_text(path.read_text("utf-8") + json.dumps({"coding": row}), "utf-8")
    with pytest.raises(FileError, match=message):
        get_format("history").read(path, ReadOptions())


def test_another_format_counts_the_codes_that_it_leaves_out(engine, commented, tmp_path):
    code(engine, commented, "Ito", {})
    held = write_bundle(read_bundle(engine, commented, history=True), "jsonl", tmp_path / "coded.jsonl")
    notes = list(map(str, held.notes))
    assert "2 codes of the code book were left out." in notes
    assert "4 comments coded by hand were left out." in notes
