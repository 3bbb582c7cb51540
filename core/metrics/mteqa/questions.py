"""Questions from a reference by rules: what is named, counted, done or talked about becomes an answer.

The question is the answer's sentence with a question word in its place (だれ, どこ, いつ, いくつ, 何; who,
who or what, how many at the head of a clause) where that is surely right, else with a gap.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.backends import Word
from core.metrics.mteqa import wording
from core.metrics.mteqa.answer_spans import ACTION, NAME, THING, VALUE, AnswerSpan, light, spans, word_spans
from core.metrics.mteqa.wording import GAP, AnswerInSentence
from core.types import Parse, ParsedWord

MOST = 40
"""Questions of a text at most, those about values and names first."""
CONTEXT = {"ja": 1}
"""Words with a meaning that must be left beside the answer, by language; elsewhere two."""
ENOUGH = {"ja": 8}
"""So many letters beside the answer are as good, by language."""
LEAST = {"ja": 2}
"""So many letters, pronouns aside, must be left where a text has no better question; elsewhere four."""
LEAST_OF_VALUE = 3
"""The same beside a value: she was ____ (five-and-twenty years old)."""
_ENDS = frozenset("。．.!！?？…」』”")
_PAIRS = {"「": "」", "『": "』", "“": "”", "（": "）"}
_QUOTES = '「」『』“”"'
_HYPHEN = re.compile(r"[^\W\d_][-–]$")
_CLOCK = (re.compile(r"\d\s?:\s?$"), re.compile(r"\s?:\s?\d"))
_NTH = re.compile("(?:st|nd|rd|th)$")
_MEANING = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "NUM"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its expected answer. asks: `who`, `where`, `when`, `how-many`, `what` or `gap`.

    again: whether it belongs to the second round, about what no answer of the first covers.
    """

    text: str
    answer: str
    asks: str
    span: AnswerSpan
    again: bool = False


def questions(text: str, parse: Parse, words: Sequence[Word], lang: str) -> list[Question]:
    """Questions about a text in order of their answers, each answer and question once."""
    order = {VALUE: 0, NAME: 1, THING: 2, ACTION: 3}
    whole = [span for span in spans(text, parse, words) if span.kind != VALUE or _whole(text, parse, span)]
    rest = {span: _rest(parse, _sentence(text, parse, span), span) for span in whole}
    some = [span for span in whole if _enough(rest[span], lang)]
    if not some:
        least = {span: LEAST.get(lang, LEAST_OF_VALUE if span.kind == VALUE else 4) for span in whole}
        some = [span for span in whole if _letters(_no_pronouns(rest[span])) >= least[span]]
    chosen = sorted(some, key=lambda span: order[span.kind])[:MOST]
    found: dict[tuple[str, str], Question] = {}
    for span in sorted(chosen, key=lambda one: one.start):
        question = _question(text, parse, span, lang)
        found.setdefault((question.answer, question.text), question)
    return list(found.values())


def further_questions(
    text: str, parse: Parse, words: Sequence[Word], lang: str, asked: Sequence[Question]
) -> list[Question]:
    """A second round: a gap for each word with a meaning that no answer of the first round covers."""
    covered = [(one.span.start, one.span.end) for one in asked]
    found: dict[str, Question] = {}
    for span in word_spans(text, parse, words, covered)[:MOST]:
        before, after = _around(text, parse, span)
        rest = _rest(parse, _sentence(text, parse, span), span)
        if _letters(_no_pronouns(rest)) >= LEAST.get(lang, 4):
            answer = text[span.start : span.end]
            gap = Question(text=_gap(before, after), answer=answer, asks="gap", span=span, again=True)
            found.setdefault(gap.text, gap)
    return list(found.values())


def _gap(before: str, after: str) -> str:
    return _paired(f"{before.lstrip()}{GAP}{after.rstrip()}")


def _around(text: str, parse: Parse, span: AnswerSpan) -> tuple[str, str]:
    """What stands before and after the answer in its sentence."""
    places = _sentence(text, parse, span)
    start, end = parse.words[places[0]].start, parse.words[places[1] - 1].end
    return text[start : span.start], text[span.end : end]


def _question(text: str, parse: Parse, span: AnswerSpan, lang: str) -> Question:
    """The sentence with a question word for the answer where the language's rules allow one, else a gap."""
    places = _sentence(text, parse, span)
    before, after = _around(text, parse, span)
    answer = text[span.start : span.end]
    sentence = f"{before}{answer}{after}"
    asked = None
    earlier = text[: span.start - len(before)]
    quoted = any(mark in sentence for mark in _QUOTES) or earlier.count("「") > earlier.count("」")
    if not quoted:
        asking = AnswerInSentence(
            parse=parse, places=places, span=span, answer=answer, before=before, after=after
        )
        asked = (
            wording.question_ja(asking)
            if lang == "ja"
            else wording.question_en(asking)
            if lang == "en"
            else None
        )
    if asked is not None:
        return Question(text=asked[1], answer=answer, asks=asked[0], span=span)
    return Question(text=_gap(before, after), answer=answer, asks="gap", span=span)


def _paired(sentence: str) -> str:
    """Without a bracket at the edge whose partner stands in another sentence."""
    for opening, closing in _PAIRS.items():
        if sentence.startswith(opening) and closing not in sentence:
            return sentence[1:]
        if sentence.endswith(closing) and opening not in sentence:
            return sentence[:-1]
    return sentence


def _whole(text: str, parse: Parse, span: AnswerSpan) -> bool:
    """Whether a value is not a part of a word: not 朝六時 in 毎朝六時, nor a number in COVID-19 or 737NG."""
    first, last = parse.words[span.words[0]], parse.words[span.words[1] - 1]
    before, after = text[first.start : span.start], text[span.end : last.end]
    inside = (before[-1:].isalnum() and text[span.start].isalnum()) or after[:1].isalnum()
    named = text[span.start].isdigit() and _HYPHEN.search(text[: span.start]) is not None
    clock = _CLOCK[0].search(text[: span.start]) or _CLOCK[1].match(text, span.end)  # 10 : 00
    return not (named or clock or (inside and not _NTH.match(after)))


def _rest(parse: Parse, places: tuple[int, int], span: AnswerSpan) -> list[ParsedWord]:
    """The sentence's words beside the answer."""
    words = parse.words[slice(*places)]
    return [word for word in words if not (span.start < word.end and word.start < span.end)]


def _no_pronouns(words: Sequence[ParsedWord]) -> list[ParsedWord]:
    """The words but pronouns."""
    return [word for word in words if word.pos != "PRON"]


def _letters(words: Sequence[ParsedWord]) -> int:
    return sum(char.isalnum() for word in words for char in word.text)


def _enough(rest: Sequence[ParsedWord], lang: str) -> bool:
    """Whether the rest of a sentence says enough to ask about the answer."""
    numerals = sum(one.pos == other.pos == "NUM" for one, other in pairwise(rest))  # nineteen oh five is one
    meaning = sum(word.pos in _MEANING and not light(word) for word in rest) - numerals
    return meaning >= CONTEXT.get(lang, 2) or (lang in ENOUGH and _letters(rest) >= ENOUGH[lang])


def _sentence(text: str, parse: Parse, span: AnswerSpan) -> tuple[int, int]:
    """The half-open places of the words of the span's sentence, up to a mark that ends it or a new line."""
    starts = [*parse.sentences, len(parse.words)] if parse.sentences else [0, len(parse.words)]
    begin = starts[0]
    for _, last in pairwise(starts):
        ended = parse.words[last - 1].text[-1] in _ENDS
        if last < len(parse.words) and not ended:
            ended = "\n" in text[parse.words[last - 1].end : parse.words[last].start]
        if not ended and last < len(parse.words):
            continue
        if begin <= span.words[0] < last:
            return begin, last
        begin = last
    return 0, len(parse.words)
