"""Numbers as they are written: digits, kanji numerals, English words. All exact, as fractions."""

from __future__ import annotations

import re
from fractions import Fraction

DIGITS = {char: value for value, chars in enumerate(
    ("〇零", "一壱", "二弐", "三参", "四", "五伍", "六", "七", "八", "九")) for char in chars}  # fmt: skip
SMALL = {"十": 10, "拾": 10, "百": 100, "千": 1000}
LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "兆": 10**12, "京": 10**16}
KANJI = "".join([*DIGITS, *SMALL, *LARGE])
ARABIC = r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?"
JAPANESE = re.compile(rf"(?:{ARABIC}|[{KANJI}])+")
_PART = re.compile(rf"{ARABIC}|[{''.join(DIGITS)}]+|[{''.join(SMALL)}{''.join(LARGE)}]")

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {word: value for value, word in enumerate(UNITS)}
WORDS |= {word: 10 * (place + 2) for place, word in enumerate(TENS)}
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "k": 10**3, "m": 10**6, "mn": 10**6, "bn": 10**9, "tn": 10**12,
}  # fmt: skip
ORDINALS = {
    word: value
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        1,
    )
} | {f"{word[:-1]}ieth": 10 * (place + 3) for place, word in enumerate(TENS[1:])}
PARTS = {"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4}
PARTS |= {f"{word}s": value for word, value in ORDINALS.items() if value > 4}


def japanese_number(text: str) -> Fraction | None:
    """`5400万`, `五千四百万`, `1,234.5`, `二〇二四`, `三億二千万` as a number; None where it is none.

    `text` is NFKC. Kanji digits in a row are read by place (二〇二四); 十, 百 and 千 without a digit are one.
    """
    parts = _PART.findall(text)
    if not parts or "".join(parts) != text:
        return None
    total, section = Fraction(0), Fraction(0)
    current: Fraction | None = None
    for part in parts:
        if part in SMALL:
            section += (Fraction(1) if current is None else current) * SMALL[part]
            current = None
        elif part in LARGE:
            group = section + (current or 0)
            total += (group or Fraction(1)) * LARGE[part]
            section, current = Fraction(0), None
        elif current is not None:
            return None
        elif part[0] in DIGITS:
            current = Fraction(int("".join(str(DIGITS[char]) for char in part)))
        else:
            current = Fraction(part.replace(",", ""))
    return total + section + (current or 0)


def english_number(words: list[str]) -> Fraction | None:
    """`three hundred and five`, `54 million`, `twenty-one`, `two and a half` as a number, or None.

    `words` are lower case, hyphens already cut.
    """
    total, group = Fraction(0), Fraction(0)
    seen = False
    for place, word in enumerate(words):
        if word == "and" and seen and place + 1 < len(words):
            continue
        if word in ("a", "an") and place + 1 < len(words) and words[place + 1] in (*SCALES, "dozen", *PARTS):
            group += 1 if words[place + 1] not in PARTS and not group else 0
        elif word == "half" and not seen and words[place + 1 : place + 2] in (["a"], ["an"]):
            group += Fraction(1, 2)
        elif word in WORDS:
            group += WORDS[word]
        elif re.fullmatch(ARABIC, word):
            group += Fraction(word.replace(",", ""))
        elif word in ("hundred", "dozen"):
            group = (group or Fraction(1)) * (100 if word == "hundred" else 12)
        elif word in SCALES:
            total += (group or Fraction(1)) * SCALES[word]
            group = Fraction(0)
        elif word in PARTS and seen and words[place - 1] in ("a", "an"):
            group += Fraction(1, PARTS[word])
        else:
            return None
        seen = True
    return total + group if seen else None
