"""Text before it is scored: well-formed characters and edges; and which language it is in.

Offsets always mean the stored text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from core.errors import InputError

UNKNOWN = "und"
"""ISO 639's word for an undetermined language."""

_SAMPLE = 200

LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def strip_edges(text: str) -> tuple[str, int]:
    """Cut blanks (U+3000 too) from both ends; return the rest and how many code points went at the front.

    This is what bert_score does before it reads a text (`str.strip`).
    """
    rest = text.lstrip()
    return rest.rstrip(), len(text) - len(rest)


def well_formed(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no tokenizer can read; offsets stay."""
    return LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def base_lang(tag: str) -> str:
    """`ja` for `ja-JP`: what metrics go by."""
    return tag.partition("-")[0].lower()


def guess_lang(texts: Iterable[str], *, unknown: str = "en") -> str:
    """`ja`, `ko` or `zh` by script, `en` for Latin letters, else `unknown`. Looks at the first 200 texts.

    Scripts are compared by their shares: a name in kana does not make an English text Japanese.
    """
    chars = Counter(char for text in islice(texts, _SAMPLE) for char in text)
    kana = _count(chars, "\u3041", "\u30ff") + _count(chars, "\uff66", "\uff9f")
    han = _count(chars, "\u4e00", "\u9fff")
    hangul = _count(chars, "\uac00", "\ud7a3")
    latin = _count(chars, "A", "Z") + _count(chars, "a", "z")
    if max(kana + han, hangul, latin) == 0:
        return unknown
    if hangul > kana + han and hangul > latin / 4:
        return "ko"
    if kana + han > latin / 4:
        return "ja" if kana > han / 10 else "zh"
    return "en"


_COUNTRIES = dict(
    zip(
        ["jp", "cn", "gr", "cz", "dk", "ua", "vn", "il", "ir", "at", "gb", "us"],
        ["ja", "zh", "el", "cs", "da", "uk", "vi", "he", "fa", "de", "en", "en"],
        strict=True,
    )
)
"""Codes of countries that people write for a language, and that are the code of no language."""


def same_tag(one: str, other: str) -> bool:
    """Whether two language tags name the same variant: `zh-TW` and `zh_TW`, not `zh-CN`."""
    import langcodes  # its tables take a tenth of a second

    return langcodes.standardize_tag(one).lower() == langcodes.standardize_tag(other).lower()


def iso_code(tag: str) -> str:
    """The ISO 639 code of a language tag, of two letters where there is one: `jpn` and `ja_JP` are `ja`.

    Raises InputError for anything that is not a language.
    """
    import langcodes

    try:
        language = langcodes.get(langcodes.standardize_tag(tag, macro=True))
    except ValueError:
        language = langcodes.get(UNKNOWN)
    code = language.language or UNKNOWN
    if code == UNKNOWN or not langcodes.tag_is_valid(code):
        meant = _COUNTRIES.get(tag.lower())
        if meant is not None:
            raise InputError(
                "“{tag:.40}” is not a language code; did you mean {meant}?", tag=tag, meant=meant
            )
        raise InputError("“{tag:.40}” is not a language code; write it like ja, jpn or ja-JP.", tag=tag)
    return code


def _count(chars: Counter[str], first: str, last: str) -> int:
    return sum(count for char, count in chars.items() if first <= char <= last)
