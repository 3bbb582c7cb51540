"""The only place that edits a text. Metrics read what this gives; offsets always mean the stored text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice


def strip_edges(text: str) -> tuple[str, int]:
    """Cut blanks (U+3000 too) from both ends; return the rest and how many code points went at the front.

    This is what bert_score does before it reads a text (`str.strip`).
    """
    rest = text.lstrip()
    return rest.rstrip(), len(text) - len(rest)


def is_blank(text: str) -> bool:
    """Whether nothing but blanks (U+3000 too) is there."""
    return not text.strip()


def guess_lang(texts: Iterable[str]) -> str:
    """`ja` where there is kana, else `ko` or `zh` by script, else `en`; looks at the first 200 texts."""
    sample = "".join(islice(texts, 200))
    kana = sum("\u3041" <= char <= "\u30ff" for char in sample)
    hangul = sum("\uac00" <= char <= "\ud7a3" for char in sample)
    han = sum("\u4e00" <= char <= "\u9fff" for char in sample)
    if kana and kana >= hangul:
        return "ja"
    if hangul:
        return "ko"
    return "zh" if han > len(sample) / 4 else "en"
