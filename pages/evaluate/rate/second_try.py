"""Two texts whose scores do not fit together: the rater is led back to them once and told why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from db.queries.second_try import give_second_try
from db.records import ItemRecord
from pages.evaluate.rate import navigation
from pages.ui import state
from pages.ui.text import line, t

_ASKED = "second-try"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The two items, and the place from which the rater was led away; None until then.

    seen: whether the second one was shown again, too.
    """

    first: int
    second: int
    back: int | None = None
    seen: bool = False


def look(item_id: int, rater_id: int) -> None:
    """After a judgement was stored: whether two texts are to be read again."""
    found = give_second_try(state.engine(), item_id=item_id, rater_id=rater_id)
    if found is not None:
        st.session_state[_ASKED] = _Asked(first=found[0], second=found[1])


def lead(campaign_id: int, items: Sequence[ItemRecord], place: int, *, at_once: int) -> int:
    """The place to be shown instead of this one: of two texts just found the first; after it the second.

    After the second one comes the place from which the rater was led away. at_once: items of a screen.
    """
    asked, places = _asked(), _places(items)
    if asked is None or places is None:
        return place
    first, second = places
    if asked.back is None:
        st.session_state[_ASKED] = replace(asked, back=place)
        return _go(campaign_id, items, first)
    if not asked.seen and first < place <= first + at_once:
        place = _go(campaign_id, items, second)
    if place == second:
        st.session_state[_ASKED] = replace(asked, seen=True)
    elif asked.seen and second < place <= second + at_once:
        return _back(campaign_id, items, asked.back)
    return place


def notice(campaign_id: int, items: Sequence[ItemRecord], shown: range) -> None:
    """Above either of the two: the sentence, the way to the other, and the way back. shown: their places."""
    asked, places = _asked(), _places(items)
    if asked is None or asked.back is None or places is None or not set(places) & set(shown):
        return
    with st.container(border=True):
        line(t("second.ask"))
        line(t("second.which", first=places[0] + 1, second=places[1] + 1), tone="quiet")
        with st.container(horizontal=True, gap="small"):
            for item, place in zip((asked.first, asked.second), places, strict=True):
                if place not in shown:
                    st.button(
                        t("rate.first_missing", place=place + 1),
                        key=f"second-to-{item}",
                        on_click=navigation.go,
                        args=(campaign_id, items, place),
                    )
            st.button(
                t("second.back"),
                key=f"second-back-{asked.second}",
                on_click=_leave,
                args=(campaign_id, items, asked.back),
            )


def _leave(campaign_id: int, items: Sequence[ItemRecord], place: int) -> None:
    """Callback: both were read."""
    _back(campaign_id, items, place)


def _back(campaign_id: int, items: Sequence[ItemRecord], place: int) -> int:
    st.session_state.pop(_ASKED, None)
    return _go(campaign_id, items, place)


def _go(campaign_id: int, items: Sequence[ItemRecord], place: int) -> int:
    navigation.go(campaign_id, items, place)
    return place


def _asked() -> _Asked | None:
    asked: _Asked | None = st.session_state.get(_ASKED)
    return asked


def _places(items: Sequence[ItemRecord]) -> tuple[int, int] | None:
    """Where the two stand among these items; None for another campaign's or rater's."""
    asked = _asked()
    place = {item.id: index for index, item in enumerate(items)}
    if asked is None or asked.first not in place or asked.second not in place:
        return None
    return place[asked.first], place[asked.second]
