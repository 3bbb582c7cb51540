"""Which language a text is in, as far as its script tells. Only used where nobody said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice

import langcodes

from core.errors import InputError

UNKNOWN = "und"
"""ISO 639's word for "undetermined"."""

_SAMPLE = 200


def guess_lang(texts: Iterable[str]) -> str:
    """`ja`, `ko` or `zh` by script, `en` for Latin letters, else `und`. Looks at the first 200 texts."""
    chars = Counter(char for text in islice(texts, _SAMPLE) for char in text)
    kana = _count(chars, "\u3041", "\u30ff")
    han = _count(chars, "\u4e00", "\u9fff")
    hangul = _count(chars, "\uac00", "\ud7a3")
    latin = _count(chars, "A", "Z") + _count(chars, "a", "z")
    if max(kana + han, hangul, latin) == 0:
        return UNKNOWN
    if hangul > kana + han and hangul > latin / 4:
        return "ko"
    if kana + han > latin / 4:
        return "ja" if kana > han / 10 else "zh"
    return "en"


def iso_code(tag: str) -> str:
    """The ISO 639 code of a language tag, of two letters where there is one: `jpn` and `ja_JP` are `ja`.

    Raises InputError for what is no language.
    """
    try:
        language = langcodes.get(langcodes.standardize_tag(tag, macro=True))
    except ValueError:
        language = langcodes.get(UNKNOWN)
    code = language.language or UNKNOWN
    if code == UNKNOWN or not langcodes.tag_is_valid(code):
        raise InputError(f"“{tag:.40}” is no language code; write it like ja, jpn or ja-JP.")
    return code


def _count(chars: Counter[str], first: str, last: str) -> int:
    return sum(count for char, count in chars.items() if first <= char <= last)


def resolve_langs(
    source_lang: str | None, target_lang: str | None, sources: Iterable[str], references: Iterable[str]
) -> tuple[tuple[str, str], tuple[str, ...]]:
    """The two languages, and a note for each that had to be guessed."""
    notes: list[str] = []
    if source_lang is None:
        source_lang = guess_lang(sources)
        notes.append(f"The source language was taken to be “{source_lang}”; name it if it is another.")
    if target_lang is None:
        target_lang = guess_lang(references)
        notes.append(f"The target language was taken to be “{target_lang}”; name it if it is another.")
    return (source_lang, target_lang), tuple(notes)
