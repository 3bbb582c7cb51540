"""A parse, sentence by sentence, so that a long text costs no more than its sentences one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from core.trees import Parse

LONGEST = 300
"""Words of a sentence at most: what is longer is a list or no prose."""


def each_sentence(parse: Parse) -> Iterator[Parse]:
    """Each sentence as a parse of its own: places among the words begin at 0, offsets into the text stay.

    Sentences of more than LONGEST words are left out.
    """
    for first, end in pairwise([*parse.sentences, len(parse.words)]):
        if end - first > LONGEST:
            continue
        words = tuple(replace(word, head=word.head - first) for word in parse.words[first:end])
        yield Parse(words=words, sentences=(0,))
