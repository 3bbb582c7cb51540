"""The Names tab and what it shares with the page: one dictionary, one chosen token."""

import re
from types import SimpleNamespace

import pytest

from pages.ui.evidence import tokens

pytestmark = [pytest.mark.embedded, pytest.mark.slow]
WEIGHED = ("BERTScore F", "Subspace F", "BERTScore + reading")
PAGE = "pages/debug/pair/page.py"
TABS = {
    ("en", "names"): "Names (readings)",
    ("ja", "names"): "名前（読み）",
    ("en", "tokens"): "Tokens (BERTScore)",
}
SAITO = ("斎藤さんは猫を見た。", "尾崎さんは猫を見た。")


@pytest.fixture
def tab(start, backends, monkeypatch):
    """The page with the Names tab open, on the demo or on two typed texts."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(*texts, lang="en"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        at = start(lang, PAGE)
        if texts:
            pick(at, "pair-origin", "typed")
            at.text_area(key="typed-reference").set_value(texts[0])
            at.text_area(key="typed-hypothesis").set_value(texts[1])
        return turn(at, "names", lang)

    return opened


def pick(at, key, value):
    at.segmented_control(key=key).set_value(value).run()
    assert not at.exception


def turn(at, name, lang="en"):
    at.session_state["pair-tabs"] = TABS[lang, name]
    at.run()
    assert not at.exception
    assert not at.error
    return at


def values(at, caption):
    return [metric.value for metric in at.metric if metric.label == caption]


def made_by(at):
    return [metric.help for metric in at.metric if metric.label in ("BERTScore + reading", "読みの罰つき")][
        -1
    ]


def cells(at):
    return {str(cell) for one in at.dataframe for cell in one.value.to_numpy().ravel()}


def idf_key(at, prefix):
    (key,) = [one.key for one in at.segmented_control if one.key.startswith(prefix)] or [None]
    return key


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_by_names_the_name_is_marked_and_nothing_else(tab, html_of, lang):
    at = tab(*SAITO, lang=lang)
    pick(at, "names-criterion", "ner")
    page = html_of(at)
    assert re.search(r'underline wavy[^>]*title="さいとお / おざき · M 0\.00"[^>]*>斎', page)
    assert "猫</span>" not in page.split("yk-step")[0].rsplit("yk-label", 2)[-1]
    assert {"さいとお", "おざき"} <= cells(at)
    assert "ねこ" not in cells(at)
    assert "M = 0.00" in page
    base, penalised = (float(values(at, name)[-1]) for name in ("BERTScore F", at.metric[-1].label))
    assert penalised < base
    assert all("idf" not in one.value.columns for one in at.dataframe)


def test_by_both_names_and_rare_words_are_marked(tab, html_of):
    at = tab("斎藤さんは栗鼠を見た。", "尾崎さんは栗鼠を見た。")
    at.slider(key="names-quantile").set_value(0.05)
    pick(at, "names-criterion", "idf+ner")
    assert {"さいとお", "りす"} <= cells(at)
    assert r"rare\:idf\+ner" in made_by(at)
    assert all("idf" in one.value.columns for one in at.dataframe)


def test_rare_against_rare_is_one_comparison_for_both_texts(tab, html_of):
    at = tab("斎藤さんは猫を見た。", "尾崎さんは犬を見た。")
    pick(at, "names-criterion", "ner")
    assert html_of(at).count("M = 0.00") == 2
    pick(at, "names-mode", "rare")
    page = html_of(at)
    assert "Rare in either text" in page
    assert "Rare in the reference, and their partners" not in page
    assert "Rare in the translation, and their partners" not in page
    assert page.count("M = 0.00") == 1
    assert r"mode\:rare" in made_by(at)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_romaji_bridge_brings_letters_and_kana_together(tab, html_of, lang):
    at = tab("アンナさんが来た。", "Annaさんが来た。", lang=lang)
    pick(at, "names-criterion", "ner")
    pick(at, "names-mode", "token")
    before = float(values(at, at.metric[-1].label)[-1])
    assert "anna" in cells(at)
    pick(at, "names-kana", "romaji")
    assert "ana" in cells(at)
    assert r"kana\:romaji" in made_by(at)
    assert float(values(at, at.metric[-1].label)[-1]) > before


def test_under_idf_weights_one_dictionary_serves_the_whole_page(tab):
    at = tab()
    assert idf_key(at, "pair-idf") is None
    assert idf_key(at, "names-idf") is not None
    at.segmented_control(key="pair-weight").set_value("idf").run()
    assert not at.exception
    assert idf_key(at, "names-idf") is None
    for name in ("novel", "wiki", "references"):
        at.segmented_control(key=idf_key(at, "pair-idf")).set_value(name).run()
        assert not at.exception
        row, base = values(at, "BERTScore F")
        assert row == base  # the Names tab begins with the number above
        made = [one.help for one in at.metric if one.label in WEIGHED]
        assert sum(rf"idf\:{name}\-" in about for about in made if about) == 4  # three above, one in the tab


def test_without_idf_weights_the_tab_says_what_is_rare_by_and_the_row_keeps_novels(tab):
    at = tab()
    row, own = values(at, "BERTScore + reading")
    assert row == own
    assert r"words\:novel\-words\-" in made_by(at)
    at.segmented_control(key=idf_key(at, "names-idf")).set_value("wiki").run()
    assert not at.exception
    assert r"words\:wiki\-words\-" in made_by(at)
    assert values(at, "BERTScore + reading")[0] == row


def test_a_language_without_dictionaries_is_weighted_by_its_own_texts(tab, start):
    at = start("en", PAGE)
    at.segmented_control(key="pair-origin").set_value("typed").run()
    at.text_area(key="typed-reference").set_value("고양이가 창가에서 잔다.")
    at.text_area(key="typed-hypothesis").set_value("고양이는 창문 옆에서 잔다.")
    at.segmented_control(key="pair-weight").set_value("idf").run()
    assert not at.exception
    assert idf_key(at, "pair-idf") is None  # there is nothing to choose
    (about,) = [one.help for one in at.metric if one.label == "BERTScore F"]
    assert r"idf\:references\-1" in about


def test_a_token_that_was_chosen_stays_chosen_in_the_next_tab_and_back(tab, html_of):
    at = turn(tab(*SAITO), "tokens")
    at.selectbox(key="focus-reference").set_value(2).run()  # 斎; before it come <s> and a bare ▁
    partner = at.selectbox(key="focus-hypothesis").value
    page = html_of(turn(at, "names"))
    assert page.count("underline double") >= 2
    turn(at, "tokens")
    assert (at.selectbox(key="focus-reference").value, at.selectbox(key="focus-hypothesis").value) == (
        2,
        partner,
    )


def test_a_token_chosen_in_another_tab_is_the_one_of_the_boxes_and_of_the_texts(tab, html_of):
    at = tab(*SAITO)
    before = html_of(at).count("underline double")
    at.session_state["focus-reference"] = 2  # what `choose` does in a callback
    at.session_state["focus-hypothesis"] = 2
    at.run()
    assert html_of(at).count("underline double") >= before + 2
    turn(at, "tokens")
    assert at.selectbox(key="focus-reference").value == 2


@pytest.fixture
def session(monkeypatch):
    kept = {}
    monkeypatch.setattr(tokens.st, "session_state", kept)
    return kept


def rows(*chosen):
    return SimpleNamespace(selection=SimpleNamespace(rows=list(chosen)))


def test_a_row_of_a_table_chooses_its_token_and_the_partner(session):
    side = SimpleNamespace(partner=[-1, 7, 4, 9])
    trace = SimpleNamespace(reference=side, hypothesis=side)
    for chosen, side_name, expected in (
        (rows(1), "reference", (3, 9)),  # the second row is the token of place 3
        (rows(0), "hypothesis", (7, 1)),
        (rows(), "reference", (None, None)),
        (rows(5), "reference", (None, None)),  # a row of the table before
    ):
        session["table"] = chosen
        tokens._follow_row("table", trace, side_name, [1, 3])
        assert (session["focus-reference"], session["focus-hypothesis"]) == expected


def test_any_picture_can_choose_a_token_and_no_partner_is_none(session):
    tokens.choose("hypothesis", 40, 30)
    assert (session["focus-reference"], session["focus-hypothesis"]) == (30, 40)
    tokens.choose("reference", 5, -1)
    assert (session["focus-reference"], session["focus-hypothesis"]) == (5, None)
    tokens.choose("reference", None, None)
    assert (session["focus-reference"], session["focus-hypothesis"]) == (None, None)
