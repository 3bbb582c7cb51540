"""Answers by rule: the span of the hypothesis in the place of the reference's answer, and how they compare.

A candidate is chosen by its context and not by its meaning: its vector beside the answer's, its kind, its
role in the sentence, and whether the word it depends on is the partner of the answer's. Two answers are
compared exactly, by words as they are read, by n-grams, or by values.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from core.metrics.bertscore.matching import unit_rows
from core.metrics.mteqa.answer_spans import NAME, VALUE, AnswerSpan
from core.metrics.mteqa.names import CLOSE, abbreviates, short
from core.metrics.structure.subtrees import word_vectors
from core.metrics.surface import score_bleu, score_chrf
from core.types import Parse, TextPair, TokenVectors
from core.values.values import agreement

SAME_KIND, SAME_LABEL, SAME_ROLE, SAME_GOVERNOR, ORDER = 0.3, 0.1, 0.1, 0.1, 0.1
"""What each agreement adds to the cosine of two spans; `ORDER` is taken off by relative distance."""
LEAST = 0.9
"""Below this sum there is no answer (unrelated spans of the same kind reach about .8)."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchingSide:
    """One text ready for matching: its spans, their unit vectors (s, d), and its parse with unit words."""

    spans: tuple[AnswerSpan, ...]
    vectors: NDArray[np.float32]
    words: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The span that fits best, None where none does well enough, and how well it fits."""

    span: AnswerSpan | None
    fit: float


def side(spans: Sequence[AnswerSpan], parse: Parse, tokens: TokenVectors) -> MatchingSide:
    """Vectors of spans: the mean over the words with their tokens' maximum."""
    words, found = word_vectors(parse, tokens)
    rows = [
        words[first:last][found[first:last]].mean(axis=0)
        if found[first:last].any()
        else np.zeros(words.shape[1], np.float32)
        for first, last in (span.words for span in spans)
    ]
    vectors = np.array(rows, np.float32).reshape(len(rows), words.shape[1])
    return MatchingSide(tuple(spans), unit_rows(vectors), unit_rows(words))


def answers(reference: MatchingSide, hypothesis: MatchingSide) -> list[Answer]:
    """For each span of the reference the best fitting one of the hypothesis, which is then taken."""
    if not (reference.spans and hypothesis.spans):
        return [Answer(span=None, fit=0.0) for _ in reference.spans]
    fit = fits(reference, hypothesis)
    found: list[Answer] = [Answer(span=None, fit=0.0)] * len(reference.spans)
    free = np.ones(len(hypothesis.spans), bool)
    for own in np.argsort(-fit.max(axis=1), kind="stable"):
        row = np.where(free, fit[own], -np.inf)
        best = int(row.argmax())
        if row[best] < LEAST:
            continue
        free[best] = False
        found[own] = Answer(span=hypothesis.spans[best], fit=float(row[best]))
    return found


def fits(reference: MatchingSide, hypothesis: MatchingSide) -> NDArray[np.float64]:
    """(r, h) how well each span of the hypothesis stands where each of the reference does."""
    fit = (reference.vectors @ hypothesis.vectors.T).astype(np.float64)
    partner = (reference.words @ hypothesis.words.T).argmax(axis=1) if len(hypothesis.words) else np.zeros(0)
    for i, one in enumerate(reference.spans):
        for j, other in enumerate(hypothesis.spans):
            fit[i, j] += SAME_KIND * _same_kind(one, other)
            fit[i, j] += SAME_LABEL * (one.label == other.label)
            fit[i, j] += SAME_ROLE * (one.role == other.role)
            if one.governor >= 0 and other.governor >= 0:
                fit[i, j] += SAME_GOVERNOR * (partner[one.governor] == other.governor)
            here = one.words[0] / max(len(reference.words), 1)
            there = other.words[0] / max(len(hypothesis.words), 1)
            fit[i, j] -= ORDER * abs(here - there)
    return fit


def _same_kind(one: AnswerSpan, other: AnswerSpan) -> float:
    """1 for the same kind; a name and a thing are near; a value is like no other kind."""
    if one.kind == other.kind:
        return 1.0
    if VALUE in (one.kind, other.kind):
        return 0.0
    return 0.7 if NAME in (one.kind, other.kind) else 0.5


MARKS = re.compile(r"[^\w%$€£¥°.]+|(?<!\d)\.|\.(?!\d)|_")
ARTICLES = frozenset({"a", "an", "the"})
COMPARISONS = ("value", "name", "loose", "f1", "em", "bleu", "chrf")
"""Those that need the two answers and nothing else."""
BERTSCORE = "bertscore"


@dataclass(frozen=True, slots=True)
class AnswerComparison:
    """What one comparison says, in [0, 1]; None where it does not apply."""

    name: str
    value: float | None


def verdicts(
    expected: str,
    given: str,
    expected_words: Sequence[str],
    given_words: Sequence[str],
    lang: str,
    *,
    tokens: tuple[Sequence[str], Sequence[str]] | None = None,
    name: float | None = None,
) -> tuple[AnswerComparison, ...]:
    """Every comparison of two answers; without a given answer all that apply are 0.

    The words are readings (さいとう for 斎藤), articles and marks aside. tokens: of both answers as they are
    written, for the plain F1; without them those of the normal forms. name: the agreement of two names, None
    where the answer is no name.
    """
    applies = agreement(expected, expected) is not None
    if not given:
        left_out = {"value": not applies, "name": name is None}
        return tuple(AnswerComparison(one, None if left_out.get(one) else 0.0) for one in COMPARISONS)
    words = [
        [word for word in some if word not in ARTICLES] or list(some)
        for some in (expected_words, given_words)
    ]
    short = 1.0 if abbreviated(expected, given) else 0.0
    pair = TextPair(reference=expected, hypothesis=given, lang=lang)
    written = tokens or (plain(expected, lang).split(), plain(given, lang).split())
    return (
        AnswerComparison("value", agreement(expected, given)),
        AnswerComparison("name", name),
        AnswerComparison("loose", max(short, word_f1(*words))),
        AnswerComparison("f1", token_f1(*written)),
        AnswerComparison("em", exact(expected, given, lang)),
        AnswerComparison("bleu", (score_bleu(pair).score or 0.0) / 100),
        AnswerComparison("chrf", (score_chrf(pair).score or 0.0) / 100),
    )


def decide(found: Sequence[AnswerComparison], compare: str, *, answered: bool) -> tuple[str, float, str]:
    """Which verdict counts, its value, and the reason in a fixed word.

    Under `value` an answer without a value is compared as a name where it is one, else by its words.
    """
    by_name = {one.name: one.value for one in found}
    order = (compare, "name", "loose") if compare == "value" else (compare, "loose")
    name = next(one for one in order if by_name.get(one) is not None)
    value = by_name[name] or 0.0
    if not answered:
        return name, 0.0, "no-answer"
    kind = name if name in ("value", "name") else "words"
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


def token_f1(expected: Sequence[str], given: Sequence[str]) -> float:
    """F1 over tokens as multisets, as in SQuAD and MTEQA; 0 without tokens."""
    shared = (Counter(expected) & Counter(given)).total()
    return 2 * shared / (len(expected) + len(given)) if shared else 0.0


def abbreviated(expected: str, given: str) -> bool:
    """Whether one abbreviates the other, as GDP does gross domestic product."""
    pairs = ((expected, given), (given, expected))
    return any(
        short(one) and one.isupper() and len(other.split()) > 1 and abbreviates(one, _spelled(other))
        for one, other in pairs
    )


def _spelled(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())


def _letters(one: str, other: str) -> float:
    return 1 - float(Levenshtein.normalized_distance(one, other))
