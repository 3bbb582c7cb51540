"""Classes of words that the questions of `mteqa` look at: light words, people, places, question words.

They stand in `assets/question_words.LANG.txt`, which says what each class is for.
"""

from __future__ import annotations

from core.assets import ASSETS
from core.trees import ParsedWord


def _read(lang: str) -> dict[str, frozenset[str]]:
    lines = (ASSETS / f"question_words.{lang}.txt").read_text("utf-8").splitlines()
    classes = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {name: frozenset(words.split()) for name, words in classes}


_JA, _EN = _read("ja"), _read("en")
LIGHT_NOUNS = _JA["light-nouns"] | _EN["light-nouns"]
LIGHT_VERBS = _JA["light-verbs"] | _EN["light-verbs"]
QUESTION_WORDS = _JA["question-words"] | _EN["question-words"]
HELPING_VERBS = _JA["helping-verbs"]
BODY = _JA["body"]
PLACES = _JA["places"]
TIMES = _JA["times"]
MOTION_VERBS = _JA["motion-verbs"]
NO_NUMBER = _EN["no-number"]
_PEOPLE = tuple(_JA["people"])


def light(word: ParsedWord) -> bool:
    """Whether a word by itself says too little to be an answer."""
    forms = {word.text.lower(), word.lemma.lower()}
    if word.pos in ("NOUN", "PROPN"):
        return bool(forms & LIGHT_NOUNS) or "感動詞" in word.tag
    return word.pos in ("VERB", "ADJ", "AUX") and bool(forms & LIGHT_VERBS)


def person(noun: str) -> bool:
    """Whether a Japanese noun stands for people, by its last characters."""
    return noun not in _JA["not-people"] and noun.endswith(_PEOPLE)
