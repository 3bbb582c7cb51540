"""The only place that edits a text. Metrics read what this gives; offsets always mean the stored text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

LONE_SURROGATE = re.compile("[\ud800-\udfff]")

SENTENCE = re.compile("[。．！？!?…]+[」』）)\"'’”]*|[.](?=\\s|$)[)\"'’”]*|\n+")


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


def sentence_starts(text: str) -> list[int]:
    """Where each sentence of a text begins, by its marks: the first is 0. No model is asked."""
    ends = [found.end() for found in SENTENCE.finditer(text)]
    return [0, *(end for end in ends if text[end:].strip())]
