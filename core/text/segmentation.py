"""Where sentences of a text begin and end, in Japanese and English, by marks and words alone.

A sentence keeps the speech in it: 「行け。」と言った。 is one, and so is “Go!” he said.
A title, an initial or an abbreviation ends none. A line break always ends one. No model is asked; offsets
mean the stored text.
"""

from __future__ import annotations

import re
from itertools import pairwise

_OPENING = "「『（(“‘［[【〈《"
_CLOSING = "」』）)”’］]】〉》"
_PAIR = dict(zip(_CLOSING, _OPENING, strict=True))
_CLOSERS = re.compile("[)\"'’”」』）\\]］】〉》]*")

_END = re.compile("[。．！？!?‼⁉⁇]+|(?:\\.{3,}|…+|[‥]+)|[.]|[―—─–]+(?=[」』”])|\n+")
_BLANK = re.compile("[ \t\u3000\u00a0]*")
_JAPANESE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uff66-\uff9f々〆]")

_QUOTED = re.compile(
    "と(?!はいえ|ころ|もあれ|にかく|もかく|りあえず|つぜん|うとう|ある|きどき|きに|なり|もだち)"
    "|って|なんて|など|とか|という|[、，,;；:：]"
)
"""What goes on behind a mark, in or out of quotation marks: と叫んだ, って."""
_PARTICLE = re.compile("[がはをにのもでへや](?![、])|から|まで|だけ|だと|だっ|です|だ[。、]")
"""What goes on behind closing marks alone: 「危ない！」の一言."""
_NAME_GOES_ON = re.compile("の(?!ち|ど|み|ん)")
"""Behind 。 within a name: モーニング娘。のコンサート."""
_TITLES = """
Mr Mrs Ms Mx Dr Prof Rev Hon Lt Sgt Capt Col Gen Maj Cpl Pvt Adm Cmdr Cdr Brig Gov Sen Rep Pres
St Ste Mt Ft Mme Mlle M Mons Messrs Mesdames Sr Sra Srta Fr Br Bro Bros Sis Supt Insp Det Ald
Esqr Ven Vis Visc Amb
"""
"""Abbreviations that a name follows."""
_NUMBERED = """
No Nos vol vols ch chap chaps p pp fig figs sec art par ver v vv ll bk pt pl op cap cf c ca
circa
"""
"""Abbreviations that end no sentence where a number, or for `cf.` anything, follows."""
_OTHERS = """
vs viz i.e e.g a.m p.m etc al ed eds trans transl approx dept est ibid Jan Feb Mar Apr Jun Jul
Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Ave Blvd Rd Sq Hwy Co Corp
Inc Ltd Jr Sr Esq Ph.D M.D B.A M.A U.S U.K U.N D.C A.D B.C oz lb hr
"""
"""Abbreviations that end a sentence only where a new one clearly begins."""
_MAY_END = frozenset(
    [
        "etc",
        "al",
        "a.m",
        "p.m",
        "Co",
        "Corp",
        "Inc",
        "Ltd",
        "Jr",
        "Sr",
        "Esq",
        "U.S",
        "U.K",
        "U.N",
        "D.C",
        "A.D",
        "B.C",
        "Ph.D",
        "M.D",
        "B.A",
        "M.A",
    ]
)
_TITLE_WORDS = frozenset(_TITLES.split())
_NUMBER_WORDS = frozenset(_NUMBERED.split())
_OTHER_WORDS = frozenset(_OTHERS.split())
_BEFORE = re.compile(r"((?:[^\W\d_]\.)+[^\W\d_]|[^\W\d_]+)$")
_NUMBER_NEXT = re.compile(r"[0-9]|[IVXLC]{2,}\b|[IVXLC](?=[.,;:)]|$)|[a-z]\b")
_SMALL_NEXT = re.compile(r"[a-z]")
_SENTENCE_WORDS = frozenset(
    [
        "The",
        "A",
        "An",
        "This",
        "That",
        "These",
        "Those",
        "It",
        "He",
        "She",
        "They",
        "We",
        "You",
        "I",
        "There",
        "Then",
        "But",
        "And",
        "So",
        "In",
        "On",
        "At",
        "When",
        "As",
        "If",
        "What",
        "Who",
        "Why",
        "How",
        "Where",
        "Now",
        "No",
        "Yes",
        "Not",
        "His",
        "Her",
        "Their",
        "My",
        "Our",
        "Your",
        "Its",
        "After",
        "Before",
        "For",
        "From",
        "With",
        "All",
        "Both",
        "Each",
        "Every",
        "Some",
        "Many",
        "Most",
        "Such",
        "One",
        "Nobody",
        "Nothing",
        "Everybody",
        "Everyone",
        "Here",
        "Once",
        "Perhaps",
        "Since",
        "Though",
        "Although",
        "While",
    ]
)
_SPEECH = """
said says say asked asks replied answered cried exclaimed shouted whispered murmured muttered
called remarked returned repeated demanded inquired enquired observed added continued began went
put ejaculated screamed yelled roared growled snapped laughed sighed sobbed gasped moaned
groaned thought wondered declared announced insisted protested interrupted interposed ventured
suggested urged begged pleaded commanded ordered explained admitted agreed told retorted
rejoined responded quoth hissed bellowed barked breathed panted
"""
_TAG = re.compile(
    r"\s*(?!(?:The|A|An|He|She|We|They|It|You|His|Her|Their|My|Our|Then|And|But|So)\s)(?:(?:[A-Z][\w'’.-]*|of|de|la|van|von|the|old|young|little|poor)\s+){0,5}?"
    rf"(?:{'|'.join(_SPEECH.split())})\b"
)
"""`Inspector Brown shouted`, `he said`, `asked Mary`."""


def sentence_starts(text: str) -> list[int]:
    """Where each sentence begins, with the blanks before it; the first is 0."""
    starts = [0]
    inside = _inside(text)
    for found in _END.finditer(text):
        end = _behind(_CLOSERS, text, found.end())
        after = _behind(_BLANK, text, end)
        if after < len(text) and _ends(text, found, end, inside) and text[after:].strip():
            starts.append(end)
    return [*dict.fromkeys(starts)]


def _behind(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return place if found is None else found.end()


def sentences(text: str) -> list[tuple[int, int]]:
    """Half-open places of the sentences, in order, without blanks at their edges."""
    places = []
    for first, last in pairwise([*sentence_starts(text), len(text)]):
        piece = text[first:last]
        start = first + len(piece) - len(piece.lstrip())
        if piece.strip():
            places.append((start, start + len(piece.strip())))
    return places


def _inside(text: str) -> bytearray:
    """For each place whether it lies within marks of one line whose sentence began before or goes on behind.

    Speech that stands alone has sentences of its own: 「行こう。もう遅い。」
    """
    depth = bytearray(len(text) + 1)
    stack: list[tuple[str, int]] = []
    for place, char in enumerate(text):
        if char == "\n":
            stack.clear()
        elif char in _OPENING:
            stack.append((char, place))
        elif char in _PAIR:
            for level in range(len(stack) - 1, -1, -1):
                if stack[level][0] == _PAIR[char]:
                    start = stack[level][1]
                    if _within_sentence(text, start, place + 1):
                        depth[start:place] = b"\x01" * (place - start)
                    del stack[level:]
                    break
    return depth


def _within_sentence(text: str, start: int, end: int) -> bool:
    """Whether what stands between marks is a part of a sentence. end: the place behind the closing mark."""
    before = text[:start].rstrip(" \t\u3000\u00a0")
    if before and before[-1] not in "\n。．.！？!?…" + _CLOSING + _OPENING:
        return True
    end = _behind(_CLOSERS, text, end)
    rest = text[end:]
    following = rest.lstrip(" \t\u3000\u00a0")
    if not following or following[0] == "\n":
        return False
    if _goes_on(rest, closed=True) or _SMALL_NEXT.match(following) or _TAG.match(rest):
        return True
    return text[:end].rstrip(_CLOSING + "\"'")[-1:] not in "。．.！？!?…"


def _ends(text: str, mark: re.Match[str], end: int, inside: bytearray) -> bool:
    """Whether a sentence ends at a mark. end: the place behind the closing marks that follow it."""
    if mark[0][0] == "\n":
        return True
    if end < len(text) and inside[end] and not _opens(text, end):
        return False  # speech or a title goes on
    closed = end > mark.end()
    rest = text[end:]
    following = rest.lstrip(" \t\u3000\u00a0")
    if not following or following[0] == "\n":
        return True
    if mark[0][0] in "…‥―—─–" or mark[0].startswith("..."):
        return _after_dots(rest, following, closed=closed)
    if mark[0] == ".":
        return _after_period(text, mark.start(), rest, following)
    if _goes_on(rest, closed=closed) or following[0] in "—–―-":
        return False
    if mark[0][0] in "。．":
        return closed or _NAME_GOES_ON.match(rest) is None
    return _after_cry(rest, following, closed=closed)


def _opens(text: str, place: int) -> bool:
    """Whether the marked range begins here: the sentence before it ends."""
    return text[place] in _OPENING


def _goes_on(rest: str, *, closed: bool) -> bool:
    return bool(_QUOTED.match(rest) or (closed and _PARTICLE.match(rest)))


def _after_dots(rest: str, following: str, closed: bool) -> bool:
    """Dots end a sentence before a blank and a new beginning, and at the end of speech."""
    if _goes_on(rest, closed=closed) or _SMALL_NEXT.match(following):
        return False
    if closed:
        if _TAG.match(rest):
            return False
        return rest[0] in " \t\u3000" or rest[0] in _OPENING or bool(_JAPANESE.match(rest))
    return rest[0] in " \t\u3000" and (following[0].isupper() or following[0] in _OPENING + "\"'")


def _after_cry(rest: str, following: str, closed: bool) -> bool:
    """`!` and `?`: not before a speech tag, nor where the sentence goes on in small letters."""
    if _SMALL_NEXT.match(following):
        return False
    if rest[0] not in " \t\u3000" and not _JAPANESE.match(rest) and rest[0] not in _OPENING + "\"'“‘":
        return False
    return not (closed and _TAG.match(rest))


def _after_period(text: str, at: int, rest: str, following: str) -> bool:
    if rest[0] not in " \t\u3000\u00a0" and not (rest[0] in _OPENING and rest[0] not in "(["):
        return bool(_JAPANESE.match(rest)) and bool(_JAPANESE.search(text[max(0, at - 2) : at]))
    if _SMALL_NEXT.match(following):
        return False
    if text[at + 1 : at + 2] not in ("", " ", "\t", "\u3000", "\u00a0"):
        return True  # behind a closing mark
    before = _BEFORE.search(text, 0, at)
    if before is None or before[0] == "":
        return True
    word = before[0]
    if word in _TITLE_WORDS:
        return False
    if word in _NUMBER_WORDS:
        return not _NUMBER_NEXT.match(following)
    first = re.match(r"[\"'“‘(]*([A-Za-z]+)", following)
    begins = first is not None and first[1] in _SENTENCE_WORDS
    if len(word) == 1 and word.isupper():
        return word == "I" and begins
    if word in _OTHER_WORDS or "." in word:
        return begins and (word in _MAY_END or "." in word)
    return True
