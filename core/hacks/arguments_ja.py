"""Who did what to whom in Japanese, turned round: the phrases before は/が and を/に change places."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, arrow, rewritten
from core.hacks.parsed import each_sentence
from core.hacks.word_lists import words as word_list
from core.trees import Parse, ParsedWord

_PEOPLE = word_list("ja", "people")
_NOT_PEOPLE = frozenset(word_list("ja", "not-people"))
_SUBJECT = frozenset({"は", "が", "も"})
_LIGHT = frozenset(word_list("ja", "light"))
_MOTION = frozenset(word_list("ja", "motion"))
"""Verbs whose を marks a way or makes one word with them."""
_TURNED = frozenset(word_list("ja", "turned"))
_PARTS = frozenset(word_list("ja", "parts"))
_GIVING = frozenset({"くれる", "くださる", "下さる", "もらう", "いただく", "頂く"})
_LONGEST = 12
_FREE = frozenset({"PUNCT", "SYM"})


Place = tuple[int, int]


def swap_arguments_ja(given: Given, rng: Random) -> Edited | Skipped:
    """Subject and object of one verb change places, people before things; the particles stay."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    text = given.text
    pairs = [pair for one in each_sentence(parse) for at in range(len(one.words)) for pair in _pairs(one, at)]
    pairs = [pair for pair in pairs if text[slice(*pair[1])] != text[slice(*pair[2])]]
    if not pairs:
        return Skipped("no-arguments")
    best = max(rank for rank, _, _ in pairs)
    _, one, other = rng.choice([pair for pair in pairs if pair[0] == best])
    ours, theirs = text[slice(*one)], text[slice(*other)]
    note = arrow(f"{ours}/{theirs}", f"{theirs}/{ours}")
    return rewritten(text, [Change(*one, theirs), Change(*other, ours)], note)


def _pairs(parse: Parse, verb: int) -> list[tuple[bool, Place, Place]]:
    """The places of a verb's subject and of each object, and whether both are people or animals.

    A thing may only change places with somebody where the verb allows it (窓が男を見る).
    """
    words = parse.words
    if words[verb].pos not in ("VERB", "AUX") or words[verb].lemma in _MOTION or _for_me(words, verb):
        return []
    subjects = [at for at in range(verb) if _marked(words, at, verb, ("nsubj",), _SUBJECT)]
    objects = [
        at
        for at in range(verb)
        if _marked(words, at, verb, ("obj",), {"を"}) or _marked(words, at, verb, ("obl", "iobj"), {"に"})
    ]
    found = []
    for one in subjects:
        for other in objects:
            first, second = _phrase(parse, one), _phrase(parse, other)
            people = _person(words[one]) and _person(words[other])
            turned = words[verb].lemma in _TURNED and words[other + 1].text == "を"
            if first is None or second is None or not (people or turned):
                continue
            if first[1] <= second[0] or second[1] <= first[0]:
                found.append((people, first, second))
    return found


def _marked(
    words: tuple[ParsedWord, ...], at: int, verb: int, relations: tuple[str, ...], particles: Collection[str]
) -> bool:
    """Whether a noun depends on the verb in one of these relations, with one of these particles alone."""
    word, particle = words[at], words[at + 1]
    double = at + 2 < len(words) and words[at + 2].pos == "ADP" and words[at + 2].start == particle.end
    depends = word.head == verb and word.relation in relations
    marks = particle.start == word.end and particle.pos == "ADP" and particle.text in particles
    return depends and marks and not double and _noun(words, at)


def _for_me(words: tuple[ParsedWord, ...], verb: int) -> bool:
    """Whether a くれる or its like says for whom something is done: 僕は君に教えてくれる is no Japanese."""
    return any(word.lemma in _GIVING for word in words[verb : verb + 4])


def _noun(words: tuple[ParsedWord, ...], at: int) -> bool:
    word = words[at]
    return (
        word.pos in ("NOUN", "PROPN", "PRON")
        and word.text not in _LIGHT | _PARTS
        and "助数詞" not in word.tag
    )


def _person(word: ParsedWord) -> bool:
    """Whether a word stands for somebody, people or animals: only they can change places in any sentence."""
    named = word.pos == "PRON" or "人名" in word.tag or (word.pos == "PROPN" and "地名" not in word.tag)
    return named or (word.text.endswith(_PEOPLE) and word.text not in _NOT_PEOPLE)


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
