"""Whether two answers say the same: exact, by words, by values, or by whichever fits the question."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from rapidfuzz.distance import Levenshtein

from core.metrics.values import agreement

MARKS = re.compile(r"[^\w%$€£¥°.]+|(?<!\d)\.|\.(?!\d)|_")
ARTICLES = frozenset({"a", "an", "the"})
CLOSE = 0.8
"""From this agreement of letters on two words of a name count as spelled alike."""

Words = Callable[[str], Sequence[str]]


def plain(text: str, lang: str) -> str:
    """NFKC, lower case, without marks; English also without articles (MTEQA's normal form, made fit for
    Japanese)."""
    words = MARKS.sub(" ", unicodedata.normalize("NFKC", text).lower()).split()
    if lang == "ja":
        return "".join(words)
    return " ".join(word for word in words if word not in ARTICLES)


def exact(expected: str, given: str, lang: str) -> float:
    """1 where the normal forms are equal and not empty, else 0."""
    one = plain(expected, lang)
    return float(bool(one) and one == plain(given, lang))


def word_f1(expected: Sequence[str], given: Sequence[str]) -> float:
    """F1 over words as multisets; a word may be met by one that is spelled nearly alike, for its agreement."""
    if not (expected and given):
        return 0.0
    left, right = Counter(expected), Counter(given)
    shared = float((left & right).total())
    ours, theirs = list((left - right).elements()), list((right - left).elements())
    for word in ours:
        best = max(theirs, key=lambda other, word=word: _letters(word, other), default=None)
        if best is not None and _letters(word, best) >= CLOSE:
            shared += _letters(word, best)
            theirs.remove(best)
    precision, recall = shared / len(given), shared / len(expected)
    return 0.0 if not shared else 2 * precision * recall / (precision + recall)


def acronym(expected: str, given: str) -> bool:
    """Whether one is made of the first letters of the other (ASEAN, Association of Southeast Asian Nations)."""
    for short, long in ((expected, given), (given, expected)):
        letters = re.sub(r"[^A-Za-z]", "", short)
        capitals = "".join(word[0] for word in re.findall(r"[A-Za-z]+", long) if word[0].isupper())
        initials = "".join(word[0] for word in re.findall(r"[A-Za-z]+", long))
        single = len(short.split()) == 1 and len(letters) >= 2
        if single and letters.isupper() and letters.lower() in (capitals.lower(), initials.lower()):
            return True
    return False


def by_value(expected: str, given: str) -> float | None:
    """Agreement of the values; None where the expected answer has none."""
    return agreement(expected, given)


def _letters(one: str, other: str) -> float:
    return 1 - float(Levenshtein.normalized_distance(one, other))
