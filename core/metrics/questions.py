"""Questions from a reference by rules: what is named, counted, done or talked about becomes an answer.

The question is the answer's sentence with a question word in its place (だれ, どこ, いつ, いくつ, 何; who,
what at the head of a clause) or, where that would be wrong, with a gap.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.backends import Word
from core.metrics.numerals import KANJI
from core.metrics.roles import FUNCTION, SUBJECTS, Role, content_words, roles
from core.metrics.values import Value, values
from core.trees import Parse

VALUE, NAME, THING, ACTION = "value", "name", "thing", "action"
GAP = "____"
PEOPLE = frozenset({"PERSON", "Person", "NORP"})
PLACES = frozenset({"GPE", "LOC", "FAC", "City", "Province", "Country"})
BEFORE = frozenset({"compound", "amod", "nummod", "nmod", "flat", "poss"})
LONGEST = 12
"""Words of an answer at most; longer noun phrases keep their last words."""
MOST = 40
"""Questions of a text at most, those about values and names first."""


_NUMERAL = re.compile(rf"^第?(?:[0-9][0-9,.]*|[{KANJI}])+")
_MONEY = frozenset({"円", "ドル", "ユーロ", "ポンド", "元"})
_NOTHING = re.compile("(?!)")
_TOPIC = re.compile("^は")  # a question word is no topic: だれが, not だれは
_JAPANESE_TAIL = {
    "who": re.compile("^(?:さん|様|さま|氏|君|くん|ちゃん|殿)"),
    "when": re.compile("^に(?=[^はも])"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A piece of a text that can be an answer. kind: `value`, `name`, `thing` or `action`.

    start, end: half-open code points. words: half-open places among the parse's words. label: the entity's
    label or the value's kind. role, governor: of its head word (core/metrics/roles.py); governor is a place
    among the words, -1 for none.
    """

    kind: str
    start: int
    end: int
    words: tuple[int, int]
    head: int
    label: str = ""
    role: str = ""
    governor: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with its expected answer. asks: `who`, `where`, `when`, `how-many`, `what` or `gap`."""

    text: str
    answer: str
    asks: str
    span: Span


def spans(text: str, parse: Parse, words: Sequence[Word]) -> list[Span]:
    """What can be asked about in a text; where two overlap, values come before names, names before things."""
    roled = _roles(parse)
    found: list[Span] = []
    for span in (*_values(text, parse), *_names(parse, words), *_phrases(parse)):
        if not any(span.start < other.end and other.start < span.end for other in found):
            role, governor = roled.get(span.head, ("", -1))
            found.append(replace(span, role=role, governor=governor))
    return sorted(found, key=lambda span: span.start)


def questions(text: str, parse: Parse, words: Sequence[Word], lang: str) -> list[Question]:
    """Questions about a text in order of their answers, each answer and question once."""
    order = {VALUE: 0, NAME: 1, THING: 2, ACTION: 3}
    chosen = sorted(spans(text, parse, words), key=lambda span: order[span.kind])[:MOST]
    found: dict[tuple[str, str], Question] = {}
    for span in sorted(chosen, key=lambda one: one.start):
        question = _question(text, parse, span, lang)
        found.setdefault((question.answer, question.text), question)
    return list(found.values())


def span_at(text: str, parse: Parse | None, words: Sequence[Word], start: int, end: int) -> Span:
    """The span of an answer that somebody else chose; its kind by what stands there."""
    named = any(word.entity for word in words if word.start < end and start < word.end)
    kind = VALUE if values(text[start:end]) else NAME if named else THING
    if parse is None:
        return Span(kind=kind, start=start, end=end, words=(0, 0), head=0)
    first, last = _places(parse, start, end)
    head = _head(parse, first, last) if first < last else 0
    role, governor = _roles(parse).get(head, ("", -1))
    return Span(kind=kind, start=start, end=end, words=(first, last), head=head, role=role, governor=governor)


def _values(text: str, parse: Parse) -> Iterator[Span]:
    for value in values(text):
        first, last = _places(parse, value.start, value.end)
        if first < last:
            yield Span(kind=VALUE, start=value.start, end=value.end, words=(first, last),
                       head=_head(parse, first, last), label=_kind(value))  # fmt: skip


def _kind(value: Value) -> str:
    return "date" if value.parts else value.kind or "number"


def _names(parse: Parse, words: Sequence[Word]) -> Iterator[Span]:
    """Words side by side with the same entity."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].entity and words[end].entity == words[at].entity:
            if end > at and words[end].start > words[end - 1].end + 1:
                break
            end += 1
        if end > at:
            first, last = _places(parse, words[at].start, words[end - 1].end)
            if first < last:
                yield Span(kind=NAME, start=words[at].start, end=words[end - 1].end, words=(first, last),
                           head=_head(parse, first, last), label=words[at].entity or "")  # fmt: skip
        at = max(end, at + 1)


def _phrases(parse: Parse) -> Iterator[Span]:
    """Nouns with what stands before them, and verbs."""
    for at, word in enumerate(parse.words):
        if word.pos in ("NOUN", "PROPN") and not _inside(parse, at):
            first = at
            while first > 0 and _before(parse, first - 1, at) and at - first + 1 < LONGEST:
                first -= 1
            yield Span(
                kind=THING, start=parse.words[first].start, end=word.end, words=(first, at + 1), head=at
            )
        elif word.pos in ("VERB", "ADJ") and word.relation not in ("amod", "compound", "nmod", "fixed"):
            yield Span(kind=ACTION, start=word.start, end=word.end, words=(at, at + 1), head=at)


def _inside(parse: Parse, at: int) -> bool:
    """Whether a noun is only a part of the next one (compound)."""
    word = parse.words[at]
    return word.relation in ("compound", "fixed", "flat") and word.head > at


def _before(parse: Parse, at: int, noun: int) -> bool:
    word = parse.words[at]
    above = word.head
    while above != noun and parse.words[above].relation in BEFORE and parse.words[above].head != above:
        above = parse.words[above].head
    plain = word.pos in ("NOUN", "PROPN", "ADJ", "NUM") or word.text == "-"
    return plain and above == noun and word.relation in (*BEFORE, "punct")


def _places(parse: Parse, start: int, end: int) -> tuple[int, int]:
    inside = [at for at, word in enumerate(parse.words) if word.start < end and start < word.end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _head(parse: Parse, first: int, last: int) -> int:
    """The word of a stretch whose head lies outside it."""
    outside = [at for at in range(first, last) if not first <= parse.words[at].head < last]
    content = [at for at in outside if parse.words[at].pos not in FUNCTION]
    return (content or outside or [last - 1])[-1]


def _roles(parse: Parse) -> dict[int, tuple[str, int]]:
    """Role and governor by place among all words."""
    content = content_words(parse)
    found: dict[int, tuple[str, int]] = {}
    one: Role
    for at, one in zip(content, roles(parse), strict=True):
        found[at] = (one.name, content[one.governor] if one.governor >= 0 else -1)
    return found


def _question(text: str, parse: Parse, span: Span, lang: str) -> Question:
    start, end = _sentence(text, parse, span)
    before, after = text[start : span.start].lstrip(), text[span.end : end].rstrip()
    asks = _asks(parse, span)
    answer = text[span.start : span.end]
    if lang == "ja":
        word = _japanese_word(asks, answer)
        after = _TOPIC.sub("が", _JAPANESE_TAIL.get(asks, _NOTHING).sub("", after, count=1), count=1)
    else:
        word = _english_word(parse, span, asks, before)
        before = before if word is None else ""
    if word is None:
        return Question(
            text=f"{before}{GAP}{after}", answer=text[span.start : span.end], asks="gap", span=span
        )
    ending = "か。" if lang == "ja" else "?"
    asked = f"{before}{word}{after.rstrip('。．.!！?？')}{ending}"
    return Question(text=asked, answer=answer, asks=asks, span=span)


def _asks(parse: Parse, span: Span) -> str:
    if span.kind == VALUE:
        return "when" if span.label == "date" else "how-many"
    if span.kind == NAME and span.label in PEOPLE:
        return "who"
    if span.kind == NAME and span.label in PLACES:
        return "where"
    return "gap" if span.kind == ACTION else "what"


def _japanese_word(asks: str, answer: str) -> str | None:
    """In Japanese the question word stands where the answer stood: 二匹 -> 何匹, 斎藤さん -> だれ."""
    if asks == "how-many":
        counter = _NUMERAL.sub("", unicodedata.normalize("NFKC", answer), count=1)
        if counter in ("", "つ", "個"):
            return "いくつ"
        return "いくら" if counter in _MONEY else f"何{counter}"
    return {"who": "だれ", "where": "どこ", "when": "いつ", "what": "何"}.get(asks)


def _english_word(parse: Parse, span: Span, asks: str, before: str) -> str | None:
    """In English only a subject at the head of its sentence can be replaced; anything else leaves a gap."""
    head = parse.words[span.head]
    opening = not before or before.strip().lower() in ("the", "a", "an")
    if opening and head.relation in SUBJECTS and parse.words[head.head].relation == "ROOT":
        return {"who": "Who", "what": "Who or what" if span.kind == THING else "What"}.get(asks)
    return None


def _sentence(text: str, parse: Parse, span: Span) -> tuple[int, int]:
    """Where the span's sentence begins and ends in the text."""
    starts = [*parse.sentences, len(parse.words)]
    for first, last in pairwise(starts):
        if first <= span.words[0] < last:
            return parse.words[first].start, parse.words[last - 1].end
    return 0, len(text)
