"""The lens in both languages, on the demo, with the real embedded encoder."""

import re

import pytest

from db.queries import ensure_items, enter_rater, find_campaign, items_of, save_rating

pytestmark = pytest.mark.embedded
PAGE = "pages/debug/pair/page.py"


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


@pytest.mark.slow
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


@pytest.mark.slow
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


def open_tab(at, lang, name):
    """Open one of the tabs by its key in the words."""
    labels = {("en", "names"): "Names (readings)", ("ja", "names"): "名前（読み）"}
    labels |= {("en", "subspace"): "Subspace", ("ja", "subspace"): "部分空間"}
    at.session_state["pair-tabs"] = labels[lang, name]
    at.run()
    assert not at.exception
    return at


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_names_tab_marks_rare_tokens_and_shows_readings_and_the_waterfall(lens, lang, html_of):
    at = lens(lang)
    assert 'class="yk-step"' not in html_of(at)  # nothing is computed before the tab is open
    page = html_of(open_tab(at, lang, "names"))
    assert 'class="yk-step"' in page
    assert "underline wavy" in page
    assert len(at.get("plotly_chart")) == 1
    assert any("えくすた" in one.value.to_numpy() for one in at.dataframe)


def test_the_row_of_numbers_has_both_and_the_penalty_never_raises(lens):
    values = shown(lens())
    assert float(values["BERTScore + reading"]) <= float(values["BERTScore F"])
    assert float(values["Subspace F"]) > float(values["BERTScore F"])


@pytest.mark.slow
def test_the_options_of_the_names_tab_make_its_number(lens, html_of):
    at = open_tab(lens(), "en", "names")
    at.segmented_control(key="names-mode").set_value("token")
    at.segmented_control(key="names-reading").set_value("pykakasi")
    at.slider(key="names-quantile").set_value(0.1).run()
    assert not at.exception
    made_by = [metric.help for metric in at.metric if metric.label == "BERTScore + reading"][-1]
    assert r"mode\:token" in made_by
    assert r"reading\:pykakasi" in made_by
    at.segmented_control(key="names-unit").set_value("piece")
    at.slider(key="names-quantile").set_value(0.95).run()
    assert "No token is rare at these settings" in html_of(at)


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_subspace_tab_shows_both_sides_and_how_full_the_space_is(lens, lang, html_of):
    at = open_tab(lens(lang), lang, "subspace")
    assert len(at.get("plotly_chart")) == 2
    assert "384" in html_of(at)


@pytest.mark.slow
def test_less_energy_keeps_fewer_directions_and_lowers_the_number(lens, html_of):
    at = open_tab(lens(), "en", "subspace")
    whole = [metric.value for metric in at.metric if metric.label == "Subspace F"][-1]
    at.slider(key="subspace-energy").set_value(0.6)
    at.segmented_control(key="subspace-order").set_value("gap").run()
    assert not at.exception
    less = [metric.value for metric in at.metric if metric.label == "Subspace F"]
    assert less[0] == whole  # the row above keeps the default
    assert float(less[-1]) < float(whole)


@pytest.mark.slow
def test_a_language_without_a_dictionary_loses_one_number_and_no_other(lens, html_of):
    at = lens()
    at.segmented_control(key="pair-origin").set_value("typed").run()
    at.text_area(key="typed-reference").set_value("고양이가 창가에서 잔다.")
    at.text_area(key="typed-hypothesis").set_value("고양이는 창문 옆에서 잔다.").run()
    assert not at.exception
    assert shown(at)["BERTScore + reading"] == "–"
    assert 0 < float(shown(at)["BERTScore F"]) < 1
    open_tab(at, "en", "names")
    assert "no dictionary of words for" in at.error[0].value


def test_the_names_tab_begins_with_the_number_of_the_row_above(lens):
    at = open_tab(lens(), "en", "names")
    row, tab = (metric.value for metric in at.metric if metric.label == "BERTScore + reading")
    assert row == tab


def test_another_encoder_is_read_from_a_folder_and_its_layers_are_offered(lens, tiny_bert):
    at = lens()
    at.text_input(key="pair-encoder").set_value(str(tiny_bert)).run()
    assert not at.exception
    assert not at.error
    layer = at.number_input(key="pair-layer")
    assert (layer.max, layer.value) == (3, 2)
    (made_by,) = [metric.help for metric in at.metric if metric.label == "BERTScore F"]
    assert "embedded" not in made_by


def test_an_encoder_that_is_not_there_ends_in_a_sentence_and_can_be_corrected(lens, tmp_path):
    at = lens()
    at.text_input(key="pair-encoder").set_value(str(tmp_path / "none")).run()
    assert not at.exception
    assert at.error
    at.text_input(key="pair-encoder").set_value("embedded").run()
    assert not at.error
    assert "BERTScore F" in shown(at)
