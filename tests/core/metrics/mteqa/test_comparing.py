"""Two answers side by side: every comparison, and which one counts."""

import pytest

from core.metrics.mteqa.answers import acronym, decide, exact, verdicts, word_f1


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
    assert acronym(one, other) is same


def test_values_decide_where_there_are_any_and_words_elsewhere():
    numbers = verdicts("54 million", "54,000,000", ["54", "million"], ["54,000,000"], "en")
    assert decide(numbers, "value", answered=True) == ("value", 1.0, "same-value")
    names = verdicts("London", "Paris", ["london"], ["paris"], "en")
    assert decide(names, "value", answered=True) == ("f1", 0.0, "other-words")
    assert decide(numbers, "em", answered=True)[:2] == ("em", 0.0)


def test_without_an_answer_all_comparisons_that_apply_are_zero():
    assert by_name("three cats", "") == {"value": 0, "f1": 0, "em": 0, "bleu": 0, "chrf": 0}
    assert by_name("cats", "")["value"] is None
    found = verdicts("three cats", "", ["three", "cats"], [], "en")
    assert decide(found, "value", answered=False) == ("value", 0.0, "no-answer")


def test_articles_count_only_where_there_is_nothing_else():
    assert by_name("the king", "king")["f1"] == 1
    assert by_name("the", "the")["f1"] == 1
