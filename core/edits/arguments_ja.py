"""Who did what to whom in Japanese, turned round: the phrases before は/が and を/に change places."""

from __future__ import annotations

from random import Random

from core.edits.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.edits.word_lists import words as word_list
from core.trees import Parse, ParsedWord

_PEOPLE = frozenset(word_list("ja", "people"))
_SUBJECT = frozenset({"は", "が", "も"})
_LIGHT = frozenset(word_list("ja", "light"))
_MOTION = frozenset(word_list("ja", "motion"))
"""Verbs whose を marks a way or makes one word with them."""
_BODY = frozenset(word_list("ja", "body"))
_LONGEST = 12
_FREE = frozenset({"PUNCT", "SYM"})


def swap_arguments_ja(given: Given, rng: Random) -> Edited | Skipped:
    """The subject and the object of one verb change places, with what stands before them; particles stay."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    text = given.text
    pairs = [pair for at in range(len(parse.words)) for pair in _pairs(parse, at) if _differ(text, pair)]
    if not pairs:
        return Skipped("no-arguments")
    best = max(rank for rank, _, _ in pairs)
    _, one, other = rng.choice([pair for pair in pairs if pair[0] == best])
    ours, theirs = text[slice(*one)], text[slice(*other)]
    return rewritten(
        text, [Change(*one, theirs), Change(*other, ours)], arrow(f"{ours}/{theirs}", f"{theirs}/{ours}")
    )


Place = tuple[int, int]


def _differ(text: str, pair: tuple[int, Place, Place]) -> bool:
    return text[slice(*pair[1])] != text[slice(*pair[2])]


def _pairs(parse: Parse, verb: int) -> list[tuple[int, Place, Place]]:
    """Rank and places of a verb's subject and of each object: 2 where both are people, 1 where one is."""
    words = parse.words
    if words[verb].pos not in ("VERB", "AUX") or words[verb].lemma in _MOTION:
        return []
    subjects, objects = [], []
    for at, word in enumerate(words):
        if word.head != verb or at >= verb or at + 1 >= len(words):
            continue
        particle = words[at + 1]
        if particle.start != word.end or particle.pos != "ADP" or not _noun(words, at):
            continue
        double = at + 2 < len(words) and words[at + 2].pos == "ADP"
        if word.relation == "nsubj" and particle.text in _SUBJECT and not double:
            subjects.append(at)
        elif not double and (
            (word.relation == "obj" and particle.text == "を" and word.text not in _BODY)
            or (word.relation in ("obl", "iobj") and particle.text == "に" and _person(word))
        ):
            objects.append(at)
    found = []
    for one in subjects:
        for other in objects:
            first, second = _phrase(parse, one), _phrase(parse, other)
            if first is not None and second is not None and (first[1] <= second[0] or second[1] <= first[0]):
                found.append((_person(words[one]) + _person(words[other]), first, second))
    return found


def _noun(words: tuple[ParsedWord, ...], at: int) -> bool:
    word = words[at]
    return word.pos in ("NOUN", "PROPN", "PRON") and word.text not in _LIGHT and "助数詞" not in word.tag


def _person(word: ParsedWord) -> bool:
    return word.pos in ("PRON", "PROPN") or "人名" in word.tag or word.text in _PEOPLE


def _phrase(parse: Parse, at: int) -> Place | None:
    """A noun with all that stands before it and belongs to it; None for a long one or one with gaps."""
    words = parse.words
    inside = {at}
    for place in range(at - 1, -1, -1):
        above, steps = words[place].head, 0
        while above not in inside and words[above].head != above and steps < _LONGEST:
            above, steps = words[above].head, steps + 1
        if above in inside and place < at:
            inside.add(place)
        elif place < at:
            break
    first = min(inside)
    while first < at and (
        words[first].pos in (*_FREE, "CCONJ", "ADV", "INTJ")
        or (
            ("副詞可能" in words[first].tag or words[first].text == "かたわら")
            and words[first + 1].pos != "ADP"
        )
    ):
        first += 1
    piece = words[first : at + 1]
    if len(piece) > _LONGEST or any(
        (word.pos in _FREE and word.text != "・") or word.text in ("自分", "自身") for word in piece
    ):
        return None
    return words[first].start, words[at].end
