"""The lesson "make a bad translation win": numbers as one types, a win, the board, and who may do what."""

from __future__ import annotations

import pytest

from db.permissions import Viewer
from db.queries.classroom import board

pytestmark = pytest.mark.embedded
WINNING = {
    "ja": ("夜が明けるころ、老人は小さな舟で沖へ出た。", "chrf"),
    "en": ("At dawn the old man rowed his small boat out to sea. He drowned, and nobody cared.", "bleu"),
}
"""Texts that leave half of the reference out, and the one metric that prefers them."""


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    return lambda lang="en": start(lang, "pages/learn/fool.py")


def write(at, number, text):
    at.text_area(key=f"lesson-fool-{number}").set_value(text).run()
    assert not at.exception
    return at


def stand(engine, lang, metric):
    return [(one.name, one.text) for one in board(engine, Viewer(open=True), f"fool-{lang}", metric)]


@pytest.mark.parametrize(
    ("lang", "number", "won", "name"),
    [
        ("ja", 0, "chrF だけがあなたの訳を選びました。", "<b>あき</b>"),
        ("en", 1, "BLEU prefers yours, and no other metric does.", "*Aki* & co"),
    ],
)
def test_a_win_stands_on_the_board_as_it_was_typed(lesson, engine, html_of, lang, number, won, name):
    text, metric = WINNING[lang]
    at = lesson(lang)
    at.segmented_control(key="lesson-fool").set_value(number).run()
    assert "▲</td>" not in html_of(at)
    write(at, number, text)
    shown = html_of(at)
    assert won in shown
    assert shown.count("▲</td>") == 1
    at.text_input(key=f"board-name-fool-{lang}").set_value(name)
    next(one for one in at.button if one.label in ("Put it on the board", "掲示板に出す")).click().run()
    assert not at.exception
    assert not at.error
    assert stand(engine, lang, metric) == [(name, text)]
    shown = html_of(at)
    assert "<b>" not in shown
    assert name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in shown


def test_the_bad_translation_is_behind_everywhere_and_a_copy_of_the_reference_ahead(lesson, html_of):
    at = lesson()
    assert "Metrics that put yours ahead (▲): 0." in html_of(at)
    assert ">1.0</td>" in html_of(at)
    write(at, 0, "夜が明けるころ、老人は小さな舟で沖へ出た。海は静かで、遠くに灯台の光が見えた。")
    assert "Metrics that put yours ahead (▲): 5." in html_of(at)
    at.button(key="lesson-fool-back").click().run()
    assert "Metrics that put yours ahead (▲): 0." in html_of(at)


def test_a_nameless_attempt_is_refused_in_a_sentence(lesson, engine):
    at = write(lesson(), 0, WINNING["ja"][0])
    next(one for one in at.button if one.label == "Put it on the board").click().run()
    assert "The name is blank" in at.error[0].value
    assert stand(engine, "ja", "chrf") == []


def test_an_empty_text_wins_nothing(lesson, html_of):
    assert "Metrics that put yours ahead (▲): 0." in html_of(write(lesson(), 0, ""))


def test_a_teacher_clears_the_board_and_a_student_cannot(lesson, engine, html_of, monkeypatch):
    at = write(lesson(), 0, WINNING["ja"][0])
    at.text_input(key="board-name-fool-ja").set_value("Aki")
    next(one for one in at.button if one.label == "Put it on the board").click().run()
    at.button(key="board-clear-fool-ja").click().run()
    assert not at.exception
    assert stand(engine, "ja", "chrf") == []
    assert "The board is empty." in html_of(at)
    next(one for one in at.button if one.label == "Put it on the board").click().run()
    assert stand(engine, "ja", "chrf") == [("Aki", WINNING["ja"][0])]
    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role="rater", rater_id=1))
    at.run()
    assert "Aki" in html_of(at)
    assert not [one for one in at.button if (one.key or "").startswith("board-clear")]


def test_a_stranger_can_play_but_sees_no_names(lesson, html_of, monkeypatch):
    monkeypatch.setattr("pages.auth.session.viewer", Viewer)
    at = write(lesson(), 0, WINNING["ja"][0])
    shown = html_of(at)
    assert "Use your class&#x27;s link" in shown
    assert "The class's board" not in [one.value for one in at.subheader]
