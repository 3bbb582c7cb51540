"""The lens in both languages, on the demo, with the real embedded encoder."""

import re

import pytest

from db.queries import ensure_items, enter_rater, find_campaign, items_of, save_rating

pytestmark = pytest.mark.embedded
PAGE = "pages/debug/pair.py"


def shown(at):
    """The numbers above the evidence, by their caption."""
    return {metric.label: metric.value for metric in at.metric}


@pytest.fixture
def lens(start, backends, monkeypatch):
    """The page, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en"):
        at = start(lang, PAGE)
        assert not at.exception
        return at

    return opened


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_first_look_shows_every_metric_and_the_heatmap(lens, lang, html_of):
    at = lens(lang)
    values = shown(at)
    assert {"BLEU", "chrF", "BERTScore F"} <= set(values)
    assert 0.5 < float(values["BERTScore F"]) < 1
    assert len(at.get("plotly_chart")) == 1
    assert len(at.dataframe) == 2
    assert "yk-tint" in html_of(at)


def test_the_ledger_adds_up_to_the_number_above_it(lens, html_of):
    at = lens()
    values = shown(at)
    sums = re.findall(r"The shares add up to ([\d.]+); (precision|recall) is ([\d.]+)\.<", html_of(at))
    assert len(sums) == 2
    for total, part, value in sums:
        assert total == value
        assert values[part] == f"{float(value):.3f}"


def test_layer_weight_specials_and_scale_are_what_the_shown_number_was_made_with(lens):
    at = lens()
    at.number_input(key="pair-layer").set_value(3)
    for key, value in (("weight", "idf"), ("specials", "exclude"), ("rescale", "yes")):
        at.segmented_control(key=f"pair-{key}").set_value(value)
    before = shown(at)["BERTScore F"]
    at.run()
    assert not at.exception
    (made_by,) = [metric.help for metric in at.metric if metric.label == "BERTScore F"]
    for setting in (r"layer\:3", r"weight\:idf", r"specials\:exclude", r"rescale\:yes"):
        assert setting in made_by
    assert shown(at)["BERTScore F"] != before


def test_choosing_a_token_goes_to_its_partner(lens):
    at = lens()
    at.selectbox(key="focus-reference").set_value(5).run()
    assert not at.exception
    partner = at.selectbox(key="focus-hypothesis").value
    assert partner is not None


def test_peoples_score_stands_beside_the_metrics(lens, engine):
    at = lens()
    campaign = find_campaign(engine, "Holmes, English to Japanese")
    rater = enter_rater(engine, "Aiko")
    ensure_items(engine, campaign.id, rater.id)
    for item in items_of(engine, campaign.id, rater.id):
        save_rating(engine, item_id=item.id, rater_id=rater.id, score=37.5)
    at.run()
    assert shown(at)["People (n = 1)"] == "37.5"


def test_two_typed_texts_are_scored_and_markup_in_them_is_text(lens, html_of):
    at = lens()
    at.segmented_control(key="pair-origin").set_value("typed").run()
    at.text_area(key="typed-reference").set_value("a <b>bold</b> cat costs $5$")
    at.text_area(key="typed-hypothesis").set_value("").run()
    assert not at.exception
    assert "a &lt;b&gt;bold&lt;/b&gt; cat costs $5$" in html_of(at)
    assert shown(at)["BERTScore F"] == "0.000"
    assert "the translation is empty, so the score is 0." in html_of(at)


def test_nothing_typed_gives_a_sentence(lens, html_of):
    at = lens()
    at.segmented_control(key="pair-origin").set_value("typed").run()
    at.text_area(key="typed-reference").set_value("")
    at.text_area(key="typed-hypothesis").set_value(" ").run()
    assert "Type a reference and a translation" in html_of(at)
    assert not at.metric
