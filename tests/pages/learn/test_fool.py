"""The lesson "make a bad translation win": numbers as one types, a win, the board, and who may do what."""

from __future__ import annotations

import pytest

from db.permissions import OPERATOR, Viewer
from db.queries import add_member, enter_rater, list_campaigns
from db.queries.boards import board, save_attempt
from db.records import Visit
from pages.learn.examples import STORIES
from pages.learn.fooling import category, playing

pytestmark = pytest.mark.embedded
WINNING = {
    "ja": ("夜が明けるころ、老人は小さな舟で沖へ出た。人は皆死んだ。", None),
    "en": ("At dawn the old man rowed his small boat out to sea. He drowned, and nobody cared.", "bleu"),
}
CHRF_ALONE = (
    "小さな舟で沖へ出た。海は静かで、遠くに灯台の光が見え、"
    "彼は財布をなくして警察署へ行くことにしたが、雨が降り始めて困った。"
)
OPPOSITE = "夜が明けるころ、老人は小さな舟で沖へ出なかった。海は静かではなく、遠くに灯台の光は見えなかった。"
REFERENCE = STORIES[0].reference


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="ja"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        return start(lang, "pages/learn/fool.py")

    return opened


def write(at, text, lang="ja"):
    at.text_area(key=f"lesson-fool-{lang}").set_value(text).run()
    assert not at.exception
    return at


def post(at, name="Aki", lang="ja"):
    at.text_input(key=f"board-name-{lang}").set_value(name)
    at.button(key=f"board-add-{lang}").click().run()
    assert not at.exception
    return at


def stand(engine, won, lang="ja", campaign_id=None):
    rows = board(engine, Viewer(open=True), f"fool-{lang}", won, campaign_id=campaign_id)
    return [(one.name, one.text) for one in rows]


@pytest.mark.parametrize(
    ("lang", "text", "won", "said", "name"),
    [
        ("ja", CHRF_ALONE, "chrf", "chrF だけがあなたの訳を選びました。", "<b>あき</b>"),
        pytest.param(
            *("ja", OPPOSITE, "all", "4つの指標すべてが、あなたの訳を選びました。", "あき"),
            marks=pytest.mark.slow,
        ),
        ("en", WINNING["en"][0], "bleu", "BLEU prefers yours, and no other metric does.", "*Aki* & co"),
    ],
)
def test_a_win_stands_on_the_board_as_it_was_typed(lesson, engine, html_of, lang, text, won, said, name):
    at = write(lesson(lang), text, lang)
    assert said in html_of(at)
    post(at, name, lang)
    assert not at.error
    assert stand(engine, won, lang) == [(name, text)]
    shown = html_of(at)
    assert "<b>" not in shown
    assert name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in shown


@pytest.mark.slow
def test_two_metrics_ahead_of_four_win_nothing(lesson, html_of):
    shown = html_of(write(lesson("ja"), WINNING["ja"][0]))
    assert "▲）は2つです" in shown
    assert shown.count("▲</td>") == 2


@pytest.mark.slow
def test_a_copy_of_the_reference_goes_to_the_copies_and_does_not_count(lesson, engine, html_of):
    at = write(lesson("ja"), REFERENCE)
    assert "写しです" in html_of(at)
    post(at)
    assert stand(engine, "all") == []
    assert stand(engine, "copy") == [("Aki", REFERENCE)]
    at = post(write(at, "夜が明けるころ、老人は小さな舟で沖へ出た。"))
    assert stand(engine, "copy") == [("Aki", "夜が明けるころ、老人は小さな舟で沖へ出た。")]


def test_the_reading_penalty_plays_only_where_it_took_something_off():
    good = {"bleu": 40.0, "chrf": 40.0, "bertscore": 0.9, "bertscore-reading": 0.9, "subspace": 0.9}
    same = {"bleu": 10.0, "chrf": 10.0, "bertscore": 0.95, "bertscore-reading": 0.95, "subspace": 0.8}
    assert "bertscore-reading" not in playing(good, same)
    assert category(STORIES[0], good, same, "犬") == "bertscore"
    punished = {**same, "bertscore-reading": 0.7}
    assert "bertscore-reading" in playing(good, punished)
    assert category(STORIES[0], good, punished, "犬") == "bertscore"
    assert category(STORIES[0], good, {**same, "bertscore": 0.8, "bertscore-reading": 0.8}, "犬") is None


def test_the_bad_translation_at_the_beginning_stays_beside_the_readers_own(lesson, html_of):
    at = lesson("en")
    assert "0 of 4 metrics put yours ahead" in html_of(at)
    at = write(at, WINNING["en"][0], "en")
    assert '<tr><td>BLEU</td><td class="yk-number">31.2</td><td class="yk-number">4.5</td>' in html_of(at)
    assert "→ 40.4 ▲" in html_of(at)
    at.button(key="lesson-fool-back").click().run()
    assert "→ 4.5<" in html_of(at)


def test_a_nameless_attempt_is_refused_in_a_sentence_and_the_board_stays(lesson, engine, html_of):
    save_attempt(
        engine, OPERATOR, lesson="fool-ja", name="Ben", category="all", text="犬", scores={"bleu": 1.0}
    )
    at = write(lesson("ja"), OPPOSITE)
    at.button(key="board-add-ja").click().run()
    assert "名前が空です" in at.error[0].value
    assert stand(engine, "all") == [("Ben", "犬")]
    assert "Ben" in html_of(at)


def test_a_student_stands_there_under_the_own_name_and_in_the_own_class(lesson, engine, monkeypatch):
    person = enter_rater(engine, "Emi")
    campaign = list_campaigns(engine)[0].id
    add_member(engine, OPERATOR, campaign_id=campaign, rater_id=person.id, part="student")
    monkeypatch.setattr("pages.auth.session.viewer", lambda: Viewer(role="rater", rater_id=person.id))
    visit = Visit(role="rater", campaign_id=campaign, rater_id=person.id, name="Emi")
    monkeypatch.setattr("pages.auth.session.visit", lambda: visit)
    at = lesson("ja")
    write(at, OPPOSITE)
    assert not [one for one in at.text_input if (one.key or "").startswith("board-name")]
    at.button(key="board-add-ja").click().run()
    assert stand(engine, "all", campaign_id=campaign) == [("Emi", OPPOSITE)]
    assert stand(engine, "all") == []
    assert not [one for one in at.button if (one.key or "").startswith(("board-clear", "board-remove"))]


@pytest.mark.slow
def test_a_teacher_removes_one_attempt_or_all_of_them(lesson, engine, html_of):
    at = post(write(lesson("ja"), OPPOSITE))
    at = post(write(at, OPPOSITE.replace("老人", "男")), "Ben")
    assert len(stand(engine, "all")) == 2
    newest = board(engine, OPERATOR, "fool-ja", "all")[0]
    assert newest.name == "Ben"
    at.button(key=f"board-remove-{newest.id}").click().run()
    assert [name for name, _ in stand(engine, "all")] == ["Aki"]
    at.button(key="board-clear-fool-ja").click().run()
    assert not at.exception
    assert stand(engine, "all") == []
    assert "まだ何もありません。" in html_of(at)


@pytest.mark.slow
def test_before_a_class_no_name_is_shown(lesson, html_of):
    at = post(write(lesson("ja"), OPPOSITE), "ななし太郎")
    assert "ななし太郎" in html_of(at)
    at.toggle(key="projector").set_value(True).run()
    assert "ななし太郎" not in html_of(at)
    assert "（名前は非表示）" in html_of(at)


def test_a_stranger_can_play_but_sees_no_names(lesson, html_of, monkeypatch):
    monkeypatch.setattr("pages.auth.session.viewer", Viewer)
    at = write(lesson("en"), WINNING["en"][0], "en")
    shown = html_of(at)
    assert "Use your class&#x27;s link" in shown
    assert "The class's board" not in [one.value for one in at.subheader]
