"""Which question an English sentence allows: only a subject at its head can become who, what or how many."""

from __future__ import annotations

from core.metrics.mteqa.answer_spans import ACTION, NAME, VALUE
from core.metrics.mteqa.word_classes import QUESTION_WORDS
from core.metrics.mteqa.wording import Asking
from core.metrics.structure.roles import SUBJECTS

ARTICLES = frozenset({"", "the", "a", "an"})
PEOPLE = frozenset({"PERSON", "NORP"})
_JOINED = frozenset({"conj", "ccomp", "parataxis"})


def asked(asking: Asking) -> tuple[str, str] | None:
    """The kind and the words of the question; None where only a gap is right."""
    if asking.before.strip().lower() not in ARTICLES or not _plain(asking):
        return None
    if asking.span.kind == VALUE:
        return _how_many(asking)
    if asking.span.kind == ACTION or not _is_subject(asking, asking.span.head) or _continued(asking):
        return None
    if asking.after.lstrip().startswith(","):  # Science, however, …
        return None
    if asking.span.kind == NAME and asking.span.label in PEOPLE:
        return "who", _ask("Who", asking)
    return "what", _ask("Who or what", asking)


def _how_many(asking: Asking) -> tuple[str, str] | None:
    """Three cats slept -> How many cats slept; None for anything but a number at the head."""
    bare = asking.span.label == "number" and asking.head.relation == "nummod" and not asking.before.strip()
    if not (bare and _is_subject(asking, asking.head.head)):
        return None
    between = asking.parse.words[asking.span.words[1] : asking.head.head]
    if any(word.pos not in ("ADJ", "NOUN", "PROPN") for word in between):
        return None
    return "how-many", _ask("How many", asking)


def _ask(word: str, asking: Asking) -> str:
    return f"{word}{asking.after.rstrip().rstrip('.!')}?"


def _plain(asking: Asking) -> bool:
    """A statement of one clause with a verb at its root; what joins it has no subject of its own."""
    if not asking.after.rstrip().endswith(".") or "?" in asking.after:
        return False
    roots = [at for at in range(*asking.places) if asking.parse.words[at].head == at]
    if len(roots) != 1 or asking.parse.words[roots[0]].pos not in ("VERB", "AUX"):
        return False
    joined = asking.depending(_JOINED, on=roots[0])
    opening = {asking.sentence[0].text.lower()} & QUESTION_WORDS
    complements = [at for at in joined if asking.parse.words[at].relation == "ccomp" and at > roots[0]]
    return not opening and not any(
        asking.depending(SUBJECTS | {"expl"}, on=at) for at in joined if at not in complements
    )


def _is_subject(asking: Asking, at: int) -> bool:
    word = asking.parse.words[at]
    return word.relation in SUBJECTS and asking.parse.words[word.head].relation == "ROOT"


def _continued(asking: Asking) -> bool:
    """Whether something after the answer belongs to it: of, who, and."""
    first, last = asking.span.words
    return any(first <= word.head < last for word in asking.parse.words[last : asking.places[1]])
