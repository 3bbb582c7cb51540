"""What can be marked in a text, and whether a message about marks is to be believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise, takewhile
from typing import Any

import regex

from core.backends.reader import WordReader
from core.errors import RatingError
from core.raters.protocols import MOST_SPANS, NOTE_LIMIT, SOURCE, TARGET, MarkedSpan, spans_from_json
from core.text.languages import base_lang
from core.text.ruby import plain, read_ruby, stored_places

Place = tuple[int, int]
"""A half-open range of code points of a text as it is stored, ruby markup included."""

CATEGORY_LIMIT = 100
_FIELDS = {
    **dict.fromkeys(("start", "end"), int),
    **dict.fromkeys(("severity", "category", "side", "note"), str),
    "missing": bool,
}
_CLUSTER = regex.compile(r"\X")
_WORD_EDGE = regex.compile(r"(?w)\b")  # where Unicode's annex 29 cuts words


def words_of(text: str, lang: str) -> list[Place]:
    """The words of a text, without ruby: Sudachi's for Japanese, else as Unicode cuts them.

    None begins or ends within what a reader takes for one character, such as an emoji or an accented letter.
    """
    return list(_words_of(text, base_lang(lang)))


def units_of(text: str, words: Sequence[Place]) -> list[Place]:
    """What can be marked, in order: each word, and what is shown between two. ValueError: words overlap."""
    shown = [(piece.start, piece.end) for piece in read_ruby(text) if not piece.hidden]
    edges = [0, *(edge for word in words for edge in word), len(text)]
    if any(one > other for one, other in pairwise(edges)) or any(start == end for start, end in words):
        raise ValueError("words overlap, are empty, out of order or lie outside the text")
    units, at = [], 0
    for start, end in pairwise(edges):
        while at < len(shown) and shown[at][1] <= start:
            at += 1
        inside = list(takewhile(lambda piece, end=end: piece[0] < end, islice(shown, at, None)))
        if inside and start < end:
            units.append((max(start, inside[0][0]), min(end, inside[-1][1])))
    return units


def in_order(spans: Iterable[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """Spans by their place; those without one, omissions, last and in the order in which they came."""
    return tuple(sorted(spans, key=lambda one: (one.start == one.end, one.start, one.end)))


def read_event(
    event: object, text_length: int, severities: Sequence[str], *, side: str = TARGET
) -> tuple[MarkedSpan, ...]:
    """The spans of a message of the browser, which is never trusted. text_length: in code points.

    Raises RatingError for anything but spans of this side, in order, apart from each other, in the text.
    """
    rows = event.get("spans") if isinstance(event, Mapping) else None
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise _unknown_form()
    if len(rows) > MOST_SPANS:
        raise RatingError(f"More than {MOST_SPANS} errors are marked; leave some out.")
    spans = spans_from_json(rows)
    for span in spans:
        if span.severity not in severities:
            raise RatingError(f"“{span.severity:.20}” is no severity here; reload the page.")
        if len(span.note) > NOTE_LIMIT or len(span.category) > CATEGORY_LIMIT or span.side != side:
            raise _unknown_form()
        nowhere = span.missing and span.start == span.end == 0
        somewhere = 0 <= span.start < span.end <= text_length and (not span.missing or side == SOURCE)
        if not (nowhere or somewhere):
            raise RatingError("A marked error does not lie in the text; reload the page.")
    placed = [span for span in spans if span.start < span.end]
    if spans != in_order(spans) or any(one.end > other.start for one, other in pairwise(placed)):
        raise RatingError("Marked errors overlap or are out of order; reload the page.")
    return spans


def read_numbers(event: dict[str, Any], spans: int) -> tuple[int, int | None]:
    """The number of a message and the place of the chosen span. Raises RatingError for anything else."""
    number, chosen = event.get("seq"), event.get("chosen")
    if type(number) is not int or number < 0:
        raise _unknown_form()
    if chosen is not None and (type(chosen) is not int or not 0 <= chosen < spans):
        raise _unknown_form()
    return number, chosen


def _unknown_form() -> RatingError:
    return RatingError("The marked errors are not of a form that is known; reload the page.")


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and {name: type(value) for name, value in row.items()} == _FIELDS


@lru_cache(1)
def _reader() -> WordReader:
    return WordReader()


@lru_cache(512)
def _words_of(text: str, lang: str) -> tuple[Place, ...]:
    shown = plain(text)
    if lang == "ja":
        found = [(word.start, word.end) for word in _reader().read([shown], lang=lang)[0]]
    else:
        edges = [edge.start() for edge in _WORD_EDGE.finditer(shown)]
        found = [(start, end) for start, end in pairwise(edges) if not shown[start:end].isspace()]
    return tuple(stored_places(text, _whole_characters(shown, found)))


def _whole_characters(text: str, words: Sequence[Place]) -> list[Place]:
    """Words that break a grapheme cluster take it in, and those that then overlap become one."""
    clusters = [place for found in _CLUSTER.finditer(text) for place in [found.span()] * len(found[0])]
    whole: list[Place] = []
    for first, last in words:
        start, end = clusters[first][0], clusters[last - 1][1]
        if whole and start < whole[-1][1]:
            start, end = whole[-1][0], max(end, whole.pop()[1])
        whole.append((start, end))
    return whole
