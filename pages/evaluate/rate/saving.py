"""What a rater has said of an item, stored as a new revision; how long it took, and when it was stored."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime

import streamlit as st

from core.errors import JudgedElsewhere
from core.raters.protocols import MarkedSpan
from db.queries import history, save_rating
from db.queries.narrowing import bring_forward
from db.queries.rating import save_draft
from db.records import ItemRecord, RatingRecord
from pages.auth import session
from pages.evaluate.rate import navigation, second_try
from pages.ui import state
from pages.ui.text import error_kept

ERROR_SLOT = "rating"
_CLOCK = "clock"
_SAVED = "saved-at"
_SEEN = "seen-revisions"  # by item, the last one that this session stored or was told of


def save(
    item: ItemRecord,
    rater_id: int,
    *,
    score: float | None = None,
    comment: str = "",
    skipped: str | None = None,
    spans: Sequence[MarkedSpan] | None = None,
    scales: Mapping[str, float] | None = None,
    timed: bool = True,
) -> bool:
    """Store an answer as a new revision; False where that failed: its error is kept for the page.

    item: as it was on the screen; if it was judged elsewhere since, nothing is stored and the page says so.
    Who asks is looked up again: the desk is a fragment, which runs without the frame.
    spans: None for what is marked already. scales: answers on the campaign's own scales. timed: count the
    seconds since the item came up, or since the last revision, so that they add up.
    """
    stored = False
    seen = max(item.revision, st.session_state.get(_SEEN, {}).get(item.id, 0))
    with error_kept(ERROR_SLOT):
        session.viewer().must_be(rater_id)
        try:
            record = save_rating(
                state.engine(),
                item_id=item.id,
                rater_id=rater_id,
                score=score,
                comment=comment,
                skipped_reason=skipped,
                spans=spans,
                edited=edited_text(item),
                seconds=_take_seconds(item.id) if timed else None,
                scales=scales,
                after=seen,
            )
        except JudgedElsewhere as error:
            _saw(item.id, error.revision)
            raise
        _saw(item.id, record.revision)
        st.session_state[_SAVED] = record.rated_at
        stored = True
    if stored:
        with error_kept(ERROR_SLOT):
            second_try.look(item.id, rater_id)
            if item.revision == 0:
                _choose_next(item.place + 1, rater_id)
    return stored


def _choose_next(place: int, rater_id: int) -> None:
    """With a first judgement: which item comes next, where the design leaves it open until now."""
    campaign_id = navigation.unseen(place)
    if campaign_id is not None:
        bring_forward(state.engine(), campaign_id, rater_id, place)


def _saw(item_id: int, revision: int) -> None:
    st.session_state[_SEEN] = st.session_state.get(_SEEN, {}) | {item_id: revision}


def draft(
    item: ItemRecord,
    rater_id: int,
    spans: Sequence[MarkedSpan],
    comment: str | None = None,
    *,
    score: float | None = None,
    scales: Mapping[str, float] | None = None,
) -> None:
    """Keep what is marked, written and answered until it is saved; an error is kept for the page.

    scales: None leaves score and answers of the draft as they are.
    """
    with error_kept(ERROR_SLOT):
        session.viewer().must_be(rater_id)
        save_draft(
            state.engine(),
            item_id=item.id,
            rater_id=rater_id,
            spans=spans,
            comment=comment,
            edited=edited_text(item),
            score=score,
            scales=scales,
        )


def edited_key(item_id: int) -> str:
    """The key of the field with the corrected translation."""
    return f"edited-{item_id}"


def edited_text(item: ItemRecord) -> str | None:
    """The corrected translation; None where it is empty, or the one that was shown."""
    text = st.session_state.get(edited_key(item.id), item.edited)
    return None if text is None or not text.strip() or text == item.translation else text


def last_rating(item_id: int, rater_id: int) -> RatingRecord | None:
    """The latest revision of an item; None for an open one."""
    revisions = history(state.engine(), item_id, rater_id)
    return revisions[-1] if revisions else None


def undo(item: ItemRecord, rater_id: int) -> None:
    """Callback: store the revision before the latest one again; nothing is lost by it."""
    *_, before, _ = history(state.engine(), item.id, rater_id)
    st.session_state[edited_key(item.id)] = before.edited or item.translation
    save(
        item,
        rater_id,
        score=before.score,
        comment=before.comment,
        skipped=before.skipped_reason,
        spans=before.spans,
        scales=dict(before.scales),
        timed=False,
    )


def start_clock(*item_ids: int) -> None:
    """These items are on the screen; nothing happens when they were there already."""
    clock = st.session_state.get(_CLOCK)
    if clock is None or clock[0] != item_ids:
        st.session_state[_CLOCK] = (item_ids, time.monotonic())


def _take_seconds(item_id: int) -> float | None:
    """Seconds since the screen came up, or since they were last taken; None for an item not on the screen.

    On a screen with several items each answer takes the time since the one before, so that they add up.
    """
    clock = st.session_state.get(_CLOCK)
    if clock is None or item_id not in clock[0]:
        return None
    now = time.monotonic()
    st.session_state[_CLOCK] = (clock[0], now)
    return float(round(now - clock[1], 1))


def saved_at() -> datetime | None:
    """When this session last stored a rating."""
    instant: datetime | None = st.session_state.get(_SAVED)
    return instant


def forget_saved_at() -> None:
    """Another campaign: nothing was stored in it yet."""
    st.session_state[_SAVED] = None
