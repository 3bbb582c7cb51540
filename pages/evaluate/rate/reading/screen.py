"""The reading screen: a version of the text in pages, with two highlighters, and its mailbox.

The browser is ahead of this process. It keeps what it tells until it is told back that it is stored, and each
message holds everything that is still open, so nothing is lost by a closed lid, a lost connection or a
server that ends. The mailbox is a part of its own: a page turned redraws nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from core.assets import ASSETS
from core.raters.protocols import NOTE_LIMIT
from core.raters.reading.choices import KINDS
from core.raters.reading.excerpt import counts_characters
from core.raters.reading.told import EndReached, PlaceReached, Told, read_told
from core.text.japanese import read_ruby
from db.design import from_json
from db.queries.reading import highlights_of, part_of, preview_of, store_told
from db.records import CampaignRecord, HighlightRecord, PartRecord, PassageRecord, ReadingRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, show_kept_error, t

_FOLDER = ASSETS / "components"
_SHARED = ("reading.text", "reading.look", "reading.outbox", "reading.tools", "reading.marks", "reading.ways")


def _component(name: str, scripts: Sequence[str], styles: Sequence[str]) -> ComponentRenderer:
    """A component of these scripts, the shared ones first, and styles."""
    return st.components.v2.component(
        f"yomikurabe_{name}",
        js="\n".join((_FOLDER / f"{one}.js").read_text("utf-8") for one in (*_SHARED, *scripts)),
        css="\n".join((_FOLDER / f"{one}.css").read_text("utf-8") for one in styles),
    )


_book = _component("reading", ("reading.pages", "reading"), ("reading",))
panes = _component("chunks", ("chunks.panes", "chunks"), ("reading", "chunks"))
_post = st.components.v2.component(
    "yomikurabe_reading_post", js=(_FOLDER / "reading.post.js").read_text("utf-8")
)

_SHOWN, _STORED, _ENDED, _SLOT = "reading-shown", "reading-stored", "reading-ended", "reading"
_WORDS = (
    "tools",
    "text",
    "undo",
    "removed",
    "undone",
    "smaller",
    "larger",
    "themes",
    "vertical",
    "horizontal",
    "scroll",
    "in_pages",
    "backward",
    "forward",
    "page",
    "part",
    "fetching",
    "why",
    "remove",
    "close",
    "end",
    "finish",
    "stored",
    "waiting",
    "preview",
)


def screen(campaign: CampaignRecord, reading: ReadingRecord, rater_id: int) -> None:
    """The version to be read, and the mailbox below it."""
    key = name_of(campaign, f"{reading.id}")
    shown = kept(key, lambda: _shown(campaign, reading, rater_id))
    _book(key="reading-book", data={**shown, "words": words()})
    held = frozenset(passage[0] for passage in shown["passages"])
    mailbox(key, partial(_store, reading.id, rater_id, held))


def name_of(campaign: CampaignRecord, number: str) -> str:
    """What the browser calls a text: the same while this database lives, and no system's name."""
    return f"{campaign.created_at:%Y%m%d%H%M%S%f}-{number}"


def kept(key: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What the browser gets when a text is opened in this session; from then on the browser is ahead."""
    shown: dict[str, Any] | None = st.session_state.get(_SHOWN)
    if shown is None or shown["reading"] != key:
        shown = {"reading": key, **make()}
        st.session_state[_SHOWN] = shown
    return shown


def _shown(campaign: CampaignRecord, reading: ReadingRecord, rater_id: int) -> dict[str, Any]:
    viewer, engine = session.viewer(), state.engine()
    place = None if reading.segment_id is None else {"segment": reading.segment_id, "start": reading.start}
    part = part_of(engine, viewer, reading.id, rater_id)
    here = {one.segment_id for one in part.passages}
    held = highlights_of(engine, viewer, reading.id, rater_id)
    return {
        **settings(campaign, part),
        "place": place,
        "highlights": [mark(one, one.segment_id) for one in held if one.segment_id in here],
    }


def mark(one: HighlightRecord, segment: int) -> dict[str, Any]:
    """A highlight as the browser knows it."""
    return {
        "segment": segment,
        **{name: getattr(one, name) for name in ("mark", "start", "end", "kind", "reason")},
    }


def preview(campaign: CampaignRecord) -> None:
    """The screen as a reader sees it, in the first version; nothing of it is stored, and no part follows."""
    part = replace(preview_of(state.engine(), session.viewer(), campaign.id), after=None)
    data = {"reading": f"preview-{campaign.id}", "preview": True, "place": None, "highlights": []}
    _book(key="reading-preview", data={**data, **settings(campaign, part), "words": words()})


def in_book(campaign: CampaignRecord, passages: Sequence[PassageRecord], first: int, last: int) -> None:
    """A whole text, opened at the segments from first to last, which are set off; nothing can be marked."""
    data = {
        "reading": f"in-book-{passages[0].segment_id}-{first}",
        "preview": True,
        "looking": [first, last],
        "place": {"segment": first, "start": 0},
        "highlights": [],
    }
    said = {**words(), "preview": t("chunks.in_book_note")}
    _book(
        key="reading-in-book",
        data={**data, **settings(campaign, PartRecord(passages=list(passages))), "words": said},
    )


def settings(campaign: CampaignRecord, part: PartRecord) -> dict[str, Any]:
    """A text or a part of it, and how it is set at first."""
    return {
        "lang": campaign.target_lang,
        "turns": counts_characters(campaign.target_lang),
        "scrolls": True,
        "vertical": from_json(campaign.design).vertical,
        "dark": st.context.theme.type == "dark",
        "passages": [passage(one, one.segment_id) for one in part.passages],
        "part": {"number": part.number, "of": part.of, "before": part.before, "after": part.after},
    }


def passage(one: PassageRecord, segment: int) -> tuple[Any, ...]:
    """A segment as the browser gets it, under this number."""
    pieces = [(piece.start, piece.end, piece.reading) for piece in read_ruby(one.text) if not piece.hidden]
    return segment, one.document, one.text, pieces


def words() -> dict[str, Any]:
    """What the screen says, in the language of the interface."""
    places = {"page": {"page": "{page}", "pages": "{pages}"}, "part": {"part": "{part}", "parts": "{parts}"}}
    return {
        **{name: t(f"reading.{name}", **places.get(name, {})) for name in _WORDS},
        "pen": {kind: t(f"reading.pen.{kind}") for kind in KINDS},
        "inHand": {kind: t(f"reading.in_hand.{kind}") for kind in KINDS},
        "marked": {kind: t(f"reading.marked.{kind}", text="{text}") for kind in KINDS},
        "theme": {name: t(f"reading.theme.{name}") for name in ("day", "sepia", "night")},
        "most": NOTE_LIMIT,
    }


@st.fragment
def mailbox(key: str, store: Callable[[list[Told]], bool]) -> None:
    """Takes what a screen tells; it is redrawn alone. store: stores it, and says whether the text is left."""
    stored, marks = st.session_state.get(_STORED, (key, ()))
    if st.session_state.pop(_ENDED, None) == key:
        st.session_state.pop(_SHOWN, None)
        st.rerun()
    show_kept_error(_SLOT)
    _post(
        key="reading-post",
        data={"reading": key, "stored": list(marks) if stored == key else []},
        on_told_change=partial(_on_told, key, store),
    )


def _on_told(key: str, store: Callable[[list[Told]], bool]) -> None:
    message = st.session_state["reading-post"].told
    if not isinstance(message, dict) or message.get("reading") != key:
        return  # of a version that was left
    with error_kept(_SLOT):
        told = read_told(message.get("events"))
        ended = store(told)
        st.session_state[_STORED] = key, tuple(one.mark for one in told)
        if ended:
            st.session_state[_ENDED] = key


def _store(reading_id: int, rater_id: int, held: frozenset[int], told: list[Told]) -> bool:
    """Whether the text is left: at its end, or for a part that the browser does not hold."""
    store_told(state.engine(), session.viewer(), reading_id, rater_id, told)
    return any(
        isinstance(one, EndReached) or (isinstance(one, PlaceReached) and one.segment not in held)
        for one in told
    )
