"""The words of a text as BLEU counts them: MeCab's for Japanese, what stands between blanks elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import cast

from core.errors import UnavailableError
from core.text.languages import well_formed

_WORD = re.compile(r"\S+")


def word_places(text: str, lang: str) -> list[tuple[int, int]]:
    """Half-open code points of each word, in order. Raises UnavailableError where MeCab is not installed."""
    if lang != "ja":
        return [found.span() for found in _WORD.finditer(text)]
    plain = well_formed(text).replace("\0", " ")
    places, at = [], 0
    for line in re.split("[\r\n]", plain):
        for token in _mecab()(line).split():
            start = plain.find(token, at)
            if start >= 0:
                at = start + len(token)
                places.append((start, at))
    return places


def glue(lang: str) -> str:
    """What stands between two words of a language."""
    return "" if lang in ("ja", "zh", "th") else " "


@cache
def _mecab() -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    try:
        return cast("Callable[[str], str]", BLEU(tokenize="ja-mecab", effective_order=True).tokenizer)
    except (ImportError, RuntimeError) as error:
        raise UnavailableError("MeCab is not installed; pip install 'sacrebleu[ja]'.") from error
