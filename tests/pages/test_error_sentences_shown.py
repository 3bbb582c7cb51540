"""Errors of queries, files and forms as the page shows them to a reader of Japanese."""

from __future__ import annotations

import io
import zipfile

import pytest
from sqlalchemy import text

from core.raters.protocols import MarkedSpan
from core.types import Result
from db.campaigns.load import load_bundle
from db.design import Design
from db.engine import write_session
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of
from db.queries.manage import set_campaign
from db.queries.rating import save_draft
from pages.ui.text import missing_reason
from tests.support.widgets import button

HEADER = "document\tposition\treference\tsystem\ttranslation\n"
ROW = "neko\t0\t吾輩は猫である。\tash\t私は猫です。\n"


@pytest.fixture
def manage(start, monkeypatch):
    """Open the page of campaigns. AppTest asks for the labels of choices outside the session, too."""
    monkeypatch.setattr("pages.ui.state.language", lambda: "ja")
    return lambda: start("ja", "pages/evaluate/manage/page.py")


def upload(at, content, file):
    data = content.encode() if isinstance(content, str) else content
    field = next(one for one in at.get("file_uploader") if one.key.startswith("upload-main"))
    field.set_value((file, data, "text/plain")).run()
    assert not at.exception
    return at


def said(at):
    """The only error on the page, as a reader sees it."""
    assert not at.exception
    (error,) = at.error
    return error.value.replace("\\", "")


def made(at, name="Neko"):
    at = upload(at, HEADER + ROW, "neko.tsv")
    at.text_input(key="upload-name").set_value(name).run()
    at.button(key="upload-make").click().run()
    assert not at.exception
    return at


def tab(at, name):
    at.session_state["manage-tabs"] = name
    return at.run()


@pytest.fixture
def rated(engine):
    """Gives the number of a campaign with this protocol, and its rater's first item."""

    def opened(protocol, name="Mqm"):
        output = OutputRow(("d", 0), "ash", "彼は三匹の猫を見た。")
        bundle = Bundle(
            name=name,
            langs=("en", "ja"),
            systems=(SystemRow("ash"),),
            segments=(SegmentRow("d", 0, "彼は二匹の猫を見た。", source="He saw two cats."),),
            outputs=(output,),
        )
        number = load_bundle(engine, bundle, name).campaign_id
        set_campaign(engine, OPERATOR, number, name=name, protocol=protocol, design=Design(source="always"))
        person = enter_rater(engine, "Aki").id
        ensure_items(engine, number, person)
        return number, person, items_of(engine, number, person)[0].id

    return opened


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ([(0, 1)], "種類のない誤りが 1 件あります。クリックして選んでください。"),
        ([(0, 1), (2, 4)], "種類のない誤りが 2 件あります。一つずつクリックして選んでください。"),
    ],
)
def test_a_marked_error_without_a_category(start, enter, engine, rated, places, sentence):
    number, person, item = rated("mqm")
    spans = tuple(MarkedSpan(first, last, "minor") for first, last in places)
    save_draft(engine, item_id=item, rater_id=person, spans=spans, comment="")
    at = enter(start("ja"), "Aki", campaign=number)
    button(at, "next").click().run()
    assert said(at) == sentence


def test_one_error_without_a_category_is_one_in_english(start, enter, engine, rated):
    number, person, item = rated("mqm")
    save_draft(engine, item_id=item, rater_id=person, spans=(MarkedSpan(0, 1, "minor"),), comment="")
    at = enter(start("en"), "Aki", campaign=number)
    button(at, "next").click().run()
    assert said(at) == "1 error has no category yet; click it and choose one."


def test_a_score_in_a_closed_campaign(start, enter, engine, rated):
    number, *_ = rated("adequacy", "Closed")
    at = enter(start("ja"), "Aki", campaign=number)
    with write_session(engine) as session:
        session.execute(text("UPDATE campaign SET state = 'closed'"))
    at.number_input[0].set_value(70).run()
    assert said(at) == ("キャンペーンが閉じているため、評価を保存しませんでした。主催者に尋ねてください。")


def test_a_link_without_a_name(manage):
    at = tab(made(manage()), "リンク")
    at.button(key="link-make").click().run()
    assert said(at) == "名前が空です。評価に付ける名前を入力してください。"


def test_a_password_that_is_too_short(manage):
    at = tab(made(manage()), "アカウント")
    at.text_input(key="account-login").set_value("mina")
    at.text_input(key="account-password").set_value("short")
    at.button(key="account-make").click().run()
    assert said(at) == "パスワードは 10〜200 字です。別のものにしてください。"


@pytest.mark.parametrize("name", ["Neko", "{x}", "{0.__class__}"])
def test_the_name_of_a_campaign_that_is_taken(manage, name):
    at = made(made(manage(), name), name)
    assert said(at) == f"キャンペーン「{name}」はすでにあります。別の名前にしてください。"


def test_another_protocol_once_people_have_items(manage, engine, rated):
    number, *_ = rated("adequacy", "Opened")
    at = manage()
    at.selectbox(key="campaign-manage").set_value(number).run()
    at.segmented_control(key=f"design-{number}-protocol").set_value("esa").run()
    at.button(key=f"design-{number}-save").click().run()
    assert said(at).startswith("すでに項目が割り当てられているか、システム名が封印されているため、方式、")


def test_a_table_without_a_column_names_the_upload_and_the_column(manage):
    at = upload(manage(), "document\tposition\tsystem\ttranslation\nneko\t0\tash\t猫。\n", "{x}neko.tsv")
    assert said(at) == (
        "「{x}neko.tsv」の 1 行目：列「reference」がありません。"
        "必要な列：document, position, reference, system, translation。"
    )


def test_a_folder_without_a_table_has_the_name_of_the_upload(manage):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("segments.tsv", "seg_id\tdoc_id\trefA\n")
        archive.writestr("other.tsv", "")
    assert said(upload(manage(), packed.getvalue(), "texts.zip")) == (
        "「segments.tsv」：見出しだけで、セグメントがありません。"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("other.tsv", "")
        archive.writestr("more.tsv", "")
    assert said(upload(manage(), packed.getvalue(), "texts.zip")) == (
        "「texts.zip」：segments.tsv も segments.tsv.gz もありません。"
    )


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        ("It printed a line that is not a score.", "点数でない行が出力されました。"),
        ("The reply does not follow the schema (type at errors).", "スキーマに合いません（errors：type）"),
        ("no verb", "no verb"),
    ],
)
def test_the_reason_for_a_missing_score_is_told_in_japanese_also_if_it_was_stored(monkeypatch, missing, told):
    monkeypatch.setattr("pages.ui.state.language", lambda: "ja")
    assert told in missing_reason(Result(metric="external:x", score=None, signature="", missing=missing))
