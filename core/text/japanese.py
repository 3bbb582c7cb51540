"""Japanese writing: ruby, variant spellings, kana, and romaji.

Ruby: Aozora Bunko's `漢字《かんじ》`, whose base is the run of kanji before it or the text after `｜` (or
`|`), and HTML's `<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>`, also with attributes, with each base
in its own <rb>, and without a reading. Any other form is plain text.
Offsets are half-open code points of the stored text.

Spelling: variant kanji, hiragana, one kana form for what sounds alike, letters without accents. No function
makes a text empty that was not.

Romaji: a rough spelling that is equal for a name in kana and in Latin letters, so that John matches ジョン.
Kana become Hepburn by the table below and not by pykakasi, which reads じぇ as jie and てぃ as tei.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

from core.assets import ASSETS

VARIANTS = ASSETS / "variants.tsv"
SPELLING_RULES = 2  # raise it when a rule below changes a reading: it is part of every reader's fingerprint

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
    return hashlib.sha256(f"{SPELLING_RULES} {sorted(variants().items())}".encode()).hexdigest()[:6]


@cache
def _older() -> dict[str, tuple[str, ...]]:
    """Common form -> its variants, in the order of the table."""
    found: dict[str, tuple[str, ...]] = {}
    for variant, common in variants().items():
        found[common] = (*found.get(common, ()), chr(variant))
    return found


def other_forms(char: str) -> tuple[str, ...]:
    """The common form of a character, and its variants: 鷗 for 鴎, 渋 for 澁."""
    common = variants().get(ord(char))
    return (*filter(None, (common,)), *_older().get(common or char, ()))


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
    Iteration marks are written out: づゝ -> づつ, すゞ -> すず, いろ〳〵 -> いろいろ, しみ〴〵 -> しみじみ.
    """
    if text.isascii():
        return text
    common = "".join(map(_common, text))
    return _repeated(common) if has_kana_repeat(common) else common


@lru_cache(1 << 16)
def hiragana(text: str) -> str:
    """NFKC, katakana as hiragana, ゝ and ゞ written out; other letters casefolded without accents."""
    plain = letters(text).translate(KATAKANA)
    return _repeated(plain) if has_kana_repeat(plain) else plain


_REPEATS = frozenset("ゝゞヽヾ〳〴")


def has_kana_repeat(text: str) -> bool:
    """Whether the text holds an iteration mark of kana: ゝ, ゞ, ヽ, ヾ, 〳〵 or 〴〵."""
    return not _REPEATS.isdisjoint(text)


_VOICED_KATAKANA = {plain + 0x60: chr(voiced + 0x60) for plain, voiced in VOICED.items()}
_UNVOICED = {voiced: chr(plain) for plain, voiced in VOICED.items()}
_UNVOICED |= {voiced + 0x60: chr(plain + 0x60) for plain, voiced in VOICED.items()}
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")


def _repeated(text: str) -> str:
    """The iteration marks of kana written out, of the same length: 〳〵 stands for the last two kana."""
    out: list[str] = []
    for place, char in enumerate(text):
        before = out[-1] if out else ""
        if char in "ゝヽ" and _KANA.match(before):
            char = before.translate(_UNVOICED)
        elif char in "ゞヾ" and _KANA.match(before):
            char = _voiced(before)
        elif char in "〳〴" and text[place + 1 : place + 2] == "〵" and _are_kana(out[-2:]):
            char = out[-2] if char == "〳" else _voiced(out[-2])
        elif char == "〵" and text[place - 1 : place] in ("〳", "〴") and _are_kana(out[-3:-1]):
            char = out[-2]
        out.append(char)
    return "".join(out)


def _voiced(kana: str) -> str:
    return kana.translate(VOICED).translate(_VOICED_KATAKANA)


def _are_kana(chars: Sequence[str]) -> bool:
    return len(chars) == 2 and all(map(_KANA.match, chars))


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


ROWS = """
- あいうえお
k かきくけこ
g がぎぐげご
s さ・すせそ
z ざ・ずぜぞ
t た・・てと
d だ・・でど
n なにぬねの
h はひ・へほ
b ばびぶべぼ
p ぱぴぷぺぽ
m まみむめも
y や・ゆ・よ
r らりるれろ
w わ・・・・
"""
SINGLE = """
し shi ち chi つ tsu ふ fu じ ji ぢ ji づ zu を o ゐ i ゑ e ん n ゔ vu ゕ ka ゖ ke
ヷ va ヸ vi ヹ ve ヺ vo
"""
GLIDES = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo"}
SMALL = dict(zip("ぁぃぅぇぉゎ", "aiueoa", strict=True))
ONSETS = {"u": "w", "i": "y", "ku": "kw", "gu": "gw"}
"""What a sound becomes before a small vowel; every other sound loses its vowel (fu + a = fa)."""
LETTERS = """
a えー b びー c しー d でぃー e いー f えふ g じー h えっち i あい j じぇー k けー l える m えむ n えぬ o おー
p ぴー q きゅー r あーる s えす t てぃー u ゆー v ぶい w だぶりゅー x えっくす y わい z ぜっと
"""


def _two_by_two(words: str) -> dict[str, str]:
    found = words.split()
    return dict(zip(found[::2], found[1::2], strict=True))


SOUNDS = {
    kana: row.strip("-") + vowel
    for row, kanas in _two_by_two(ROWS).items()
    for vowel, kana in zip("aiueo", kanas, strict=True)
    if kana != "・"
} | _two_by_two(SINGLE)
LETTER_NAMES = _two_by_two(LETTERS)

ROMAJI_RULES = (
    (r"ou|oo|oh(?![aiueoy])", "o"),  # 1
    (r"ei", "e"),
    (r"([aiueo])\1", r"\1"),
    (r"ph", "f"),  # 2
    (r"([wgr])h", r"\1"),
    (r"tch", "ch"),
    (r"ch(?![aiueoy])|ck|q", "k"),
    (r"c(?=[eiy])", "s"),
    (r"c(?!h)", "k"),
    (r"x", "ks"),
    (r"g(?=[eiy])", "j"),
    (r"(?<=[aiueo])h(?![aiueoy])", ""),  # 3
    (r"(?<=[ao])l(?=[mk])", ""),
    (r"(?<=[b-df-hj-np-tvz])e(?=s?(?![a-z]))", ""),
    (r"[eiu]r(?![aiueory])", "a"),  # 4
    (r"(?<=[aiueo])r(?![aiueory])", ""),
    (r"l", "r"),  # 5
    (r"v", "b"),
    (r"th|sh(?=i)", "s"),
    (r"m(?=[bp])", "n"),
    (r"y(?![aiueo])", "i"),
    (r"([a-z])\1", r"\1"),  # 6
    (r"(?<=[b-df-hj-np-tvz])u(?![aiueo])", ""),  # 7
    (r"(?<=[td])o(?![aiueo])", ""),
    (r"([a-z])\1", r"\1"),
    (r"(?<=[a-z])['’・=\-](?=[a-z])", ""),  # 8
)
PATTERNS = [(re.compile(pattern), instead) for pattern, instead in ROMAJI_RULES]


@cache
def romaji_fingerprint() -> str:
    """Six characters that change with the table or the rules of this module; part of a score's signature."""
    return hashlib.sha256(repr((SOUNDS, GLIDES, SMALL, ONSETS, LETTERS, ROMAJI_RULES)).encode()).hexdigest()[
        :6
    ]


@lru_cache(1 << 16)
def romaji_form(reading: str) -> str:
    """A reading, kana or letters, in rough Latin letters; never empty for a text that is not empty.

    The rules, for both scripts alike:
    1. long vowels are short: ou, oo, oh -> o; ei -> e; aa, ii, uu, ee -> one of them; ー and っ go;
    2. ph -> f; wh, gh, rh -> w, g, r; ch before a consonant, ck, q -> k; c -> s before e, i, y, else k;
       x -> ks; g -> j before e, i, y;
    3. silent letters go: h after a vowel (Sarah), l in alm, olm, alk, olk (Holmes), a last e (Jane, James);
    4. er, ir, ur -> a, and r after another vowel goes, where no vowel follows (Arthur is アーサー);
    5. l -> r; v -> b; th -> s; shi -> si; m before b or p -> n; y -> i where no vowel follows;
    6. double letters are single;
    7. the vowels that kana must add go: u after a consonant, o after t or d, where no vowel follows (スミス);
    8. marks inside a word go: an apostrophe, ・, = and a hyphen.

    John and ジョン are both jon. Where the rules do not meet, the distance is mostly small: Holmes is homs,
    ホームズ homz; Mary is mari, メアリー meari.
    """
    text = hepburn(hiragana(reading))
    for pattern, instead in PATTERNS:
        text = pattern.sub(instead, text)
    return text or reading


def hepburn(kana: str) -> str:
    """Hiragana as Hepburn letters without marks for long or double sounds; other characters stay."""
    sounds: list[str] = []
    for char in kana:
        last = sounds[-1] if sounds else ""
        voiced = last[-1:] in tuple("aiueo") and last.isascii()
        if char in GLIDES and voiced and len(last) > 1:
            sounds[-1] = last[:-1] + (GLIDES[char][1:] if last in ("shi", "chi", "ji") else GLIDES[char])
        elif char in SMALL and voiced and last[-1] != SMALL[char]:
            sounds[-1] = ONSETS.get(last, last[:-1]) + SMALL[char]
        elif not (char == "ー" and voiced) and not (char in SMALL and voiced):
            sounds.append(_sound(char))
    if not any(sounds) and "っ" in kana:
        return "tsu"
    return "".join(sounds)


def _sound(char: str) -> str:
    if char == "っ":
        return ""
    return SOUNDS.get(char) or GLIDES.get(char) or SMALL.get(char) or char


def letters_of(text: str, reading: str) -> str:
    """The reading of a word, or the word itself where that only names its letters (Tom as ティーオーエム)."""
    plain = hiragana(text)
    named = plain.isascii() and plain.isalpha() and not text.isupper()
    return plain if named and reading == "".join(LETTER_NAMES[letter] for letter in plain) else reading


_KANJI = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆〇ヶ仝"
_VARIANT = "\ufe00-\ufe0f\U000e0100-\U000e01ef"  # says which form of a kanji is meant
_BRACKET = r"(?:\s*<rp>[^<>\n]*</rp>\s*)?"
_RUN = rf"(?<![{_KANJI}{_VARIANT}])((?:[{_KANJI}][{_VARIANT}]?)++)《([^《》｜|\n{_KANJI}]+)》"
_BARRED = r"[｜|]([^｜|《》\n]+)《([^《》｜|\n]+)》"
_RT = r"<rt\b[^<>]*>([^<>\n]*)</rt>"
_PAIR = rf"(?:<rb\b[^<>]*>)?([^<>\n]*[^<>\s])(?:</rb>)?\s*{_BRACKET}{_RT}{_BRACKET}\s*"
_PAIRS = re.compile(_PAIR, re.IGNORECASE)
_BASE = re.compile(r"<rb\b[^<>]*>([^<>\n]+)</rb>", re.IGNORECASE)
_READING = re.compile(_RT, re.IGNORECASE)
_APART = rf"(?:<rb\b[^<>]*>[^<>\n]+</rb>\s*)+(?:{_BRACKET}{_RT}{_BRACKET}\s*)+"
_TAG_OF_RUBY = r"<ruby\b[^<>]*>\s*"
_RUBY = re.compile(f"{_RUN}|{_BARRED}|{_TAG_OF_RUBY}(?:(?:{_PAIR})+|{_APART})</ruby>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a stored text. shown: what a reader sees of it, nothing if `hidden`; reading: above it."""

    start: int
    end: int
    shown: str
    reading: str = ""
    hidden: bool = False


def read_ruby(text: str) -> tuple[Piece, ...]:
    """The pieces of a text, which tile it: one for a text without ruby, none for an empty one.

    Without a bar a reading has no kanji (so in all 8,165 of the texts of Aozora Bunko at hand): 七人の侍 in
    映画《七人の侍》 is a title.
    """
    pieces: list[Piece] = []
    at = 0
    for match in _RUBY.finditer(text):
        if at < match.start():
            pieces.append(Piece(at, match.start(), text[at : match.start()]))
        at = match.start()
        for start, end, reading in _bases(match):
            if at < start:
                pieces.append(Piece(at, start, "", hidden=True))
            pieces.append(Piece(start, end, text[start:end], reading))
            at = end
        pieces.append(Piece(at, match.end(), "", hidden=True))
        at = match.end()
    if at < len(text):
        pieces.append(Piece(at, len(text), text[at:]))
    return tuple(pieces)


def plain(text: str) -> str:
    """The text without readings and markup."""
    if "《" not in text and "<" not in text:
        return text
    return "".join(piece.shown for piece in read_ruby(text))


def stored_places(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of `plain(text)`, none of them empty, as ranges of `text`: markup within one belongs to it."""
    shown = [piece for piece in read_ruby(text) if not piece.hidden]
    begins = [0, *accumulate(len(piece.shown) for piece in shown)]

    def stored(at: int) -> int:
        index = bisect_right(begins, at) - 1
        return shown[index].start + at - begins[index]

    return [(stored(start), stored(end - 1) + 1) for start, end in places]


def plain_places(text: str, places: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of `text` as ranges of `plain(text)`: what is not shown falls out of them."""
    shown = [not piece.hidden for piece in read_ruby(text) for _ in range(piece.start, piece.end)]
    before = [0, *accumulate(map(int, shown))]
    return [(before[start], before[end]) for start, end in places]


def _bases(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Where each base of one piece of ruby lies, and its reading."""
    for base in (1, 3):
        if match[base]:
            yield *match.span(base), match[base + 1]
            return
    behind = match.string.index(">", match.start()) + 1
    bases = list(_BASE.finditer(match.string, behind, match.end()))
    readings = [one[1] for one in _READING.finditer(match.string, behind, match.end())]
    if len(bases) > 1 and len(bases) == len(readings):
        for found, reading in zip(bases, readings, strict=True):
            yield *found.span(1), reading
        return
    for pair in _PAIRS.finditer(match.string, behind, match.end()):
        yield *pair.span(1), pair[2]
