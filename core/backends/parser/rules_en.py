"""Rules from spaCy's English dependencies (CLEAR labels) to phrases in the style of the Penn Treebank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from core.backends.parser.derived import Part, Phrase, Sentence

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass", "expl")
AUXILIARIES = ("aux", "auxpass")
BARE = frozenset(("det", "predet", "amod", "compound", "nummod", "nmod", "case", "poss", "quantmod"))
LEADING = frozenset(("cc", "mark", "punct", "intj", "advcl", "prep"))
WH = ("WP", "WDT", "WRB", "WP$")
NOUNS = ("NN", "PRP", "CD", "EX", "DT", "FW", "$", "WP", "WDT", "PDT")


def english_phrase(s: Sentence, word: int) -> Part:
    """The phrase of a word whose dependents have theirs."""
    tag, relation = s.tag(word), s.relation(word)
    if relation in AUXILIARIES:
        return _simple(s, word, "") if s.kids(word) else word
    if (tag.startswith(("VB", "MD")) and relation not in ("amod", "compound")) or s.has(word, *SUBJECTS):
        return _clause(s, word)
    if tag == "POS" or (not s.kids(word) and relation in BARE and tag != "CD"):
        return word
    if tag.startswith(NOUNS):
        return _noun_phrase(s, word)
    label = _label(s, word)
    return _simple(s, word, label) if label or s.kids(word) else word


def _label(s: Sentence, word: int) -> str:
    """What a word that is neither verb nor noun heads; empty where it heads nothing of its own."""
    tag, relation = s.tag(word), s.relation(word)
    if relation == "prt":
        return "PRT"
    if tag in ("IN", "TO", "RP") and (relation in ("prep", "agent", "dative") or s.kids(word)):
        return "PP"
    if relation == "neg":
        return ""
    by_tag = {"JJ": "ADJP", "RB": "ADVP", "WRB": "WHADVP", "UH": "INTJ"}
    default = "NP" if s.heads[word] == word and s.kids(word) else ""
    return by_tag.get(tag, by_tag.get(tag[:2], default))


def _inner(s: Sentence, kid: int) -> Part:
    """A dependent inside a noun phrase: a single word stays one, but for a possessor."""
    part = s.built[kid]
    if s.kids(kid) and s.relation(kid) == "nummod":
        return Phrase("QP", [*_parts(part)])
    return part if s.kids(kid) else kid


def _parts(part: Part) -> list[Part]:
    return part.parts if isinstance(part, Phrase) else [part]


def _simple(s: Sentence, word: int, label: str) -> Phrase:
    """Dependents and head on one level; what is coordinated makes a level of its own."""
    right, joined = _coordination(s, word)
    left = [
        s.built[kid] if s.relation(kid) not in ("advmod", "neg") or label == "PP" else _inner(s, kid)
        for kid in s.left[word]
    ]
    core = Phrase(label, [*left, word, *(s.built[kid] for kid in right)])
    return _joined(s, core, joined, label)


def _coordination(s: Sentence, word: int) -> tuple[list[int], list[int]]:
    """The right dependents, and from the first coordinating one (with the comma before it) on, the rest."""
    right = list(s.right[word])
    if "conj" not in map(s.relation, right):
        return right, []
    first = next(at for at, kid in enumerate(right) if s.relation(kid) in ("cc", "conj", "preconj"))
    while first and s.relation(right[first - 1]) == "punct":
        first -= 1
    return right[:first], right[first:]


def _joined(s: Sentence, core: Phrase, joined: Sequence[int], label: str) -> Phrase:
    if not joined:
        return core
    single = len(core.parts) == 1 and all(not s.kids(kid) for kid in joined)
    if single:
        return Phrase(label, [*core.parts, *joined])
    return Phrase(label, [core, *(s.built[kid] for kid in joined)])


def _noun_phrase(s: Sentence, word: int) -> Phrase:
    """Modifiers before and the noun are one phrase; with more behind it they are one inside another."""
    label = "WHNP" if s.tag(word) in WH or any(s.tag(kid) in WH for kid in s.left[word]) else "NP"
    right, joined = _coordination(s, word)
    left = s.left[word]
    lead = next((at for at, kid in enumerate(left) if s.relation(kid) not in LEADING), len(left))
    close = [*takewhile(lambda kid: s.relation(kid) == "case", right)]
    open_ = right[len(close) :]
    base: list[Part] = [
        *(_inner(s, kid) for kid in left[lead:]),
        word,
        *(s.built[kid] for kid in close),
    ]
    leading: list[Part] = [s.built[kid] for kid in left[:lead]]
    core = Phrase(label, base)
    if any(s.relation(kid) != "punct" for kid in open_):
        core = Phrase(label, [core, *(s.built[kid] for kid in open_)])
    else:
        core.parts += open_
    core = _joined_nouns(s, core, joined, label)
    if leading:
        core = Phrase(label, [*leading, *core.parts])
    return core


def _joined_nouns(s: Sentence, core: Phrase, joined: Sequence[int], label: str) -> Phrase:
    if joined and all(not s.kids(kid) for kid in joined) and all(isinstance(p, int) for p in core.parts):
        return Phrase(label, [*core.parts, *joined])
    return _joined(s, core, joined, label)


def _clause(s: Sentence, word: int) -> Phrase:
    """A verb with its dependents: verb phrases from the first auxiliary on, the subject before them."""
    right, joined = _coordination(s, word)
    root = s.heads[word] == word
    tail: list[int] = []
    pool = joined or right
    while pool and s.relation(pool[-1]) == "punct" and (root or s.has(word, *SUBJECTS)):
        tail.insert(0, pool.pop())
    outside, inside = _sides(s, word)
    clausal = any(s.relation(kid) == "conj" and s.has(kid, *SUBJECTS) for kid in joined)
    verb_phrase = _verb_phrase(s, word, inside, right, [] if clausal else joined)
    return _wrapped(s, word, outside, verb_phrase, [*(joined if clausal else []), *tail])


def _sides(s: Sentence, word: int) -> tuple[list[int], list[int]]:
    """The left dependents outside the verb phrase, up to the subject, and those in it."""
    left = list(s.left[word])
    edge = 0
    for at, kid in enumerate(left):
        outer = (*SUBJECTS, "mark", "punct", "cc", "ccomp", "advcl", "intj", "prep", "npadvmod")
        if s.relation(kid) in outer or _is_wh(s, kid):
            edge = at + 1
    return left[:edge], left[edge:]


def _verb_phrase(
    s: Sentence, word: int, inside: Sequence[int], right: Sequence[int], joined: Sequence[int]
) -> Phrase:
    own_auxiliary = any(s.relation(kid) == "conj" and s.has(kid, *AUXILIARIES) for kid in joined)
    phrase = Phrase("VP", [word, *(s.built[kid] for kid in right)])
    if joined and not own_auxiliary:
        phrase = Phrase("VP", [phrase, *(s.built[kid] for kid in joined)])
    pending: list[Part] = []
    for kid in reversed(inside):
        if s.relation(kid) in AUXILIARIES:
            phrase = Phrase("VP", [s.built[kid], *pending, phrase])
            pending = []
        else:
            pending.insert(0, s.built[kid])
    if pending:
        phrase = Phrase("VP", [*pending, *phrase.parts])
    if joined and own_auxiliary:
        phrase = Phrase("VP", [phrase, *(s.built[kid] for kid in joined)])
    return phrase


def _is_wh(s: Sentence, kid: int) -> bool:
    return s.tag(kid) in WH or any(s.tag(grand) in WH for grand in s.kids(kid)[:1])


def _wrapped(
    s: Sentence, word: int, outside: Sequence[int], verb_phrase: Phrase, tail: Sequence[int]
) -> Phrase:
    """S, SBAR, SQ or no more than the verb phrase, by the clause's relation and what opens it."""
    relation = s.relation(word)
    tails = [s.built[kid] for kid in tail]
    marks = [kid for kid in outside if s.relation(kid) == "mark" or _is_wh(s, kid)]
    subject = s.has(word, *SUBJECTS)
    root = s.heads[word] == word
    inverted = subject and any(s.relation(kid) in AUXILIARIES for kid in outside)
    if not outside and not tails and relation in ("conj", "acl", "amod") and s.tag(word) != "TO":
        infinitive = any(s.tag(kid) == "TO" for kid in s.left[word])
        return Phrase("S", [verb_phrase]) if infinitive and relation == "acl" else verb_phrase
    if not marks or (root and not _is_wh(s, marks[0])):
        inner = Phrase("SQ" if inverted else "S", [*(s.built[kid] for kid in outside), verb_phrase, *tails])
        bare = relation in ("ccomp", "relcl") and subject and word > s.heads[word]
        return Phrase("SBAR", [inner]) if bare else inner
    return _opened(s, outside, marks[0], verb_phrase, tails, root and inverted)


def _opened(
    s: Sentence, outside: Sequence[int], mark: int, verb_phrase: Phrase, tails: list[Part], question: bool
) -> Phrase:
    """SBAR with what opens it, or SBARQ."""
    at = list(outside).index(mark) + 1
    opening: list[Part] = [s.built[kid] for kid in outside[:at]]
    if opening[-1] == mark and s.tag(mark) in WH:
        opening[-1] = Phrase("WHADVP" if s.tag(mark) == "WRB" else "WHNP", [mark])
    clause = Phrase("SQ" if question else "S", [*(s.built[kid] for kid in outside[at:]), verb_phrase])
    return Phrase("SBARQ" if question else "SBAR", [*opening, clause, *tails])
