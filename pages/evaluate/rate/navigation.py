"""Where a rater is in a campaign: which item is shown, what is missing, how long it has been looked at."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from db.queries import history
from db.records import ItemRecord, RatingRecord
from pages.ui import state

_PLACE = "place"
_CLOCK = "clock"
_SAVED = "saved-at"


def is_open(item: ItemRecord) -> bool:
    """Nothing was saved yet: neither a judgement nor a skip."""
    return item.revision == 0


def missing(items: Sequence[ItemRecord]) -> list[int]:
    """The places that are still open, in order."""
    return [place for place, item in enumerate(items) if is_open(item)]


def place(campaign_id: int, items: Sequence[ItemRecord]) -> int:
    """The place shown now; on arrival the first open one. `len(items)` is the end."""
    key = (campaign_id, items[0].id)  # an item belongs to one rater, so another rater starts anew
    kept = st.session_state.get(_PLACE)
    if kept is None or kept[0] != key:
        go(campaign_id, items, (missing(items) or [len(items)])[0])
    return min(st.session_state[_PLACE][1], len(items))


def go(campaign_id: int, items: Sequence[ItemRecord], to: int) -> None:
    """Show another place, 0 up to `len(items)`, which is the end."""
    st.session_state[_PLACE] = ((campaign_id, items[0].id), min(max(to, 0), len(items)))


def step(by: int) -> None:
    """One place on or back; `place` keeps it within the items."""
    key, now = st.session_state[_PLACE]
    st.session_state[_PLACE] = (key, max(now + by, 0))


def last_rating(item_id: int, rater_id: int) -> RatingRecord | None:
    """What was last saved of an item."""
    stored = history(state.engine(), item_id, rater_id)
    return stored[-1] if stored else None


def start_clock(item_id: int) -> None:
    """The item is on the screen; nothing happens when it was there already."""
    clock = st.session_state.get(_CLOCK)
    if clock is None or clock[0] != item_id:
        st.session_state[_CLOCK] = (item_id, time.monotonic())


def take_seconds(item_id: int) -> float | None:
    """Seconds since the item came up, or since they were last taken, so that they add up over revisions."""
    clock = st.session_state.get(_CLOCK)
    if clock is None or clock[0] != item_id:
        return None
    now = time.monotonic()
    st.session_state[_CLOCK] = (item_id, now)
    return float(round(now - clock[1], 1))


def saved_at() -> datetime | None:
    """When this session last stored a rating."""
    instant: datetime | None = st.session_state.get(_SAVED)
    return instant


def set_saved_at(instant: datetime | None) -> None:
    """Remember the instant that the database wrote down; None forgets it."""
    st.session_state[_SAVED] = instant
