"""Forms of English verbs and pronouns: what a verb looks like with do taken away, or with another subject."""

from __future__ import annotations

import re

_PAST_LINES = """
arise arose|awake awoke|bear bore|beat beat|become became|begin began|bend bent|bet bet|bid bid|bind bound|bite bit
bleed bled|blow blew|break broke|breed bred|bring brought|build built|burst burst|buy bought|cast cast|catch caught
choose chose|cling clung|come came|cost cost|creep crept|cut cut|deal dealt|dig dug|do did|draw drew|drink drank
drive drove|eat ate|fall fell|feed fed|feel felt|fight fought|find found|flee fled|fling flung|fly flew|forbid forbade
forget forgot|forgive forgave|forsake forsook|freeze froze|get got|give gave|go went|grind ground|grow grew|hang hung
have had|hear heard|hide hid|hit hit|hold held|hurt hurt|keep kept|kneel knelt|know knew|lay laid|lead led|leave left
lend lent|let let|lie lay|light lit|lose lost|make made|mean meant|meet met|mistake mistook|overcome overcame|pay paid
put put|quit quit|read read|rid rid|ride rode|ring rang|rise rose|run ran|say said|see saw|seek sought|sell sold
send sent|set set|sew sewed|shake shook|shed shed|shine shone|shoot shot|show showed|shrink shrank|shut shut|sing sang
sink sank|sit sat|slay slew|sleep slept|slide slid|sling slung|slit slit|sow sowed|speak spoke|speed sped|spend spent
spin spun|spit spat|split split|spread spread|spring sprang|stand stood|steal stole|stick stuck|sting stung|stink stank
strike struck|strive strove|swear swore|sweep swept|swim swam|swing swung|take took|teach taught|tear tore|tell told
think thought|throw threw|thrust thrust|undergo underwent|understand understood|undertake undertook|upset upset
wake woke|wear wore|weave wove|weep wept|win won|wind wound|withdraw withdrew|withhold withheld|withstand withstood
wring wrung|write wrote|undo undid|foresee foresaw|overtake overtook|partake partook|rebuild rebuilt|rewrite rewrote
be was
"""
_PAST = dict(pair.split() for line in _PAST_LINES.split("\n") for pair in line.split("|") if pair)
_DOUBLED = frozenset(
    "admit commit permit submit omit emit refer prefer occur incur infer defer confer transfer control patrol "
    "regret forget expel compel propel rebel equip begin abet".split()
)
_VOWEL_END = re.compile(r"^(?:[^aeiou]*|qu)[aeiouy][bdgklmnprtvz]$")
_BE = {"am": "was", "is": "was", "are": "were"}
SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}
OBJECT_FORMS = {form: word for word, form in SUBJECT_FORMS.items()} | {"I": "me"}
_SINGULAR = {"are": "is", "am": "is", "were": "was", "have": "has", "do": "does", "'re": "'s", "'m": "'s", "'ve": "'s"}
_PLURAL = {"is": "are", "am": "are", "was": "were", "has": "have", "does": "do"}
MODALS = frozenset("can could may might must shall should will would ought ca wo sha".split())


def past(lemma: str) -> str:
    """see -> saw, stop -> stopped, try -> tried."""
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
    """go -> goes, try -> tries, have -> has."""
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
