"""Comments coded by hand on the page: a book, two coders one after the other, and their agreement."""

import json

import pytest

from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, list_campaigns, save_rating
from db.queries.coding import code_book, coded_comments, coders_of, comments_to_code, set_code_book
from db.records import CodeRecord
from pages.ui.text import ASSETS
from tests.support.widgets import button

PAGE = "pages/evaluate/agreement/page.py"
BOOK = (CodeRecord(name="wording", label="Wording", meaning="A word."), CodeRecord(name="voice"))


def words(lang):
    return json.loads((ASSETS / "locale" / f"{lang}.json").read_text("utf-8"))


@pytest.fixture
def holmes(engine):
    """The demo, in which Aki commented two items; its number."""
    number = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    for item, text in zip(items_of(engine, number, rater), ("**a word**", "<b>a voice</b>"), strict=False):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, comment=text)
    return number


@pytest.fixture
def codes_tab(start, holmes):
    """The tab of a language, with one of its parts open."""

    def opened(lang, part):
        at = start(lang, PAGE)
        at.selectbox(key="campaign-agreement").set_value(holmes).run()
        at.session_state["agreement-tabs"] = words(lang)["agreement.tab.codes"]
        at.session_state["coding-part"] = part
        at.run()
        assert not at.exception
        return at

    return opened


def code_all(at, name, chosen):
    """Give these codes to both comments, one after the other, and finish."""
    at.text_input(key="coding-who").set_value(name)
    at.button(key="coding-begin").click().run()
    for codes in chosen:
        (pills,) = [one for one in at.button_group if one.key.startswith("coding-codes-")]
        pills.set_value(codes).run()
        button(at, "coding-save").click().run()
        assert not at.exception
    at.button(key="coding-finish").click().run()
    assert not at.exception


def test_the_book_is_made_on_the_page(codes_tab, engine, holmes, html_of):
    at = codes_tab("en", "book")
    assert words("en")["coding.no_book"] in html_of(at)
    for name, meaning in (("wording", "A word."), ("voice", "")):
        at.text_input(key="coding-name").set_value(name)
        at.text_input(key="coding-meaning").set_value(meaning)
        next(one for one in at.button if one.label == words("en")["coding.add"]).click().run()
        assert not at.exception
    assert [(one.name, one.meaning) for one in code_book(engine, OPERATOR, holmes)] == [
        ("wording", "A word."),
        ("voice", ""),
    ]
    at.multiselect(key="coding-gone").set_value(["voice"]).run()
    at.button(key="coding-remove").click().run()
    assert [one.name for one in code_book(engine, OPERATOR, holmes)] == ["wording"]


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_two_coders_code_and_then_their_agreement_is_shown(codes_tab, engine, holmes, html_of, lang):
    set_code_book(engine, OPERATOR, holmes, BOOK)
    code_all(codes_tab(lang, "code"), "Ito", [["wording"], ["voice"]])
    at = codes_tab(lang, "results")
    assert words(lang)["coding.not_yet"] in html_of(at)
    assert coded_comments(engine, OPERATOR, holmes) is None
    code_all(codes_tab(lang, "code"), "Mori", [["wording"], []])
    assert [(one.name, one.finished) for one in coders_of(engine, OPERATOR, holmes)] == [
        ("Ito", True),
        ("Mori", True),
    ]
    page = html_of(codes_tab(lang, "results"))
    # Wording: both say the same: 1. Voice: Ito once, Mori never: 0. Over all: (3/4 - 1/2) / (1/2) = .50.
    assert ".50" in page
    assert "Ito" in page
    assert "&lt;b&gt;a voice" in page or "**a word**" in page
    assert "<b>a voice" not in page


def upload(at, key, name, text):
    """Choose a file."""
    (field,) = [one for one in at.get("file_uploader") if key in one.key]
    field.set_value((name, text.encode("utf-8-sig"), "text/csv")).run()
    assert not at.exception


def test_a_book_and_a_coded_spreadsheet_are_taken_from_files(codes_tab, engine, holmes, html_of):
    at = codes_tab("en", "book")
    upload(at, "coding-book-file", "book.csv", "name,label,meaning\nwording,Words,A word.\nvoice,,\n")
    assert [(one.name, one.label) for one in code_book(engine, OPERATOR, holmes)] == [
        ("wording", "Words"),
        ("voice", ""),
    ]
    at = codes_tab("en", "code")
    at.text_input(key="coding-who").set_value("Ito")
    at.button(key="coding-begin").click().run()
    ito = enter_rater(engine, "Ito").id
    (first, second), _ = comments_to_code(engine, OPERATOR, holmes, ito)
    wrong = f"comment,codes\n{first.key},wording\n{second.key},manner\n"
    upload(at, "coding-sheet-file", "coded.csv", wrong)
    assert any("manner" in one.value for one in at.error)
    assert all(one.codes is None for one in comments_to_code(engine, OPERATOR, holmes, ito)[0])
    upload(
        at, "coding-sheet-file", "coded.csv", f"comment,codes\n{first.key},wording; voice\n{second.key},-\n"
    )
    found = [one.codes for one in comments_to_code(engine, OPERATOR, holmes, ito)[0]]
    assert found == [("wording", "voice"), ()]
    assert words("en")["coding.taken"].format(n=2) in [one.value for one in at.success]
    assert at.button(key="coding-finish")


@pytest.mark.slow
def test_a_comment_that_comes_when_coders_have_finished_can_still_be_coded(
    codes_tab, engine, holmes, html_of
):
    set_code_book(engine, OPERATOR, holmes, BOOK)
    for name in ("Ito", "Mori"):
        code_all(codes_tab("en", "code"), name, [["wording"], ["voice"]])
    rater = enter_rater(engine, "Aki").id
    save_rating(
        engine, item_id=items_of(engine, holmes, rater)[2].id, rater_id=rater, score=5, comment="late"
    )
    assert words("en")["coding.waiting"].format(n=1) in html_of(codes_tab("en", "results"))
    for name in ("Ito", "Mori"):
        at = codes_tab("en", "code")
        at.text_input(key="coding-who").set_value(name)
        at.button(key="coding-begin").click().run()
        assert words("en")["coding.later"].format(n=1) in html_of(at)
        assert "late" in html_of(at)
        (pills,) = [one for one in at.button_group if one.key.startswith("coding-codes-")]
        pills.set_value(["voice"]).run()
        button(at, "coding-save").click().run()
        assert words("en")["coding.finished"] in html_of(at)
    assert [len(one.codes) for one in coded_comments(engine, OPERATOR, holmes).comments] == [2, 2, 2]


def test_an_unknown_code_name_is_told_in_a_sentence(codes_tab, html_of):
    at = codes_tab("en", "book")
    at.text_input(key="coding-name").set_value("a;b")
    next(one for one in at.button if one.label == words("en")["coding.add"]).click().run()
    assert any("holds no semicolon" in one.value for one in at.error)
