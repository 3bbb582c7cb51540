"""The smallest change, in the hack lab."""

from __future__ import annotations

import pytest

from db.campaigns.load import load_bundle
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow

pytestmark = pytest.mark.embedded

REFERENCE = "斎藤は十二人の弟子を連れて京都へ行った。"
SYSTEMS = {"good": "斎藤は十二人の弟子をつれて京都に行った。", "bad": "佐藤は二人の弟子と京都へ行った。"}
TAB = {"en": "Smallest change", "ja": "最小の変更"}


@pytest.fixture
def lab(engine, start, backends, monkeypatch):
    """The tab on a campaign of one segment with a good and a bad translation."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    start()
    segment = SegmentRow("d", 0, REFERENCE)
    bundle = Bundle(
        name="Two",
        langs=("en", "ja"),
        systems=tuple(map(SystemRow, SYSTEMS)),
        segments=(segment,),
        outputs=tuple(OutputRow(segment.key, name, text) for name, text in SYSTEMS.items()),
    )
    number = load_bundle(engine, bundle, "Two").campaign_id

    def opened(lang="en"):
        at = start(lang, "pages/debug/hacks/page.py")
        at.session_state["hack-tabs"] = TAB[lang]
        at.selectbox(key="campaign-pair").set_value(number).run()
        assert not at.exception
        at.multiselect(key="flip-metrics").set_value(["bleu"])
        return at

    return opened


@pytest.mark.slow
def test_the_way_over_the_other_translation_has_every_score(lab, html_of):
    at = lab()
    at.button(key="flip-search").click().run()
    assert not at.exception
    said = html_of(at)
    assert "BERTScore F crosses" in said
    assert "The other translation" in said
    assert SYSTEMS["bad"] in said
    assert "BLEU" in said


def test_a_score_that_is_already_there_and_one_to_cross(lab, html_of):
    at = lab()
    at.segmented_control(key="flip-border").set_value("score").run()
    at.number_input(key="flip-target").set_value(0.9).run()
    at.button(key="flip-search").click().run()
    assert not at.exception
    assert "BERTScore F crosses 0.900 with" in html_of(at)
    at.number_input(key="flip-target").set_value(1.0).run()
    assert "crosses" not in html_of(at)  # the result was of another score


@pytest.mark.slow
def test_the_tab_in_japanese(lab, html_of):
    at = lab("ja")
    at.button(key="flip-search").click().run()
    assert not at.exception
    assert "文字の変更で" in html_of(at)


def test_without_another_translation_one_can_be_typed(lab, html_of):
    at = lab()
    (box,) = [one for one in at.selectbox if one.key.startswith("flip-other")]
    box.set_value("typed").run()
    assert at.button(key="flip-search").disabled
    at.text_area(key="flip-typed").set_value(SYSTEMS["good"]).run()
    at.button(key="flip-search").click().run()
    (error,) = at.error
    assert error.value.startswith("The score is already that of the border")
