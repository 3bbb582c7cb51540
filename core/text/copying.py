"""Whether two texts are the same to a reader, and whether one is copied from the other."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

from core.text.segmentation import sentence_starts

_LEFT_OUT = ("P", "Z", "C")
"""Unicode categories: punctuation, separators and control characters."""


def normal(text: str) -> str:
    """NFKC, case folded, without blanks, punctuation and control characters.

    Texts with the same result differ in nothing that a reader reads aloud.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if unicodedata.category(char)[0] not in _LEFT_OUT)


def is_copied(text: str, reference: str) -> bool:
    """Whether a text holds the whole reference, or each of its sentences stands in it, as `normal` has them.

    A text without letters is no copy.
    """
    whole, other = normal(text), normal(reference)
    if not whole or not other:
        return False
    if other in whole:
        return True
    ends = [*sentence_starts(text), len(text)]
    return all(normal(text[first:last]) in other for first, last in pairwise(ends))
