"""The pages *Names* and *Voices*: a novel is read once in the background, then shown from what is stored."""

from __future__ import annotations

import pytest

from core.novel.glossary import GlossaryTerm
from db.campaigns.glossary import glossary, save_glossary
from db.campaigns.load import load_bundle
from db.campaigns.novel import novel_texts, stored
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR
from db.queries import list_translations, store_scores
from db.records import RatingRecord, ScoreRow
from pages.ui.frame import script_of
from tests.support.widgets import when_scored

pytestmark = pytest.mark.embedded

REFERENCE = [
    "「私はホームズです。」とホームズは言った。",
    "ホームズは笑った。",
    "「俺は行くぞ。」とワトソンは言った。",
]
SYSTEMS = {
    "ours": [REFERENCE[0], REFERENCE[1], "「僕は行くよ。」とワトソンは言った。"],
    "other": [REFERENCE[0], "ホルムスは笑った。", "「俺は行くぞ。」と彼は言った。"],
}


def bundle_of(ratings=()):
    segments = tuple(SegmentRow("story", place, text) for place, text in enumerate(REFERENCE))
    outputs = tuple(
        OutputRow(segment.key, system, texts[place])
        for system, texts in SYSTEMS.items()
        for place, segment in enumerate(segments)
    )
    return Bundle(
        name="Novel",
        langs=("en", "ja"),
        systems=tuple(SystemRow(name) for name in SYSTEMS),
        segments=segments,
        outputs=outputs,
        ratings=ratings,
    )


@pytest.fixture
def novel(engine, start):
    """A campaign of three segments in Japanese with two systems; returns its id."""
    start()
    return load_bundle(engine, bundle_of(), "Novel").campaign_id


def opened(start, page, campaign, lang="en"):
    at = start(lang, script_of(page))
    at.selectbox(key=f"campaign-{page}").set_value(campaign).run()
    assert not at.exception
    return at


def gathered(start, page, campaign, lang="en"):
    """The page after its button was pressed and the run has ended."""
    at = opened(start, page, campaign, lang)
    at.button(key=f"{page}-begin").click().run()
    when_scored(at)
    return opened(start, page, campaign, lang)


def shown(at) -> str:
    return " ".join(one.body for one in at.get("html"))


def test_names_are_gathered_in_the_background_and_stored_for_every_later_visit(start, engine, novel):
    at = gathered(start, "cast", novel)
    (name,) = [one for one in at.selectbox if one.key == "cast-name"]
    assert name.options == ["ホームズ (3)", "ワトソン (1)"]
    (board,) = at.dataframe
    assert list(board.value["other"]) == ["ホームズ 2 · ホルムス 1", "–"]
    assert list(board.value["ours"]) == ["ホームズ 3", "ワトソン 1"]
    # two of three renderings alike: 1 - (2/3 ln 3/2 + 1/3 ln 3) / ln 3
    assert board.value["other: consistency"][0] == pytest.approx(0.420620)
    assert not [one for one in at.button if one.key == "cast-begin"]
    assert len(stored(engine, novel, "cast", novel_texts(engine, novel))) == 2


@pytest.mark.slow
def test_only_names_with_differences_are_listed_if_it_is_wanted(start, engine, novel):
    at = gathered(start, "cast", novel, "ja")
    at.segmented_control(key="cast-kind").set_value("person").run()
    at.segmented_control(key="cast-show").set_value("differing").run()
    (board,) = at.dataframe
    assert list(board.value["名前"]) == ["ホームズ", "ワトソン"]
    assert "訳のないセグメント" in shown(at)


@pytest.mark.slow
def test_a_term_that_is_added_by_hand_is_listed_like_a_name(start, engine, novel):
    at = gathered(start, "cast", novel)
    at.text_input(key="terms-term").set_value("笑った")
    at.text_input(key="terms-forms").set_value("微笑んだ|にやりとした")
    (add,) = [one for one in at.button if one.label == "Add"]
    add.click().run()
    assert not at.exception
    assert glossary(engine, novel) == (GlossaryTerm(term="笑った", forms=("微笑んだ", "にやりとした")),)
    (board,) = at.dataframe
    assert list(board.value["Name"]) == ["ホームズ", "ワトソン", "笑った"]
    assert list(board.value["ours"])[2] == "笑った 1"
    at.multiselect(key="terms-gone").set_value(["笑った"]).run()
    at.button(key="terms-remove").click().run()
    assert glossary(engine, novel) == ()
    assert len(at.dataframe[0].value) == 2


@pytest.mark.slow
def test_the_changes_of_the_glossary_are_told_the_newest_first(start, engine, novel):
    save_glossary(engine, OPERATOR, novel, [GlossaryTerm(term="銀の笛")])
    save_glossary(engine, OPERATOR, novel, [GlossaryTerm(term="銀の笛", note="<b>銀</b>")])
    save_glossary(engine, OPERATOR, novel, [])
    at = gathered(start, "cast", novel)
    at.toggle(key="terms-changes").set_value(True).run()
    assert at.toggle(key="terms-changes").label == "Changes (3)"
    page = shown(at)
    told = [page.index(f"<td>{word}</td>") for word in ("removed", "changed", "added")]
    assert told == sorted(told)
    assert "&lt;b&gt;銀&lt;/b&gt;" in page


@pytest.mark.slow
def test_what_is_stored_of_other_texts_counts_as_not_there(start, engine, novel):
    gathered(start, "cast", novel)
    before = novel_texts(engine, novel)
    with engine.begin() as connection:
        first = next(one.id for one in list_translations(engine, novel) if one.system == "ours")
        connection.exec_driver_sql("UPDATE translation SET text = '笑った。' WHERE id = ?", (first,))
    assert stored(engine, novel, "cast", before) is not None
    assert stored(engine, novel, "cast", novel_texts(engine, novel)) is None


def test_voices_show_the_forms_of_each_speaker_and_the_breaks(start, engine, novel):
    at = gathered(start, "voice", novel)
    (speakers,) = at.dataframe
    assert list(speakers.value["Speaker"]) == ["ホームズ", "ワトソン"]
    assert list(speakers.value["First person"]) == ["私 1", "俺 1"]
    (breaks,) = [one for one in at.selectbox if one.key == "voice-break-ours"]
    assert breaks.options == ["story 3 · ワトソン · First person: 僕, in the reference 俺"]


@pytest.mark.slow
def test_a_novel_without_quotations_has_no_voices(start, engine, novel):
    with engine.begin() as connection:
        for table, column in (("segment", "reference"), ("translation", "text")):
            connection.exec_driver_sql(f"UPDATE {table} SET {column} = 'ホームズは笑った。'")
    assert "There are no quotations in these texts." in shown(gathered(start, "voice", novel))


def test_the_strip_opens_at_the_segment_on_which_the_metrics_are_furthest_apart(start, engine, novel):
    own = [one for one in list_translations(engine, novel) if one.system == "ours"]
    values = {"chrf": (10.0, 20.0, 30.0), "bertscore": (0.1, 0.3, 0.2)}  # ranks 1 2 3 and 1 3 2
    store_scores(
        engine,
        [
            ScoreRow(translation_id=one.id, metric=name, signature=f"{name}|v1", score=value)
            for name, listed in values.items()
            for one, value in zip(own, listed, strict=True)
        ],
    )
    at = opened(start, "strip", novel)
    (segment,) = [one for one in at.selectbox if one.key == f"strip-segment-{novel}"]
    assert segment.value == 1
    assert segment.options[0].endswith("gap 0.33")
    assert len(at.get("plotly_chart")) == 1


@pytest.mark.slow
def test_documents_are_scored_from_what_is_stored_beside_the_means_of_metrics(start, engine):
    start()
    ratings = [RatingRecord(("story", place), system, "Aki", 50) for place in range(3) for system in SYSTEMS]
    novel = load_bundle(engine, bundle_of(tuple(ratings)), "Rated").campaign_id
    gathered(start, "cast", novel)
    scores = [
        ScoreRow(translation_id=one.id, metric="chrf", signature="chrf|v1", score=float(one.position))
        for one in list_translations(engine, novel)
    ]
    store_scores(engine, scores)
    at = start("en", script_of("meta"))
    at.session_state["meta-tabs"] = "Documents"
    at.selectbox(key="campaign-meta").set_value(novel).run()
    assert not at.exception
    said = shown(at)
    assert "Voice needs the voice ledger" not in said  # names and voices come from one reading
    (board,) = at.dataframe
    # ours: ホームズ 3 of 3; other: 2 and 1 of 3; ワトソン stands once
    assert dict(zip(board.value["System"], board.value["Consistency of names"], strict=True)) == {
        "other": pytest.approx(0.420620),
        "ours": 1,
    }


@pytest.mark.slow
def test_what_blonde_counts_is_counted_in_the_background_and_scored_for_english_alone(start, engine, novel):
    english = ["Holmes smiled, but he said nothing.", "She laughed.", "If he had known, he would have come."]
    bundle = Bundle(
        name="English",
        langs=("ja", "en"),
        systems=(SystemRow("ours"),),
        segments=tuple(SegmentRow("story", place, text) for place, text in enumerate(english)),
        outputs=tuple(OutputRow(("story", place), "ours", text) for place, text in enumerate(english)),
        ratings=tuple(RatingRecord(("story", place), "ours", "Aki", 50 + place) for place in range(3)),
    )
    campaign = load_bundle(engine, bundle, "English").campaign_id
    scores = [
        ScoreRow(translation_id=one.id, metric="chrf", signature="chrf|v1", score=float(one.position))
        for one in list_translations(engine, campaign)
    ]
    store_scores(engine, scores)
    at = start("en", script_of("meta"))
    at.session_state["meta-tabs"] = "Documents"
    at.selectbox(key="campaign-meta").set_value(campaign).run()
    assert not at.exception
    assert "BlonDe needs a count" in shown(at)
    at.button(key="discourse-begin").click().run()
    when_scored(at)
    assert not at.exception
    assert "BlonDe needs a count" not in shown(at)
    (board,) = at.dataframe
    assert board.value["BlonDe"].tolist() == [pytest.approx(1)]
    assert board.value["dBlonDe"].tolist() == [pytest.approx(1)]
    texts = novel_texts(engine, campaign)
    assert stored(engine, campaign, "discourse", texts)["ours"]["story"].parts()["blonde"] == pytest.approx(1)
