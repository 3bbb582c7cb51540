"""The persons and places that are named in the texts of a novel, text by text.

A name that is found in one text is found in all others, too. A word that no model labels is a name where it
stands often: in English a proper noun, in Japanese katakana that no dictionary counts. In Japanese a model's
label counts only for proper nouns and katakana, and what is a street or a county by its ending is a place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.backends import Backends, Progress, Word, between, silent
from core.errors import InputError
from core.hacks.names import OTHER, PERSON, PLACE, Name, names
from core.novel.katakana import KATAKANA, is_free, katakana_sentences, name_parts, streets, unseen_names
from core.types import Parse

LANGUAGES = ("en", "ja")
"""Languages whose names are found."""

KINDS = (PERSON, PLACE)
UNLABELLED = 3
"""How often a word that no model labels must stand in all texts to be a name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text. start, end: half-open code points. words: the reader's words of it."""

    form: str
    kind: str
    segment: int
    start: int
    end: int
    words: tuple[Word, ...] = ()


def check_language(lang: str) -> None:
    """Raise InputError for another language than `LANGUAGES`."""
    if lang not in LANGUAGES:
        raise InputError(
            "Names are found in texts in English and Japanese, not in “{lang:.20}”; name the language.",
            lang=lang,
        )


@dataclass(frozen=True, slots=True)
class TextsRead:
    """What was read of texts once: the mentions of each, in order, and the parse of each different text."""

    mentions: list[list[Mention]]
    parses: Mapping[str, Parse]


def mentions(
    texts: Sequence[str], backends: Backends, *, lang: str, progress: Progress = silent
) -> list[list[Mention]]:
    """The persons and places named in each text, in order."""
    return read_texts(texts, backends, lang=lang, progress=progress).mentions


def read_texts(
    texts: Sequence[str], backends: Backends, *, lang: str, progress: Progress = silent
) -> TextsRead:
    """Parse texts, and find the persons and places that they name."""
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    parses = backends.parser("auto").parse(
        distinct, lang=lang, constituents=False, progress=between(progress, 0, len(texts) // 2, len(texts))
    )
    words = backends.reader("word").read(distinct, lang=lang, entities=True)
    spelled = dict(zip(distinct, words, strict=True))
    named = [names(text, lang, parse, spelled[text]) for text, parse in zip(distinct, parses, strict=True)]
    places = {
        text: _found_in(text, lang, parse, own, spelled[text])
        for text, parse, own in zip(distinct, parses, named, strict=True)
    }
    known: dict[str, str] = {}
    for text, found_there in places.items():
        for (start, end), kind in found_there.items():
            known.setdefault(text[start:end], kind)
    if lang == "ja":
        known = unseen_names(distinct, spelled, places, at_least=UNLABELLED) | known
        parts = {part: kind for form, kind in known.items() if kind == PERSON for part in name_parts(form)}
        known = parts | known
    else:
        known = _unlabelled(distinct, named) | known
    _add_known(distinct, known, spelled, places)
    progress(len(texts), len(texts))
    found = [
        [
            Mention(text[start:end], kind, segment, start, end, _inside(spelled[text], start, end))
            for (start, end), kind in sorted(places[text].items())
        ]
        if text.strip()
        else []
        for segment, text in enumerate(texts)
    ]
    return TextsRead(found, dict(zip(distinct, parses, strict=True)))


def _found_in(
    text: str, lang: str, parse: Parse, named: Sequence[Name], words: Sequence[Word]
) -> dict[tuple[int, int], str]:
    """The names that a text tells by itself: by their form, by the rules for names, by a model's label."""
    apart = katakana_sentences(text) if lang == "ja" else []
    found = streets(text) if lang == "ja" else {}
    found |= {
        place: name.kind
        for name in named
        if name.kind in KINDS
        for place in name.places
        if is_free(place, (*found, *apart))
    }
    return found | {
        place: kind
        for place, kind in _labelled(text, words)
        if is_free(place, (*found, *apart)) and (lang != "ja" or _proper(text, place, parse))
    }


def _unlabelled(texts: Sequence[str], named: Sequence[Sequence[Name]]) -> dict[str, str]:
    """Proper nouns of English texts that no model labels and that stand often: with their kind."""
    stands: dict[str, list[tuple[str, tuple[int, int]]]] = defaultdict(list)
    for text, own in zip(texts, named, strict=True):
        for name in own:
            if name.kind == OTHER and not name.article:
                stands[name.shown] += [(text, place) for place in name.places]
    return {
        form: PLACE if _after_prepositions(own) else PERSON
        for form, own in stands.items()
        if len(own) >= UNLABELLED and _inside_sentences(own)
    }


_LABELS = {"PERSON": PERSON, "Person": PERSON} | dict.fromkeys(
    ("GPE", "LOC", "FAC", "City", "Country", "Province", "GPE_Other", "Location_Other", "Island", "River"),
    PLACE,
)


def _labelled(text: str, words: Sequence[Word]) -> Iterator[tuple[tuple[int, int], str]]:
    """Runs of words that a model labels as one person or place; in English of capitalised words."""
    for label, run in groupby(words, key=lambda word: _LABELS.get(word.entity or "")):
        if label is None:
            continue
        kept = [word for word in run if word.text[0].isupper() or not word.text[0].isascii()]
        while kept and not kept[0].text[0].isalnum():
            kept.pop(0)
        while kept and not kept[-1].text[0].isalnum():
            kept.pop()
        if kept and kept[-1].end - kept[0].start > 1:
            yield (kept[0].start, kept[-1].end), label


def _inside_sentences(stands: Sequence[tuple[str, tuple[int, int]]]) -> bool:
    """Whether a form mostly stands after a word, unlike an exclamation, which begins a sentence."""
    after = sum(text[:start].rstrip()[-1:].isalnum() for text, (start, _) in stands)
    return 2 * after >= len(stands)


def _after_prepositions(stands: Sequence[tuple[str, tuple[int, int]]]) -> bool:
    """Whether a form mostly stands as a place does."""
    before = [text[:start].split()[-1:] for text, (start, _) in stands]
    return 2 * sum(word in _PREPOSITIONS for word in before) > len(stands)


_PREPOSITIONS = (["in"], ["at"], ["to"], ["from"], ["near"])


def _proper(text: str, place: tuple[int, int], parse: Parse) -> bool:
    """Whether a stretch of Japanese is written as names are: a proper noun or katakana, and no number."""
    tags = [word.tag for word in parse.words if place[0] <= word.start and word.end <= place[1]]
    if any("数詞" in tag for tag in tags):
        return False
    return any("固有名詞" in tag for tag in tags) or bool(KATAKANA.fullmatch(text[slice(*place)]))


def _add_known(
    texts: Sequence[str],
    known: Mapping[str, str],
    spelled: Mapping[str, Sequence[Word]],
    places: Mapping[str, dict[tuple[int, int], str]],
) -> None:
    """Add to each text's places where it has the names of other texts."""
    by_start: dict[str, list[str]] = defaultdict(list)
    for form in known:
        by_start[form[:1]].append(form)
    for text in texts:
        for place, kind in _known(text, known, by_start, spelled[text]):
            if is_free(place, places[text]):
                places[text][place] = kind


def _known(
    text: str, known: Mapping[str, str], by_start: Mapping[str, Sequence[str]], words: Sequence[Word]
) -> list[tuple[tuple[int, int], str]]:
    """Names that other texts have, as whole words of this one, the longest first.

    by_start: the names by their first character.
    """
    ends = {word.end for word in words}
    found = [
        ((word.start, word.start + len(form)), known[form])
        for word in words
        for form in by_start.get(text[word.start : word.start + 1], ())
        if word.start + len(form) in ends and text.startswith(form, word.start)
    ]
    return sorted(found, key=lambda pair: (pair[0][0] - pair[0][1], pair[0]))


def _inside(words: Sequence[Word], start: int, end: int) -> tuple[Word, ...]:
    return tuple(word for word in words if start <= word.start and word.end <= end)
