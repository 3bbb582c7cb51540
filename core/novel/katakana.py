"""What katakana tell about names in Japanese texts, beside models and rules for names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from core.backends import Word
from core.hacks.names import PERSON, PLACE
from core.metrics.bertscore.weights import SHIPPED_NAMES, shipped_path
from core.metrics.idf import load_word_idf, word_key

KATAKANA = re.compile(r"[ァ-ヺー・＝゠ ]+")
_LONG_KATAKANA = re.compile("[ァ-ヺー]{3,}")
_STREET = re.compile(
    "[ァ-ヺー]{2,}(?:・[ァ-ヺー]{2,})*?(?:街|通り|州|郡|"
    "・?(?:ストリート|スクエア|スクェア|スクウェア|パーク|アヴェニュー|アベニュー|ロード)(?![ァ-ヺー]))"
)
_NUMBER = re.compile(r"[0-9０-９〇一二三四五六七八九十百千万数半]$")
_WAYS = re.compile("に|へ|から|で|まで|より")
SHORTEST_PART = 3
"""Katakana of a first name or a surname that is found by itself because the full name was found."""
_SENTENCE = re.compile(r"[^。．！？!?「」『』（）()―—…\n]+")
_WORDS_IN_KATAKANA = re.compile(r"[ァ-ヺー]{12,}|[ァ-ヺー]+[ 　]+[ァ-ヺー]+")
LONG_ENOUGH = 8
"""Katakana of a sentence that is written in them, as telegrams are."""


def katakana_sentences(text: str) -> list[tuple[int, int]]:
    """Sentences that are written in katakana alone, such as telegrams: in them katakana tell no name."""
    return [
        found.span()
        for found in _SENTENCE.finditer(text)
        if not re.search("[ぁ-ゖ]", found[0])
        and len(re.findall("[ァ-ヺー]", found[0])) >= LONG_ENOUGH
        and _WORDS_IN_KATAKANA.search(found[0])
    ]


def streets(text: str) -> dict[tuple[int, int], str]:
    """Places in katakana that say what they are: a street, a square, a park, a county."""
    return {found.span(): PLACE for found in _STREET.finditer(text)}


def unseen_names(
    texts: Sequence[str],
    spelled: Mapping[str, Sequence[Word]],
    places: Mapping[str, Mapping[tuple[int, int], str]],
    *,
    at_least: int,
) -> dict[str, str]:
    """Words in katakana that no model labels and no dictionary counts, and that stand often: with their kind.

    A word that mostly stands after a number is a measure. spelled: the words of each text. places: the names
    that are found. at_least: how often such a word must stand in all texts.
    """
    stands: dict[str, list[tuple[str, Word]]] = defaultdict(list)
    for text in texts:
        taken = [*places[text], *katakana_sentences(text)]
        for word in spelled[text]:
            if _LONG_KATAKANA.fullmatch(word.text) and is_free((word.start, word.end), taken):
                stands[word.text].append((text, word))
    often = {form: own for form, own in stands.items() if len(own) >= at_least}
    if not often:
        return {}
    counted = counted_words()
    found = {}
    for form, own in often.items():
        measures = sum(bool(_NUMBER.search(text[: word.start])) for text, word in own)
        ways = sum(bool(_WAYS.match(text, word.end)) for text, word in own)
        if word_key(form) not in counted and 2 * measures <= len(own):
            found[form] = PLACE if 2 * ways > len(own) else PERSON
    return found


@cache
def counted_words() -> frozenset[str]:
    """The words, in their `word_key`, that the shipped Japanese dictionaries count: novels and articles."""
    paths = (shipped_path(name, "ja", "word") for name in SHIPPED_NAMES)
    return frozenset(key for path in paths for key in load_word_idf(path).frequencies)


def name_parts(form: str) -> list[str]:
    """First name and surname of a full name in katakana; none of another name."""
    parts = form.split("・") if KATAKANA.fullmatch(form) else []
    return [part for part in parts if len(part) >= SHORTEST_PART] if len(parts) > 1 else []


def is_free(place: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    """Whether a stretch overlaps none of these."""
    return all(place[1] <= start or end <= place[0] for start, end in taken)
