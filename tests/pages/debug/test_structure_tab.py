"""The Structure tab: computed when opened, its options, a chosen subtree, long texts, and missing parses."""

import pytest

pytestmark = [pytest.mark.embedded, pytest.mark.slow]
TAB = {"en": "Structure", "ja": "構造"}
FIGURE = {"en": "Structure F (dependencies)", "ja": "構造 F（係り受け）"}


def value(at, label):
    (found,) = [metric.value for metric in at.metric if metric.label == label]
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_it_is_computed_only_when_it_is_opened(pair_page, lang):
    at = pair_page(lang)
    assert FIGURE[lang] not in {metric.label for metric in at.metric}
    at.session_state["pair-tabs"] = TAB[lang]
    at.run()
    assert not at.exception
    assert 0.5 < float(value(at, FIGURE[lang])) < 1
    assert len(at.get("plotly_chart")) == 1
    assert len(at.dataframe) == 2


def test_a_swap_of_roles_is_seen_when_what_a_word_does_must_agree(pair_page, type_pair):
    at = type_pair(pair_page(tab=TAB["en"]), "彼が彼女を見た。", "彼女が彼を見た。")
    before = float(value(at, FIGURE["en"]))
    at.segmented_control(key="structure-filter").set_value("role").run()
    assert not at.exception
    assert float(value(at, FIGURE["en"])) < before - 0.3
    assert value(at, "No partner: reference · translation") == "2 / 3 · 2 / 3"


def test_phrases_say_that_the_parser_is_approximate_and_what_labels_mean(pair_page, type_pair, html_of):
    at = type_pair(pair_page(tab=TAB["en"]), "彼が彼女を見た。", "彼女が彼を見た。")
    at.segmented_control(key="structure-trees").set_value("constituency").run()
    assert not at.exception
    assert "approximate" in html_of(at)
    assert at.expander[-1].label == "What the labels mean"


def test_a_chosen_subtree_is_joined_with_its_partner(pair_page, type_pair):
    at = type_pair(pair_page(tab=TAB["en"]), "The dog chased the cat.", "The dog ran after the cat.")
    alone = at.get("plotly_chart")[0].proto.spec
    at.session_state["structure-chosen"] = ("reference", 1)
    at.run()
    assert not at.exception
    assert at.get("plotly_chart")[0].proto.spec != alone


def test_of_a_long_text_one_sentence_a_side_is_drawn(pair_page):
    at = pair_page(tab=TAB["en"])
    assert [box.key for box in at.selectbox if str(box.key).startswith("structure-sentence")] == [
        "structure-sentence-reference", "structure-sentence-hypothesis",
    ]  # fmt: skip


def test_a_language_without_a_parser_gives_a_sentence(pair_page, type_pair, html_of):
    at = type_pair(pair_page(tab=TAB["en"]), "고양이가 창가에서 잔다.", "고양이는 창문 옆에서 잔다.")
    assert "There is no score: the texts could not be parsed." in html_of(at)
