"""Two answers side by side: every comparison, and which one counts."""

import pytest

from core.metrics.mteqa.answers import abbreviated, decide, exact, token_f1, verdicts, word_f1


def by_name(expected, given, lang="en"):
    words = [expected.split(), given.split()]
    return {one.name: one.value for one in verdicts(expected, given, *words, lang)}


@pytest.mark.parametrize(
    ("expected", "given", "value"),
    [
        ("black cat", "black cat", 1),
        ("black cat", "cat", 2 / 3),  # precision 1, recall 1/2
        ("black cat", "white dog", 0),
        ("cat cat", "cat", 2 / 3),  # words are counted as often as they stand
        ("Kennedy", "Kenedy", 6 / 7),  # one letter of seven is missing
        ("Kennedy", "Nixon", 0),
    ],
)
def test_words_are_compared_as_multisets_and_nearly_alike_spellings_in_part(expected, given, value):
    assert word_f1(expected.split(), given.split()) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "given", "lang", "value"),
    [
        ("The cat.", "cat", "en", 1),
        ("東京。", "東京", "ja", 1),
        ("２０２４年", "2024年", "ja", 1),
        ("黒い 猫", "黒い猫", "ja", 1),
        ("cat", "dog", "en", 0),
        ("", "", "en", 0),
        ("3.5", "35", "en", 0),
    ],
)
def test_exact_match_is_in_the_normal_form_of_the_language(expected, given, lang, value):
    assert exact(expected, given, lang) == value


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ASEAN", "Association of Southeast Asian Nations", True),
        ("gross domestic product", "GDP", True),
        ("gross domestic product", "GPP", False),
        ("UN", "United Nations", True),
        ("cat", "category", False),
        ("A", "An", False),
    ],
)
def test_an_abbreviation_meets_the_words_it_is_made_of(one, other, same):
    assert abbreviated(one, other) is same


def test_values_decide_where_there_are_any_and_words_elsewhere():
    numbers = verdicts("54 million", "54,000,000", ["54", "million"], ["54,000,000"], "en")
    assert decide(numbers, "value", answered=True) == ("value", 1.0, "same-value")
    names = verdicts("London", "Paris", ["london"], ["paris"], "en")
    assert decide(names, "value", answered=True) == ("loose", 0.0, "other-words")
    assert decide(numbers, "em", answered=True)[:2] == ("em", 0.0)


def test_without_an_answer_all_comparisons_that_apply_are_zero():
    assert by_name("three cats", "") == {
        "value": 0,
        "name": None,
        "loose": 0,
        "f1": 0,
        "em": 0,
        "bleu": 0,
        "chrf": 0,
    }
    assert by_name("cats", "")["value"] is None
    found = verdicts("three cats", "", ["three", "cats"], [], "en")
    assert decide(found, "value", answered=False) == ("value", 0.0, "no-answer")


def test_articles_count_only_where_there_is_nothing_else():
    assert by_name("the king", "king")["loose"] == 1
    assert by_name("the", "the")["loose"] == 1


def test_the_plain_f1_counts_equal_tokens_only():
    assert token_f1(["black", "cat"], ["cat"]) == pytest.approx(2 / 3)  # 2 * 1 / (2 + 1)
    assert token_f1(["kennedy"], ["kenedy"]) == 0  # the loose F1 gives 6/7
    assert token_f1([], []) == 0
    assert by_name("The gross domestic product", "GDP")["f1"] == 0
    assert by_name("The gross domestic product", "GDP")["loose"] == 1
    assert by_name("The black cat.", "a black dog")["f1"] == pytest.approx(1 / 2)  # black of black dog


def test_a_name_is_compared_as_a_name_and_by_words_only_where_that_is_chosen():
    found = verdicts("HK", "Hong Kong", ["hk"], ["hong", "kong"], "en", name=0.5)
    assert decide(found, "value", answered=True) == ("name", 0.5, "part-name")
    assert decide(found, "f1", answered=True) == ("f1", 0.0, "other-words")
    assert decide(found, "name", answered=True)[:2] == ("name", 0.5)
