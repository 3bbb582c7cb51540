"""When two names are the same: titles, order, initials, short forms, abbreviations, and two scripts.

A name is cut into parts. Parts are aligned in order: equal sounds, an initial and the name that it stands
for, and an abbreviation beside the words that it abbreviates match in full; a part that is spelled nearly
alike matches for the agreement of its letters. The value is the F1 of the matched parts. Two different
abbreviations, initials or numbers never match. Names in kana and in Latin letters meet in rough Latin
letters (`core.text.japanese.romaji_form`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from core.assets import ASSETS
from core.backends import Word
from core.text.japanese import hiragana, kana_form, letters, romaji_form

CLOSE = 0.8
"""From this agreement of their letters on two parts count as nearly the same."""
LITTLE = frozenset({"a", "an", "the", "of", "and", "for", "in", "on", "to", "de", "la", "von", "van", "&"})
LONGEST = 12
"""Words of a name at most."""
PEOPLE = frozenset({"PERSON", "Person"})
_PART = re.compile(r"(?:[A-Za-z]\.\s?){2,}|[A-Z]{2,}(?:-[A-Z]+)+|[^\W_]+(?:['’][^\W_]+)*")
_OWNER = re.compile(r"['’]s?$")
_BRACKET = re.compile(r"(.*\S)\s*[(（]\s*([^()（）]+?)\s*[)）]?\s*$", re.DOTALL)
_JAPANESE = re.compile("[ぁ-ヿ㐀-鿿]")
_DOTS = re.compile("[・=＝]")
_LATIN = re.compile(r"[a-z]+")
_KATAKANA = re.compile(r"[ァ-ヺー]+")
_SHORT = re.compile(r"[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z]{2,}")
_ROMAN = re.compile(r"[IVX]+")
_SHORTS = re.compile(r"(?<![\w-])(?:(?:[A-Z]\.){2,}|[A-Za-z]*[A-Z][A-Za-z0-9]*(?:-[A-Z0-9]+)*)(?![\w-])")
_STOP = re.compile(r"[;:!?。、！？「」『』\n]|\.\s(?=[A-Z])(?<![A-Z]\.\s)")
_RUN = re.compile(r"[A-Z][\w'’.-]*(?:\s+(?:(?:of|and|for|the|in|on|to)\s+)*[A-Z][\w'’.-]*)*\s*$")
_BEFORE = re.compile(r"\b([A-Z][\w'’.-]*)\s$")
_AFTER = re.compile(r"\s[A-Z][\w'’.-]*")
_INSIDE = 7
"""So long a word may give an abbreviation letters from its inside: deoxyriboNucleic."""


@dataclass(frozen=True, slots=True)
class NamePart:
    """A part of a name. sound: casefolded letters or a reading; rough: in rough Latin letters, or empty."""

    text: str
    sound: str
    rough: str = ""

    @property
    def short(self) -> bool:
        """Whether it is an abbreviation: two capitals or more (GDP, PhD)."""
        return short(self.text)

    @property
    def initial(self) -> bool:
        """Whether it is one Latin letter."""
        return len(self.sound) == 1 and self.sound.isascii() and self.sound.isalpha()


def short(text: str) -> bool:
    """Whether a word is an abbreviation of two letters or more: GDP, U.S., XDR-TB; not II, not IBMs."""
    plain = re.sub(r"[.\s-]", "", text)
    return 2 <= len(plain) <= 12 and _SHORT.fullmatch(plain) is not None and not _ROMAN.fullmatch(plain)


def agreement(
    expected: str,
    given: str,
    expected_words: Sequence[Word] = (),
    given_words: Sequence[Word] = (),
    *,
    person: bool = False,
) -> float:
    """How far two names agree, in [0, 1]; 1 for the same name.

    Every form that is given counts: of `National Public Radio (NPP)` the name and the abbreviation. person:
    the parts may stand in any order, and a part of the name is the name. words: of Japanese texts, whose
    readings are compared.
    """
    ours, theirs = _forms(expected, expected_words), _forms(given, given_words)
    if not (ours and theirs):
        return 0.0
    found = [
        max(_agree(one, parts, person) for one in ([ours[form]] if form in ours else ours.values()))
        for form, parts in theirs.items()
    ]
    return sum(found) / len(found)


@dataclass(frozen=True, slots=True)
class NameKeys:
    """What two names must have in common to agree fully: an `asked` key of one in the `known` of the other.

    any: whether the name can agree with names that share no key, as an abbreviation does.
    """

    known: frozenset[str]
    asked: frozenset[str]
    any: bool


def name_keys(text: str, words: Sequence[Word] = ()) -> NameKeys:
    """The keys of a name, so that of many names only some have to be compared by `agreement`."""
    known, asked, free = set(), set(), False
    for parts in _forms(text, words).values():
        joined = "".join(part.sound for part in parts)
        known.add(joined)
        asked.add(joined)
        for part in parts:
            free = free or part.short
            sounds = {part.sound, part.rough, *_nicknames().get(part.sound, ())} - {""}
            first = part.sound[:1]
            known |= sounds | {f"I {first}" if part.initial else f"F {first}"}
            asked |= sounds | {f"F {first}" if part.initial else f"I {first}"}
    return NameKeys(frozenset(known), frozenset(asked), free)


def _forms(text: str, words: Sequence[Word]) -> dict[str, tuple[NamePart, ...]]:
    """The parts of the `name` and of the `short` form, an abbreviation alone or in brackets behind it."""
    found = _BRACKET.fullmatch(text)
    if found and short(found[2]):
        cut = {"name": _parts(found[1], ()), "short": _parts(found[2], ())}
    else:
        cut = {"short" if short(text) else "name": _parts(text, words)}
    return {form: parts for form, parts in cut.items() if parts}


def _parts(text: str, words: Sequence[Word]) -> tuple[NamePart, ...]:
    if words and _JAPANESE.search(text):
        found = [
            part for word in words if any(char.isalnum() for char in word.text) for part in _japanese(word)
        ]
        kept = [one for one in found if one.text not in _lists("ja")["titles"]]
        return tuple(kept or found)
    found = [_latin(piece[0]) for piece in _PART.finditer(_known(text))]
    kept = [one for one in found if one.sound not in LITTLE | _lists("en")["titles"]]
    return tuple(kept or found)


def _japanese(word: Word) -> list[NamePart]:
    """The parts of a word: one, or those between dots (シャーロック・ホームズ is one word for Sudachi)."""
    pieces = [piece for piece in _DOTS.split(word.text) if piece]
    if len(pieces) < 2:
        return [NamePart(word.text, word.reading, _rough(word.text))]
    return [NamePart(piece, kana_form(hiragana(piece)), _rough(piece)) for piece in pieces]


def _latin(piece: str) -> NamePart:
    plain = re.sub(r"[.\s]", "", piece) if piece.count(".") > 1 else piece.rstrip(".")
    plain = _OWNER.sub("", plain)
    return NamePart(plain, letters(plain), _rough(plain))


def _rough(text: str) -> str:
    """Rough Latin letters of a katakana or Latin word, else nothing."""
    plain = letters(text)
    return romaji_form(text) if _LATIN.fullmatch(plain) or _KATAKANA.fullmatch(text) else ""


@lru_cache(1 << 14)
def _agree(one: tuple[NamePart, ...], other: tuple[NamePart, ...], person: bool) -> float:
    if tuple(part.sound for part in one) == tuple(part.sound for part in other):
        return 1.0
    if "".join(part.sound for part in one) == "".join(part.sound for part in other):
        return 1.0
    turned = [other[at:] + other[:at] for at in range(len(other) if person else 1)]
    matched = max((_aligned(one, order) for order in turned), key=sum)
    if not any(matched):
        return 0.0
    ours, theirs = matched[0] / len(one), matched[1] / len(other)
    if all(part.initial for part in min(one, other, key=len)):
        return 0.0
    if person and max(ours, theirs) >= CLOSE:
        return max(ours, theirs)  # a part of a person's name
    return 2 * ours * theirs / (ours + theirs)


def _aligned(one: Sequence[NamePart], other: Sequence[NamePart]) -> tuple[float, float]:
    """How many parts of each side match in the best alignment in order."""
    best = [[(0.0, 0.0)] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            found = [best[i - 1][j]] if i else []
            found += [best[i][j - 1]] if j else []
            if i and j:
                alike = _alike(one[i - 1], other[j - 1])
                found.append((best[i - 1][j - 1][0] + alike, best[i - 1][j - 1][1] + alike))
                for count in range(2, j + 1):
                    if _abbreviation(one[i - 1], other[j - count : j]):
                        found.append((best[i - 1][j - count][0] + 1, best[i - 1][j - count][1] + count))
                for count in range(2, i + 1):
                    if _abbreviation(other[j - 1], one[i - count : i]):
                        found.append((best[i - count][j - 1][0] + count, best[i - count][j - 1][1] + 1))
            best[i][j] = max(found, key=sum, default=(0.0, 0.0))
    return best[-1][-1]


def _alike(one: NamePart, other: NamePart) -> float:
    """1 for the same part, the agreement of their letters from `CLOSE` on, else 0."""
    if one.sound == other.sound or (one.rough and one.rough == other.rough and _foreign(one, other)):
        return 1.0
    if one.initial or other.initial:
        full = one.initial != other.initial and not (one.short or other.short)
        return float(full and one.sound[0] == other.sound[0])
    if one.short or other.short or any(char.isdigit() for char in one.sound + other.sound):
        return 0.0
    if other.sound in _nicknames().get(one.sound, ()):
        return 1.0
    pairs = [(one.sound, other.sound)]
    if one.rough and other.rough and _foreign(one, other):
        pairs.append((one.rough, other.rough))
    likeness = max(1 - float(Levenshtein.normalized_distance(*pair)) for pair in pairs)
    return likeness if likeness >= CLOSE else 0.0


def _foreign(one: NamePart, other: NamePart) -> bool:
    """Whether one of them is in katakana: then a name was written down by its sound."""
    return any(_KATAKANA.fullmatch(part.text) for part in (one, other))


def _abbreviation(part: NamePart, words: Sequence[NamePart]) -> bool:
    if not part.short or all(word.short for word in words):
        return False
    spelled = [sound for word in words for sound in (word.sound if word.short else [word.sound])]
    return abbreviates(part.text, spelled)


def abbreviates(abbreviation: str, words: Sequence[str]) -> bool:
    """Whether an abbreviation takes its letters from the words in order: GDP, gross domestic product.

    Each word but the little ones gives its first letter (an `ex…` may give its x), and a long one further
    letters from its inside. Little words may give their first letter. The initials of three words or more
    may stand in reverse order, as in abbreviations of Romance languages (CEP, provisional electoral council).
    """
    taken = re.sub(r"[^a-z0-9]", "", letters(abbreviation))
    if len(taken) > 2 and taken[::-1] == "".join(word[0] for word in words if word not in LITTLE):
        return True
    return len(taken) > 1 and _takes(taken, tuple(words))


@lru_cache(1 << 14)
def _takes(rest: str, words: tuple[str, ...]) -> bool:
    if not words or not rest:
        return not rest and all(word in LITTLE for word in words)
    word = words[0]
    if word in LITTLE and _takes(rest, words[1:]):
        return True
    begins = word.startswith(rest[0])
    if not begins and not (rest[0] == "x" and word.startswith("ex")):
        return False
    left, place = rest[1:], 1 if begins else 2
    while True:
        if _takes(left, words[1:]):
            return True
        place = word.find(left[0], place) + 1 if left and len(word) >= _INSIDE else 0
        if place == 0:
            return False
        left = left[1:]


def expansion(abbreviation: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has the words of an abbreviation: half-open places, the shortest of each start."""
    found = list(_PART.finditer(text))
    for first, begin in enumerate(found):
        for last in range(first + 2, min(first + LONGEST, len(found)) + 1):
            inside = found[first:last]
            if inside[0][0].lower() in LITTLE or inside[-1][0].lower() in LITTLE:
                continue
            between = text[begin.end() : inside[-1].start()]
            words = [letters(one[0]) for one in inside]
            if len(abbreviation.replace(".", "")) == 2 and not all(one[0][0].isupper() for one in inside):
                continue  # too many pairs of words begin with two given letters
            if not re.search(r"[.;:!?。\n]", between) and abbreviates(abbreviation, words):
                yield begin.start(), inside[-1].end()
                break


def abbreviations(text: str) -> Iterator[tuple[int, int]]:
    """The half-open places of the abbreviations in a text; none in a text in capitals."""
    if sum(map(str.isupper, text)) > sum(map(str.islower, text)):
        return
    for found in _SHORTS.finditer(text):
        if short(found[0]):
            yield found.span()


def mentions(
    expected: str, text: str, expected_words: Sequence[Word], words: Sequence[Word], *, person: bool
) -> Iterator[tuple[int, int]]:
    """Where a name stands in a text in some form: half-open places, the longest first.

    words: those of the text. In English a mention begins and ends with a capital or a digit, unless it
    spells out an abbreviation.
    """
    japanese = _JAPANESE.search(text) is not None
    pieces = _PART.finditer(text)
    cuts = [(one.start, one.end) for one in words] if japanese else [one.span() for one in pieces]
    found = []
    for first, (start, _) in enumerate(cuts):
        for last in range(first, min(first + LONGEST, len(cuts))):
            end = cuts[last][1]
            if _STOP.search(text[start:end]):
                break
            if japanese or (_capital(text[start]) and _capital(text[cuts[last][0]])):
                inside = words[first : last + 1] if japanese else ()
                cut = not japanese and _cuts(text, start, end)
                same = agreement(expected, text[start:end], expected_words, inside, person=person) == 1
                if same and not cut:
                    found.append((start, end))
    if short(expected):
        found += expansion(expected, text)
    yield from sorted(found, key=lambda place: place[0] - place[1])


def _cuts(text: str, start: int, end: int) -> bool:
    """Whether a stretch is a part of a longer run of capitalised words, but for titles and a first word."""
    before, after = _BEFORE.search(text[:start]), _AFTER.match(text[end:])
    opens = before is not None and (before.start() == 0 or text[: before.start()].rstrip()[-1:] in '.!?"“')
    titled = before is not None and letters(before[1]).rstrip(".") in LITTLE | _lists("en")["titles"]
    return (before is not None and not (opens or titled)) or after is not None


def _capital(char: str) -> bool:
    return char.isupper() or char.isdigit()


def with_bracket(text: str, start: int, end: int) -> tuple[int, int]:
    """An abbreviation in brackets with the capitalised words before it: the National Public Radio (NPR)."""
    if text[:start].endswith(("(", "（")) and short(text[start:end]):
        before = _RUN.search(text[: start - 1])
        closing = int(text[end : end + 1] in (")", "）"))
        return (before.start(), end + closing) if before else (start, end)
    return start, end


@cache
def _lists(lang: str) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in _lines(lang) if name == "titles"}


def _lines(lang: str) -> Iterator[tuple[str, str]]:
    for line in (ASSETS / f"names.{lang}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, words = line.partition(": ")
            yield name, words


@cache
def _nicknames() -> dict[str, frozenset[str]]:
    groups = [frozenset(words.split()) for name, words in _lines("en") if name == "same"]
    found: dict[str, frozenset[str]] = {}
    for group in groups:
        for name in group:
            found[name] = found.get(name, frozenset()) | group
    return found


@cache
def _aliases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each other form of a well-known name, the longest first, and the form that replaces it."""
    found = []
    for name, words in _lines("en"):
        if name == "alias":
            first, *others = (one.strip() for one in words.split(";"))
            found += [(other, first) for other in others]
    found.sort(key=lambda pair: -len(pair[0]))
    return tuple(
        (re.compile(rf"(?<!\w){re.escape(other)}(?!\w)", re.IGNORECASE), first) for other, first in found
    )


@lru_cache(1 << 14)
def _known(text: str) -> str:
    for pattern, instead in _aliases():
        if pattern.search(text):
            return pattern.sub(instead, text)
    return text
