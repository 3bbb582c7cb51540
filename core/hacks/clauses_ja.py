"""Where Japanese sentences and clauses end, so that the word before is their predicate's last."""

from __future__ import annotations

from collections.abc import Iterator

from core.hacks.predicate_ja import is_verbal
from core.hacks.word_lists import words as word_list
from core.trees import Parse, ParsedWord

_ENDS = frozenset("。．！!」』）)…―")
_FINAL = frozenset(word_list("ja", "final"))
_JOINING = frozenset(word_list("ja", "joining"))
_QUESTIONS = frozenset("？?")


def endings(parse: Parse) -> Iterator[tuple[int, bool]]:
    """Where a sentence or clause may end: the place after its last word, and whether a full stop follows.

    Particles at the end (よ, ね, が、) are not counted in. Questions are left out.
    """
    words = parse.words
    for at in range(1, len(words) + 1):
        following = words[at].text if at < len(words) else "。"
        stop = following[0] in _ENDS
        comma = following[0] in "、，" and words[at - 1].text in _JOINING
        if not (stop or comma) or words[at - 1].pos in ("PUNCT", "SYM"):
            continue
        last = at
        while last > 1 and _trails(words, last - 1):
            last -= 1
        if words[last - 1].text not in ("か", "かい", "かね", "かな") and not _asks(words, at):
            yield last, stop


def _trails(words: tuple[ParsedWord, ...], at: int) -> bool:
    word, before = words[at], words[at - 1]
    if "終助詞" in word.tag:
        return word.text in _FINAL and not (
            word.text == "な" and before.text == before.lemma and is_verbal(before)
        )
    return word.text in _JOINING and "接続助詞" in word.tag


def _asks(words: tuple[ParsedWord, ...], at: int) -> bool:
    return any(word.text[0] in _QUESTIONS for word in words[at : at + 1])
