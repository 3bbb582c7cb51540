import threading
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.japanese import BYTES_AT_ONCE, pieces
from core.backends.reader import WordReader
from core.errors import OptionError, UnavailableError
from core.text.japanese import common_form, hiragana, kana_form, kanji_number, variants


@pytest.fixture(scope="module")
def word():
    return WordReader("word")


@pytest.fixture(scope="module")
def kakasi():
    return WordReader("pykakasi")


def sound(reader, text, lang="ja", **options):
    (words,) = reader.read([text], lang=lang, **options)
    return "".join(one.reading for one in words)


@pytest.mark.parametrize(
    "same",
    [
        ("斎藤", "齋藤", "⻫藤", "斉藤", "サイトウ", "サイトー", "さいとう", "ｻｲﾄｳ"),
        ("髙橋", "高橋", "たかはし"),
        ("渡邉", "渡辺", "渡邊", "ワタナベ"),
        ("𠮷野", "吉野"),
        ("ヴァイオリン", "バイオリン"),
        ("第１２回", "第12回", "第十二回"),
        ("か\u3099くせい", "がくせい", "学生"),
        ("先生", "センセー"),
    ],
)
def test_spellings_of_one_name_read_the_same(word, same):
    assert len({sound(word, text) for text in same}) == 1


def test_two_names_read_differently(word, kakasi):
    for reader in (word, kakasi):
        assert sound(reader, "斎藤") != sound(reader, "尾崎")


def test_what_pykakasi_drops_is_read(kakasi):
    for variant, common in (("髙橋", "高橋"), ("𠮷野", "吉野"), ("⻫藤", "斉藤"), ("㍿", "株式会社")):
        assert sound(kakasi, variant, kana="plain") == sound(kakasi, common, kana="plain")
        assert all("\u3041" <= kana <= "\u3096" for kana in sound(kakasi, variant, kana="plain"))
    assert sound(kakasi, "☃髙") == "☃たか"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("第１２回", "だいじゅうにかい"),
        ("㍿", "かぶしきがいしゃ"),
        ("今日は晴れだ。", "きょうははれだ。"),
        ("ゐる", "いる"),
        ("ヴァイオリン", "ゔぁいおりん"),
        ("﨑", "さき"),
        ("驫", "ひょう"),
        ("Ünlü", "unlu"),
    ],
)
def test_readings_are_hiragana_in_context(word, text, plain):
    assert sound(word, text, kana="plain") == plain


@pytest.mark.parametrize(
    "text",
    ["（｀・ω・´）", "ーーーー", "あ゛ーーー", "☃", "\u0301", "\0", "💐", "\ud842", "龘", "🈟", "⑴", "㎨…"],
)
def test_what_nobody_can_read_is_read_as_it_stands(word, kakasi, text):
    for reader in (word, kakasi):
        words = reader.read([text], lang="ja")[0]
        assert all(one.reading for one in words)
        assert words


def test_words_have_offsets_into_the_stored_text(word):
    text = "　髙橋さんは\n𠮷野へ ㍿ｶﾞｷﾞ行った。"
    words = word.read([text], lang="ja")[0]
    assert [text[one.start : one.end] for one in words] == [one.text for one in words]
    assert "".join(one.text for one in words) == "".join(text.split())
    assert all(before.end <= after.start for before, after in pairwise(words))


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=60))
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.slow
def test_no_text_breaks_a_reader_and_no_word_reads_as_nothing(word, lang, text):
    words = word.read([text], lang=lang)[0]
    assert all(one.reading and text[one.start : one.end] and one.start < one.end for one in words)
    assert all(before.end <= after.start for before, after in pairwise(words))


def test_a_text_longer_than_the_analyser_takes_is_read_in_pieces_cut_at_sentence_ends(word):
    text = "猫は見た。" * 4000
    assert len(text.encode()) > 49_149
    assert [piece[-1] for _, piece in pieces(text)] == ["。", "。"]
    words = word.read([text], lang="ja")[0]
    assert len(words) == 20_000
    assert words[-1].end == len(text)
    for hard in ("あ" * 30_000, "㌖" * 16_000, "\ufdfa" * 3_000):
        assert all(len(unicodedata.normalize("NFKC", p).encode()) <= BYTES_AT_ONCE for _, p in pieces(hard))
        assert word.read([hard], lang="ja")[0][-1].end == len(hard)


@pytest.mark.parametrize(
    ("reading", "form"),
    [
        ("さいとー", "さいとお"),
        ("さいとう", "さいとお"),
        ("せんせい", "せんせえ"),
        ("きょう", "きよお"),
        ("てぃー", "ていい"),
        ("ゔぁゔぃゔゔぇゔぉ", "ばびぶべぼ"),
        ("はなぢ", "はなじ"),
        ("みかづき", "みかずき"),
        ("ゐゑを", "いえお"),
        ("まって", "まつて"),
        ("ーーー", "ーーー"),
        ("らーーん", "らああん"),
        ("abc", "abc"),
    ],
)
def test_the_kana_normal_form_follows_its_rule(reading, form):
    assert kana_form(reading) == form


def test_hiragana_writes_repetition_marks_out_and_drops_accents():
    assert hiragana("いすゞ") == "いすず"
    assert hiragana("コヽロ") == "こころ"
    assert hiragana("Ｃａｆé") == "cafe"


@pytest.mark.parametrize(
    ("digits", "kanji"),
    [
        ("0", "零"),
        ("10", "十"),
        ("1000", "千"),
        ("2024", "二千二十四"),
        ("10000000", "一千万"),
        ("100000001", "一億一"),
    ],
)
def test_numbers_are_spelled_in_kanji(digits, kanji):
    assert kanji_number(digits) == kanji


def test_the_common_form_keeps_every_offset():
    text = "髙橋と渡邉、Ａ㍿ｶﾞ⼀か\u3099"
    assert common_form(text) == "高橋と渡辺、A㍿カﾞ一か\u3099"
    assert len(common_form(text)) == len(text)


def test_the_table_of_variants_leads_to_common_forms_in_one_step():
    for variant, common in variants().items():
        assert len(common) == 1
        assert ord(common) not in variants()
        assert unicodedata.normalize("NFKC", chr(variant)) == chr(variant)


def test_other_languages_are_read_as_they_are_spelled(word):
    words = word.read(["Dr. Müller's café — 北京!"], lang="de")[0]
    assert [one.text for one in words] == ["Dr", ".", "Müller's", "café", "—", "北", "京", "!"]
    assert [one.reading for one in words][2:4] == ["muller's", "cafe"]
    assert sound(word, "STRASSE", lang="de") == sound(word, "Straße", lang="de-AT")


@pytest.mark.parametrize(
    ("lang", "text", "name"),
    [
        ("ja", "昨日、斎藤さんは東京で猫を三匹見た。", "斎藤"),
        ("en", "Yesterday John saw three cats.", "John"),
    ],
)
def test_entities_are_named_only_when_asked_for(word, lang, text, name):
    plain = word.read([text], lang=lang)[0]
    assert [one.entity for one in plain] == [None] * len(plain)
    named = {one.text: one.entity for one in word.read([text], lang=lang, entities=True)[0]}
    assert str(named[name]).lower() == "person"
    others = ("昨日", "猫", "三") if lang == "ja" else ("Yesterday", "three", "cats")
    assert [named[other] for other in others] == [None] * 3  # dates, amounts and animals are no names
    for hard in ("（｀・ω・´）", "ーーーー", "", " \n", "\0"):
        word.read([hard], lang=lang, entities=True)


def test_a_language_without_a_model_of_entities_is_refused(word):
    for ask in (
        lambda: word.signature("de", entities=True),
        lambda: word.read(["x"], lang="de", entities=True),
    ):
        with pytest.raises(UnavailableError, match="No model finds named entities in de"):
            ask()


def test_the_signature_names_rules_and_packages(word):
    signature = word.signature("ja-JP", entities=True)
    assert signature.startswith("word-")
    assert all(name in signature for name in ("SudachiPy", "SudachiDict-core", "pykakasi", "ja-ginza"))
    assert word.signature("en").count("+") == 0


def test_an_unknown_reader_is_refused():
    with pytest.raises(OptionError, match="choose word or pykakasi"):
        WordReader("mecab")


def test_threads_get_the_same_readings_as_one_alone(japanese_pairs):
    texts = [pair.reference for pair in japanese_pairs]
    alone = WordReader().read(texts, lang="ja")
    shared, found = WordReader(), {}

    def work(part):
        for text in texts[part::3] * 2:
            found[text] = shared.read([text], lang="ja")[0]

    threads = [threading.Thread(target=work, args=(part,)) for part in (0, 1, 2, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[text] for text in texts] == alone


def test_the_memory_of_readings_is_bounded(monkeypatch):
    monkeypatch.setattr("core.backends.reader.CACHE_BYTES", 3000)
    reader = WordReader()
    texts = [f"猫が{number}匹いる。" for number in range(50)]
    assert reader.read(texts, lang="ja") == [reader.read([text], lang="ja")[0] for text in texts]
    assert reader._memory.currsize <= 3000
    assert len(reader.read(["猫" * 100], lang="ja")[0]) > 12
