"""Which question a Japanese sentence allows: the question word stands where the answer stood.

二匹 -> 何匹, 斎藤さんは -> だれが, 東京に -> どこに. Anything doubtful leaves a gap.
"""

from __future__ import annotations

import re
import unicodedata

from core.metrics.light_words import BODY, PLACES, QUESTION_WORDS, person
from core.metrics.numerals import KANJI
from core.metrics.spans import ACTION, NAME, THING, VALUE
from core.metrics.wording import Asking

PEOPLE = frozenset({"PERSON", "Person"})
PLACE_LABELS = frozenset({"GPE", "LOC", "FAC", "City", "Province", "Country"})
_NUMERAL = re.compile(rf"^(?:[0-9][0-9,.]*|[{KANJI}]+)")
_NATIVE = {"ひとり": "何人", "ふたり": "何人", "はたち": "何歳"} | dict.fromkeys(
    "ひとつ ふたつ みっつ よっつ いつつ むっつ ななつ やっつ ここのつ".split(), "いくつ"
)
_COUNTER = re.compile(rf"(?!.*(?:[0-9{KANJI}半余の分ノ/]|年代)).{{0,4}}")
_MONEY = frozenset({"円", "ドル", "ユーロ", "ポンド", "元"})
_TITLE = re.compile("^(?:さん|様|さま|氏|君|くん|ちゃん|殿)")
_PARTICLE = re.compile(
    "(?P<one>が|を|には|では|とは|へは|からは|までは|は|に|へ|で|から|まで|と|の|より|も|ほど|ばかり|くらい|ぐらい|だけ|以上|以下)"
)
_CASES = {
    "who": frozenset("が を は に と の から へ より".split()),
    "where": frozenset("が を は に へ で から まで の より".split()),
    "when": frozenset("に から まで の".split()),
    "how-many": frozenset("が を は の に ほど ばかり くらい ぐらい だけ 以上 以下".split()),
    "what": frozenset("が を は".split()),
}
_FINAL = re.compile("[るうくぐすつぬぶむたいん]$")
_VOLITION = re.compile("(?:[おこごそとのぼもろよ]う|だろう|でしょう)$")
_MODIFIERS = frozenset({"acl", "amod", "det"})


def asked(asking: Asking) -> tuple[str, str] | None:
    """The kind and the words of the question; None where only a gap is right."""
    kind = _kind(asking)
    if kind is None or not _plain(asking) or not _stands_alone(asking):
        return None
    word = _how_many(asking) if kind == "how-many" else _word(kind, asking)
    after = _TITLE.sub("", asking.after) if kind == "who" else asking.after
    particle = _particle(after)
    bare = kind == "how-many" and _before_verb(asking)
    if word is None or not (particle in _CASES[kind] or bare):
        return None
    if particle == "は":
        if _has_subject(asking):
            return None
        after = f"が{after[1:]}"
    if kind == "when" and particle == "に" and word == "いつ":
        after = after[1:]
    return kind, f"{asking.before.lstrip()}{word}{after.rstrip().rstrip('。．.')}か。"


def _kind(asking: Asking) -> str | None:
    span, tag = asking.span, asking.head.tag
    if span.kind == ACTION:
        return None
    if span.kind == VALUE:
        return "when" if span.label == "date" else "how-many"
    if span.kind == NAME:
        named = "固有名詞" in tag or re.fullmatch("[ァ-ヴー・]+", asking.answer)
        if span.label in PEOPLE and named and "地名" not in tag:
            return "who"
        if span.label in PLACE_LABELS and "固有名詞" in tag and "人名" not in tag:
            return "where"
        if "固有名詞" in tag:
            return None
    return _kind_of_thing(asking)


def _kind_of_thing(asking: Asking) -> str | None:
    """Who, where or what a noun is; None where nobody would ask like that (身を, 恐ろしい形相を)."""
    timely = "副詞可能" in asking.head.tag or "助数詞" in asking.head.tag
    if timely or asking.answer in BODY or _modified(asking, numbers=False):
        return None
    if person(asking.answer):
        return None if _modified(asking, numbers=True) else "who"
    if asking.answer in PLACES and asking.head.relation == "obl":
        return None if _modified(asking, numbers=True) else "where"
    return "what" if asking.head.relation in ("nsubj", "obj") else None


def _modified(asking: Asking, *, numbers: bool) -> bool:
    relations = _MODIFIERS | {"nmod", "nummod"} if numbers else _MODIFIERS
    first, last = asking.span.words
    return any(not first <= at < last for at in asking.depending(relations, on=asking.span.head))


def _word(kind: str, asking: Asking) -> str | None:
    if kind == "when":
        if re.search("[0-9０-９一二三四五六七八九十]時$", asking.answer):
            return "何時" if not re.search("[年月日曜前後]", asking.answer) else None
        return "いつ"
    if kind in ("who", "where") and asking.span.kind == NAME and _modified(asking, numbers=False):
        return None
    return {"who": "だれ", "where": "どこ", "what": "何"}[kind]


def _how_many(asking: Asking) -> str | None:
    """二匹 -> 何匹, 二つ -> いくつ, ふたり -> 何人, 百円 -> いくら; None for ordinals with 第, fractions, two numerals."""
    answer = unicodedata.normalize("NFKC", asking.answer)
    if answer in _NATIVE:
        return _NATIVE[answer]
    numeral = _NUMERAL.match(answer)
    counter = answer[numeral.end() :] if numeral else "半"
    if not _COUNTER.fullmatch(counter):
        return None if counter != "分" else "何分"
    if counter.startswith(("つ", "個")) or not counter:
        return f"いくつ{counter[1:]}"
    return "いくら" if counter in _MONEY else f"何{counter}"


def _plain(asking: Asking) -> bool:
    """A statement that ends in a predicate to which か can be added, and asks nothing already."""
    words = asking.sentence
    if words[-1].text not in ("。", "．") or any(
        word.text in QUESTION_WORDS or word.text[-1] in "？?" for word in words
    ):
        return False
    last = words[-2] if len(words) > 1 else words[-1]
    ends = last.pos in ("VERB", "ADJ", "AUX") and _FINAL.search(last.text) is not None
    return ends and last.tag != "形状詞-助動詞語幹" and not _VOLITION.search(last.text)


def _stands_alone(asking: Asking) -> bool:
    """Whether the answer is no half of a compound: no noun or prefix touches it."""
    before, after = asking.previous, asking.following()
    if before is not None and before.end == asking.span.start:
        joined = before.tag.startswith(("名詞", "接頭辞", "接尾辞")) and "副詞可能" not in before.tag
        if joined or before.pos == "SYM":
            return False
    if after is None or after.start != asking.span.end or _TITLE.match(after.text):
        return True
    return not after.tag.startswith(("名詞", "接尾辞", "接頭辞"))


def _before_verb(asking: Asking) -> bool:
    """猫を二匹見た: an amount right before its verb."""
    after = asking.following()
    return after is not None and after.pos in ("VERB", "ADV") and asking.span.label != "date"


def _particle(after: str) -> str:
    """The particle that the text begins with, empty for none; 二つの particles together are one (には)."""
    found = _PARTICLE.match(after)
    return found["one"] if found else ""


def _has_subject(asking: Asking) -> bool:
    """Whether the verb has another subject with が: then は marks a topic beside it."""
    verb = asking.head.head
    others = asking.depending(frozenset({"nsubj"}), on=verb)
    topic = asking.head.relation in ("nsubj", "nmod", "nummod", "compound")
    return not topic or any(at != asking.span.head for at in others)
