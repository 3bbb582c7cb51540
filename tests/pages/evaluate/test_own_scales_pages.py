"""Own scales and error lists on the pages: answered under the score, chosen on Manage, taken on Agreement."""

import json

import pytest

from core.raters.own_errors import errors_from_json
from core.raters.own_scales import OwnScale, ScaleAnchor
from core.raters.practice import Expected
from core.raters.protocols import MarkedSpan
from core.text.locale import words
from db.campaigns.load import load_bundle
from db.design import DOCUMENT, DOCUMENTS, Design, from_json
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import (
    ensure_items,
    enter_rater,
    get_campaign,
    history,
    items_of,
    list_campaigns,
    list_translations,
    save_rating,
)
from db.queries.adjudication import decisions
from db.queries.evaluation import rating_table
from db.queries.manage import set_campaign
from db.queries.practice import add_practice
from db.queries.rating import save_draft
from pages.ui import state
from tests.support.widgets import button

FLUENCY = OwnScale(
    name="fluency",
    en="Fluency",
    ja="自然さ",
    low=1,
    high=5,
    anchors=(ScaleAnchor(value=1, en="*bad*", ja="悪い"), ScaleAnchor(value=5, en="good", ja="良い")),
)
VOICE = OwnScale(name="voice", en="Voice", ja="文体", low=0, high=100, step=5, needed=False)
OWN = errors_from_json(
    {
        "categories": [{"name": "accuracy/omission", "en": "Left out", "ja": "訳抜け"}],
        "severities": [
            {"name": "slip", "en": "Slip", "ja": "小さな傷", "weight": 0.5},
            {"name": "wound", "en": "Wound", "ja": "傷", "weight": 4},
        ],
    }
)


@pytest.fixture
def made(engine):
    """A campaign of two segments and two systems with both scales: its number."""

    def make(protocol="adequacy", **design):
        segments = tuple(SegmentRow("d", n, f"彼は{n}匹の猫を見た。", source="He saw.") for n in range(2))
        outputs = tuple(
            OutputRow(one.key, system, f"{one.reference}{system}") for one in segments for system in "ab"
        )
        bundle = Bundle(
            name=f"own {protocol}",
            langs=("en", "ja"),
            systems=(SystemRow("a"), SystemRow("b")),
            segments=segments,
            outputs=outputs,
        )
        number = load_bundle(engine, bundle, bundle.name).campaign_id
        chosen = Design(**{"scales": (FLUENCY, VOICE), **design})
        set_campaign(engine, OPERATOR, number, name=bundle.name, protocol=protocol, design=chosen)
        return number

    return make


def first(engine, number, name):
    rater = enter_rater(engine, name).id
    item = items_of(engine, number, rater)[0]
    return item, history(engine, item.id, rater)


def choice(at, item, scale=FLUENCY):
    return at.radio(key=f"scale-{scale.name}-{item.id}")


SHOWN = {
    "en": ("Fluency", r"1 \*bad\*", "5 good", "Fluency; answer, or skip"),
    "ja": ("自然さ", "1 悪い", "5 良い", "まだ回答していない尺度があります（自然さ）"),
}
"""Of a scale: its label, both ends, and the message where an answer is missing."""


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_rating_is_stored_once_the_score_and_what_is_required_are_there(
    start, enter, engine, made, html_of, lang
):
    number = made()
    at = enter(start(lang), "Mori", campaign=number)
    item, _ = first(engine, number, "Mori")
    field = choice(at, item)
    label, low, high, missing = SHOWN[lang]
    assert (field.label, field.options) == (label, [low, "2", "3", "4", high])
    at.number_input(key=f"score-{item.id}").set_value(80).run()
    item, said = first(engine, number, "Mori")
    assert (said, item.draft_score, item.revision) == ([], 80, 0)
    waiting = words(lang)["scales.waiting"].format(scales=label)
    assert waiting in html_of(at)
    button(at, "next").click().run()
    assert missing in at.error[0].value
    choice(at, item).set_value(4.0).run()
    item, (rating,) = first(engine, number, "Mori")
    assert (rating.score, rating.scales, item.draft_score) == (80, (("fluency", 4.0),), None)
    at.number_input(key=f"scale-voice-{item.id}").set_value(35.0).run()
    _, (_, rating) = first(engine, number, "Mori")
    assert (rating.score, rating.scales) == (80, (("fluency", 4.0), ("voice", 35.0)))
    button(at, "next").click().run()
    assert not at.error
    assert all(field.value is None for field in at.radio)  # of the next item
    button(at, "previous").click().run()
    assert choice(at, item).value == 4
    at.button(key=f"undo-{item.id}").click().run()
    _, said = first(engine, number, "Mori")
    assert [one.scales for one in said][1:] == [rating.scales, (("fluency", 4.0),)]
    assert at.number_input(key=f"scale-voice-{item.id}").value is None


def test_answers_before_the_score_are_kept_and_the_missing_score_is_said(start, enter, engine, made):
    number = made()
    at = enter(start(), "Ogai", campaign=number)
    item, _ = first(engine, number, "Ogai")
    choice(at, item).set_value(2.0).run()
    button(at, "next").click().run()
    assert "The score is missing" in at.error[0].value
    again = enter(start(), "Ogai", campaign=number)  # another visit
    assert choice(again, item).value == 2
    again.number_input(key=f"score-{item.id}").set_value(10).run()
    _, (rating,) = first(engine, number, "Ogai")
    assert (rating.score, rating.scales) == (10, (("fluency", 2.0),))


def test_a_number_beside_the_grid_is_said_and_not_stored(start, enter, engine, made):
    number = made()
    at = enter(start(), "Koda", campaign=number)
    item, _ = first(engine, number, "Koda")
    at.number_input(key=f"score-{item.id}").set_value(50).run()
    choice(at, item).set_value(3.0).run()
    at.number_input(key=f"scale-voice-{item.id}").set_value(33.0).run()
    assert "33 is not on this scale: 0 to 100 in steps of 5" in at.error[0].value
    button(at, "next").click().run()
    assert at.error  # it stays
    _, said = first(engine, number, "Koda")
    assert [one.scales for one in said] == [(("fluency", 3.0),)]


def test_an_optional_choice_can_be_taken_back(start, enter, engine, made):
    optional = OwnScale(name="wit", en="Wit", low=0, high=2, needed=False)
    number = made(scales=(optional,))
    at = enter(start(), "Natsume", campaign=number)
    item, _ = first(engine, number, "Natsume")
    at.number_input(key=f"score-{item.id}").set_value(50).run()
    field = choice(at, item, optional)
    assert field.options == ["no answer", "0", "1", "2"]
    assert field.label == r"Wit (optional)"
    field.set_value(2.0).run()
    choice(at, item, optional).set_value(None).run()
    assert not at.exception
    _, said = first(engine, number, "Natsume")
    assert [one.scales for one in said] == [(), (("wit", 2.0),), ()]


def test_an_item_without_any_answer_can_be_passed_and_a_skip_needs_none(start, enter, engine, made):
    number = made()
    at = enter(start(), "Higuchi", campaign=number)
    button(at, "next").click().run()
    assert not at.error
    button(at, "previous").click().run()
    button(at, "skip-misaligned").click().run()
    _, (rating,) = first(engine, number, "Higuchi")
    assert (rating.skipped_reason, rating.scales) == ("misaligned", ())


def test_where_errors_are_marked_saving_needs_the_answers_and_marks_keep_them(start, enter, engine, made):
    number = made("mqm", errors=OWN)
    at = enter(start(), "Kyoka", campaign=number)
    item, _ = first(engine, number, "Kyoka")
    button(at, "next").click().run()
    assert "Fluency; answer, or skip" in at.error[0].value
    choice(at, item).set_value(5.0).run()
    button(at, "next").click().run()
    _, (rating,) = first(engine, number, "Kyoka")
    assert (rating.spans, rating.scales) == ((), (("fluency", 5.0),))


def test_own_severities_and_categories_are_offered_and_the_score_is_not_called_mqm(
    start, enter, engine, made, html_of
):
    number = made("mqm", errors=OWN)
    rater = enter_rater(engine, "Doppo").id
    ensure_items(engine, number, rater)
    item, _ = first(engine, number, "Doppo")
    marks = [MarkedSpan(0, 1, "wound", "accuracy/omission"), MarkedSpan(0, 0, "slip", missing=True)]
    save_draft(engine, item_id=item.id, rater_id=rater, spans=marks)
    at = enter(start("ja"), "Doppo", campaign=number)
    shown = html_of(at)
    assert "小さな傷 1 · 傷 1" in shown
    assert "このキャンペーンの重みによる誤りの点 -4.5" in shown.replace("−", "-")
    assert "MQM スコア" not in shown


@pytest.mark.parametrize("layout", ["side-by-side", DOCUMENT])
def test_several_items_on_a_screen_have_their_own_answers(start, enter, engine, made, layout):
    design = {"order": DOCUMENTS, "layout": DOCUMENT} if layout == DOCUMENT else {}
    number = made("adequacy" if layout == DOCUMENT else layout, **design)
    at = enter(start(), "Futabatei", campaign=number)
    rater = enter_rater(engine, "Futabatei").id
    one, other = items_of(engine, number, rater)[:2]
    at.number_input(key=f"side-{one.id}").set_value(60).run()
    button(at, "next").click().run()
    assert "Fluency; answer, or skip" in at.error[0].value
    choice(at, one).set_value(1.0).run()
    choice(at, other).set_value(5.0).run()
    if layout == DOCUMENT:
        at.number_input(key=f"side-{other.id}").set_value(60).run()
    else:
        button(at, "side-equal").click().run()
    said = [history(engine, item.id, rater)[-1] for item in (one, other)]
    assert [(rating.score, rating.scales) for rating in said] == [
        (60, (("fluency", 1.0),)),
        (60, (("fluency", 5.0),)),
    ]


def test_an_organiser_adds_a_scale_and_error_lists_and_sees_the_scale(start, engine, made):
    number = made()
    state.engine()
    at = start("en", "pages/evaluate/manage/page.py")
    at.selectbox(key="campaign-manage").set_value(number).run()
    key = f"design-{number}"
    at.number_input(key=f"{key}-scales").set_value(3).run()
    at.text_input(key=f"{key}-scale-2-name").set_value("humour").run()
    assert "The scale “humour” has no label" in at.error[0].value
    at.text_input(key=f"{key}-scale-2-ja").set_value("おかしさ").run()
    at.number_input(key=f"{key}-scale-2-step").set_value(3.0).run()
    assert "The step 3 of the scale “humour” does not divide the range from 1 to 5" in at.error[0].value
    assert not [one for one in at.button if one.key == f"{key}-save"]
    at.number_input(key=f"{key}-scale-2-step").set_value(2.0).run()
    at.text_area(key=f"{key}-scale-2-anchors").set_value("3 | so so").run()
    assert [field.options for field in at.radio if field.key == "scale-humour-preview"] == [
        ["1", "3 so so", "5"]
    ]
    at.button(key=f"{key}-save").click().run()
    assert not at.error
    stored = from_json(get_campaign(engine, number).design)
    assert stored.scales == (
        FLUENCY,
        VOICE,
        OwnScale(
            name="humour", ja="おかしさ", low=1, high=5, step=2, anchors=(ScaleAnchor(value=3, en="so so"),)
        ),
    )


def test_an_organiser_writes_error_lists_for_a_protocol_that_marks(start, engine, made):
    number = made("mqm")
    at = start("en", "pages/evaluate/manage/page.py")
    at.selectbox(key="campaign-manage").set_value(number).run()
    key = f"design-{number}"
    at.text_area(key=f"{key}-severities").set_value("slip | light | Slip").run()
    assert "The weight “light” in line 1 of the severities is not a number" in at.error[0].value
    at.text_area(key=f"{key}-severities").set_value(
        "slip | 0.5 | Slip | 小さな傷\nwound | 4 | Wound | 傷"
    ).run()
    at.text_area(key=f"{key}-categories").set_value("accuracy/omission | Left out | 訳抜け").run()
    at.button(key=f"{key}-save").click().run()
    assert not at.error
    assert from_json(get_campaign(engine, number).design).errors == OWN


CSV = (
    "document,position,reference,system,translation,source,rater,score,scale:fluency\n"
    "neko,0,吾輩は猫である。,ash,私は猫です。,I am a cat.,Aki,70,4\n"
    "neko,1,名前はまだ無い。,ash,名はない。,I have no name.,Aki,90,\n"
)


def test_an_uploaded_file_with_answers_asks_for_their_scales(start, engine, html_of):
    at = start("en", "pages/evaluate/manage/page.py")
    main = next(one for one in at.get("file_uploader") if one.key.startswith("upload-main"))
    main.set_value(("neko.csv", CSV.encode(), "text/csv")).run()
    assert "answers on scales (fluency) whose values are not declared" in html_of(at)
    file = next(one for one in at.get("file_uploader") if one.key.startswith("upload-scales"))
    short = json.dumps([{"name": "fluency", "en": "Fluency", "low": 1, "high": 3}])
    file.set_value(("scales.json", short.encode(), "application/json")).run()
    assert "is not on the scale “fluency”, 1 to 3" in at.error[0].value.replace("\\", "")
    file = next(one for one in at.get("file_uploader") if one.key.startswith("upload-scales"))
    file.set_value(("scales.json", short.replace("3", "5").encode(), "application/json")).run()
    assert not at.error
    at.button(key="upload-make").click().run()
    assert not at.exception
    made = next(one for one in list_campaigns(engine) if one.name == "neko")
    assert [one.high for one in from_json(get_campaign(engine, made.id).design).scales] == [5]
    assert [one.score for one in rating_table(engine, OPERATOR, made.id, scale="fluency")] == [75]


@pytest.mark.parametrize("protocol", ["adequacy", "side-by-side"])
def test_practice_shows_the_scales_and_stores_no_answers(start, enter, engine, made, html_of, protocol):
    number = made(protocol)
    texts = list_translations(engine, number)[:1]
    for one in texts:
        add_practice(engine, OPERATOR, number, translation_id=one.id, expected=Expected(low=40, high=60))
    at = enter(start("en"), "Aki", number)
    assert words("en")["practice.scales"] in html_of(at)
    (choice,) = [one for one in at.radio if one.key.startswith("scale-fluency-practice-")]
    choice.set_value(4.0).run()
    field = next(one for one in at.number_input if one.key.startswith("practice-score"))
    field.set_value(50).run()
    button(at, "practice-check").click().run()
    assert not at.exception
    (choice,) = [one for one in at.radio if one.key.startswith("scale-fluency-practice-")]
    assert (choice.value, choice.disabled) == (4.0, True)
    rater = enter_rater(engine, "Aki").id
    assert all(one.revision == 0 for one in items_of(engine, number, rater))


def test_an_adjudicator_sees_the_answers_of_raters_on_own_scales(start, engine, made, html_of):
    number = made()
    for name, fluency in (("Aki", 5.0), ("Bo", 2.0)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, number, rater)
        item = next(
            one for one in items_of(engine, number, rater) if one.translation == "彼は0匹の猫を見た。a"
        )
        save_rating(
            engine, item_id=item.id, rater_id=rater, score=40, scales={"fluency": fluency, "voice": 5}
        )
    at = start("ja", "pages/evaluate/adjudicate.py")
    at.selectbox(key="campaign-adjudicate").set_value(number).run()
    assert not at.exception
    for said in ("自然さ: 5 良い", "自然さ: 2", "文体: 5"):
        assert said in html_of(at)


def test_an_adjudicator_takes_own_severities_and_needs_no_category_beside_a_score(start, engine, made):
    number = made("esa", errors=OWN, scales=())
    for name in ("Aki", "Bo"):
        rater = enter_rater(engine, name).id
        ensure_items(engine, number, rater)
        item = next(
            one for one in items_of(engine, number, rater) if one.translation == "彼は0匹の猫を見た。a"
        )
        save_rating(engine, item_id=item.id, rater_id=rater, score=40, spans=[MarkedSpan(0, 1, "wound")])
    at = start("ja", "pages/evaluate/adjudicate.py")
    at.selectbox(key="campaign-adjudicate").set_value(number).run()
    assert not at.exception
    next(one for one in at.button if (one.key or "").startswith("adjudicate-take")).click().run()
    next(one for one in at.button if (one.key or "").startswith("adjudicate-store")).click().run()
    assert not at.error
    (found,) = decisions(engine, OPERATOR, number)
    assert found.spans == (MarkedSpan(0, 1, "wound"),)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_agreement_takes_the_scale_that_is_chosen_and_the_address_keeps_it(
    start, engine, made, html_of, lang
):
    """Scores agree wholly (r = 1); answers of Aki rise and those of Bo fall (r = −1)."""
    number = made()
    for name, sign in (("Aki", 1), ("Bo", -1)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, number, rater)
        for item in items_of(engine, number, rater):
            at = (item.position * 2 + ("b" in item.translation)) % 4
            save_rating(
                engine,
                item_id=item.id,
                rater_id=rater,
                score=10 * at,
                scales={"fluency": 3 + sign * (at - 1.5 > 0) - sign * (at - 1.5 < 0)},
            )
    page = start(lang, "pages/evaluate/agreement/page.py")
    page.selectbox(key="campaign-agreement").set_value(number).run()
    assert "1.00" in html_of(page)
    page.selectbox(key="agreement-scale").select_index(1).run()
    assert not page.exception
    note = words(lang)["agreement.scale_note"].format(low="1", high="5")
    assert note in html_of(page)
    assert "−1.00" in html_of(page)
    assert page.query_params["scale"] in ("fluency", ["fluency"])
