"""The question that a sentence allows for an answer, in English and in Japanese.

English: only a subject at the head of its sentence becomes who, what or how many. Japanese: the question
word stands in the place of the answer: 二匹 -> 何匹, 斎藤さんは -> だれが, 東京に -> どこに. In doubt there
is a gap.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from core.metrics.mteqa.answer_spans import (
    ACTION,
    BODY,
    MOTION_VERBS,
    NAME,
    PLACES,
    QUESTION_WORDS,
    TIMES,
    VALUE,
    AnswerSpan,
    person,
)
from core.metrics.structure.alignment import SUBJECTS
from core.types import Parse, ParsedWord
from core.values.japanese import NATIVE
from core.values.numerals import KANJI

GAP = "____"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerInSentence:
    """An answer in its sentence. places: half-open, of the sentence among the parse's words.

    before, after: the sentence's text on both sides of the answer.
    """

    parse: Parse
    places: tuple[int, int]
    span: AnswerSpan
    answer: str
    before: str
    after: str

    @property
    def sentence(self) -> tuple[ParsedWord, ...]:
        """The words of the sentence."""
        return self.parse.words[slice(*self.places)]

    @property
    def head(self) -> ParsedWord:
        """The answer's head word."""
        return self.parse.words[self.span.head]

    @property
    def previous(self) -> ParsedWord | None:
        """The word before the answer in its sentence."""
        at = self.span.words[0] - 1
        return self.parse.words[at] if at >= self.places[0] else None

    def following(self, count: int = 0) -> ParsedWord | None:
        """The word after the answer in its sentence, or the one `count` words further on."""
        at = self.span.words[1] + count
        return self.parse.words[at] if at < self.places[1] else None

    def depending(self, relations: frozenset[str], *, on: int) -> list[int]:
        """The places of the sentence's words with one of these relations to the word at a place."""
        return [
            at
            for at in range(*self.places)
            if at != on and self.parse.words[at].head == on and self.parse.words[at].relation in relations
        ]


ARTICLES = frozenset({"", "the", "a", "an"})
PEOPLE_EN = frozenset({"PERSON", "NORP"})
_JOINED = frozenset({"conj", "ccomp", "parataxis"})


def question_en(asking: AnswerInSentence) -> tuple[str, str] | None:
    """The kind and the words of the question; None where only a gap is right."""
    if asking.before.strip().lower() not in ARTICLES or not _plain_en(asking):
        return None
    if asking.span.kind == VALUE:
        return _how_many_en(asking)
    if asking.span.kind == ACTION or not _is_subject(asking, asking.span.head) or _continued(asking):
        return None
    if asking.after.lstrip().startswith(","):  # Science, however, …
        return None
    if asking.span.kind == NAME and asking.span.label in PEOPLE_EN:
        return "who", _ask("Who", asking)
    return "what", _ask("Who or what", asking)


def _how_many_en(asking: AnswerInSentence) -> tuple[str, str] | None:
    """Three cats slept -> How many cats slept; None for anything but a number at the head."""
    bare = asking.span.label == "number" and asking.head.relation == "nummod" and not asking.before.strip()
    if not (bare and _is_subject(asking, asking.head.head)):
        return None
    between = asking.parse.words[asking.span.words[1] : asking.head.head]
    if any(word.pos not in ("ADJ", "NOUN", "PROPN") for word in between):
        return None
    return "how-many", _ask("How many", asking)


def _ask(word: str, asking: AnswerInSentence) -> str:
    return f"{word}{asking.after.rstrip().rstrip('.!')}?"


def _plain_en(asking: AnswerInSentence) -> bool:
    """A statement of one clause with a verb at its root; what joins it has no subject of its own."""
    if not asking.after.rstrip().endswith(".") or "?" in asking.after:
        return False
    roots = [at for at in range(*asking.places) if asking.parse.words[at].head == at]
    if len(roots) != 1 or asking.parse.words[roots[0]].pos not in ("VERB", "AUX"):
        return False
    joined = asking.depending(_JOINED, on=roots[0])
    opening = {asking.sentence[0].text.lower()} & QUESTION_WORDS
    complements = [at for at in joined if asking.parse.words[at].relation == "ccomp" and at > roots[0]]
    return not opening and not any(
        asking.depending(SUBJECTS | {"expl"}, on=at) for at in joined if at not in complements
    )


def _is_subject(asking: AnswerInSentence, at: int) -> bool:
    word = asking.parse.words[at]
    return word.relation in SUBJECTS and asking.parse.words[word.head].relation == "ROOT"


def _continued(asking: AnswerInSentence) -> bool:
    """Whether something after the answer belongs to it: of, who, and."""
    first, last = asking.span.words
    return any(first <= word.head < last for word in asking.parse.words[last : asking.places[1]])


PEOPLE_JA = frozenset({"PERSON", "Person"})
PLACE_LABELS = frozenset({"GPE", "LOC", "FAC", "City", "Province", "Country"})
_NUMERAL = re.compile(rf"^(?:[0-9][0-9,.]*|[{KANJI}]+)")
_NATIVE = {"ひとり": "何人", "ふたり": "何人", "はたち": "何歳"} | dict.fromkeys(NATIVE, "いくつ")
_COUNTER = re.compile(rf"(?!.*(?:[0-9{KANJI}半余の分ノ/]|年代)).{{0,4}}")
_MONEY = frozenset({"円", "ドル", "ユーロ", "ポンド", "元"})
_TITLE = re.compile("^(?:さん|様|さま|氏|君|くん|ちゃん|殿)")
_PARTICLE = re.compile(
    "(?P<one>が|を|には|では|とは|へは|からは|までは|は|に|へ|で|から|まで|と|の|より|も|ほど|ばかり|くらい|ぐらい|だけ|以上|以下)"
)
_CASES = {
    "who": frozenset({"が", "を", "は", "に", "と", "の", "から", "へ", "より"}),
    "where": frozenset({"が", "を", "は", "に", "へ", "で", "から", "まで", "の", "より"}),
    "when": frozenset({"に", "から", "まで", "の"}),
    "how-many": frozenset(
        {"が", "を", "は", "の", "に", "ほど", "ばかり", "くらい", "ぐらい", "だけ", "以上", "以下"}
    ),
    "what": frozenset({"が", "を", "は"}),
}
_FINAL = re.compile("[るうくぐすつぬぶむたいん]$")
_VOLITION = re.compile("(?:[おこごそとのぼもろよ]う|だろう|でしょう)$")
_NO_PLACE = re.compile(
    rf"は(?:、?もちろん|、?むろん|おろか|もとより)|の(?:ひとり|ふたり|うち|[0-9０-９{KANJI}])"
)
"""What follows an answer where no question word may stand: 大佐はむろん, 厩務員のひとり."""
_BUT = frozenset({"が", "けれど", "けれども", "けど"})
_MODIFIERS = frozenset({"acl", "amod", "det"})


def question_ja(asking: AnswerInSentence) -> tuple[str, str] | None:
    """The kind and the words of the question; None where only a gap is right."""
    kind = _kind(asking)
    if kind is None or not _plain_ja(asking) or not _stands_alone(asking) or _in_topic(asking):
        return None
    word = _how_many_ja(asking) if kind == "how-many" else _word(kind, asking)
    after = _TITLE.sub("", asking.after) if kind == "who" else asking.after
    particle = _particle(after)
    bare = kind == "how-many" and _before_verb(asking)
    if word is None or not (bare or particle in _cases(kind, word, asking)):
        return None
    if _NO_PLACE.match(after):
        return None
    if particle == "は":
        if _has_subject(asking, kind):
            return None
        after = f"が{after[1:]}"
    if kind == "when" and particle == "に" and word == "いつ":
        after = after[1:]
    return kind, f"{asking.before.lstrip()}{word}{after.rstrip().rstrip('。．.')}か。"


def _kind(asking: AnswerInSentence) -> str | None:
    span, tag = asking.span, asking.head.tag
    if span.kind == ACTION:
        return None
    if span.kind == VALUE:
        return "when" if span.label == "date" else "how-many"
    if span.kind == NAME or "固有名詞" in tag:
        return _kind_of_name(asking)
    return _kind_of_thing(asking)


def _kind_of_name(asking: AnswerInSentence) -> str | None:
    """Who or where, where the finder of names and the parser do not contradict each other."""
    label, tag = asking.span.label, asking.head.tag
    katakana = re.fullmatch("[ァ-ヴー・]+", asking.answer) is not None
    if "地名" not in tag and ("人名" in tag or (label in PEOPLE_JA and ("固有名詞" in tag or katakana))):
        return "who" if label in PEOPLE_JA or not label else None
    if label in PLACE_LABELS and "固有名詞" in tag and "人名" not in tag:
        return "where"
    return None if "固有名詞" in tag or katakana else _kind_of_thing(asking)


def _kind_of_thing(asking: AnswerInSentence) -> str | None:
    """Who, where or what a noun is; None if the question would be odd (身を, 恐ろしい形相を)."""
    timely = "副詞可能" in asking.head.tag or "助数詞" in asking.head.tag
    if timely or asking.answer in BODY | TIMES or _modified(asking, numbers=False):
        return None
    if person(asking.answer):
        return None if _modified(asking, numbers=True) else "who"
    if asking.answer in PLACES and asking.head.relation == "obl":
        return None if _modified(asking, numbers=True) else "where"
    verb = asking.parse.words[asking.head.head]
    moves = asking.head.relation == "obj" and verb.lemma in MOTION_VERBS  # 脇道を引き返す
    argument = (
        verb.pos in ("VERB", "ADJ")
        and not moves
        and asking.head.relation in ("nsubj", "obj")
        and asking.answer not in PLACES
    )
    return "what" if argument else None


def _cases(kind: str, word: str, asking: AnswerInSentence) -> frozenset[str]:
    """The particles that the question word may have."""
    if kind == "who" and asking.span.kind != NAME:
        return _CASES[kind] - {"と"}  # 先生と呼ぶ
    if kind == "how-many":
        people = word.startswith("何人") or word == "何匹"
        return _CASES[kind] - ({"は"} if not people else set()) | ({"で"} if word == "いくら" else set())
    return _CASES[kind] - ({"の"} if word == "いつ" else set())


def _modified(asking: AnswerInSentence, *, numbers: bool) -> bool:
    relations = _MODIFIERS | {"nmod", "nummod"} if numbers else _MODIFIERS
    first, last = asking.span.words
    return any(not first <= at < last for at in asking.depending(relations, on=asking.span.head))


def _word(kind: str, asking: AnswerInSentence) -> str | None:
    if kind == "when":
        if asking.after.startswith("の"):  # 1895年の春に
            return "何年" if re.search("[0-9０-９一二三四五六七八九〇十]年$", asking.answer) else None
        if re.fullmatch("[0-9０-９一二三四五六七八九十]+日", asking.answer):
            return None  # 一日に二度
        if re.search("[0-9０-９一二三四五六七八九十]時$", asking.answer):
            return "何時" if not re.search("[年月日曜前後]", asking.answer) else None
        return "いつ"
    if kind in ("who", "where") and asking.span.kind == NAME and _modified(asking, numbers=False):
        return None
    return {"who": "だれ", "where": "どこ", "what": "何"}[kind]


def _how_many_ja(asking: AnswerInSentence) -> str | None:
    """二匹 -> 何匹, 二つ -> いくつ, ふたり -> 何人, 百円 -> いくら; None for 第二, fractions."""
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


def _plain_ja(asking: AnswerInSentence) -> bool:
    """A statement that ends in a predicate to which か can be added, and asks nothing already."""
    words = asking.sentence
    if words[-1].text not in ("。", "．") or any(
        word.text in QUESTION_WORDS or word.text[-1] in "？?" for word in words
    ):
        return False
    explains = any(word.tag == "助詞-準体助詞" for word in words[-4:])  # のだ, のです
    if explains or any(word.pos == "SCONJ" and word.text in _BUT for word in words):
        return False
    last = words[-2] if len(words) > 1 else words[-1]
    past = last.text == "だ" and len(words) > 2 and words[-3].tag.startswith("動詞")  # 進んだ
    ends = last.pos in ("VERB", "ADJ", "AUX") and (past or _FINAL.search(last.text) is not None)
    return ends and last.tag != "形状詞-助動詞語幹" and not _VOLITION.search(last.text)


def _stands_alone(asking: AnswerInSentence) -> bool:
    """Whether the answer is not a half of a compound: no noun or prefix touches it."""
    before, after = asking.previous, asking.following()
    if before is not None and before.end == asking.span.start:
        joined = before.tag.startswith(("名詞", "接頭辞", "接尾辞")) and "副詞可能" not in before.tag
        if joined or before.pos == "SYM":
            return False
    if after is None or after.start != asking.span.end or _TITLE.match(after.text):
        return True
    return not after.tag.startswith(("名詞", "接尾辞", "接頭辞"))


def _in_topic(asking: AnswerInSentence) -> bool:
    """Whether the answer only belongs to a noun that は marks: no question word stands in a topic."""
    words, at = asking.parse.words, _named(asking)
    while words[at].head != at:
        at = words[at].head
        particles = "".join(word.text for word in words[at + 1 : at + 3])
        topic = particles.startswith(("は", "には", "では", "とは", "へは"))
        if topic and words[at].pos in ("NOUN", "PROPN", "PRON") and at >= asking.span.words[1]:
            return True
    return False


def _before_verb(asking: AnswerInSentence) -> bool:
    """猫を二匹見た: an amount right before its verb."""
    after = asking.following()
    return after is not None and after.pos in ("VERB", "ADV") and asking.span.label != "date"


def _particle(after: str) -> str:
    """The particle that the text begins with, empty for none; 二つの particles together are one (には)."""
    found = _PARTICLE.match(after)
    return found["one"] if found else ""


def _has_subject(asking: AnswerInSentence, kind: str) -> bool:
    """Whether the verb has another subject with が: then は marks a topic beside it."""
    words, at = asking.parse.words, _named(asking)
    others = asking.depending(frozenset({"nsubj"}), on=words[at].head)
    subject = kind != "what" or words[at].relation == "nsubj"
    return not subject or any(other != at for other in others)


def _named(asking: AnswerInSentence) -> int:
    """The place of the answer's head, or of the title after it (斎藤さん)."""
    after = asking.following()
    titled = after is not None and after.start == asking.span.end and _TITLE.match(after.text)
    return asking.span.words[1] if titled else asking.span.head
