"""The rating page, in both languages, against a real database file."""

import json

import pytest

from core.errors import UnavailableError
from db.queries import enter_rater, history, items_of, list_campaigns, progress
from pages.ui import state
from pages.ui.text import ASSETS
from tests.support.widgets import button

LANGUAGES = ["en", "ja"]


def words(lang):
    return json.loads((ASSETS / "locale" / f"{lang}.json").read_text("utf-8"))


def holmes(engine):
    return next(c.id for c in list_campaigns(engine) if c.name.startswith("Holmes"))


def items(engine, name):
    return items_of(engine, holmes(engine), enter_rater(engine, name).id)


def score_field(at):
    (field,) = at.number_input
    return field


@pytest.mark.parametrize("lang", LANGUAGES)
def test_first_visit_shows_who_and_what(start, lang):
    at = start(lang)
    assert at.header[0].value == words(lang)["rate.title"]
    assert len(at.selectbox(key="campaign-rate").options) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_score_is_stored_and_shown_again(start, enter, engine, html_of, lang):
    at = enter(start(lang), "Ichiyo")
    assert score_field(at).value is None
    score_field(at).set_value(86).run()
    assert not at.exception
    first = items(engine, "Ichiyo")[0]
    assert first.score == 86
    (event,) = history(engine, first.id, enter_rater(engine, "Ichiyo").id)
    assert event.seconds is not None
    assert words(lang)["rate.saved"].split("{")[0].strip() in html_of(at)

    button(at, "next").click().run()
    assert score_field(at).value is None
    button(at, "previous").click().run()
    assert score_field(at).value == 86

    score_field(at).set_value(12).run()
    assert items(engine, "Ichiyo")[0].revision == 2
    assert score_field(at).value == 12


def test_guideline_comes_before_the_first_item_only(start, enter, engine):
    at = start()
    at.text_input(key="rater-name").set_value("Soseki")
    at.button(key="start").click().run()
    assert "0 to 100" in " ".join(m.value for m in at.markdown)
    assert not at.number_input
    at.button(key="begin").click().run()
    score_field(at).set_value(50).run()

    again = start()
    again.text_input(key="rater-name").set_value("ＳＯＳＥＫＩ")
    again.button(key="start").click().run()
    assert score_field(again).key == f"score-{items(engine, 'Soseki')[1].id}"


def test_zero_is_a_score_and_untouched_is_not(start, enter, engine):
    at = enter(start(), "Zero")
    button(at, "next").click().run()
    assert all(item.revision == 0 for item in items(engine, "Zero"))
    score_field(at).set_value(0).run()
    assert items(engine, "Zero")[1].score == 0
    assert score_field(at).value == 0
    assert progress(engine, holmes(engine), enter_rater(engine, "Zero").id).done == 1


def test_an_emptied_field_keeps_what_is_stored(start, enter, engine):
    at = enter(start(), "Ogai")
    score_field(at).set_value(70).run()
    score_field(at).set_value(None).run()
    assert items(engine, "Ogai")[0].score == 70
    assert score_field(at).value == 70


def test_comment_is_stored_with_the_score(start, enter, engine):
    at = enter(start(), "Akiko")
    (comment,) = at.text_input
    comment.set_value("**bold** $x$").run()
    assert items(engine, "Akiko")[0].revision == 0
    score_field(at).set_value(33).run()
    assert items(engine, "Akiko")[0].comment == "**bold** $x$"
    at.text_input[0].set_value("other").run()
    first = items(engine, "Akiko")[0]
    assert (first.score, first.comment, first.revision) == (33, "other", 2)


def test_skip_needs_a_reason_and_can_be_taken_back(start, enter, engine, html_of):
    at = enter(start(), "Basho")
    button(at, "skip-misaligned").click().run()
    first = items(engine, "Basho")[0]
    assert (first.score, first.skipped) == (None, "misaligned")
    button(at, "previous").click().run()
    assert "Skipped" in html_of(at)
    score_field(at).set_value(40).run()
    first = items(engine, "Basho")[0]
    assert (first.score, first.skipped) == (40, None)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_another_reason_for_skipping_needs_a_comment(start, enter, engine, lang):
    at = enter(start(lang), "Kyorai")
    first = items(engine, "Kyorai")[0]
    at.button(key=f"skip-other-{first.id}").click().run()
    said = {"en": "Another reason needs a comment", "ja": "コメントに理由を書いて"}[lang]
    assert [said in error.value for error in at.error] == [True]
    assert items(engine, "Kyorai")[0].skipped is None
    at.text_input(key=f"comment-{first.id}").set_value("two pages are swapped")
    at.button(key=f"skip-other-{first.id}").click().run()
    assert not at.error
    assert items(engine, "Kyorai")[0].skipped == "other"


def test_what_is_missing_leads_there(start, enter, engine):
    at = enter(start(), "Issa")
    button(at, "next").click().run()
    score_field(at).set_value(10).run()
    assert at.selectbox(key="missing-place").options[:2] == ["1", "3"]
    at.selectbox(key="missing-place").set_value(4).run()
    assert score_field(at).key == f"score-{items(engine, 'Issa')[4].id}"
    at.button(key="first-missing").click().run()
    assert score_field(at).key == f"score-{items(engine, 'Issa')[0].id}"


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_end_says_thanks(start, enter, engine, html_of, lang):
    from db.queries import ensure_items, save_rating

    at = start(lang)
    rater = enter_rater(engine, "Done")
    ensure_items(engine, holmes(engine), rater.id)
    for item in items(engine, "Done")[:-1]:
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=50)
    enter(at, "Done")
    score_field(at).set_value(99).run()
    button(at, "next").click().run()
    assert words(lang)["rate.thanks"] in html_of(at)
    at.button(key="look-back").click().run()
    assert score_field(at).value == 99


def test_two_tabs_show_what_is_stored(start, enter, engine):
    one, other = enter(start(), "Twin"), enter(start(), "Twin")
    score_field(one).set_value(20).run()
    other.run()
    assert score_field(other).value == 20
    score_field(other).set_value(80).run()
    one.run()
    assert score_field(one).value == 80
    assert [
        e.score for e in history(engine, items(engine, "Twin")[0].id, enter_rater(engine, "Twin").id)
    ] == [20, 80]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("   ", {"en": "The name is blank", "ja": "名前が空です"}),
        ("\u3000", {"en": "The name is blank", "ja": "名前が空です"}),
        ("a\u200bb", {"en": "another invisible character", "ja": "目に見えない文字があります"}),
        ("position-1", {"en": "“position-1” belongs to imported", "ja": "名前「position-1」は、取り込んだ"}),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_with_the_reason(start, lang, name, said):
    at = start(lang)
    at.text_input(key="rater-name").set_value(name)
    at.button(key="start").click().run()
    assert not at.exception
    assert said[lang] in at.error[0].value.replace("\\", "")
    assert not at.number_input


def test_a_score_that_was_not_stored_is_not_called_saved(start, enter, engine, html_of, monkeypatch):
    at = enter(start(), "Unlucky")

    def refuse(*args, **kwargs):
        raise UnavailableError("The disk is *full*.")

    monkeypatch.setattr("pages.evaluate.rate.saving.save_rating", refuse)
    score_field(at).set_value(61).run()
    assert "full" in at.error[0].value
    assert "saved" not in html_of(at)
    assert score_field(at).value == 61
    monkeypatch.undo()


def test_peoples_texts_are_text(start, enter, engine, html_of):
    from sqlalchemy import update

    from db.models import Translation

    at = start()
    evil = "<script>alert(1)</script> **bold** $x^2$ :red[no] <b>&amp;"
    with engine.begin() as connection:
        connection.execute(update(Translation).values(text=evil))
    enter(at, "*star* <i>")
    page = html_of(at)
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold** $x^2$ :red[no] &lt;b&gt;&amp;amp;" in page
    assert "*star* &lt;i&gt;" in page
    assert "<script>" not in page
    assert not any("**bold**" in m.value for m in at.markdown)


def test_systems_stay_hidden(start, enter, html_of):
    at = enter(start(), "Blind")
    at.toggle(key="show-source").set_value(True).run()
    at.toggle(key="show-own").set_value(True).run()
    shown = html_of(at).split("About")[0]
    desk = [line for line in shown.splitlines() if "yk-novel" in line and not line.startswith("<style")]
    assert desk
    assert not any(system in line for line in desk for system in ("demo-names", "mikami"))


def test_source_and_own_scores_on_request(start, enter, engine, html_of):
    at = enter(start(), "Curious")
    source = items(engine, "Curious")[0].source
    assert source not in html_of(at)
    at.toggle(key="show-source").set_value(True).run()
    assert 'lang="en"' in html_of(at)
    score_field(at).set_value(77).run()
    button(at, "next").click().run()
    at.toggle(key="show-own").set_value(True).run()
    assert '<td class="yk-number">77</td>' in html_of(at)


def test_a_database_from_the_future_is_told_in_words(start, engine, monkeypatch):
    def refuse():
        raise UnavailableError(
            "The database is from a newer Yomikurabe (revision {revision}); update the program to open it.",
            revision="0009",
        )

    monkeypatch.setattr(state, "engine", refuse)
    at = start("ja", page=None)
    assert "新しい版の Yomikurabe のものです（改訂 0009）" in at.error[0].value
