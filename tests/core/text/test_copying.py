"""When two texts are the same to a reader, and when one is a copy of the other."""

import pytest

from core.text.copying import is_copied, normal

REFERENCE = "夜が明けるころ、老人は舟で沖へ出た。海は静かだった。"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("A b,c!", "abc"),
        ("ＡＢＣ　１２３", "abc123"),
        ("舟。。。\n\n舟", "舟舟"),
        ("ｶﾞｽ", "ガス"),
        ("…", ""),
    ],
)
def test_case_width_blanks_and_punctuation_do_not_count(text, same):
    assert normal(text) == same


@pytest.mark.parametrize(
    "text",
    [
        REFERENCE,
        f"{REFERENCE}おわり。",  # the whole of it, and more
        "海は静かだった。夜が明けるころ、老人は舟で沖へ出た！",  # its sentences in another order
        "老人は舟で沖へ出た",  # a piece of one
    ],
)
def test_the_whole_or_only_its_sentences_is_a_copy(text):
    assert is_copied(text, REFERENCE)


@pytest.mark.parametrize(
    "text", ["老人は舟で沖へ出なかった。海は静かだった。", "海は静かだった。犬。", "", "。。"]
)
def test_one_sentence_of_the_own_is_no_copy(text):
    assert not is_copied(text, REFERENCE)


def test_nothing_is_a_copy_of_nothing():
    assert not is_copied("犬", "。")
