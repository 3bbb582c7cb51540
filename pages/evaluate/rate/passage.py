"""A text in which errors are marked in the browser: what can be marked, and what the browser sends.

Marks are a draft at once, and part of the rating when it is saved. The browser holds the marks of the item on
the screen and is ahead of this process while somebody types fast. Each of its messages is numbered and
carries *all* marks, so that one which overtakes another loses nothing. This module remembers, per session and
key, what both sides last agreed on, under a version. A message with a newer number is taken as it is; where
Python changed something meanwhile (a category, a draft that could not be stored), the version goes beyond
every number seen, and only then does the browser take marks from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any

import regex
import streamlit as st

from core.assets import ASSETS
from core.backends.reader import WordReader
from core.errors import RatingError
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.protocols import (
    MOST_SPANS,
    NOTE_LIMIT,
    SOURCE,
    TARGET,
    MarkedSpan,
    spans_from_json,
)
from core.text.japanese import plain, read_ruby, stored_places
from core.text.languages import base_lang
from pages.ui.error_words import looks, severity_word
from pages.ui.text import error_kept, show_kept_error, t

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
        inside = []
        for piece in islice(shown, at, None):
            if piece[0] >= end:
                break
            inside.append(piece)
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

    Raises RatingError for anything but spans of this side, in order, in the text.
    """
    rows = event.get("spans") if isinstance(event, Mapping) else None
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise _unknown_form()
    if len(rows) > MOST_SPANS:
        raise RatingError("More than {limit} errors are marked; leave some out.", limit=MOST_SPANS)
    spans = spans_from_json(rows)
    for span in spans:
        if span.severity not in severities:
            raise RatingError(
                "“{severity:.20}” is not a severity here; reload the page.", severity=span.severity
            )
        if len(span.note) > NOTE_LIMIT or len(span.category) > CATEGORY_LIMIT or span.side != side:
            raise _unknown_form()
        nowhere = span.missing and span.start == span.end == 0
        somewhere = 0 <= span.start < span.end <= text_length and (not span.missing or side == SOURCE)
        if not (nowhere or somewhere):
            raise RatingError("A marked error does not lie in the text; reload the page.")
    if spans != in_order(spans):
        raise RatingError("Marked errors are out of order; reload the page.")
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


_FOLDER = ASSETS / "components"
_SCRIPTS = ("passage.spans.js", "passage.draw.js", "passage.ways.js", "passage.js")  # one module in the end
_component = st.components.v2.component(
    "yomikurabe_passage",
    js="\n".join((_FOLDER / name).read_text("utf-8") for name in _SCRIPTS),
    css=(_FOLDER / "passage.css").read_text("utf-8"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Agreed:
    """What the browser and this process last agreed on. chosen: the place of the chosen span in `spans`."""

    item: int | str
    version: int
    spans: tuple[MarkedSpan, ...]
    chosen: int | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a message must fit, what is stored, and who is told of a change."""

    key: str
    item: int | str
    spans: Callable[[], Sequence[MarkedSpan]]
    length: int
    severities: tuple[str, ...]
    errors: OwnErrors
    side: str
    on_change: Callable[[tuple[MarkedSpan, ...]], None] | None
    on_select: Callable[[int | None], None] | None

    def stored(self) -> tuple[MarkedSpan, ...]:
        """What is stored of this side."""
        return in_order(span for span in self.spans() if span.side == self.side)


def passage(
    text: str,
    *,
    lang: str,
    words: Sequence[Place],
    spans: Callable[[], Sequence[MarkedSpan]],
    severities: Sequence[str],
    key: str,
    item: int | str,
    label: str = "",
    side: str = TARGET,
    omission: bool = False,
    focus: bool = False,
    vertical: bool = False,
    readonly: bool = False,
    chosen: int | None = None,
    categories: Mapping[str, str] | None = None,
    errors: OwnErrors = NO_OWN_ERRORS,
    on_change: Callable[[tuple[MarkedSpan, ...]], None] | None = None,
    on_select: Callable[[int | None], None] | None = None,
) -> None:
    """Show a text to be marked. Spans snap to `words` (see `words_of`), and to what lies between two of them.

    Spans may overlap and nest. When a place is marked again, its span gets the new severity and keeps its
    category and note. spans: reads what is stored, at each drawing and message. `on_change` is given all
    spans of this side, in order, and stores them; `on_select` is given the place of the chosen one, or
    None; both are callbacks, and an error of ours in one is shown above the text. focus: a new item has the
    cursor in the text. chosen: chooses a span from here. errors: the campaign's own severities. `item` must
    change with the text.
    """
    known = tuple(severities)
    asked = _Asked(key, item, spans, len(text), known, errors, side, on_change, on_select)
    ways = {"omission": omission, "focus": focus, "vertical": vertical, "readonly": readonly}
    about = {"label": label or t("passage.label"), **ways}
    data = about | _text(text, lang, words) | _marks(asked, chosen, categories or {})
    show_kept_error(key)
    _component(key=key, data=data, on_marked_change=partial(_on_marked, asked))


def _text(text: str, lang: str, words: Sequence[Place]) -> dict[str, Any]:
    pieces = [(one.start, one.end, one.reading) for one in read_ruby(text) if not one.hidden]
    return {"text": text, "lang": lang, "units": units_of(text, words), "pieces": pieces}


def _marks(asked: _Asked, chosen: int | None, categories: Mapping[str, str]) -> dict[str, Any]:
    agreed = _agree(asked, asked.stored(), chosen)
    look = looks(asked.severities, asked.errors)
    kinds = ("begun", "help", "inner", "marked", "missing", "remove", "removed", "tools", "undo", "undone")
    return {
        "item": asked.item,
        "side": asked.side,
        "version": agreed.version,
        "spans": [asdict(span) for span in agreed.spans],
        "chosen": agreed.chosen,
        "selects": asked.on_select is not None,
        "severities": [(one, severity_word(one, asked.errors), look[one]) for one in asked.severities],
        "categories": dict(categories),
        "words": {kind: t(f"passage.{kind}", severity="{severity}", text="{text}") for kind in kinds},
    }


def _agree(asked: _Asked, spans: tuple[MarkedSpan, ...], chosen: int | None) -> _Agreed:
    """What is drawn: a new version where what is stored is not what the browser has."""
    known: _Agreed | None = st.session_state.get(_agreed_key(asked.key))
    if known is None or known.item != asked.item:
        known = _Agreed(item=asked.item, version=0, spans=spans, chosen=None)
    wanted = known.chosen if chosen is None else chosen
    if wanted is not None and not 0 <= wanted < len(spans):
        wanted = None
    if (spans, wanted) != (known.spans, known.chosen):
        known = replace(known, version=known.version + 1, spans=spans, chosen=wanted)
    st.session_state[_agreed_key(asked.key)] = known
    return known


def _on_marked(asked: _Asked) -> None:
    event, known = st.session_state[asked.key].marked, st.session_state[_agreed_key(asked.key)]
    if not isinstance(event, dict) or event.get("item") != asked.item:
        return  # of an item that was left
    with error_kept(asked.key):
        spans = read_event(event, asked.length, asked.severities, side=asked.side)
        number, chosen = read_numbers(event, len(spans))
        stored = asked.stored()
        kept = _labelled(spans, stored)
        behind = number <= known.version or kept != spans
        version = max(number, known.version) + behind
        st.session_state[_agreed_key(asked.key)] = _Agreed(
            item=asked.item, version=version, spans=kept, chosen=chosen
        )
        if asked.on_change and kept != stored:
            asked.on_change(kept)
        if asked.on_select and chosen != known.chosen:
            asked.on_select(chosen)


def _labelled(spans: Sequence[MarkedSpan], stored: Sequence[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """The browser's spans with the categories and notes that are stored, for they are given here.

    A span is found by its place. Several at one place, such as omissions, go by number, while there are as
    many as before.
    """
    labels = dict(zip(_places(stored), stored, strict=True))
    return tuple(
        replace(one, category=labels[place].category, note=labels[place].note) if place in labels else one
        for one, place in zip(spans, _places(spans), strict=True)
    )


def _places(spans: Sequence[MarkedSpan]) -> list[tuple[Place, int, int]]:
    """Of each span its place, how many spans are there, and its number among them."""
    total = Counter((one.start, one.end) for one in spans)
    seen: Counter[Place] = Counter()
    found = []
    for place in ((one.start, one.end) for one in spans):
        found.append((place, total[place], seen[place]))
        seen[place] += 1
    return found


def _agreed_key(key: str) -> str:
    return f"{key}-agreed"
