"""Spans of a text that can be asked about: values, names, nouns with their modifiers, and verbs.

The same spans of a translation are the possible answers. The classes of words that the rules use are in
`assets/question_words.LANG.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from core.assets import ASSETS
from core.backends import Word
from core.metrics.mteqa.names import abbreviations, short
from core.metrics.structure.alignment import FUNCTION, Role, content_words, roles
from core.types import Parse, ParsedWord
from core.values.values import Value, values


def _read(lang: str) -> dict[str, frozenset[str]]:
    lines = (ASSETS / f"question_words.{lang}.txt").read_text("utf-8").splitlines()
    classes = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {name: frozenset(words.split()) for name, words in classes}


_JA, _EN = _read("ja"), _read("en")
LIGHT_NOUNS = _JA["light-nouns"] | _EN["light-nouns"]
LIGHT_VERBS = _JA["light-verbs"] | _EN["light-verbs"]
QUESTION_WORDS = _JA["question-words"] | _EN["question-words"]
HELPING_VERBS = _JA["helping-verbs"]
BODY = _JA["body"]
PLACES = _JA["places"]
TIMES = _JA["times"]
MOTION_VERBS = _JA["motion-verbs"]
NO_NUMBER = _EN["no-number"]
_PEOPLE = tuple(_JA["people"])


def light(word: ParsedWord) -> bool:
    """Whether a word by itself says too little to be an answer."""
    forms = {word.text.lower(), word.lemma.lower()}
    if word.pos in ("NOUN", "PROPN"):
        return bool(forms & LIGHT_NOUNS) or "感動詞" in word.tag
    return word.pos in ("VERB", "ADJ", "AUX") and bool(forms & LIGHT_VERBS)


def person(noun: str) -> bool:
    """Whether a Japanese noun stands for people, by its last characters."""
    return noun not in _JA["not-people"] and noun.endswith(_PEOPLE)


_ENDINGS = frozenset({"て", "で", "ば", "たり", "だり", "ちゃ"})
"""Japanese conjunctions that are part of the verb's form."""
_PLAIN_ENDINGS = frozenset({"た", "だ", "ます", "です", "て", "で"})
"""Those that add no sense of their own."""
_LOOSE = frozenset({"だ", "です", "らしい", "よう", "そう", "みたい"})


def helps(before: ParsedWord, word: ParsedWord) -> bool:
    """The second of two verbs side by side (走り出す), or a helping one after て (出て行く)."""
    if not (before.end == word.start and word.tag == "動詞-非自立可能"):
        return False
    side_by_side = before.tag.startswith("動詞") and before.pos == "VERB"
    after_te = before.text in ("て", "で") and before.pos == "SCONJ"
    return side_by_side or (after_te and word.lemma in HELPING_VERBS)


def ending(before: ParsedWord, word: ParsedWord, *, verb: ParsedWord) -> bool:
    """Whether a word still belongs to the form of a Japanese verb or adjective."""
    if before.end != word.start:
        return False
    if verb.tag.startswith("名詞") and before is verb:
        return word.lemma in ("する", "できる", "いたす", "なさる")
    if word.text == "だ" and before.tag.startswith("動詞") and before.text[-1] in "んい":
        return True  # 飛んだ, 泳いだ
    if word.pos == "AUX" or (word.relation == "fixed" and word.pos in ("VERB", "AUX", "ADJ")):
        return word.lemma not in _LOOSE and "助動詞語幹" not in word.tag
    return helps(before, word) or (word.pos == "SCONJ" and (word.text in _ENDINGS or word.tag == "助動詞"))


def verb_endings(parse: Parse, start: int, end: int) -> frozenset[int]:
    """Where endings of Japanese verbs between two places begin that add no sense (た, ます, ている)."""
    found = set()
    for before, word in pairwise(parse.words):
        if start <= word.start and word.end <= end and before.end == word.start:
            plain = word.tag in ("助動詞", "助詞-接続助詞") and word.lemma in _PLAIN_ENDINGS
            helping = before.text in ("て", "で") and before.pos == "SCONJ" and helps(before, word)
            if plain or helping:
                found.add(word.start)
    return frozenset(found)


def splits(word: ParsedWord, following: ParsedWord) -> bool:
    """Whether a gap for the first of two words would cut one word in two: 調教場, 少なくとも."""
    noun = word.tag.startswith("名詞") and following.tag.startswith(("名詞", "接尾辞"))
    return (noun and following.pos != "AUX") or (word.pos == "ADJ" and following.text == "とも")


def joined(parse: Parse, at: int, verb: int) -> bool:
    """Whether a Japanese noun or prefix makes one word with the verb after it: お勤め, 贅沢好き."""
    word, following = parse.words[at], parse.words[at + 1]
    japanese = word.tag.startswith(("接頭辞", "名詞"))
    return japanese and word.end == following.start and word.relation == "compound" and word.head == verb


VALUE, NAME, THING, ACTION = "value", "name", "thing", "action"
BEFORE = frozenset({"compound", "amod", "nummod", "nmod", "flat", "poss"})
_NO_ANSWER = frozenset({"PRON", "AUX", "DET", "INTJ", "SYM", "PUNCT", "X"})
LONGEST = 12
"""Words of an answer at most; longer noun phrases keep their last words."""
_SAYS = re.compile(r"[^\W\d_]{2}|(?:[A-Z]\.){2}|[0-9\u3040-\u30ff\u3400-\u9fff\uff10-\uff19]")
_SHORT_IN_BRACKETS = re.compile(r"\s*[(（]\s*([A-Za-z.-]{2,12})\s*[)）]")
_BARE_DIGIT = re.compile("[十百千]?[一二三四五六七八九]")
"""The first number of an estimate (五六十人, 十四、五万人), whose scale and unit stand with the second."""
_NOT = re.compile(r"\s?['’]\s?t\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSpan:
    """A piece of a text that can be an answer. kind: `value`, `name`, `thing` or `action`.

    start, end: half-open code points; of a Japanese verb with its endings. words: half-open places among the
    parse's words, without endings. label: the entity's label or the value's kind. role, governor: of its head
    word (core/metrics/structure/alignment.py); governor is a place among the words, -1 for none.
    """

    kind: str
    start: int
    end: int
    words: tuple[int, int]
    head: int
    label: str = ""
    role: str = ""
    governor: int = -1


def spans(text: str, parse: Parse, words: Sequence[Word]) -> list[AnswerSpan]:
    """What can be asked about in a text; where two overlap, values come before names, names before things."""
    roled = _roles(parse)
    found: list[AnswerSpan] = []
    named = _with_brackets(text, parse, [*_names(text, parse, words)])
    shorts = _abbreviations(text, parse)
    for span in (*_values(text, parse), *named, *shorts, *_phrases(text, parse)):
        if not any(span.start < other.end and other.start < span.end for other in found):
            role, governor = roled.get(span.head, ("", -1))
            found.append(replace(span, role=role, governor=governor))
    return sorted(found, key=lambda span: span.start)


def word_spans(
    text: str, parse: Parse, words: Sequence[Word], taken: Sequence[tuple[int, int]]
) -> list[AnswerSpan]:
    """Each word with a meaning outside the places that are taken, alone."""
    found = []
    for at in content_words(parse):
        word = parse.words[at]
        free = not any(start < word.end and word.start < end for start, end in taken)
        if free and word.pos not in _NO_ANSWER and not light(word) and _SAYS.search(word.text):
            span = span_at(text, parse, words, word.start, word.end)
            kind = ACTION if span.kind == THING and word.pos in ("VERB", "ADJ") else span.kind
            found.append(replace(span, kind=kind))
    return found


def span_at(text: str, parse: Parse | None, words: Sequence[Word], start: int, end: int) -> AnswerSpan:
    """The span of an answer chosen by a language model; its kind follows from its words."""
    named = any(word.entity for word in words if word.start < end and start < word.end)
    kind = VALUE if values(text[start:end]) else NAME if named else THING
    if parse is None:
        return AnswerSpan(kind=kind, start=start, end=end, words=(0, 0), head=0)
    first, last = _places(parse, start, end)
    head = _head(parse, first, last) if first < last else 0
    role, governor = _roles(parse).get(head, ("", -1))
    return AnswerSpan(
        kind=kind, start=start, end=end, words=(first, last), head=head, role=role, governor=governor
    )


def _values(text: str, parse: Parse) -> Iterator[AnswerSpan]:
    for start, end, label in _value_places(text):
        first, last = _places(parse, start, end)
        before = parse.words[first - 1].text.lower() if first > 0 else ""
        pronoun = text[start:end].lower() == "one" and before in NO_NUMBER
        if first < last and not pronoun:
            yield AnswerSpan(
                kind=VALUE,
                start=start,
                end=end,
                words=(first, last),
                head=_head(parse, first, last),
                label=label,
            )


def _value_places(text: str) -> Iterator[tuple[int, int, str]]:
    """Where values stand and their kinds; the two of an estimate (五六十人, 五、六十人) are one."""
    found: list[tuple[int, int, str]] = []
    for value in values(text):
        start, end, label = value.start, value.end, _kind(value)
        before = found[-1] if found and found[-1][2] == label else None
        if before and text[before[1] : start] in ("", "、") and _BARE_DIGIT.fullmatch(text, *before[:2]):
            found.pop()
            start = before[0]
        found.append((start, end, label))
    yield from found


def _kind(value: Value) -> str:
    return "date" if value.parts else value.kind or "number"


def _names(text: str, parse: Parse, words: Sequence[Word]) -> Iterator[AnswerSpan]:
    """Words side by side with the same entity, and the names that they are compounds of."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and words[end].entity and words[end].entity == words[at].entity:
            if end > at and words[end].start > words[end - 1].end + 1:
                break
            end += 1
        if end > at:
            first, last = _places(parse, words[at].start, words[end - 1].end)
            start = words[at].start
            while first < last and _named_before(parse, first, last) and not _entity(words, parse, first - 1):
                first -= 1
                start = parse.words[first].start
            while first < last and parse.words[last - 1].pos in FUNCTION:
                last -= 1
            stop = min(words[end - 1].end, parse.words[last - 1].end) if first < last else start
            span = AnswerSpan(
                kind=NAME,
                start=start,
                end=stop,
                words=(first, last),
                head=_head(parse, first, last) if first < last else 0,
                label=words[at].entity or "",
            )
            if first < last and _is_name(text, parse, span):
                yield span
        at = max(end, at + 1)


def _abbreviations(text: str, parse: Parse) -> Iterator[AnswerSpan]:
    """Abbreviations: names also where the finder of names has not found them."""
    for start, end in abbreviations(text):
        first, last = _places(parse, start, end)
        emphatic = not any(word.pos in ("NOUN", "PROPN", "X", "NUM") for word in parse.words[first:last])
        if first < last and not emphatic:
            yield AnswerSpan(
                kind=NAME, start=start, end=end, words=(first, last), head=_head(parse, first, last)
            )


def _with_brackets(text: str, parse: Parse, named: Sequence[AnswerSpan]) -> list[AnswerSpan]:
    """Names with the abbreviation in brackets that follows, which is no name of its own: the UN (UN)."""
    found: list[AnswerSpan] = []
    for span in named:
        if found and span.start < found[-1].end:
            continue
        bracket = _SHORT_IN_BRACKETS.match(text, span.end)
        if bracket and short(bracket[1]):
            words = (span.words[0], _places(parse, *bracket.span(1))[1])
            span = replace(span, end=bracket.end(), words=words)
        found.append(span)
    return found


def _entity(words: Sequence[Word], parse: Parse, at: int) -> bool:
    """Whether a word of the parse belongs to a named entity."""
    one = parse.words[at]
    return any(word.entity for word in words if word.start < one.end and one.start < word.end)


def _named_before(parse: Parse, first: int, last: int) -> bool:
    """Whether the word before a name is a part of it (Sibi Jataka)."""
    word = parse.words[first - 1]
    return first > 0 and word.pos == "PROPN" and word.relation == "compound" and first <= word.head < last


def _is_name(text: str, parse: Parse, span: AnswerSpan) -> bool:
    """Not so with a quotation mark inside or without a noun: what the finder of names errs in."""
    inside = parse.words[slice(*span.words)]
    nouns = any(word.pos in ("NOUN", "PROPN", "ADJ", "X") or "固有名詞" in word.tag for word in inside)
    return nouns and '"' not in text[span.start : span.end] and _whole(text, span)


def _phrases(text: str, parse: Parse) -> Iterator[AnswerSpan]:
    """Nouns with what stands before them, and verbs."""
    for at, word in enumerate(parse.words):
        span = None
        if word.pos in ("NOUN", "PROPN") and not _inside(parse, at):
            span = _thing(parse, at)
        elif word.pos in ("VERB", "ADJ") and not _modifies(word):
            span = _action(parse, at)
        if span is not None and _whole(text, span):
            yield span


def _modifies(word: ParsedWord) -> bool:
    """Whether a verb or adjective belongs to a noun or a set phrase; a Japanese verb before と私 does not."""
    return word.relation in ("amod", "compound", "fixed") or (
        word.relation == "nmod" and not word.tag.startswith("動詞")
    )


def _thing(parse: Parse, at: int) -> AnswerSpan | None:
    """A noun with its modifiers; None for one that says too little or is half of a compound."""
    word, first = parse.words[at], at
    while first > 0 and _before(parse, first - 1, at) and at - first + 1 < LONGEST:
        first -= 1
    inside = parse.words[first : at + 1]
    light_ones = all(light(one) or one.pos in FUNCTION or "接頭辞" in one.tag for one in inside)
    counted = "助数詞" in word.tag and "接尾辞" in word.tag
    if light_ones or counted or "".join(one.text for one in inside) in LIGHT_NOUNS or "代名詞" in word.tag:
        return None
    if _is_half(parse, first, at):
        return None
    kind = NAME if word.pos == "PROPN" and word.text[0].isupper() else THING
    return AnswerSpan(kind=kind, start=inside[0].start, end=word.end, words=(first, at + 1), head=at)


def _is_half(parse: Parse, first: int, last: int) -> bool:
    """Whether a noun stands in a Japanese compound that the parser took apart: 半クラウン, お前さん.

    A time may stand beside a noun without a particle: 今朝新聞を.
    """
    word, beside = parse.words[last], parse.words[last + 1 : last + 2]
    if beside and beside[0].start == word.end and _japanese_noun(beside[0]) and _japanese_noun(word):
        return "副詞可能" not in word.tag
    before = parse.words[first - 1] if first else None
    touching = before is not None and before.end == parse.words[first].start
    return (
        touching
        and before is not None
        and (before.tag in ("名詞-普通名詞-一般", "代名詞") or parse.words[first].tag.startswith("接尾辞"))
    )


def _japanese_noun(word: ParsedWord) -> bool:
    return word.pos in ("NOUN", "PROPN") and word.tag.startswith(("名詞", "接尾辞"))


def _action(parse: Parse, at: int) -> AnswerSpan | None:
    """A verb or adjective, in Japanese with its endings; None for a light one or one that only helps."""
    word = parse.words[at]
    before = parse.words[at - 1] if at else None
    if light(word) or (before is not None and helps(before, word)):
        return None
    following = parse.words[at + 1] if at + 1 < len(parse.words) else None
    if following is not None and following.start == word.end and splits(word, following):
        return None
    first = at
    while first > 0 and joined(parse, first - 1, at):
        first -= 1
    last = at + 1
    if word.tag.startswith(("動詞", "形容詞", "名詞")):
        while last < len(parse.words) and ending(parse.words[last - 1], parse.words[last], verb=word):
            last += 1
    start, end = parse.words[first].start, parse.words[last - 1].end
    return AnswerSpan(kind=ACTION, start=start, end=end, words=(at, at + 1), head=at)


def _whole(text: str, span: AnswerSpan) -> bool:
    """Whether a span says something and is not a splinter of a word: don 't, off-road."""
    shown = text[span.start : span.end]
    before, after = text[: span.start], text[span.end :]
    contracted = (before.rstrip()[-1:] in ("'", "’") and len(shown) < 3) or _NOT.match(after)
    torn = (
        shown.startswith("-") or " - " in shown or after.startswith("-") or before.endswith(("-", "'", "’"))
    )
    return bool(_SAYS.search(shown)) and not contracted and not torn


def _inside(parse: Parse, at: int) -> bool:
    """Whether a noun is only a part of the next one (compound)."""
    word = parse.words[at]
    return word.relation in ("compound", "fixed", "flat") and word.head > at


def _before(parse: Parse, at: int, noun: int) -> bool:
    word = parse.words[at]
    above = word.head
    while above != noun and parse.words[above].relation in BEFORE and parse.words[above].head != above:
        above = parse.words[above].head
    plain = word.pos in ("NOUN", "PROPN", "ADJ", "NUM") or word.text in ("-", "・")
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
