"""When two names are the same."""

import pytest

from core.backends.reader import WordReader
from core.metrics.mteqa.names import abbreviates, abbreviations, agreement, mentions, with_bracket


@pytest.fixture(scope="module")
def reader():
    return WordReader()


@pytest.mark.parametrize(
    ("expected", "given", "value"),
    [
        ("the United States", "U.S.", 1),  # a well-known other form
        ("HK Management Inc.", "Hong Kong Management Inc.", 1),  # HK covers two words
        ("HK Management Inc.", "HM Management Inc.", 1 / 2),  # of (HK, Management) one part matches
        ("GDP", "GPP", 0),
        ("gross domestic product", "GDP", 1),
        ("National Security Council", "National Council", 4 / 5),  # precision 1, recall 2/3
        ("National Security Council", "NSC", 1),
        ("National Public Radio (NPR)", "National Public Radio", 1),
        ("National Public Radio (NPR)", "National Public Radio (NPP)", 1 / 2),  # the abbreviation is wrong
        ("USAF", "US Air Force", 1),
        ("DNA", "deoxyribonucleic acid", 1),
        ("CEP", "Provisional Electoral Council", 1),  # the initials in the order of French
        ("Paris", "London", 0),
        ("Apollo 11", "Apollo 12", 1 / 2),  # numbers never match in part
        ("Kennedy", "Kenedy", 6 / 7),
    ],
)
def test_names_agree_by_their_parts(expected, given, value):
    assert agreement(expected, given) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "given", "value"),
    [
        ("John F. Kennedy", "John Ford Kennedy", 1),
        ("John F. Kennedy", "John K. Kennedy", 2 / 3),  # two of three parts
        ("Dr. John Watson", "Watson", 1),  # a part of the name; titles do not count
        ("Ma Ying-jeou", "Ying-jeou Ma", 1),  # another order
        ("Thomas Sawyer", "Tom Sawyer", 1),
        ("John Watson", "Mary Watson", 1 / 2),
        ("J.", "John", 0),  # an initial alone is not a name
    ],
)
def test_people_may_have_initials_short_forms_and_another_order(expected, given, value):
    assert agreement(expected, given, person=True) == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "given", "person", "value"),
    [
        ("斎藤さん", "サイトウ", True, 1),
        ("斎藤", "尾崎", True, 0),
        ("ジョン・ワトソン", "ワトスン博士", True, 5 / 6),  # watsn of watson; a title does not count
        ("シャーロック・ホームズ", "Sherlock", True, 1),
        ("ホームズ", "ワトソン", True, 0),
        ("ロンドン", "London", False, 1),  # Sudachi reads London
        ("アイリーン", "Irene", True, 0),  # airin and iren: the rules do not know this spelling
    ],
)
def test_japanese_names_meet_by_reading_and_in_two_scripts(reader, expected, given, person, value):
    words = reader.read([expected, given], lang="ja")
    assert agreement(expected, given, *words, person=person) == pytest.approx(value)


def test_an_abbreviation_takes_letters_in_order_from_every_word():
    assert abbreviates("GDP", ["gross", "domestic", "product"])
    assert abbreviates("XDR-TB", ["extremely", "drug", "resistant", "tuberculosis"])
    assert not abbreviates("GDP", ["gross", "product"])
    assert not abbreviates("SARS", ["acute", "respiratory", "syndrome"])


def test_abbreviations_are_found_except_in_a_text_in_capitals():
    text = "The CPI and XDR-TB of the U.S. rose in Act III"
    assert [text[a:b] for a, b in abbreviations(text)] == ["CPI", "XDR-TB", "U.S."]
    assert list(abbreviations("THE CPI ROSE")) == []


def test_a_mention_is_found_in_any_form_but_not_inside_another_name():
    text = "It came from Northern Arizona University and the Royal Society for Birds in Kenya."
    places = [text[a:b] for a, b in mentions("Arizona", text, (), (), person=False)]
    assert places == []
    assert (
        next(text[a:b] for a, b in mentions("RSB", text, (), (), person=False)) == "Royal Society for Birds"
    )
    assert [text[a:b] for a, b in mentions("Kenya", text, (), (), person=False)] == ["Kenya"]


def test_an_abbreviation_in_brackets_brings_its_name_along():
    text = "He spoke to National Public Radio (NPR) today"
    assert text[slice(*with_bracket(text, 35, 38))] == "National Public Radio (NPR)"
    assert with_bracket(text, 3, 8) == (3, 8)
