"""MTEQA end to end with the real parser, reader and encoder: questions, answers, verdicts, and endings."""

import pytest

from core.codec import decode_trace, encode_trace
from core.metrics import find_metric
from core.types import TextPair

pytestmark = pytest.mark.embedded


@pytest.fixture
def scored(backends):
    def run(reference, hypothesis, lang="en", **settings):
        pair = TextPair(reference=reference, hypothesis=hypothesis, lang=lang)
        return find_metric("mteqa").prepare(settings, backends, [pair]).score(pair)

    return run


def asked(result):
    return {one.expected: one for one in result.trace.asked}


CATS = "斎藤さんは三月十二日に東京で二匹の猫を見た。"


def test_each_fact_of_a_japanese_sentence_becomes_a_question_with_its_question_word(scored):
    found = asked(scored(CATS, CATS, "ja"))
    assert found["斎藤"].question == "だれが三月十二日に東京で二匹の猫を見たか。"
    assert found["三月十二日"].question == "斎藤さんはいつ東京で二匹の猫を見たか。"
    assert found["東京"].question == "斎藤さんは三月十二日にどこで二匹の猫を見たか。"
    assert found["二匹"].question == "斎藤さんは三月十二日に東京で何匹の猫を見たか。"
    assert found["猫"].question == "斎藤さんは三月十二日に東京で二匹の何を見たか。"


def test_names_dates_and_numbers_meet_however_they_are_written(scored):
    found = asked(scored(CATS, "サイトウさんは3月12日、東京で猫を２匹見かけた。", "ja"))
    assert (found["斎藤"].given, found["斎藤"].verdict) == ("サイトウ", 1)
    assert (found["三月十二日"].given, found["三月十二日"].verdict) == ("3月12日", 1)
    assert (found["二匹"].given, found["二匹"].verdict, found["二匹"].reason) == ("２匹", 1, "same-value")


def test_one_wrong_number_breaks_one_question_and_no_other(scored):
    right, wrong = (asked(scored(CATS, CATS.replace("二匹", text), "ja")) for text in ("二匹", "三匹"))
    assert [one for one in right if right[one].verdict != wrong[one].verdict] == ["二匹"]
    assert wrong["二匹"].reason == "other-value"


def test_an_english_subject_is_asked_for_by_who_and_anything_else_by_a_gap(scored):
    found = asked(scored("Mary sent John three letters.", "John got three letters from Mary."))
    assert found["Mary"].question == "Who sent John three letters?"
    assert found["three"].question == "Mary sent John ____ letters."
    assert found["three"].verdict == 1


def test_the_same_text_answers_everything(scored):
    result = scored(CATS, CATS, "ja")
    assert result.score == 1
    assert result.parts["answered"] == result.parts["questions"] >= 5
    assert 0.4 < result.parts["coverage"] <= 1


def test_the_score_is_that_of_its_trace_after_a_round_trip_through_json(scored):
    result = scored(CATS, "彼は猫を一匹見た。", "ja")
    again = decode_trace(encode_trace(result.trace))
    assert again.parts() == result.parts
    assert again.parts()["mteqa"] == result.score


def test_a_reference_without_anything_to_ask_has_no_score_and_says_so(scored):
    result = scored("……。", "猫", "ja")
    assert (result.score, result.flags) == (None, ("no-questions",))
    assert "Nothing in the reference" in result.missing


def test_an_empty_translation_answers_nothing_and_scores_zero(scored):
    result = scored(CATS, "", "ja")
    assert result.score == 0
    assert {one.reason for one in result.trace.asked} == {"no-answer"}


def test_a_language_without_a_parser_is_missing_with_its_reason(scored):
    result = scored("고양이가 잔다.", "고양이가 잔다.", "ko")
    assert result.score is None
    assert "ko" in result.missing


@pytest.mark.parametrize(
    "text", ['```{}[]"\'\\``` {"a": 1}', "🙂🙂", "ーーーー", "（｀・ω・´）", "1 2 3", "。" * 300]
)
def test_odd_texts_end_in_a_score_or_a_reason(scored, text):
    result = scored("二人は笑った。", text, "ja")
    assert result.score is not None
    assert scored(text, "二人は笑った。", "ja").missing is None or "asked" in scored(text, "x", "ja").missing


@pytest.mark.heavy
def test_a_long_translation_is_answered_from_in_reasonable_time(scored):
    assert scored(CATS, "彼は何も見なかった。" * 400 + CATS, "ja").score is not None


@pytest.mark.parametrize("compare", ["value", "name", "loose", "f1", "em", "bleu", "chrf", "bertscore"])
def test_the_comparison_that_counts_can_be_chosen(scored, compare):
    result = scored(CATS, CATS, "ja", compare=compare)
    assert {one.decided for one in result.trace.asked} <= (
        {compare, "name", "loose"} if compare == "value" else {compare, "loose"}
    )
    assert f"compare:{compare}" in result.signature


def test_the_endings_of_a_verb_do_not_count_but_a_negation_does(scored):
    reference = "猫は庭で魚を食べた。"
    polite = asked(scored(reference, "猫は庭で魚を食べました。", "ja"))["食べた"]
    assert (polite.given, polite.verdict) == ("食べました", 1)
    denied = asked(scored(reference, "猫は庭で魚を食べなかった。", "ja"))["食べた"]
    assert (denied.given, denied.verdict) == ("食べなかった", pytest.approx(2 / 3))  # たべ, なかっ
