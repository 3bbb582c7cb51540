"""Words out of place: WMT's check items (words of another text), words at random, words shuffled."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from core.hacks.edit import Change, Edited, Given, Skipped, rewritten
from core.hacks.word_lists import words as word_list
from core.hacks.words import glue, word_places

_LENGTHS = ((1, 2), (5, 2), (8, 3), (15, 4), (20, 5))
"""Appraise, WMT22: up to so many words in the text, so many are replaced; 6 beyond."""
_AT_RANDOM = {lang: word_list(lang, "at-random") for lang in ("ja", "en")}


def stretch_length(words: int) -> int:
    """How many words of a text of so many words are replaced."""
    return next((length for most, length in _LENGTHS if words <= most), 6)


def splice(given: Given, rng: Random) -> Edited | Skipped:
    """A stretch of words replaced by as many words in a row of `other`."""
    if not given.other:
        return Skipped("no-other")
    ours, theirs = word_places(given.text, given.lang), word_places(given.other, given.lang)
    if not ours:
        return Skipped("empty")
    if not theirs:
        return Skipped("no-other")
    length = min(stretch_length(len(ours)), len(ours), len(theirs))
    starts = list(range(len(ours) - length + 1))
    rng.shuffle(starts)
    at = rng.randrange(len(theirs) - length + 1)
    new = given.other[theirs[at][0] : theirs[at + length - 1][1]]
    new = " ".join(new.split()) if "\n" in new else new
    for place in starts:
        start, end = ours[place][0], ours[place + length - 1][1]
        if given.text[start:end] != new:
            return rewritten(given.text, [Change(start, end, new)])
    return Skipped("unchanged")


def random_tokens(given: Given, rng: Random) -> Edited | Skipped:
    """As many words as the text has, drawn from `other`, or from a small list where there is none."""
    count = len(word_places(given.text, given.lang))
    if not count:
        return Skipped("empty")
    drawn = (
        [given.other[start:end] for start, end in word_places(given.other or "", given.lang)]
        if given.other
        else []
    )
    pool = drawn or _AT_RANDOM.get(given.lang, _AT_RANDOM["en"])
    new = glue(given.lang).join(rng.choice(pool) for _ in range(count))
    return rewritten(given.text, [Change(0, len(given.text), new)])


def shuffle(given: Given, rng: Random) -> Edited | Skipped:
    """The same words in another order; blanks and what is no word stay where they are."""
    places = word_places(given.text, given.lang)
    words = [given.text[start:end] for start, end in places]
    if len(words) < 2:
        return Skipped("one-word" if words else "empty")
    if len(set(words)) == 1:
        return Skipped("unchanged")
    mixed = list(words)
    while mixed == words:
        rng.shuffle(mixed)
    gaps = [given.text[before[1] : after[0]] for before, after in pairwise(places)]
    new = "".join(word + gap for word, gap in zip(mixed, [*gaps, ""], strict=True))
    start, end = places[0][0], places[-1][1]
    return rewritten(given.text, [Change(start, end, new)])
