"""Whether two answers say the same: exact, by words as they are read, by n-grams, by values."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from core.metrics.surface import score_bleu, score_chrf
from core.types import TextPair
from core.values.values import agreement

MARKS = re.compile(r"[^\w%$€£¥°.]+|(?<!\d)\.|\.(?!\d)|_")
ARTICLES = frozenset({"a", "an", "the"})
LITTLE = ARTICLES | {"of", "and", "for", "in", "on", "to"}
CLOSE = 0.8
"""From this agreement of their letters on two words count as nearly the same."""
COMPARISONS = ("value", "f1", "em", "bleu", "chrf")
"""Those that need the two answers and nothing else."""
BERTSCORE = "bertscore"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one comparison says, in [0, 1]; None where it does not apply."""

    name: str
    value: float | None


def verdicts(
    expected: str, given: str, expected_words: Sequence[str], given_words: Sequence[str], lang: str
) -> tuple[Verdict, ...]:
    """Every comparison of two answers. The words are readings (さいとう for 斎藤), articles and marks aside.

    Without a given answer all that apply are 0.
    """
    applies = agreement(expected, expected) is not None
    if not given:
        return tuple(Verdict(name, 0.0 if name != "value" or applies else None) for name in COMPARISONS)
    words = [
        [word for word in some if word not in ARTICLES] or list(some)
        for some in (expected_words, given_words)
    ]
    short = 1.0 if acronym(expected, given) else 0.0
    pair = TextPair(reference=expected, hypothesis=given, lang=lang)
    return (
        Verdict("value", agreement(expected, given)),
        Verdict("f1", max(short, word_f1(*words))),
        Verdict("em", exact(expected, given, lang)),
        Verdict("bleu", (score_bleu(pair).score or 0.0) / 100),
        Verdict("chrf", (score_chrf(pair).score or 0.0) / 100),
    )


def decide(found: Sequence[Verdict], compare: str, *, answered: bool) -> tuple[str, float, str]:
    """Which verdict counts, its value, and the reason in a fixed word.

    Under `value` an answer without a value is compared by its words.
    """
    by_name = {one.name: one.value for one in found}
    name = compare if by_name.get(compare) is not None else "f1"
    value = by_name[name] or 0.0
    if not answered:
        return name, 0.0, "no-answer"
    kind = "value" if name == "value" else "words"
    return name, value, f"same-{kind}" if value == 1 else f"other-{kind}" if value == 0 else f"part-{kind}"


def plain(text: str, lang: str) -> str:
    """NFKC, lower case, without marks, English without articles: MTEQA's form, made fit for Japanese."""
    words = MARKS.sub(" ", unicodedata.normalize("NFKC", text).lower()).split()
    if lang == "ja":
        return "".join(words)
    return " ".join(word for word in words if word not in ARTICLES)


def exact(expected: str, given: str, lang: str) -> float:
    """1 where the normal forms are equal and not empty, else 0."""
    one = plain(expected, lang)
    return float(bool(one) and one == plain(given, lang))


def word_f1(expected: Sequence[str], given: Sequence[str]) -> float:
    """F1 over words as multisets; a word may meet one that is spelled nearly alike, for its agreement."""
    if not (expected and given):
        return 0.0
    left, right = Counter(expected), Counter(given)
    shared = float((left & right).total())
    ours, theirs = list((left - right).elements()), list((right - left).elements())
    for word in ours:
        likeness, place = max(
            ((_letters(word, other), at) for at, other in enumerate(theirs)), default=(0.0, 0)
        )
        if likeness >= CLOSE:
            shared += likeness
            del theirs[place]
    precision, recall = shared / len(given), shared / len(expected)
    return 0.0 if not shared else 2 * precision * recall / (precision + recall)


def acronym(expected: str, given: str) -> bool:
    """Whether one abbreviates the other, as GDP does gross domestic product.

    Each word but the little ones gives its first letter, perhaps further ones, in order.
    """
    for short, long in ((expected, given), (given, expected)):
        letters = re.sub(r"[^A-Za-z]", "", short)
        words = [word for word in re.findall(r"[a-z]+", long.lower()) if word not in LITTLE]
        single = len(short.split()) == 1 and 2 <= len(letters) <= 12 and letters.isupper()
        if single and len(words) > 1 and _abbreviates(letters.lower(), tuple(words)):
            return True
    return False


@lru_cache(1 << 12)
def _abbreviates(letters: str, words: tuple[str, ...]) -> bool:
    """Whether the letters are taken from the words in order, the first of each word among them."""
    if not words or not letters:
        return not words and not letters
    if letters[0] != words[0][0]:
        return False
    rest, place = letters[1:], 1
    while True:
        if _abbreviates(rest, words[1:]):
            return True
        place = words[0].find(rest[0], place) + 1 if rest else 0
        if place == 0:
            return False
        rest = rest[1:]


def _letters(one: str, other: str) -> float:
    return 1 - float(Levenshtein.normalized_distance(one, other))
