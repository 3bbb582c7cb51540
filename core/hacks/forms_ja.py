"""Forms of Japanese verbs and adjectives, by the lemma that a parser gives."""

from __future__ import annotations

from core.hacks.word_lists import words as word_list

_ROWS = {
    "う": "わいうえ", "く": "かきくけ", "ぐ": "がぎぐげ", "す": "さしすせ", "つ": "たちつて",
    "ぬ": "なにぬね", "ぶ": "ばびぶべ", "む": "まみむめ", "る": "らりるれ",
}  # fmt: skip
_PAST = {
    "う": "った", "つ": "った", "る": "った", "く": "いた", "ぐ": "いだ", "す": "した", "ぬ": "んだ",
    "ぶ": "んだ", "む": "んだ",
}  # fmt: skip
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
            (False, False): "ではない", (True, False): "ではなかった", (False, True): "ではありません",
        }.get((past, polite), "ではありませんでした")  # fmt: skip
    if polite:
        return "でした" if past else "です"
    if formal:
        return "であった" if past else "である"
    return "だった" if past else "だ"
