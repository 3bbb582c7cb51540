"""A text in which a rater marks errors, by mouse, by finger and by keyboard, and what came of it.

The browser holds the marks of the item on the screen and is ahead of this process while somebody types fast.
Each of its messages is numbered and carries *all* marks, so that one which overtakes another loses nothing.
This module remembers, per session and key, what both sides last agreed on, under a version. A message with a
newer number is taken as it is; where Python changed something meanwhile (a category, a draft that could not
be stored), the version goes beyond every number seen, and only then does the browser take marks from here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from core.errors import YomikurabeError
from core.raters.protocols import TARGET, MarkedSpan
from core.text.ruby import read_ruby
from pages.evaluate.rate.marks import Place, in_order, read_event, read_numbers, units_of, words_of
from pages.ui.text import ASSETS, show_error, t

__all__ = ["passage", "read_event", "words_of"]

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
    vertical: bool = False,
    readonly: bool = False,
    chosen: int | None = None,
    categories: Mapping[str, str] | None = None,
    on_change: Callable[[tuple[MarkedSpan, ...]], None] | None = None,
    on_select: Callable[[int | None], None] | None = None,
) -> None:
    """Show a text to be marked. Spans snap to `words` (see `words_of`), and to what lies between two of them.

    Marking over a span replaces what is covered: the newer one wins, the rest of the older one stays with its
    category and note, and a span that is marked anew from end to end keeps both. spans: reads what is stored,
    at each drawing and message. `on_change` is given all spans of this side, in order, and stores them;
    `on_select` is given the place of the chosen one, or None; both are callbacks, and an error of ours in one
    is shown above the text. chosen: chooses a span from here. `item` must change with the text.
    """
    known = tuple(severities)
    asked = _Asked(key, item, spans, len(text), known, side, on_change, on_select)
    ways = {"omission": omission, "vertical": vertical, "readonly": readonly}
    about = {"label": label or t("passage.label"), **ways}
    data = about | _text(text, lang, words) | _marks(asked, chosen, categories or {})
    error: YomikurabeError | None = st.session_state.pop(_error_key(key), None)
    if error is not None:
        show_error(error)
    _component(key=key, data=data, on_marked_change=partial(_on_marked, asked))


def _text(text: str, lang: str, words: Sequence[Place]) -> dict[str, Any]:
    pieces = [(one.start, one.end, one.reading) for one in read_ruby(text) if not one.hidden]
    return {"text": text, "lang": lang, "units": units_of(text, words), "pieces": pieces}


def _marks(asked: _Asked, chosen: int | None, categories: Mapping[str, str]) -> dict[str, Any]:
    agreed = _agree(asked, asked.stored(), chosen)
    kinds = ("help", "marked", "missing", "removed", "tools", "undo", "undone")
    return {
        "item": asked.item,
        "side": asked.side,
        "version": agreed.version,
        "spans": [asdict(span) for span in agreed.spans],
        "chosen": agreed.chosen,
        "selects": asked.on_select is not None,
        "severities": [(name, t(f"passage.severity.{name}")) for name in asked.severities],
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
    try:
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
    except YomikurabeError as error:
        st.session_state[_error_key(asked.key)] = error


def _labelled(spans: Sequence[MarkedSpan], stored: Sequence[MarkedSpan]) -> tuple[MarkedSpan, ...]:
    """The browser's spans with the categories and notes that are stored, for they are given here.

    A span is found by its place; omissions have none and go by number, while there are as many as before.
    """
    labels = dict(zip(_places(stored), stored, strict=True))
    return tuple(
        replace(one, category=labels[place].category, note=labels[place].note) if place in labels else one
        for one, place in zip(spans, _places(spans), strict=True)
    )


def _places(spans: Sequence[MarkedSpan]) -> list[tuple[int, int]]:
    omissions = sum(one.start == one.end for one in spans)
    return [
        (one.start, one.end) if one.start < one.end else (at - len(spans), omissions)
        for at, one in enumerate(spans)
    ]


def _agreed_key(key: str) -> str:
    return f"{key}-agreed"


def _error_key(key: str) -> str:
    return f"{key}-error"
