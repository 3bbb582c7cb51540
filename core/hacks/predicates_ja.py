"""Japanese predicates: where sentences and clauses end, how a predicate is built, and its inflected forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.hacks.base import words as word_list
from core.types import Parse, ParsedWord

_ROWS = {
    "う": "わいうえ",
    "く": "かきくけ",
    "ぐ": "がぎぐげ",
    "す": "さしすせ",
    "つ": "たちつて",
    "ぬ": "なにぬね",
    "ぶ": "ばびぶべ",
    "む": "まみむめ",
    "る": "らりるれ",
}
_PAST = {
    "う": "った",
    "つ": "った",
    "る": "った",
    "く": "いた",
    "ぐ": "いだ",
    "す": "した",
    "ぬ": "んだ",
    "ぶ": "んだ",
    "む": "んだ",
}
_BEFORE_RU = frozenset("いきぎしじちぢにひびみりえけげせぜてでねへべめれ")
_ICHIDAN_KANJI = word_list("ja", "stem-kanji")
_GODAN = word_list("ja", "godan")
_LOOKS_GODAN = word_list("ja", "looks-godan")
_RESPECT = word_list("ja", "respect")
_ASKING = word_list("ja", "asking")


def is_verb(lemma: str) -> bool:
    """Whether a lemma has the shape of a verb that these forms know."""
    return len(lemma) > 1 and lemma[-1] in _ROWS and not lemma.endswith("ずる")


def keeps_stem(lemma: str, surface: str) -> bool:
    """Whether a verb in る is ichidan (見る) and not godan (切る); another form decides where it can."""
    if not lemma.endswith("る"):
        return False
    if surface == lemma[:-1]:
        return True
    if surface[: len(lemma) - 1] == lemma[:-1] and surface[len(lemma) - 1 :] in ("ら", "り", "っ"):
        return False
    before = lemma[-2:-1]
    if lemma.endswith("出来る"):
        return True
    if "\u4e00" <= before <= "\u9fff":
        return before in _ICHIDAN_KANJI
    if lemma.endswith(_GODAN) and not lemma.endswith(_LOOKS_GODAN):
        return False
    return before in _BEFORE_RU


def stems(lemma: str, surface: str = "") -> tuple[str, str, str]:
    """What stands before ない, what stands before ます, and the past: (行か, 行き, 行った).

    lemma: a verb (`is_verb`). surface: another form of the same verb as it stands in the text.
    """
    if lemma.endswith("する"):
        short = lemma[:-2] + "し"
        return short, short, short + "た"
    if lemma.endswith(("くる", "来る")) and not lemma.endswith("出来る") and lemma in ("くる", "来る"):
        rest = lemma[:-2]
        return (rest + "こ", rest + "き", rest + "きた") if lemma == "くる" else ("来", "来", "来た")
    if keeps_stem(lemma, surface):
        return lemma[:-1], lemma[:-1], lemma[:-1] + "た"
    stem, last = lemma[:-1], lemma[-1]
    row = _ROWS[last]
    continuing = stem + ("い" if lemma.endswith(_RESPECT) else row[1])
    return stem + row[0], continuing, _past(lemma)


def _past(lemma: str) -> str:
    if lemma.endswith(("行く", "いく", "ゆく")):
        return lemma[:-1] + "った"
    if lemma.endswith(_ASKING):
        return lemma + "た"
    return lemma[:-1] + _PAST[lemma[-1]]


def verb(lemma: str, surface: str, *, negative: bool, past: bool, polite: bool) -> str:
    """A verb in one of its eight forms: 行く, 行かない, 行った, …, 行きませんでした."""
    before_not, continuing, done = stems(lemma, surface)
    if lemma.endswith(("ある", "有る")) and lemma in ("ある", "有る") and negative and not polite:
        return "なかった" if past else "ない"
    if polite:
        endings = {(False, False): "ます", (False, True): "ました", (True, False): "ません"}
        return continuing + endings.get((negative, past), "ませんでした")
    if negative:
        return before_not + ("なかった" if past else "ない")
    return done if past else lemma


def adjective(lemma: str, *, negative: bool, past: bool, polite: bool) -> str:
    """An adjective in one of its eight forms: 美しい, 美しくない, …, 美しくありませんでした."""
    stem = lemma[:-1]
    if lemma.endswith("いい") and len(lemma) <= 3:  # いい, でいい: よくない
        stem = lemma[:-2] + "よ"
    if negative and polite:
        return stem + ("くありませんでした" if past else "くありません")
    if negative:
        return stem + ("くなかった" if past else "くない")
    plain = stem + "かった" if past else lemma
    return plain + ("です" if polite else "")


def copula(*, negative: bool, past: bool, polite: bool, formal: bool = False) -> str:
    """What follows a noun: だ, ではない, だった, …, ではありませんでした; formal: である for だ."""
    if negative:
        return {
            (False, False): "ではない",
            (True, False): "ではなかった",
            (False, True): "ではありません",
        }.get((past, polite), "ではありませんでした")
    if polite:
        return "でした" if past else "です"
    if formal:
        return "であった" if past else "である"
    return "だった" if past else "だ"


VERB, ADJECTIVE, NOUN = "verb", "adjective", "noun"
_OBLIGED = frozenset(word_list("ja", "obliged"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """A predicate. start, end: half-open code points of what its form is spelt by, without what follows it.

    kind: `verb`, `adjective` or `noun`. lemma: of the verb or adjective, empty for a noun. surface: the word
    as it stands. formal: である. bare: a noun without a copula. linked: what must follow a noun now:
    `な` before の, empty before だろう, `だ` elsewhere. says: the verb only reports speech.
    first, last: half-open places among the words.
    """

    start: int
    end: int
    kind: str
    lemma: str
    surface: str
    first: int
    last: int
    negative: bool = False
    past: bool = False
    polite: bool = False
    formal: bool = False
    bare: bool = False
    linked: str = "だ"
    says: bool = False
    final: bool = True

    def spelt(self) -> str:
        """How a predicate like this is written."""
        if self.kind == VERB:
            return verb(self.lemma, self.surface, negative=self.negative, past=self.past, polite=self.polite)
        if self.kind == ADJECTIVE:
            return adjective(self.lemma, negative=self.negative, past=self.past, polite=self.polite)
        plain = not (self.negative or self.past or self.polite or self.formal)
        if plain and self.linked != "だ":
            return self.linked
        return copula(negative=self.negative, past=self.past, polite=self.polite, formal=self.formal)


def is_verbal(word: ParsedWord) -> bool:
    """Whether a word is a verb, or an auxiliary that is inflected like one."""
    return word.tag.startswith("動詞") or (word.lemma in ("れる", "られる", "せる", "させる", "てる", "する"))


def predicate(parse: Parse, end: int) -> Predicate | None:
    """The predicate whose last word stands before the place `end`; None for what these rules cannot read."""
    words = parse.words
    if end <= 0 or any(word.text in _OBLIGED for word in words[max(end - 6, 0) : end]):
        return None
    return _read(words, end)


def _read(words: tuple[ParsedWord, ...], end: int) -> Predicate | None:
    at, past = end - 1, False
    if _is_past(words, at):
        at, past = at - 1, True
    texts = [word.text for word in words[max(at - 1, 0) : at + 1]]
    if past and at > 1 and words[at].text == "でし" and words[at - 1].text == "ん":
        return _verbs(words, at - 3, end, negative=True, past=True, polite=True)
    if texts == ["ませ", "ん"]:
        return _verbs(words, at - 2, end, negative=True, past=past, polite=True)
    if words[at].lemma == "ます" and words[at].text in ("ます", "まし"):
        return _verbs(words, at - 1, end, past=past, polite=True)
    if words[at].lemma == "です" and words[at].text in ("です", "でし"):
        return _before_desu(words, at - 1, end, past=past)
    if (
        words[at].text in ("ん", "ぬ")
        and words[at].lemma in ("ぬ", "ない", "ん")
        and "助動詞" in words[at].tag
    ):
        return _verbs(words, at - 1, end, negative=True)
    if words[at].lemma in ("ない", "無い") and words[at].text in ("ない", "なかっ", "無い", "無かっ"):
        return _before_not(words, at, end, past=past, polite=False)
    return _plain(words, at, end, past=past)


def _is_past(words: tuple[ParsedWord, ...], at: int) -> bool:
    if at < 1 or words[at].text not in ("た", "だ") or "助動詞" not in words[at].tag:
        return False
    return words[at].text == "た" or (is_verbal(words[at - 1]) and words[at - 1].text[-1] in "いん")


def _before_desu(words: tuple[ParsedWord, ...], at: int, end: int, *, past: bool) -> Predicate | None:
    """What stands before です: an adjective, a ない, or a noun."""
    if at < 0:
        return None
    done = _is_past(words, at)
    place = at - 1 if done else at
    if words[place].lemma in ("ない", "無い") and words[place].text in ("ない", "なかっ"):
        found = _before_not(words, place, end, past=done, polite=True)
        return found if not past else None
    if _adjectival(words[place]) and words[place].text[-1] in "いっ":
        found = _adjective(words, place, end, past=done)
        return None if found is None or past else replace(found, polite=True)
    return None if done else _noun(words, at + 1, end, past=past, polite=True)


def _before_not(
    words: tuple[ParsedWord, ...], at: int, end: int, *, past: bool, polite: bool
) -> Predicate | None:
    """What a ない says no to; alone it is the opposite of ある."""
    before = words[at - 1] if at else None
    if before is not None and _adjectival(before) and before.text.endswith("く"):
        found = _adjective(words, at - 1, end, past=past)
        return None if found is None else replace(found, negative=True, polite=polite)
    copular = _copula_before(words, at)
    if copular is not None:
        return _noun(words, copular, end, past=past, polite=polite, negative=True)
    if (
        before is not None
        and (is_verbal(before) or before.tag == "助動詞")
        and before.text[-1] not in "はがもで"
    ):
        return _verbs(words, at - 1, end, negative=True, past=past, polite=polite)
    if before is None or not (before.text in ("は", "が", "も", "など") or before.pos == "ADV"):
        return None
    return Predicate(
        start=words[at].start,
        end=words[end - 1].end,
        kind=VERB,
        lemma="ある",
        surface="ない",
        first=at,
        last=end,
        negative=True,
        past=past,
        polite=polite,
    )


def _copula_before(words: tuple[ParsedWord, ...], at: int) -> int | None:
    """The place of で in `ではない`, `じゃない`, `でない`, where a noun comes before."""
    place = at - 1
    if place > 0 and words[place].text in ("は", "も") and words[place - 1].text == "で":
        place -= 1
    elif place < 1 or words[place].text not in ("で", "じゃ"):
        return None
    return place if place and not is_verbal(words[place - 1]) else None


def _plain(words: tuple[ParsedWord, ...], at: int, end: int, *, past: bool) -> Predicate | None:
    word = words[at]
    if word.lemma == "だ" and word.text in ("だ", "だっ", "な"):
        return _noun(words, at, end, past=past)
    if word.lemma == "ある" and at and words[at - 1].text == "で" and words[at - 1].lemma == "だ":
        return _noun(words, at - 1, end, past=past, formal=True)
    if _adjectival(word):
        return _adjective(words, at, end, past=past) if word.text[-1] in "いっ" else None
    if is_verbal(word):
        return _verbs(words, at, end, past=past) if past or word.text == word.lemma else None
    return None if past else _bare(words, at, end)


def _bare(words: tuple[ParsedWord, ...], at: int, end: int) -> Predicate | None:
    """A noun at the end of a sentence that has a subject, or an adjectival noun (計算は簡単)."""
    word = words[at]
    subject = any(
        one.relation == "nsubj" and one.head == at and place < at for place, one in enumerate(words)
    )
    if word.text in ("そんな", "こんな", "あんな", "どんな", "イカガ"):
        return None
    noun = word.pos in ("NOUN", "PROPN") and word.tag.startswith("名詞") and word.head == at
    if not ((noun and subject and words[at - 1].end == word.start) or word.tag == "形状詞-一般"):
        return None
    return Predicate(
        start=word.end, end=word.end, kind=NOUN, lemma="", surface="", first=at, last=end, bare=True
    )


def _adjectival(word: ParsedWord) -> bool:
    return word.tag.startswith("形容詞") or (word.tag == "助動詞" and word.lemma in ("たい", "らしい"))


def _verbs(
    words: tuple[ParsedWord, ...],
    at: int,
    end: int,
    *,
    negative: bool = False,
    past: bool = False,
    polite: bool = False,
) -> Predicate | None:
    """A verb with its endings; あり of ではありません is a noun's, of くありません an adjective's."""
    if at < 0 or words[at].end > words[end - 1].end:
        return None
    word = words[at]
    if word.lemma in ("ある", "有る") and negative and at:
        if _adjectival(words[at - 1]) and words[at - 1].text.endswith("く"):
            found = _adjective(words, at - 1, end, past=past)
            return None if found is None else replace(found, negative=True, polite=polite)
        place = _copula_before(words, at)
        if place is not None:
            return _noun(words, place, end, past=past, polite=polite, negative=True)
    if not is_verbal(word) or not is_verb(word.lemma):
        return None
    before = words[at - 1] if at else None
    says = word.lemma in _SAYING and (before is None or before.text in ("と", "って") or word.pos == "VERB")
    return Predicate(
        start=word.start,
        end=words[end - 1].end,
        kind=VERB,
        lemma=word.lemma,
        surface=word.text,
        first=at,
        last=end,
        negative=negative,
        past=past,
        polite=polite,
        says=says,
    )


_SAYING = frozenset(word_list("ja", "saying"))


def _adjective(words: tuple[ParsedWord, ...], at: int, end: int, *, past: bool) -> Predicate | None:
    word = words[at]
    if not word.lemma.endswith("い") or len(word.lemma) < 2:
        return None
    if word.lemma in ("ない", "無い", "らしい"):
        return None
    return Predicate(
        start=word.start,
        end=words[end - 1].end,
        kind=ADJECTIVE,
        lemma=word.lemma,
        surface=word.text,
        first=at,
        last=end,
        past=past,
    )


def _noun(
    words: tuple[ParsedWord, ...],
    at: int,
    end: int,
    *,
    past: bool = False,
    polite: bool = False,
    negative: bool = False,
    formal: bool = False,
) -> Predicate | None:
    """A copula from the place `at` on; a noun or its like must stand before it."""
    before = words[at - 1] if at else None
    if before is None or before.pos in ("PUNCT", "SYM") or before.text in ("よう", "そう"):
        return None
    if before.tag.startswith("助詞") and before.text not in (
        "の",
        "ん",
        "から",
        "まで",
        "だけ",
        "ばかり",
        "くらい",
    ):
        return None
    return Predicate(
        start=before.end,
        end=words[end - 1].end,
        kind=NOUN,
        lemma="",
        surface="",
        first=at,
        last=end,
        negative=negative,
        past=past,
        polite=polite,
        formal=formal,
    )


_ENDS = frozenset("。．！!」』）)…―")
_FINAL = frozenset(word_list("ja", "final"))
_JOINING = frozenset(word_list("ja", "joining"))
_QUESTIONS = frozenset("？?")


def endings(parse: Parse) -> Iterator[tuple[int, bool]]:
    """Where a sentence or clause may end: the place after its last word, and whether a full stop follows.

    Particles at the end (よ, ね, が、) are not counted in. Questions are left out.
    """
    words = parse.words
    for at in range(1, len(words) + 1):
        following = words[at].text if at < len(words) else "。"
        stop = following[0] in _ENDS
        comma = following[0] in "、，" and words[at - 1].text in _JOINING
        if not (stop or comma) or words[at - 1].pos in ("PUNCT", "SYM"):
            continue
        last = at
        while last > 1 and _trails(words, last - 1):
            last -= 1
        if words[last - 1].text not in ("か", "かい", "かね", "かな") and not _asks(words, at):
            yield last, stop


def _trails(words: tuple[ParsedWord, ...], at: int) -> bool:
    word, before = words[at], words[at - 1]
    if "終助詞" in word.tag:
        return word.text in _FINAL and not (
            word.text == "な" and before.text == before.lemma and is_verbal(before)
        )
    return word.text in _JOINING and "接続助詞" in word.tag


def _asks(words: tuple[ParsedWord, ...], at: int) -> bool:
    return any(word.text[0] in _QUESTIONS for word in words[at : at + 1])
