"""Making a campaign on the page: a file, a draft, choices with their plan, links, opening, progress."""

from __future__ import annotations

import io
import zipfile

import pytest
from sqlalchemy import select

from core.text.locale import words
from db.engine import read_session
from db.models import Account, CheckText
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    get_campaign,
    items_of,
    list_campaigns,
    list_translations,
    save_rating,
)
from db.queries.evaluation import rating_table
from pages.evaluate.manage import upload

TSV = (
    "document\tposition\treference\tsystem\ttranslation\tsource\n"
    "neko\t0\t吾輩は猫である。\tash\t私は猫です。\tI am a cat.\n"
    "neko\t1\t名前はまだ無い。\tash\t名はない。\tI have no name.\n"
    "neko\t0\t吾輩は猫である。\telm\t我は猫。\tI am a cat.\n"
    "neko\t1\t名前はまだ無い。\telm\t\tI have no name.\n"
)


@pytest.fixture
def manage(start):
    return lambda lang="en": start(lang, "pages/evaluate/manage/page.py")


def uploader(at):
    """The field for the file, whose key is another one after each campaign that was made."""
    return next(one for one in at.get("file_uploader") if one.key.startswith("upload-main"))


def make(at, content=TSV, file="neko.tsv", name="Neko"):
    uploader(at).set_value(
        (file, content.encode() if isinstance(content, str) else content, "text/plain")
    ).run()
    assert not at.exception
    if name:
        at.text_input(key="upload-name").set_value(name).run()
        at.button(key="upload-make").click().run()
        assert not at.exception
    return at


def campaign(engine, name="Neko"):
    return next(one for one in list_campaigns(engine) if one.name == name)


def shown(at, label):
    return [metric.value for metric in at.metric if metric.label == label][-1]


def test_a_file_is_shown_before_it_is_stored(manage, engine, html_of):
    at = make(manage(), name=None)
    assert (shown(at, "Segments"), shown(at, "Translations"), shown(at, "Empty translations")) == (
        "2",
        "4",
        "1",
    )
    assert "私は猫です。" in html_of(at)
    assert "Neko" not in {one.name for one in list_campaigns(engine)}


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["From English to Japanese.", "The column “mood” is not known and was left out."]),
        ("ja", ["英語から日本語へ。", "列「mood」は不明な列のため、除きました。"]),
    ],
)
def test_what_was_left_out_is_said_in_the_readers_language(manage, monkeypatch, html_of, lang, told):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)
    rows = (f"{row}\t{cell}\n" for row, cell in zip(TSV.splitlines(), ("mood", *"abcd"), strict=True))
    shown_now = html_of(make(manage(lang), "".join(rows), name=None))
    assert all(sentence in shown_now for sentence in told)
    assert "英語）" not in shown_now


def test_it_becomes_a_draft_that_nobody_rates_until_it_is_opened(manage, engine):
    at = make(manage())
    found = campaign(engine)
    assert (found.state, found.n_segments, found.n_systems) == ("draft", 2, 2)
    assert at.selectbox(key="campaign-manage").value == found.id
    at.button(key="state-open").click().run()
    assert not at.exception
    assert campaign(engine).state == "open"


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_a_damaged_file_is_one_sentence_and_nothing_is_stored(manage, engine, lang):
    at = make(manage(lang), TSV.replace("\t1\t", "\tone\t"), name=None)
    assert len(at.error) == 1
    if lang == "en":
        assert "line 3" in at.error[0].value.replace("\\", "")
    assert not [button for button in at.button if button.key == "upload-make"]


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
@pytest.mark.parametrize("column", ["document", "reference", "translation"])
def test_a_missing_column_is_named_with_the_files_own_name_and_line(manage, column, lang):
    rows = [line.split("\t") for line in TSV.splitlines()]
    out = rows[0].index(column)
    left = ["\t".join(row[:out] + row[out + 1 :]) for row in rows]
    at = make(manage(lang), "\n".join(left), "My novel.TSV", name=None)
    (said,) = [error.value.replace("\\", "") for error in at.error]
    place, lack = {
        "en": ("My novel.TSV, line 1: ", f"has no column “{column}”"),
        "ja": ("「My novel.TSV」の 1 行目：", f"列「{column}」がありません"),
    }[lang]
    assert said.startswith(place + lack)
    assert "/" not in said
    assert "folder" not in said


@pytest.mark.slow
def test_what_a_second_rating_by_the_same_rater_is_can_be_chosen(manage, engine, html_of):
    rows = "d\t0\tr\tash\tt\tAki\t70\nd\t0\tr\tash\tt\tBo\t50\nd\t0\tr\tash\tt\tAki\t90\n"
    head = "document\tposition\treference\tsystem\ttranslation\trater\tscore\n"
    at = make(manage(), head + rows, name=None)
    ask = next(one for one in at.selectbox if one.key.startswith("upload-repeats-"))
    assert ask.value is None
    assert "are repeats: the first rating counts" in html_of(at)
    ask.set_value("mean").run()
    assert "became means" in html_of(at)
    at.text_input(key="upload-name").set_value("Twice").run()
    at.button(key="upload-make").click().run()
    table = rating_table(engine, OPERATOR, campaign(engine, "Twice").id)
    assert sorted(row.score for row in table) == [50, 80]


def test_a_zip_with_a_way_out_of_its_folder_is_refused(manage):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../outside.tsv", TSV)
    at = make(manage(), packed.getvalue(), "evil.zip", name=None)
    assert at.error or not [button for button in at.button if button.key == "upload-make"]


def test_a_name_that_is_taken_is_refused(manage, engine):
    at = make(manage())
    at = make(at, file="again.tsv")
    assert uploader(at).value is not None
    assert any("already" in error.value for error in at.error)
    assert [one.name for one in list_campaigns(engine)].count("Neko") == 1


def test_when_the_campaign_is_made_the_form_is_empty_and_closed_and_the_draft_is_chosen(manage, engine):
    at = manage()
    before = uploader(at).key
    make(at)
    assert uploader(at).key != before
    assert uploader(at).value is None
    assert "upload-make" not in {button.key for button in at.button}
    (box,) = [one for one in at.expander if one.label == words("en")["manage.new"]]
    assert not box.proto.expanded
    assert at.selectbox(key="campaign-manage").value == campaign(engine).id


def test_a_second_press_makes_nothing_twice_and_is_no_error(manage, engine, monkeypatch):
    press = upload._make
    monkeypatch.setattr(upload, "_make", lambda *given: [press(*given), press(*given)])
    at = make(manage())
    assert not at.error
    assert [one.name for one in list_campaigns(engine)].count("Neko") == 1


def test_choices_change_the_plan_at_once_and_are_stored_by_the_button(manage, engine):
    at = make(manage())
    key = f"design-{campaign(engine).id}"
    assert (shown(at, "Translations to rate"), shown(at, "Items for each rater")) == ("4", "4")
    at.toggle(key=f"{key}-everybody").set_value(False).run()
    at.number_input(key=f"{key}-raters").set_value(2).run()
    at.segmented_control(key=f"{key}-protocol").set_value("esa").run()
    assert not at.exception
    assert shown(at, "Items for each rater") == "2"
    assert get_campaign(engine, campaign(engine).id).protocol == "adequacy"
    at.button(key=f"{key}-save").click().run()
    stored = get_campaign(engine, campaign(engine).id)
    assert (stored.protocol, stored.design["raters"], stored.design["raters_per_item"]) == ("esa", 2, 1)


def test_more_checks_than_half_is_a_sentence(manage, engine):
    at = make(manage())
    key = f"design-{campaign(engine).id}"
    for name in ("repeats", "degraded"):
        at.number_input(key=f"{key}-{name}").set_value(40).run()
    assert any("at most half" in error.value for error in at.error)


def test_a_password_that_is_too_short_is_said_and_makes_no_account(manage, engine):
    at = make(manage())
    at.session_state["manage-tabs"] = "Accounts"
    at.run()
    at.text_input(key="account-login").set_value("mina")
    at.text_input(key="account-password").set_value("short")
    at.button(key="account-make").click().run()
    assert not at.exception
    assert any("10 to 200 characters" in error.value for error in at.error)
    with read_session(engine) as session:
        assert session.scalars(select(Account.login)).all() == []


@pytest.mark.slow
@pytest.mark.embedded
def test_damaged_texts_are_looked_at_before_they_are_used(start, engine, backends, monkeypatch, html_of):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    at = start("en", "pages/evaluate/manage/page.py")
    number = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    at.selectbox(key="campaign-manage").set_value(number).run()
    at.session_state["manage-tabs"] = "Damaged texts"
    at.run()
    at.number_input(key="damage-count").set_value(4).run()
    at.button(key="damage-make").click().run()
    assert not at.exception
    boxes = [box for box in at.checkbox if box.key.startswith("damage-keep")]
    assert len(boxes) == 4
    assert "underline solid" in html_of(at)
    boxes[0].uncheck().run()
    assert at.button(key="damage-use").disabled  # until the organiser has compared them
    at.checkbox(key=f"damage-sure-{number}").check().run()
    at.button(key="damage-use").click().run()
    assert not at.exception
    with read_session(engine) as session:
        texts = session.scalars(select(CheckText.text)).all()
    assert len(texts) == 3
    assert not set(texts) & {one.text for one in list_translations(engine, number)}


def test_progress_shows_how_far_everybody_is_and_no_score(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    make(at)
    number = campaign(engine).id
    at.button(key="state-open").click().run()
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    save_rating(engine, item_id=items_of(engine, number, rater)[0].id, rater_id=rater, score=77, seconds=12)
    at.switch_page("pages/evaluate/progress.py").run()
    at.selectbox(key="campaign-progress").set_value(number).run()
    assert not at.exception
    html = html_of(at)
    assert "Aki" in html
    assert "1 / 4" in html
    assert "77" not in html


def test_a_platform_is_chosen_and_its_parameters_and_address_are_stored(start, engine):
    at = start("en", "pages/evaluate/manage/page.py")
    make(at)
    number = campaign(engine).id
    key = f"design-{number}"
    at.text_input(key=f"{key}-code_passed").set_value("C1").run()
    at.button_group(key=f"{key}-platform").set_value("prolific").run()
    address = at.text_input(key=f"{key}-completion-address-prolific")
    assert address.value == "https://app.prolific.com/submissions/complete?cc={code}"
    at.button(key=f"{key}-save").click().run()
    assert not at.exception
    stored = get_campaign(engine, number).design
    assert stored["parameters"] == ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"]
    assert stored["completion_address"] == address.value
    at.button_group(key=f"{key}-platform").set_value("other").run()
    at.text_input(key=f"{key}-parameters").set_value(" pid ,session,").run()
    at.text_input(key=f"{key}-completion-address-other").set_value("http://example.org").run()
    at.button(key=f"{key}-save").click().run()
    assert {"has to begin with https" in one.value for one in at.error} == {True}
    assert get_campaign(engine, number).design == stored
    at.button_group(key=f"{key}-platform").set_value("none").run()
    at.button(key=f"{key}-save").click().run()
    stored = get_campaign(engine, number).design
    assert (stored["parameters"], stored["completion_address"]) == ([], "")


def test_completion_codes_are_chosen_and_progress_says_who_passed(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    make(at)
    number = campaign(engine).id
    key = f"design-{number}"
    at.text_input(key=f"{key}-code_passed").set_value(" C0DE-77 ").run()
    at.number_input(key=f"{key}-pass-share").set_value(60).run()
    at.button(key=f"{key}-save").click().run()
    assert not at.exception
    stored = get_campaign(engine, number).design
    assert (stored["code_passed"], stored["code_failed"], stored["pass_share"]) == ("C0DE-77", "", 0.6)
    at.button(key="state-open").click().run()
    for name, count in (("Aki", 4), ("Ben", 3)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, number, rater)
        for item in items_of(engine, number, rater)[:count]:
            save_rating(engine, item_id=item.id, rater_id=rater, score=77, seconds=12)
    at.switch_page("pages/evaluate/progress.py").run()
    at.selectbox(key="campaign-progress").set_value(number).run()
    assert not at.exception
    page = html_of(at)
    assert "Completion code" in page
    rows = {name: page.partition(f"<td>{name}</td>")[2].partition("</tr>")[0] for name in ("Aki", "Ben")}
    assert rows["Aki"].endswith("<td>passed (0 of 0 checks)</td>")
    assert rows["Ben"].endswith("<td>–</td>")
    assert "C0DE-77" not in page
    assert at.get("download_button")


@pytest.mark.slow
def test_progress_has_no_column_for_codes_where_there_are_none(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    make(at)
    number = campaign(engine).id
    at.button(key="state-open").click().run()
    ensure_items(engine, number, enter_rater(engine, "Aki").id)
    at.switch_page("pages/evaluate/progress.py").run()
    at.selectbox(key="campaign-progress").set_value(number).run()
    assert "Completion code" not in html_of(at)
    assert not at.get("download_button")


def test_a_campaign_that_nobody_joined_says_how_people_come_in(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    make(at)
    at.switch_page("pages/evaluate/progress.py").run()
    at.selectbox(key="campaign-progress").set_value(campaign(engine).id).run()
    assert "There are no participants yet" in html_of(at)
    assert "manage" in {link.proto.page for link in at.get("page_link")}


def test_the_scale_of_scores_that_fit_several_is_asked(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    rows = "document\tposition\treference\tsystem\ttranslation\trater\tscore\nd\t0\t参照\ta\t訳\tAki\t0.8\n"
    at.file_uploader(key="upload-main").set_value(("scores.tsv", rows.encode(), "text/plain")).run()
    (error,) = [one.value.replace("\\", "") for one in at.error]
    assert error.endswith("so the scale could be 0-100 or 0-6 or 0-1; choose it under “Scale of the scores”.")
    (box,) = [one for one in at.selectbox if one.label == "Scale of the scores"]
    box.set_value("0-1").run()
    assert not at.error
    assert at.button(key="upload-make")


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "scores of all campaigns"), ("ja", "すべてのキャンペーン")]
)
def test_where_links_are_made_it_is_said_that_a_teacher_sees_all_campaigns(manage, lang, told):
    at = manage(lang)
    at.session_state["manage-tabs"] = {"en": "Links", "ja": "リンク"}[lang]
    at.run()
    assert told in at.segmented_control(key="link-kind").help
