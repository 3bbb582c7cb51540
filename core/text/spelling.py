"""One spelling for what sounds alike: variant kanji, hiragana, the kana normal form, letters without accents.

Nothing heavy: tables and string functions. No function turns a text that is not empty into an empty one.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache, lru_cache

from core.assets import ASSETS

VARIANTS = ASSETS / "variants.tsv"
RULES = 1  # raise it when a rule below changes a reading: it is part of every reader's fingerprint

KATAKANA = {ord(char): ord(char) - 0x60 for char in map(chr, [*range(0x30A1, 0x30F7), 0x30FD, 0x30FE])}
ACCENTS = re.compile("[\u0300-\u036f]")
NUMBER = re.compile("[0-9]{1,16}")
DIGITS, TENS, MYRIADS = "零一二三四五六七八九", ("", "十", "百", "千"), ("", "万", "億", "兆")

VOWEL_ROWS = (
    "あぁかがさざただなはばぱまゃやらゎわゕ",
    "いぃきぎしじちぢにひびぴみりゐ",
    "うぅくぐすずつづっぬふぶぷむゅゆるゔ",
    "えぇけげせぜてでねへべぺめれゑゖ",
    "おぉこごそぞとどのほぼぽもょよろを",
)
VOWEL_OF = {kana: row[0] for row in VOWEL_ROWS for kana in row}
VOICED = str.maketrans(
    "かきくけこさしすせそたちつてとはひふへほう", "がぎぐげござじずぜぞだぢづでどばびぶべぼゔ"
)
SAME_SOUND = str.maketrans("ぢづをゐゑヷヸヹヺ", "じずおいえばびべぼ")
FULL_SIZE = str.maketrans("ぁぃぅぇぉっゃゅょゎゕゖ", "あいうえおつやゆよわかけ")
V_SOUNDS = re.compile("ゔ([ぁぃぇぉ]?)")
B_SOUND = {"ぁ": "ば", "ぃ": "び", "": "ぶ", "ぇ": "べ", "ぉ": "ぼ"}


@cache
def variants() -> dict[int, str]:
    """Variant kanji -> common form, from `assets/variants.tsv`, which names its sources."""
    lines = VARIANTS.read_text("utf-8").splitlines()
    pairs = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {ord(variant): common for variant, common in pairs}


@cache
def spelling_fingerprint() -> str:
    """Six characters that change with the table of variants or the rules of this module."""
    return hashlib.sha256(f"{RULES} {sorted(variants().items())}".encode()).hexdigest()[:6]


@lru_cache(1 << 16)
def _common(char: str) -> str:
    """NFKC of a character where that is one character that can stand alone, then its common form."""
    composed = unicodedata.normalize("NFKC", char)
    if len(composed) != 1 or unicodedata.combining(composed):
        composed = char
    return variants().get(ord(composed), composed)


def common_form(text: str) -> str:
    """The text as an analyser should see it, of exactly the same length: offsets stay.

    Per code point: NFKC where that gives one (Ａ -> A, ⼀ -> 一), then 髙 -> 高, 邊 -> 辺, 𠮷 -> 吉, …
    """
    return text if text.isascii() else "".join(map(_common, text))


@lru_cache(1 << 16)
def hiragana(text: str) -> str:
    """NFKC, katakana as hiragana, ゝ and ゞ written out; other letters casefolded without accents."""
    plain = letters(text).translate(KATAKANA)
    return _repeated(plain) if "ゝ" in plain or "ゞ" in plain else plain


def _repeated(text: str) -> str:
    out = ""
    for char in text:
        before = out[-1:]
        if char == "ゝ" and before in VOWEL_OF:
            char = before
        elif char == "ゞ" and before in VOWEL_OF:
            char = before.translate(VOICED)
        out += char
    return out


def letters(text: str) -> str:
    """Casefolded NFKC without accents (é -> e), for any script; kana keep their voicing marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    if not folded.isascii():
        bare = ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
        folded = unicodedata.normalize("NFKC", bare)
    return folded.strip() or text


@lru_cache(1 << 16)
def kana_form(reading: str) -> str:
    """The kana normal form of a hiragana reading: one spelling for what sounds alike.

    In this order: ゔぁ ゔぃ ゔ ゔぇ ゔぉ (and ヷ ヸ ヹ ヺ) become ば び ぶ べ ぼ; ぢ づ を ゐ ゑ
    become じ ず お い え; ー becomes the vowel before it (さいとー -> さいとお); after a sound in o, う
    becomes お, and after one in e, い becomes え (さいとう -> さいとお, せんせい -> せんせえ); small kana
    become full-sized (しゃ -> しや, っ -> つ), as old prints set them. A ー with no vowel before it stays.
    """
    text = V_SOUNDS.sub(lambda found: B_SOUND[found[1]], reading).translate(SAME_SOUND)
    out = ""
    for char in text:
        vowel = VOWEL_OF.get(out[-1:], "")
        if (char == "ー" and vowel) or (vowel + char) in ("おう", "えい"):
            char = vowel
        out += char
    return out.translate(FULL_SIZE)


def kanji_number(digits: str) -> str:
    """`12` -> 十二, `2024` -> 二千二十四: what a Japanese analyser can read. Up to sixteen digits."""
    number = int(digits)
    if number == 0:
        return DIGITS[0]
    out = ""
    for place in range(3, -1, -1):
        group = number // 10 ** (4 * place) % 10000
        if group:
            out += _kanji_group(group, alone=place > 0) + MYRIADS[place]
    return out


def _kanji_group(group: int, *, alone: bool) -> str:
    """Up to 9999; a leading 千 counts as 一千 only before 万, 億, 兆."""
    out = ""
    for place in range(3, -1, -1):
        digit = group // 10**place % 10
        if digit:
            one = digit == 1 and place > 0 and not (alone and place == 3)
            out += ("" if one else DIGITS[digit]) + TENS[place]
    return out
