"""Where a rater is in a campaign: which item is shown, and which are still open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.records import ItemRecord

_PLACE = "place"
_FURTHEST = "furthest-place"


def is_open(item: ItemRecord) -> bool:
    """Nothing was saved yet: neither a judgement nor a skip."""
    return item.revision == 0


def missing(items: Sequence[ItemRecord]) -> list[int]:
    """The places that are still open, in order."""
    return [place for place, item in enumerate(items) if is_open(item)]


def place(campaign_id: int, items: Sequence[ItemRecord]) -> int:
    """The place shown now; on arrival the first open one. `len(items)` is the end."""
    key = (campaign_id, items[0].id)  # an item belongs to one rater, so another rater starts at the beginning
    kept = st.session_state.get(_PLACE)
    if kept is None or kept[0] != key:
        go(campaign_id, items, (missing(items) or [len(items)])[0])
    place: int = st.session_state[_PLACE][1]
    return min(place, len(items))


def saw(at: int) -> None:
    """The item at a place is on the screen, so it stays there."""
    key, _ = st.session_state[_PLACE]
    kept = st.session_state.get(_FURTHEST)
    furthest = kept[1] if kept is not None and kept[0] == key else at
    st.session_state[_FURTHEST] = (key, max(furthest, at))


def unseen(at: int) -> int | None:
    """The campaign whose item at this place has not been on the screen yet; None where it has."""
    kept = st.session_state.get(_FURTHEST)
    if kept is None or at <= kept[1] or kept[0] != st.session_state[_PLACE][0]:
        return None
    campaign_id: int = kept[0][0]
    return campaign_id


def go(campaign_id: int, items: Sequence[ItemRecord], to: int) -> None:
    """Show another place, 0 up to `len(items)`, which is the end."""
    st.session_state[_PLACE] = ((campaign_id, items[0].id), min(max(to, 0), len(items)))


def here() -> int:
    """The place shown now."""
    place: int = st.session_state[_PLACE][1]
    return place


def step(by: int, at: int) -> None:
    """One place on or back from the place `at`, on whose screen the button was; `place` keeps it in bounds.

    A second click on the same screen leads to the same place, not one further.
    """
    key, _ = st.session_state[_PLACE]
    st.session_state[_PLACE] = (key, max(at + by, 0))
