"""Close reading: a chunk of the text in two versions beside each other, and which one the reader prefers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.raters.assignment import minutes
from core.raters.protocols import CHUNKS
from core.raters.reading.choices import (
    MARGIN,
    MARGINS,
    NO_DIFFERENCE,
    PREFERRED,
    WHY,
    ReadingChoices,
)
from core.raters.reading.told import Told, coded, sided
from core.text.languages import base_lang
from db.queries.close import (
    chunk_highlights,
    chunk_preview,
    chunk_texts,
    save_preference,
    store_close,
    text_around,
)
from db.queries.rating import COMMENT_LIMIT
from db.queries.reading import text_of
from db.records import CampaignRecord, ChunkRecord, PartRecord, PassageRecord, RaterRecord, ReadingRecord
from pages.auth import session
from pages.evaluate.rate import desk
from pages.evaluate.rate.reading import screen
from pages.ui import state
from pages.ui.text import column, error_kept, guide, line, show_kept_error, t

_AT, _LOOKED, _SLOT = "chunk-at", "chunk-looked", "chunk"
SIDES = (0, 1)


def begin(
    campaign: CampaignRecord,
    chunks: Sequence[ChunkRecord],
    readings: Sequence[ReadingRecord],
    rater: RaterRecord,
) -> bool:
    """What is to be done in this part, and how long it takes; whether the reader wants to begin."""
    with column():
        st.header(t("chunks.title"), anchor=False)
        if campaign.protocol == CHUNKS:
            desk.guideline(campaign)
        else:
            st.markdown(guide(CHUNKS))
        line(t("chunks.how_many", n=len(chunks)))
        texts = text_of(state.engine(), session.viewer(), readings[0].id, rater.id)
        needed = minutes(
            2 * sum(len(one.text) for one in texts), protocol=CHUNKS, lang=base_lang(campaign.target_lang)
        )
        line(t("rate.minutes", n=desk.rounded(needed)))
        line(t("reading.may_stop"))
    return st.button(t("chunks.begin"), key="chunks-begin", type="primary")


def current(chunks: Sequence[ChunkRecord]) -> ChunkRecord | None:
    """The chunk that the reader went back to, else the first that is not compared yet; None at the end."""
    at = st.session_state.get(_AT)
    again = next((one for one in chunks if one.id == at), None)
    return again or next((one for one in chunks if one.finished_at is None), None)


def compare(
    campaign: CampaignRecord,
    chunk: ChunkRecord,
    chunks: Sequence[ChunkRecord],
    choices: ReadingChoices,
    rater: RaterRecord,
) -> None:
    """Both texts with highlighters, the way into the book, and the preference."""
    key = screen.name_of(campaign, f"chunk-{chunk.id}")
    shown = screen.kept(key, lambda: _shown(campaign, chunk, rater.id))
    screen.panes(key="chunk-panes", data={**shown, "words": _words()})
    screen.mailbox(key, partial(_store, chunk.id, rater.id))
    with st.container(horizontal=True, gap="small"):
        for side in SIDES:
            st.button(
                t(f"chunks.in_book.{side}"),
                key=f"chunk-in-book-{side}",
                type="tertiary",
                icon=":material/menu_book:",
                on_click=_look,
                args=((chunk.id, side),),
            )
    looked = st.session_state.get(_LOOKED)
    if looked is not None and looked[0] == chunk.id:
        _in_book(campaign, chunk, rater.id, looked[1])
    _form(chunk, choices, rater.id)
    _ways(chunk, chunks)


def _shown(campaign: CampaignRecord, chunk: ChunkRecord, rater_id: int) -> dict[str, Any]:
    """What the browser gets. It does not tell the versions."""
    viewer, engine = session.viewer(), state.engine()
    held = chunk_highlights(engine, viewer, chunk.id, rater_id)
    return {
        **_both(campaign, chunk_texts(engine, viewer, chunk.id, rater_id)),
        "highlights": [screen.mark(one, coded(one.segment_id, side)) for side, one in held],
    }


def _both(campaign: CampaignRecord, texts: Sequence[Sequence[PassageRecord]]) -> dict[str, Any]:
    passages = [screen.passage(one, coded(one.segment_id, side)) for side in SIDES for one in texts[side]]
    own = {
        "passages": passages,
        "turns": False,
        "scrolls": False,
        "vertical": False,
        "place": None,
        "highlights": [],
    }
    return {**screen.settings(campaign, PartRecord(passages=[])), **own}


def preview(campaign: CampaignRecord) -> None:
    """The first chunk as a reader sees it; nothing of it is stored."""
    texts = chunk_preview(state.engine(), session.viewer(), campaign.id)
    data = {"reading": f"chunk-preview-{campaign.id}", "preview": True, **_both(campaign, texts)}
    screen.panes(key="chunk-preview", data={**data, "words": _words()})


def _words() -> dict[str, Any]:
    return {
        **screen.words(),
        "text": t("chunks.text"),
        "side": [t(f"chunks.side.{side}") for side in SIDES],
        "nothing": t("chunks.nothing"),
        "hint": t("chunks.hint"),
    }


def _store(pair_id: int, rater_id: int, told: list[Told]) -> bool:
    store_close(state.engine(), session.viewer(), pair_id, rater_id, sided(told))
    return False


def _look(at: tuple[int, int] | None = None) -> None:
    """Callback: the chunk and the side that are looked up in the book, until the window is closed."""
    st.session_state[_LOOKED] = at


def _in_book(campaign: CampaignRecord, chunk: ChunkRecord, rater_id: int, side: int) -> None:
    """The whole text of one side in a window, opened at the chunk."""

    @st.dialog(t(f"chunks.in_book.{side}"), width="large", on_dismiss=_look)
    def window() -> None:
        passages = text_around(state.engine(), session.viewer(), chunk.id, rater_id, side)
        screen.in_book(campaign, passages, chunk.first, chunk.last)

    window()


def _form(chunk: ChunkRecord, choices: ReadingChoices, rater_id: int) -> None:
    key = f"chunk-{chunk.id}"
    held = chunk.answers
    undecided = [NO_DIFFERENCE] if choices.no_difference else []
    with st.form(key, border=False):
        _radio(key, PREFERRED, t("chunks.preferred"), [*SIDES, *undecided], held)
        _radio(key, MARGIN, t("reading.margin"), MARGINS, held)
        if choices.no_difference:
            line(t("reading.margin_open"), tone="quiet")
        why = held.get(WHY) or ""
        st.text_area(t("reading.why_preferred"), why, key=f"{key}-{WHY}", max_chars=COMMENT_LIMIT, height=80)
        st.form_submit_button(
            t("reading.answer"), type="primary", on_click=_save, args=(chunk.id, rater_id, key)
        )
    show_kept_error(_SLOT)


def _radio(key: str, name: str, label: str, options: Sequence[int], held: Mapping[str, Any]) -> None:
    before = held.get(name)
    st.radio(
        label,
        options,
        index=options.index(before) if before in options else None,
        horizontal=True,
        format_func=lambda value: _option(name, value),
        key=f"{key}-{name}",
    )


def _option(name: str, value: int) -> str:
    if name == MARGIN:
        return t(f"reading.margin.{value}")
    return t("reading.no_difference") if value == NO_DIFFERENCE else t(f"chunks.side.{value}")


def _save(pair_id: int, rater_id: int, key: str) -> None:
    with error_kept(_SLOT):
        values = {name: st.session_state.get(f"{key}-{name}") for name in (PREFERRED, MARGIN, WHY)}
        save_preference(state.engine(), session.viewer(), pair_id, rater_id, values)
        st.session_state.pop(_AT, None)


def _ways(chunk: ChunkRecord, chunks: Sequence[ChunkRecord]) -> None:
    """Back to an earlier chunk, and to where the reader was."""
    open_place = next((one.place for one in chunks if one.finished_at is None), len(chunks))
    with st.container(horizontal=True, gap="small"):
        if chunk.place:
            st.button(
                t("chunks.before"),
                key="chunk-before",
                type="tertiary",
                icon=":material/arrow_back:",
                on_click=_go,
                args=(chunks[chunk.place - 1].id,),
            )
        if chunk.place < open_place:
            st.button(
                t("chunks.go_on"),
                key="chunk-go-on",
                type="tertiary",
                icon=":material/arrow_forward:",
                on_click=_go,
                args=(None,),
            )


def _go(chunk_id: int | None) -> None:
    st.session_state[_AT] = chunk_id
