"""The politeness of one Japanese sentence: です/ます ↔ だ/る. The statement stays."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from core.hacks.clauses_ja import endings
from core.hacks.edit import Change, Edited, Given, Skipped, rewritten
from core.hacks.predicate_ja import NOUN, predicate
from core.hacks.word_lists import words as word_list
from core.trees import Parse

_TURNED = {"だろう": "でしょう", "でしょう": "だろう"}
_ASKS = frozenset(word_list("ja", "asks"))
_KEPT = frozenset({"ござる", "くださる", "下さる"})


def change_honorific(given: Given, rng: Random) -> Edited | Skipped:
    """Makes the end of one sentence polite where it is plain, and plain where it is polite."""
    if given.lang != "ja":
        return Skipped("language")
    if given.parse is None or not given.parse.words:
        return Skipped("no-parse")
    parse = given.parse
    found = [one for one in (_change(parse, end) for end, stop in endings(parse) if stop) if one is not None]
    return rewritten(given.text, [rng.choice(found)]) if found else Skipped("no-predicate")


def _change(parse: Parse, end: int) -> Change | None:
    last = parse.words[end - 1]
    if last.text in _TURNED:
        return Change(last.start, last.end, _TURNED[last.text])
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
    return Change(read.start, read.end, new)
