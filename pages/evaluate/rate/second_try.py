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
    """The two items, and the place from which the rater was led away; None until then."""

    first: int
    second: int
    back: int | None = None


def look(item_id: int, rater_id: int) -> None:
    """After a judgement was stored: whether two texts are to be read again."""
    found = give_second_try(state.engine(), item_id=item_id, rater_id=rater_id)
    if found is not None:
        st.session_state[_ASKED] = _Asked(first=found[0], second=found[1])


def lead(campaign_id: int, items: Sequence[ItemRecord], place: int) -> int:
    """The place to be shown: that of the first of the two when they were just found, else the one given."""
    asked = _asked()
    places = _places(items)
    if asked is None or asked.back is not None or places is None:
        return place
    st.session_state[_ASKED] = replace(asked, back=place)
    navigation.go(campaign_id, items, places[0])
    return places[0]


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
                on_click=_back,
                args=(campaign_id, items, asked.back),
            )


def _back(campaign_id: int, items: Sequence[ItemRecord], place: int) -> None:
    st.session_state.pop(_ASKED, None)
    navigation.go(campaign_id, items, place)


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
