"""The page *New campaign from books*: from files to a draft, in both languages."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from db.campaigns.mending import MENDED
from db.engine import read_session
from db.models import Event
from db.queries import list_campaigns
from pages.ui import models
from tests.support.two_languages import backends, sentences, translated

CHAPTERS = [sentences(12, seed=n) for n in range(2)]
WORDS = backends()


def text(chapters):
    lines = []
    for number, texts in enumerate(chapters, 1):
        lines += [f"CHAPTER {number}", *texts]
    return "\n\n".join(lines).encode()


@pytest.fixture
def manage(start, monkeypatch, tmp_path):
    monkeypatch.setattr(models, "backends", lambda: WORDS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return lambda lang="en": start(lang, "pages/evaluate/manage/page.py")


def give(at, **books):
    for name, content in books.items():
        field = at.file_uploader(key=f"books-{name}")
        field.set_value((f"{name}.txt", content, "text/plain"))
    at.run()
    assert not at.exception
    return at


@pytest.mark.parametrize(("lang", "role"), [("en", "Original"), ("ja", "原文")])
def test_two_books_become_a_draft_with_a_document_for_each_chapter(manage, engine, html_of, lang, role):
    at = give(manage(lang), original=text(CHAPTERS), reference=text([translated(one) for one in CHAPTERS]))
    assert role in html_of(at)
    at.multiselect(key="books-chapters").set_value([1]).run()
    at.button(key="books-align").click().run()
    assert not at.exception
    assert [metric.value for metric in at.metric if metric.label in ("Units", "単位")] == ["12"]
    at.text_input(key="books-name").set_value("Doors").run()
    at.button(key="books-make").click().run()
    assert not at.exception
    made = next(one for one in list_campaigns(engine) if one.name == "Doors")
    assert made.state == "draft"
    assert [metric.value for metric in at.metric if metric.label in ("Units", "単位")] == []


def test_a_book_without_text_is_told_in_a_sentence(manage, html_of):
    at = manage()
    at.file_uploader(key="books-original").set_value(("a.txt", b"CHAPTER 1\n\nCHAPTER 2\n", "text/plain"))
    at.file_uploader(key="books-reference").set_value(("b.txt", text(CHAPTERS), "text/plain")).run()
    assert not at.exception
    assert [error.value for error in at.error] == ["a\\.txt\\: has headings and no text under them\\."]


def test_the_wrong_book_is_told_with_its_figure(manage):
    wrong = [sentences(12, seed=n + 50, language="b") for n in range(2)]
    at = give(manage("ja"), original=text(CHAPTERS), reference=text(wrong))
    at.button(key="books-align").click().run()
    assert not at.exception
    (error,) = at.error
    assert error.value.startswith("「original\\.txt」は「reference\\.txt」とほとんど対応していません（文の ")
    assert "books-make" not in {button.key for button in at.button}


def aligned(manage, lang="en"):
    at = give(manage(lang), original=text(CHAPTERS), reference=text([translated(one) for one in CHAPTERS]))
    at.button(key="books-align").click().run()
    assert not at.exception
    return at


def press(at, *names):
    for name in names:
        at.button(key=f"mending-{name}").click().run()
        assert not at.exception
    return at


@pytest.mark.parametrize(("lang", "state"), [("en", "changes: {n}"), ("ja", "変更：{n}")])
def test_a_bead_is_mended_undone_and_confirmed_with_buttons(manage, html_of, lang, state):
    at = aligned(manage, lang)
    beads = len(at.session_state["books-aligned"].aligned["original"].beads)
    press(at, "merge")
    assert len(at.session_state["books-aligned"].aligned["original"].beads) == beads - 1
    assert state.format(n=1) in html_of(at)
    press(at, "undo")
    assert len(at.session_state["books-aligned"].aligned["original"].beads) == beads
    press(at, "confirm", "confirm", "realign")
    assert state.format(n=3) in html_of(at)
    assert len(at.session_state["books-aligned"].aligned["original"].beads) == beads


@pytest.mark.slow
def test_what_was_mended_is_there_when_the_same_files_are_aligned_again_and_is_noted_with_the_campaign(
    manage, engine, html_of
):
    press(aligned(manage), "merge", "confirm")
    at = aligned(manage)
    assert "changes: 2" in html_of(at)
    at.text_input(key="books-name").set_value("Doors").run()
    at.button(key="books-make").click().run()
    assert not at.exception
    with read_session(engine) as session:
        details = session.scalars(select(Event.details).where(Event.kind == MENDED)).one()
    assert [step["what"] for step in details["original"]] == ["merge", "confirm"]
    assert all(step["at"].startswith("20") for step in details["original"])


def test_a_change_that_cannot_be_made_is_a_sentence_and_changes_nothing(manage):
    at = aligned(manage)
    at.session_state["mendings-place"] = {"original": 10_000}  # beyond the end: the last one is shown
    press(at.run(), "merge")
    assert [error.value for error in at.error] == ["This is the last bead; there is none behind it\\."]
    assert not at.session_state["mendings"]["original"].steps
