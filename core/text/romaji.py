"""The romaji bridge: one rough spelling for a name in kana and in Latin letters, so that John meets ジョン.

Kana become Hepburn by the table below and not by pykakasi, which reads じぇ as jie and てぃ as tei. What is
neither kana nor a letter from a to z stays as it is. Then the rules of `romaji_form` make both scripts alike.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache, lru_cache

from core.text.spelling import hiragana

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

RULES = (
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
PATTERNS = [(re.compile(pattern), instead) for pattern, instead in RULES]


@cache
def romaji_fingerprint() -> str:
    """Six characters that change with the table or the rules of this module; part of a score's signature."""
    return hashlib.sha256(repr((SOUNDS, GLIDES, SMALL, ONSETS, LETTERS, RULES)).encode()).hexdigest()[:6]


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
