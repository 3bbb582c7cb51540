"""A Japanese statement into its contrary: 見た ↔ 見なかった, 犬だ ↔ 犬ではない."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from core.hacks.clauses_ja import endings
from core.hacks.edit import Change, Edited, Given, Skipped, rewritten
from core.hacks.forms_ja import is_verb, stems
from core.hacks.predicate_ja import NOUN, VERB, Predicate, predicate
from core.hacks.word_lists import words as word_list
from core.trees import Parse, ParsedWord

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


def flip_negation_ja(given: Given, rng: Random) -> Edited | Skipped:
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


def _change(text: str, parse: Parse, end: int, stop: bool) -> tuple[int, Change] | None:
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
    return (0 if read.says else 2 if stop else 1), Change(read.start, read.end, new)


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
    """Whether the の at a place explains a statement and is no particle between nouns, no ん of 進んだ."""
    return words[at].tag == "助詞-準体助詞"


def _bare(words: tuple[ParsedWord, ...], end: int) -> Predicate | None:
    word = words[end - 1]
    if word.text in _BARE_TAIL or word.pos not in ("NOUN", "PROPN", "PRON", "ADJ"):
        return None
    return Predicate(start=word.end, end=word.end, kind=NOUN, lemma="", surface="", first=end, last=end,
                     bare=True)  # fmt: skip


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


def _request(words: tuple[ParsedWord, ...], end: int) -> Change | None:
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
        return Change(asked.start, words[at - 1].end, done[:-1] + ("で" if done[-1] == "だ" else "て"))
    if not main.tag.startswith("動詞") or not is_verb(main.lemma):
        return None
    return Change(main.start, words[at - 1].end, stems(main.lemma, main.text)[0] + "ないで")
