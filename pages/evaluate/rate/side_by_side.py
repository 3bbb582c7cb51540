"""All systems of one segment on one screen, a score each, and one button for those that are equal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from core.raters.protocols import Protocol
from db.design import Design
from db.records import CampaignRecord, ItemRecord
from pages.evaluate.rate import navigation, several
from pages.ui.text import label, line, set_text, t


def screen(items: Sequence[ItemRecord], place: int, at_once: int) -> range:
    """The places of the items that belong to the same segment as this one and stand beside it.

    Of more than `at_once` systems there are several screens, as even as can be: of seven, three and four.
    """
    first = last = place
    segment = items[place].segment_id
    while first > 0 and items[first - 1].segment_id == segment:
        first -= 1
    while last + 1 < len(items) and items[last + 1].segment_id == segment:
        last += 1
    count = last + 1 - first
    screens = -(-count // at_once)
    cuts = [first + count * at // screens for at in range(screens + 1)]
    return next(range(start, end) for start, end in pairwise(cuts) if start <= place < end)


def texts(
    shown: Sequence[ItemRecord], rater_id: int, design: Design, protocol: Protocol, *, closed: bool
) -> None:
    """The reference above, the translations below it, each with its score, comment and way to skip."""
    several.begin(shown, protocol)
    if design.reference:
        with st.container(border=True, gap=None):
            label(t("rate.reference"))
            set_text(shown[0].reference, lang=shown[0].lang, vertical=design.vertical)
    wide = 2 if len(shown) in (2, 4) else 3
    for start in range(0, len(shown), wide):
        columns = st.columns(min(len(shown), wide), gap="medium")
        for column, item in zip(columns, shown[start : start + wide], strict=False):
            with column:
                _one(item, "ABCDE"[shown.index(item) % 5], rater_id, design, protocol, closed=closed)
    line(t("side.note"), tone="quiet")


def ways(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    rater_id: int,
    protocol: Protocol,
    *,
    closed: bool,
) -> None:
    """Back, the same for the rest, and on. Each button belongs to its screen."""
    shown = [items[place] for place in places]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            t("rate.previous"),
            key=f"previous-{shown[0].id}",
            icon=":material/arrow_back:",
            disabled=places.start == 0,
            on_click=navigation.go,
            args=(campaign.id, items, places.start - 1),
        )
        if len(shown) > 1:
            st.button(
                t("side.equal"),
                key=f"side-equal-{shown[0].id}",
                icon=":material/equal:",
                disabled=closed,
                on_click=_equal,
                args=(shown, rater_id, protocol),
            )
        st.button(
            t("rate.next"),
            key=f"next-{shown[0].id}",
            icon=":material/arrow_forward:",
            icon_position="right",
            type="primary",
            on_click=_on_next,
            args=(campaign, items, places, protocol),
        )


def _one(
    item: ItemRecord, letter: str, rater_id: int, design: Design, protocol: Protocol, *, closed: bool
) -> None:
    with st.container(border=True, height="stretch", gap=None):
        label(f"{t('rate.translation')} {letter}")
        set_text(item.translation, lang=item.lang, vertical=design.vertical)
    name = t("side.score", letter=letter)
    several.judgement(item, rater_id, protocol, name, closed=closed)


def _equal(shown: Sequence[ItemRecord], rater_id: int, protocol: Protocol) -> None:
    """Those without a score get the one that was given; without any, or with several, a sentence."""
    given = {value for item in shown if (value := st.session_state.get(several.key(item.id))) is not None}
    if len(given) != 1 or any(several.rejected(item.id) is not None for item in shown):
        st.toast(t("side.equal_how"))
        return
    (value,) = given
    for item in shown:
        if st.session_state.get(several.key(item.id)) is None:
            st.session_state[several.key(item.id)] = value
            several.commit(item, rater_id, protocol)


def _on_next(
    campaign: CampaignRecord, items: Sequence[ItemRecord], places: range, protocol: Protocol
) -> None:
    """Callback of Next: go on; stay where a number cannot be stored, or an answer is missing."""
    shown = [items[place] for place in places]
    if any(several.rejected(item.id) is not None for item in shown):
        return
    if several.complete(shown, protocol):
        navigation.go(campaign.id, items, places.stop)
