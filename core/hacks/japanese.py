"""Meaning-changing edits of Japanese (negation flipped, arguments swapped), and a change of politeness.

見た ↔ 見なかった, 犬だ ↔ 犬ではない; the phrases before は/が and を/に are swapped; です/ます ↔ だ/る.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from random import Random

from core.hacks.base import Edited, EditInput, Replacement, Skipped, arrow, each_sentence, rewritten
from core.hacks.base import words as word_list
from core.hacks.predicates_ja import NOUN, VERB, Predicate, endings, is_verb, predicate, stems
from core.types import Parse, ParsedWord

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


def swap_arguments_ja(given: EditInput, rng: Random) -> Edited | Skipped:
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
    return rewritten(text, [Replacement(*one, theirs), Replacement(*other, ours)], note)


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


_TAILS = {
    "な": word_list("ja", "tail-explains"),
    "": word_list("ja", "tail-guesses"),
    "×": word_list("ja", "tail-seems"),
}
"""What stands after a predicate without being said no to, by what a noun has before it; × for no noun."""
_BARE_TAIL = frozenset(word_list("ja", "bare-tail"))
_ONLY_WITH_NO = re.compile("|".join(word_list("ja", "only-with-no")) + "|(?:何|なん)の.{1,8}も")
"""Words that make no sense without a ない."""
_ASKS = frozenset(word_list("ja", "asks"))
_REQUESTS = frozenset(word_list("ja", "requests"))


def flip_negation_ja(given: EditInput, rng: Random) -> Edited | Skipped:
    """Says no where one predicate says yes, and yes where it says no; verbs of saying come last."""
    parse = given.parse
    if parse is None or not parse.words:
        return Skipped("no-parse")
    found = [
        one
        for one in (_change(given.text, parse, end, stop) for end, stop in endings(parse))
        if one is not None
    ]
    if not found:
        return Skipped("no-predicate")
    best = max(rank for rank, _ in found)
    return rewritten(given.text, [rng.choice([change for rank, change in found if rank == best])])


def _change(text: str, parse: Parse, end: int, stop: bool) -> tuple[int, Replacement] | None:
    asked = _request(parse.words, end)
    if asked is not None:
        return 2, asked
    read = inner(parse, end)
    if read is None:
        return None
    read = _without_shimau(parse.words, read)
    before = text[: read.start]
    sentence = before[max(map(before.rfind, "。！？「『")) + 1 :]
    if _idiomatic(parse.words, read, sentence):
        return None
    contrary = replace(read, negative=not read.negative)
    new = contrary.spelt()
    if read.kind == NOUN and read.negative and read.linked == "だ" and not stop and not read.polite:
        new = "だった" if read.past else "だ"
    return (0 if read.says else 2 if stop else 1), Replacement(read.start, read.end, new)


def _idiomatic(words: tuple[ParsedWord, ...], read: Predicate, before: str) -> bool:
    """Turns of speech with no contrary of that shape: どうにもわからん, 悪いようにはしない, 行っていい."""
    last = words[read.first - 1].text if read.first else ""
    allows = read.lemma in ("いい", "良い", "よい") and last in ("て", "で", "も")
    stressed = read.lemma == "する" and last in ("は", "や", "にゃ", "も")
    counted = read.bare and "助数詞" in words[read.first].tag if read.first < len(words) else False
    conceded = read.first > 1 and last == "は" and words[read.first - 2].text == "に" and read.kind == VERB
    asks = read.kind == NOUN and last in _ASKS
    return (
        allows
        or stressed
        or counted
        or asks
        or conceded
        or (read.negative and _ONLY_WITH_NO.search(before) is not None)
    )


def inner(parse: Parse, end: int) -> Predicate | None:
    """The predicate before the place `end`, what surrounds it (のだ, だろう) looked through."""
    words, linked = parse.words, "だ"
    for _ in range(3):
        tail = _tail(words, end)
        if tail is None:
            break
        end, linked = tail
    if end <= 0:
        return None
    read = predicate(parse, end)
    if read is None and linked == "":
        read = _bare(words, end)
    if read is None or (read.kind == NOUN and linked == "×"):
        return None
    if (
        read.kind == NOUN
        and linked == "な"
        and not (read.past or read.negative)
        and words[end - 1].text != "な"
    ):
        return None
    return replace(read, linked=linked)


def _tail(words: tuple[ParsedWord, ...], end: int) -> tuple[int, str] | None:
    for linked, tails in _TAILS.items():
        for tail in sorted(tails, key=len, reverse=True):
            at, rest = end, tail
            while at > 0 and rest and rest.endswith(words[at - 1].text):
                rest = rest[: len(rest) - len(words[at - 1].text)]
                at -= 1
            if not rest and at > 0 and not (linked == "な" and not _explains(words, at)):
                return at, linked
    return None


def _explains(words: tuple[ParsedWord, ...], at: int) -> bool:
    """Whether the の at a place explains a statement and is not a particle between nouns, no ん of 進んだ."""
    return words[at].tag == "助詞-準体助詞"


def _bare(words: tuple[ParsedWord, ...], end: int) -> Predicate | None:
    word = words[end - 1]
    if word.text in _BARE_TAIL or word.pos not in ("NOUN", "PROPN", "PRON", "ADJ"):
        return None
    return Predicate(
        start=word.end, end=word.end, kind=NOUN, lemma="", surface="", first=end, last=end, bare=True
    )


def _without_shimau(words: tuple[ParsedWord, ...], read: Predicate) -> Predicate:
    """行ってしまった -> 行かなかった: nobody says 行ってしまわなかった."""
    at = read.first
    if (
        read.lemma not in ("しまう", "おく")
        or read.negative
        or at < 2
        or words[at - 1].text not in ("て", "で")
    ):
        return read
    main = words[at - 2]
    if not main.tag.startswith("動詞") or not is_verb(main.lemma):
        return read
    return replace(read, start=main.start, lemma=main.lemma, surface=main.text, first=at - 2)


def _request(words: tuple[ParsedWord, ...], end: int) -> Replacement | None:
    """行ってください ↔ 行かないでください."""
    at = end - 1
    if words[at].text == "たまえ" and at:
        at -= 1
    if at < 2 or words[at].text not in _REQUESTS or words[at - 1].text not in ("て", "で"):
        return None
    main = words[at - 2]
    if main.text == "ない" and at > 2 and is_verb(words[at - 3].lemma):
        asked = words[at - 3]
        done = stems(asked.lemma, asked.text)[2]
        return Replacement(asked.start, words[at - 1].end, done[:-1] + ("で" if done[-1] == "だ" else "て"))
    if not main.tag.startswith("動詞") or not is_verb(main.lemma):
        return None
    return Replacement(main.start, words[at - 1].end, stems(main.lemma, main.text)[0] + "ないで")


_POLITE_TURNED = {"だろう": "でしょう", "でしょう": "だろう"}
_KEPT = frozenset({"ござる", "くださる", "下さる"})


def change_honorific(given: EditInput, rng: Random) -> Edited | Skipped:
    """Makes the end of one sentence polite where it is plain, and plain where it is polite."""
    if given.lang != "ja":
        return Skipped("language")
    if given.parse is None or not given.parse.words:
        return Skipped("no-parse")
    parse = given.parse
    found = [
        one
        for one in (_change_register(parse, end) for end, stop in endings(parse) if stop)
        if one is not None
    ]
    return rewritten(given.text, [rng.choice(found)]) if found else Skipped("no-predicate")


def _change_register(parse: Parse, end: int) -> Replacement | None:
    last = parse.words[end - 1]
    if last.text in _POLITE_TURNED:
        return Replacement(last.start, last.end, _POLITE_TURNED[last.text])
    read = predicate(parse, end)
    if (
        read is None
        or read.lemma in _KEPT
        or (read.kind == NOUN and parse.words[read.first - 1].text in _ASKS)
    ):
        return None
    new = replace(read, polite=not read.polite, formal=False).spelt()
    if read.kind == NOUN and read.bare:
        new = "です"
    return Replacement(read.start, read.end, new)
