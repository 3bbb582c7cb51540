"""The reading screen: a version of the text in pages, with two highlighters, and its mailbox.

The browser is ahead of this process. It keeps what it tells until it is told back that it is stored, and each
message holds everything that is still open, so nothing is lost by a closed lid, a lost connection or a
server that ends. The mailbox is a part of its own: a page turned redraws nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.assets import ASSETS
from core.raters.protocols import NOTE_LIMIT
from core.raters.reading.choices import KINDS
from core.raters.reading.excerpt import counts_characters
from core.raters.reading.told import EndReached, read_told
from core.text.japanese import read_ruby
from db.design import from_json
from db.queries.reading import highlights_of, preview_of, store_told, text_of
from db.records import CampaignRecord, PassageRecord, ReadingRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, show_kept_error, t

_FOLDER = ASSETS / "components"
_SCRIPTS = ("text", "pages", "outbox", "marks", "ways")
_book = st.components.v2.component(
    "yomikurabe_reading",
    js="\n".join(
        [
            *((_FOLDER / f"reading.{name}.js").read_text("utf-8") for name in _SCRIPTS),
            (_FOLDER / "reading.js").read_text("utf-8"),
        ]
    ),
    css=(_FOLDER / "reading.css").read_text("utf-8"),
)
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
    "backward",
    "forward",
    "page",
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
    key = _name(campaign, reading)
    _book(key="reading-book", data={**_shown(campaign, reading, rater_id, key), "words": _words()})
    _mailbox(key, reading.id, rater_id)


def _name(campaign: CampaignRecord, reading: ReadingRecord) -> str:
    """What the browser calls the version: the same while this database lives, and no system's name."""
    return f"{campaign.created_at:%Y%m%d%H%M%S%f}-{reading.id}"


def _shown(campaign: CampaignRecord, reading: ReadingRecord, rater_id: int, key: str) -> dict[str, Any]:
    """What the browser gets when the version is opened in this session; from then on the browser is ahead."""
    kept: dict[str, Any] | None = st.session_state.get(_SHOWN)
    if kept is not None and kept["reading"] == key:
        return kept
    viewer, engine = session.viewer(), state.engine()
    fields = ("mark", "start", "end", "kind", "reason")
    shown = {
        "reading": key,
        **_set(campaign, text_of(engine, viewer, reading.id, rater_id)),
        "place": None
        if reading.segment_id is None
        else {"segment": reading.segment_id, "start": reading.start},
        "highlights": [
            {"segment": one.segment_id, **{name: getattr(one, name) for name in fields}}
            for one in highlights_of(engine, viewer, reading.id, rater_id)
        ],
    }
    st.session_state[_SHOWN] = shown
    st.session_state[_STORED] = ()
    return shown


def preview(campaign: CampaignRecord) -> None:
    """The screen as a reader sees it, in the first version; nothing of it is stored."""
    passages = preview_of(state.engine(), session.viewer(), campaign.id)
    data = {"reading": f"preview-{campaign.id}", "preview": True, "place": None, "highlights": []}
    _book(key="reading-preview", data={**data, **_set(campaign, passages), "words": _words()})


def _set(campaign: CampaignRecord, passages: Sequence[PassageRecord]) -> dict[str, Any]:
    """A text, and how it is set at first."""
    return {
        "lang": campaign.target_lang,
        "turns": counts_characters(campaign.target_lang),
        "vertical": from_json(campaign.design).vertical,
        "dark": st.context.theme.type == "dark",
        "passages": [_passage(one) for one in passages],
    }


def _passage(one: PassageRecord) -> tuple[Any, ...]:
    pieces = [(piece.start, piece.end, piece.reading) for piece in read_ruby(one.text) if not piece.hidden]
    return one.segment_id, one.document, one.text, pieces


def _words() -> dict[str, Any]:
    places = {"page": "{page}", "pages": "{pages}"}
    return {
        **{name: t(f"reading.{name}", **(places if name == "page" else {})) for name in _WORDS},
        "pen": {kind: t(f"reading.pen.{kind}") for kind in KINDS},
        "inHand": {kind: t(f"reading.in_hand.{kind}") for kind in KINDS},
        "marked": {kind: t(f"reading.marked.{kind}", text="{text}") for kind in KINDS},
        "theme": {name: t(f"reading.theme.{name}") for name in ("day", "sepia", "night")},
        "most": NOTE_LIMIT,
    }


@st.fragment
def _mailbox(key: str, reading_id: int, rater_id: int) -> None:
    """Takes what the screen tells; it is redrawn alone."""
    if st.session_state.pop(_ENDED, None) == reading_id:
        st.session_state.pop(_SHOWN, None)
        st.rerun()
    show_kept_error(_SLOT)
    _post(
        key="reading-post",
        data={"reading": key, "stored": list(st.session_state.get(_STORED, ()))},
        on_told_change=partial(_on_told, key, reading_id, rater_id),
    )


def _on_told(key: str, reading_id: int, rater_id: int) -> None:
    message = st.session_state["reading-post"].told
    if not isinstance(message, dict) or message.get("reading") != key:
        return  # of a version that was left
    with error_kept(_SLOT):
        told = read_told(message.get("events"))
        store_told(state.engine(), session.viewer(), reading_id, rater_id, told)
        st.session_state[_STORED] = tuple(one.mark for one in told)
        if any(isinstance(one, EndReached) for one in told):
            st.session_state[_ENDED] = reading_id
