"""Quotations in a text: who says something, word for word.

Japanese 「…」, and 『…』 that a speech tag follows; “…” and "…"; ‘…’ in texts that have no double marks. A
quotation within a quotation is nobody's own words here. A short 「…」 that is a term or a title
(「踊る人形」という, 「青」の) is no quotation. A paragraph whose quotation is not closed goes on in the next
one of the same document, as books print long speeches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TERM = 12
"""Code points up to which a 「…」 without punctuation can be a term."""

_AFTER_TERM = re.compile(r"という|といった|とか|と書|[のをにがはでやもへ・」]|から|など")
_ENDS = "。、！？!?…―—"
_TAG = re.compile(r"[、\s]*(?:と|って)")
_SINGLE = re.compile(r"(?<!\w)‘(?=\S)(?:[^‘’]|’(?=\w)|(?<![,.?!—–-])’)*(?<=[,.?!—–-])’(?!\w)")
_INNER = {
    "ja": re.compile("『[^』]*』?"),
    "en": re.compile(r"(?<!\w)['‘](?=\w)(?:[^'‘’\"“”]|['’](?=\w))*?[,.?!—-]['’](?!\w)"),
}


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation with its marks: half-open code points of its segment.

    open: not closed in its segment. continues: it goes on with the last one of the segment before.
    """

    segment: int
    start: int
    end: int
    open: bool = False
    continues: bool = False


def quotations(texts: Sequence[str], documents: Sequence[str], *, lang: str) -> list[list[Quotation]]:
    """The quotations of each text, in order. documents: of each text."""
    found: list[list[Quotation]] = []
    for segment, text in enumerate(texts):
        before = found[-1] if segment and documents[segment - 1] == documents[segment] else []
        going_on = bool(before) and before[-1].open
        own = _japanese(text, going_on) if lang == "ja" else _english(text)
        found.append(
            [
                Quotation(segment, start, end, unclosed, continues=going_on and not text[:start].strip())
                for start, end, unclosed in own
            ]
        )
    return found


def own_words(text: str, start: int, end: int, *, lang: str) -> list[tuple[int, int]]:
    """The parts of a quotation that are not quoted within it: half-open code points of the text."""
    parts = []
    at = start + 1
    for inner in _INNER[lang].finditer(text, start + 1, end):
        parts.append((at, inner.start()))
        at = inner.end()
    parts.append((at, end))
    return [(first, last) for first, last in parts if first < last]


def _japanese(text: str, going_on: bool) -> Iterator[tuple[int, int, bool]]:
    """Outer 「…」 and 『…』, and “…”."""
    pairs = {"「": "」", "『": "』", "“": "”"}
    stack: list[str] = []
    start = 0
    if going_on and text.find("」") >= 0 and not 0 <= text.find("「") < text.find("」"):
        stack.append("」")
    for at, char in enumerate(text):
        if stack and char == stack[-1]:
            stack.pop()
            if not stack and _spoken(text, start, at + 1):
                yield start, at + 1, False
        elif char in pairs:
            if not stack:
                start = at
            stack.append(pairs[char])
    if stack and stack[0] == "」":
        yield start, len(text), True


def _spoken(text: str, start: int, end: int) -> bool:
    """Whether marks hold speech, not a term or a title."""
    inside = text[start + 1 : end - 1]
    if not inside.strip():
        return False
    if text[start] == "『":
        return _TAG.match(text, end) is not None and _AFTER_TERM.match(text, end) is None
    return len(inside) > _TERM or inside[-1] in _ENDS or _AFTER_TERM.match(text, end) is None


def _english(text: str) -> Iterator[tuple[int, int, bool]]:
    if not set('"“”') & set(text):
        for found in _SINGLE.finditer(text):
            yield found.start(), found.end(), False
        return
    start = -1
    for at, char in enumerate(text):
        if start < 0 and char in '"“':
            start = at
        elif start >= 0 and char in '"”':
            if text[start + 1 : at].strip() and not _title(text, start, at):
                yield start, at + 1, False
            start = -1
    if start >= 0 and text[start + 1 :].strip():
        yield start, len(text), True


def _title(text: str, start: int, end: int) -> bool:
    """Words within a sentence that end without punctuation: the word "Rache" was written."""
    before, inside = text[:start].rstrip(), text[start + 1 : end]
    within = bool(before) and before[-1].isalpha()
    return within and inside[-1].isalnum() and len(inside.split()) <= 4
