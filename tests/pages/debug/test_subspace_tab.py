"""The Subspace tab: windows, the token looked at, the length control, and the warning in long texts."""

import pytest

pytestmark = [pytest.mark.embedded, pytest.mark.slow]
TAB = {"en": "Subspace", "ja": "部分空間"}


def last(at, label):
    return [metric.value for metric in at.metric if metric.label == label][-1]


def test_sentences_with_spans_of_their_own_hold_less_than_the_whole_text(pair_page, type_pair):
    at = type_pair(pair_page(tab=TAB["en"]), "王が来た。女王も来た。", "王家の人々が、そろって来た。")
    whole = last(at, "Subspace F")
    at.segmented_control(key="subspace-window").set_value("sentence").run()
    assert not at.exception
    assert float(last(at, "Subspace F")) < float(whole)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_directions_that_cover_a_token_appear_when_it_is_looked_at(pair_page, lang):
    at = pair_page(lang, TAB[lang])
    assert {chart.key for chart in at.get("plotly_chart")} == {"subspace-reference", "subspace-hypothesis"}
    at.session_state["focus-hypothesis"] = 3
    at.run()
    assert not at.exception
    shown = {chart.key for chart in at.get("plotly_chart")}
    assert shown >= {"subspace-reference", "subspace-hypothesis", "cover-hypothesis"}


def test_random_tokens_of_the_same_count_score_far_below_a_real_translation(pair_page, html_of):
    at = pair_page(tab=TAB["en"])
    page = html_of(at)
    table = page[page.index("Random tokens, mean") :]
    own, random = (float(cell) for cell in table.split("<td")[2:4] for cell in [cell.split(">")[1][:5]])
    assert own == float(last(at, "Subspace F"))
    assert random < own - 0.05


def test_a_text_that_fills_the_space_is_said_to(pair_page, type_pair, html_of):
    sentences = [
        f"{number}番目の部屋には、{what}が置いてあった。"
        for number, what in enumerate("机椅子窓鏡花瓶本棚時計絵箱" * 3)
    ]
    at = type_pair(pair_page(tab=TAB["en"]), "".join(sentences), "王が来た。")
    assert "so nearly any token is within it" in html_of(at)
