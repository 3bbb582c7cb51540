"""The Questions tab: every question with both answers, the comparison that counts, and endings."""

import pytest

from core.metrics.mteqa.answers import COMPARISONS

pytestmark = [pytest.mark.embedded, pytest.mark.slow]
TAB = {"en": "Questions", "ja": "質問"}
CATS = "斎藤さんは三月十二日に東京で二匹の猫を見た。"


def table(at):
    (frame,) = at.dataframe
    return frame.value


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_first_look_has_a_row_for_every_question_and_a_column_for_every_comparison(pair_page, lang):
    rows = table(pair_page(lang, TAB[lang]))
    assert len(rows) > 5
    assert len(rows.columns) == 5 + len(COMPARISONS) + 1  # BERTScore compares, too


def test_a_wrong_number_stands_beside_the_right_one(pair_page, type_pair):
    rows = table(type_pair(pair_page(tab=TAB["en"]), CATS, CATS.replace("二匹", "三匹")))
    shown = rows[["Expected", "Given", "Counts"]].itertuples(index=False)
    by_answer = {expected: (given, verdict) for expected, given, verdict in shown}
    assert by_answer["二匹"] == ("三匹", 0)
    assert by_answer["斎藤"] == ("斎藤", 1)


def test_the_answers_are_lit_in_both_texts_wavy_where_they_differ(pair_page, type_pair, html_of):
    page = html_of(type_pair(pair_page(tab=TAB["en"]), CATS, CATS.replace("二匹", "三匹")))
    assert page.count("underline wavy") >= 2
    assert "東京で何匹の猫を見たか。" in page


def test_the_comparison_that_counts_can_be_chosen(pair_page, type_pair):
    at = type_pair(pair_page(tab=TAB["en"]), CATS, CATS.replace("二匹", "２匹"))
    exact = [metric.value for metric in at.metric if metric.label == "MTEQA"][-1]
    assert exact == "1.000"
    at.segmented_control(key="questions-compare").set_value("em").run()
    assert not at.exception
    assert float([metric.value for metric in at.metric if metric.label == "MTEQA"][-1]) < 1


def test_nothing_to_ask_gives_a_sentence(pair_page, type_pair, html_of):
    at = type_pair(pair_page(tab=TAB["en"]), "……。", "猫だ。")
    assert "nothing in the reference can be asked about" in html_of(at)
