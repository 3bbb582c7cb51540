"""One name in several spellings, and what pykakasi drops: readings meet or differ, and none is empty."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from core.backends.reader import WordReader

# What pykakasi 2.3 loses whole or in part, and other characters that an analyser chokes on.
TRAPS = [
    "髙橋", "𠮷野", "㍿", "⻫藤", "第１２回", "今日は", "渡邉", "渡邊", "﨑", "德川", "ヷ",
    "ヸ", "ゝ", "ゞ", "々", "〆", "龘", "𪚥", "☃", "ー", "ーーーー", "っ",
    "ッ", "ゎ", "ゔ", "´", "゛", "か\u3099", "\u3099", "\u200b", "\ufe0f", "(｀・ω・´)", "・",
    "＝", "’", "Æ", "ß", "Ünlü", "кот", "북", "👩\u200d💻", "㎨", "⑴", "\ufdfa",
    "\0", "\ud842",
]  # fmt: skip
KANA = ("normal", "plain", "romaji")


@pytest.fixture(scope="module")
def readers():
    return {name: WordReader(name) for name in ("word", "pykakasi")}


def sound(reader, text, kana="normal"):
    return "".join(one.reading for one in reader.read([text], lang="ja", kana=kana)[0])


@pytest.mark.parametrize("kana", ["normal", "romaji"])
@pytest.mark.parametrize("name", ["word", "pykakasi"])
def test_five_spellings_of_saito_have_distance_zero_and_ozaki_has_not(readers, name, kana):
    own = sound(readers[name], "斎藤", kana)
    for spelling in ("齋藤", "⻫藤", "サイトウ", "さいとう"):
        assert Levenshtein.distance(own, sound(readers[name], spelling, kana)) == 0
    assert Levenshtein.normalized_distance(own, sound(readers[name], "尾崎", kana)) >= 0.75


@pytest.mark.parametrize("kana", KANA)
@pytest.mark.parametrize("name", ["word", "pykakasi"])
@pytest.mark.parametrize(("one", "other"), [("髙橋", "高橋"), ("渡邉", "渡辺"), ("𠮷野", "吉野")])
def test_variant_kanji_of_a_name_have_distance_zero(readers, name, kana, one, other):
    assert sound(readers[name], one, kana) == sound(readers[name], other, kana)
    assert len(sound(readers[name], one, kana)) >= 3


@pytest.mark.parametrize("name", ["word", "pykakasi"])
def test_va_and_ba_are_one_sound_unless_readings_stay_as_they_are(readers, name):
    one, other = ("ヴァイオリン", "バイオリン")
    assert sound(readers[name], one) == sound(readers[name], other) == "ばいおりん"
    assert sound(readers[name], one, "romaji") == sound(readers[name], other, "romaji") == "baiorin"
    assert sound(readers[name], one, "plain") != sound(readers[name], other, "plain")


@example(text="´\ufe0f", name="word", kana="normal")
@settings(max_examples=200, deadline=None)
@given(
    text=st.lists(st.sampled_from([*TRAPS, "さん", "斎藤", "が", "。", "Tom"]), min_size=1, max_size=5).map(
        "".join
    ),
    name=st.sampled_from(["word", "pykakasi"]),
    kana=st.sampled_from(KANA),
)
def test_no_name_reads_as_nothing(readers, text, name, kana):
    words = readers[name].read([text], lang="ja", kana=kana)[0]
    assert all(one.reading for one in words)
    if text.strip().strip("\u200b"):
        assert words


@pytest.mark.parametrize("kana", KANA)
@pytest.mark.parametrize("trap", TRAPS)
def test_each_trap_alone_reads_as_something(readers, trap, kana):
    for reader in readers.values():
        assert all(one.reading for one in reader.read([trap], lang="ja", kana=kana)[0])
        assert sound(reader, f"{trap}さん", kana)[-2:] in ("さん", "an")
