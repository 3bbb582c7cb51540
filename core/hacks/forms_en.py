"""Forms of English verbs and pronouns: what a verb looks like with do taken away, or with another subject."""

from __future__ import annotations

import re

from core.hacks.word_lists import words as word_list

_PAST = dict(pair.split("/") for pair in word_list("en", "past"))
_DOUBLED = frozenset(word_list("en", "doubled"))
_VOWEL_END = re.compile(r"^(?:[^aeiou]*|qu)[aeiouy][bdgklmnprtvz]$")
_BE = {"am": "was", "is": "was", "are": "were"}
SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}
OBJECT_FORMS = {form: word for word, form in SUBJECT_FORMS.items()} | {"I": "me"}
_SINGULAR = {
    "are": "is",
    "am": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "'re": "'s",
    "'m": "'s",
    "'ve": "'s",
}
_PLURAL = {"is": "are", "am": "are", "was": "were", "has": "have", "does": "do"}
MODALS = frozenset(word_list("en", "modals"))


def past(lemma: str) -> str:
    """See -> saw, stop -> stopped, try -> tried."""
    if lemma in _PAST:
        return _PAST[lemma]
    if lemma.endswith("e"):
        return f"{lemma}d"
    if re.search("[^aeiou]y$", lemma):
        return f"{lemma[:-1]}ied"
    if _VOWEL_END.match(lemma) or lemma in _DOUBLED:
        return f"{lemma}{lemma[-1]}ed"
    return f"{lemma}ed"


def third_person(lemma: str) -> str:
    """Go -> goes, try -> tries, have -> has."""
    known = {"be": "is", "have": "has", "do": "does", "go": "goes", "undergo": "undergoes"}
    if lemma in known:
        return known[lemma]
    if re.search("[^aeiou]y$", lemma):
        return f"{lemma[:-1]}ies"
    return f"{lemma}es" if lemma.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{lemma}s"


def agreeing(word: str, lemma: str, tag: str, *, subject: str, plural: bool) -> str | None:
    """The finite verb for another subject; None where it is the same for all. subject: as it is written.

    tag: Penn Treebank.
    """
    lower = word.lower()
    first = subject == "I"
    if lower in MODALS or tag in ("MD", "VB"):
        return None
    if lemma == "be":
        if first:
            return {"is": "am", "are": "am", "were": "was"}.get(lower)
        return (_PLURAL if plural else _SINGULAR).get(lower)
    if tag == "VBD":
        return None
    if plural or first:
        return _PLURAL.get(lower) or (lemma if tag == "VBZ" else None)
    return _SINGULAR.get(lower) or (third_person(lemma) if tag == "VBP" else None)
