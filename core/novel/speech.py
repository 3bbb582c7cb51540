"""The forms of speech in a quotation: first and second person, politeness, sentence endings, register words.

Japanese: words of the parser, so that わたしのもの and 君 in ワトソン君 are told apart. Each sentence with a
predicate is polite (です, ます, ください), honorific (ございます) or plain; its ending may be feminine (わ,
のよ, かしら), rough (ぞ, ぜ, やがる) or old (じゃ, のう). English: a verb that can be contracted is
counted as `contracted` (I'm) or `full` (I am).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from core.types import ParsedWord

FIRST_JA = {
    spelled: written
    for written, spellings in {
        "私": "私 わたし",
        "わたくし": "わたくし",
        "あたし": "あたし あたくし",
        "僕": "僕 ぼく ボク",
        "俺": "俺 おれ オレ",
        "わし": "わし 儂 ワシ",
        "吾輩": "吾輩 我輩 わがはい",
        "拙者": "拙者",
        "小生": "小生",
        "余": "余",
        "あっし": "あっし",
        "おいら": "おいら",
        "我": "我 我々 われわれ われら 我ら",
    }.items()
    for spelled in spellings.split()
}
"""Spellings of the first person in Japanese, and the one under which each is counted."""

SECOND_JA = {
    spelled: written
    for written, spellings in {
        "あなた": "あなた 貴方 貴女 あなた方",
        "あんた": "あんた",
        "君": "君 きみ キミ",
        "お前": "お前 おまえ おまえさん",
        "貴様": "貴様 きさま",
        "てめえ": "てめえ てめぇ",
        "貴殿": "貴殿",
        "そなた": "そなた",
        "おぬし": "おぬし お主",
        "汝": "汝 なんじ",
    }.items()
    for spelled in spellings.split()
}
_HONORIFICS_JA = {
    "さん": "〜さん",
    "君": "〜君",
    "くん": "〜君",
    "様": "〜様",
    "さま": "〜様",
    "ちゃん": "〜ちゃん",
}
_HONORIFICS_JA |= {"殿": "〜殿", "氏": "〜氏"}
_REGISTER_JA = frozenset(
    [
        "たまえ",
        "給う",
        "やがる",
        "左様",
        "さよう",
        "ござる",
        "いたす",
        "致す",
        "まいる",
        "参る",
        "いらっしゃる",
        "おっしゃる",
        "仰る",
        "申す",
        "いただく",
        "頂く",
        "くださる",
        "下さる",
        "伺う",
        "存ずる",
        "存じる",
    ]
)

_FIRST_EN = re.compile(
    r"\b(I|we)\b(?!\.)|(?<=[a-z] )(I|we)(?=\.\s*(?:$|['\"‘’“”)]))"
    r"|\b(We|me|my|mine|us|our|ours|myself|ourselves|My|Our)\b"
)
_WE_EN = frozenset(["we", "us", "our", "ours", "ourselves"])
_SECOND_EN = re.compile(
    r"\b(you|your|yours|thou|thee|thy|thine|ye|sir|madam|ma'am|ma’am|my lord|my lady)\b", re.I
)
_ONE_EN = {"your": "you", "yours": "you", "thee": "thou", "thy": "thou", "thine": "thou", "ma’am": "ma'am"}
_CONTRACTED = re.compile(
    r"(?:n['’]t|['’](?:m|re|ve|ll|d))\b|\b(?:it|he|she|that|there|what|who|where|here|how|let)['’]s\b|"
    r"['’]t(?:is|was)\b",
    re.I,
)
_FULL = re.compile(
    r"\bI (?:am|have|will|shall|would|had)\b|\b(?:you|we|they) (?:are|have|will|would|had)\b|"
    r"\b(?:it|he|she|that|there) (?:is|has|will|would)\b|"
    r"\b(?:do|does|did|is|are|was|were|have|has|had|would|could|should|must) not\b|\bcannot\b|\blet us\b",
    re.I,
)
_REGISTER_EN = re.compile(
    r"\b(?:ain['’]t|gonna|wanna|gotta|['’]em|yeah|okay|guys?|lads?|old (?:chap|fellow|man)|my dear|dear me|"
    r"pray|indeed|shall|whilst|hath|doth|nay|damn(?:ed)?|bloody|by jove|good heavens)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Counts of the forms in a quotation, each by name. politeness: of sentences, or of verbs in English."""

    first_person: Mapping[str, int] = field(default_factory=dict)
    second_person: Mapping[str, int] = field(default_factory=dict)
    politeness: Mapping[str, int] = field(default_factory=dict)
    endings: Mapping[str, int] = field(default_factory=dict)
    register: Mapping[str, int] = field(default_factory=dict)


def speech_en(text: str) -> Speech:
    """The forms of an English text."""
    first = Counter("we" if one.group().casefold() in _WE_EN else "I" for one in _FIRST_EN.finditer(text))
    second = Counter(
        _ONE_EN.get(one.group().casefold(), one.group().casefold()) for one in _SECOND_EN.finditer(text)
    )
    polite = {"contracted": len(_CONTRACTED.findall(text)), "full": len(_FULL.findall(text))}
    register = Counter(one.group().casefold() for one in _REGISTER_EN.finditer(text))
    return Speech(
        first_person=dict(first),
        second_person=dict(second),
        politeness={name: count for name, count in polite.items() if count},
        register=dict(register),
    )


def speech_ja(words: Sequence[ParsedWord]) -> Speech:
    """The forms of Japanese words, which are those of a quotation in order."""
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    register: Counter[str] = Counter()
    for at, word in enumerate(words):
        pronoun = word.tag.startswith("代名詞")
        if pronoun and word.text in FIRST_JA:
            first[FIRST_JA[word.text]] += 1
        elif pronoun and word.text in SECOND_JA:
            second[SECOND_JA[word.text]] += 1
        elif word.text in _HONORIFICS_JA and word.tag.startswith("接尾辞") and at:
            if not words[at - 1].tag.startswith("代名詞"):
                second[_HONORIFICS_JA[word.text]] += 1
        elif word.lemma in _REGISTER_JA or word.text in _REGISTER_JA:
            register[word.lemma] += 1
    politeness: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for sentence in _sentences(words):
        kind = _politeness(sentence)
        if kind is not None:
            politeness[kind] += 1
        ending = _ending(sentence)
        if ending is not None:
            endings[ending] += 1
    return Speech(
        first_person=dict(first),
        second_person=dict(second),
        politeness=dict(politeness),
        endings=dict(endings),
        register=dict(register),
    )


def _sentences(words: Sequence[ParsedWord]) -> list[list[ParsedWord]]:
    """The words of each sentence without marks."""
    found: list[list[ParsedWord]] = [[]]
    for word in words:
        if word.tag.startswith("補助記号-句点") or word.text in "！？!?。":
            found.append([])
        elif not word.tag.startswith(("補助記号", "空白")):
            found[-1].append(word)
    return [one for one in found if one]


_TAIL = ("助動詞", "助詞-終助詞", "助詞-準体助詞", "助詞-接続助詞", "動詞-非自立可能", "形容詞-非自立可能")


def _politeness(words: Sequence[ParsedWord]) -> str | None:
    """polite, honorific or plain; None for a sentence that does not end with a predicate."""
    at = len(words)
    while at and words[at - 1].tag.startswith(_TAIL):
        at -= 1
    tail = words[at:]
    lemmas = {word.lemma for word in tail}
    if lemmas & {"ござる", "御座る"}:
        return "honorific" if "ます" in lemmas else "plain"
    if lemmas & {"です", "ます"} or any(word.text in ("ください", "下さい", "なさい") for word in tail):
        return "plain" if any(word.text == "なさい" for word in tail) else "polite"
    if "".join(word.text for word in words[-3:]).endswith(("たまえ", "給え", "たまえよ", "給えよ")):
        return "plain"
    if tail and tail[-1].lemma == "だ" and tail[-1].text in "になで":
        return None
    if any(word.tag.startswith(("助動詞", "動詞", "形容詞")) for word in tail):
        return "plain"
    if at and words[at - 1].tag.startswith(("動詞", "形容詞")):
        return "plain"
    nominal = at and words[at - 1].tag.startswith(("名詞", "代名詞", "形状詞", "接尾辞"))
    return "plain" if nominal and tail and tail[-1].text in "よねさぞわかな" else None


def _ending(words: Sequence[ParsedWord]) -> str | None:
    """feminine, rough or old, by the last words."""
    last = words[-3:]
    final = [word.text for word in last if word.tag.startswith("助詞-終助詞")]
    if any(word.lemma == "やがる" for word in last) or {"ぞ", "ぜ"} & set(final):
        return "rough"
    if any(word.text == "じゃ" and word.lemma == "じゃ" for word in last) or {"のう", "のぅ"} & set(final):
        return "old"
    nominal = any(
        one.text == "の"
        and one.tag.startswith(("助詞-準体助詞", "助詞-終助詞"))
        and other.text in ("よ", "ね")
        for one, other in pairwise(last)
    )
    copula = nominal and any(word.text in ("な", "だ", "です") for word in last[-3:-2])
    feminine = {"わ", "かしら"} & set(final)
    return "feminine" if feminine or (nominal and (copula or last[-1].text in ("よ", "ね"))) else None
