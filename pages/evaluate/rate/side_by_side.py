"""All systems of one segment on one screen, a score each, and one button for those that are equal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from db.design import Design
from db.records import CampaignRecord, ItemRecord
from pages.evaluate.rate import context, navigation, saving
from pages.ui.text import label, line, set_text, show_kept_error, t


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


def show(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    rater_id: int,
    design: Design,
) -> None:
    """The reference above, the translations below it, each with its field."""
    shown = [items[place] for place in places]
    for item in shown:
        st.session_state[_key(item.id)] = item.score
    saving.start_clock(shown[0].id)
    if design.reference:
        with st.container(border=True, gap=None):
            label(t("rate.reference"))
            set_text(shown[0].reference, lang=shown[0].lang, vertical=design.vertical)
    show_kept_error(saving.ERROR_SLOT)
    wide = 2 if len(shown) in (2, 4) else 3
    for start in range(0, len(shown), wide):
        columns = st.columns(min(len(shown), wide), gap="medium")
        for column, item in zip(columns, shown[start : start + wide], strict=False):
            with column:
                _one(item, shown, rater_id, design)
    line(t("side.note"), tone="quiet")
    _ways(campaign, items, places, shown, rater_id, design)


def _ways(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    shown: Sequence[ItemRecord],
    rater_id: int,
    design: Design,
) -> None:
    """Back, the same for the rest, the source, and on."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            t("rate.previous"),
            key="previous",
            icon=":material/arrow_back:",
            disabled=places.start == 0,
            on_click=navigation.go,
            args=(campaign.id, items, places.start - 1),
        )
        st.button(
            t("side.equal"),
            key="side-equal",
            icon=":material/equal:",
            on_click=_equal,
            args=(shown, rater_id),
        )
        if context.source_toggle(design):
            context.source(campaign, shown[0])
        st.button(
            t("rate.next"),
            key="next",
            icon=":material/arrow_forward:",
            icon_position="right",
            type="primary",
            on_click=navigation.go,
            args=(campaign.id, items, places.stop),
        )


def _one(item: ItemRecord, shown: Sequence[ItemRecord], rater_id: int, design: Design) -> None:
    letter = "ABCDE"[shown.index(item) % 5]
    with st.container(border=True, height="stretch", gap=None):
        label(f"{t('rate.translation')} {letter}")
        set_text(item.translation, lang=item.lang, vertical=design.vertical)
    st.number_input(
        t("side.score", letter=letter),
        min_value=0.0,
        max_value=100.0,
        value=None,
        step=1.0,
        format="%g",
        key=_key(item.id),
        placeholder="–",
        on_change=_commit,
        args=(item.id, rater_id),
    )


def _commit(item_id: int, rater_id: int) -> None:
    value = st.session_state.get(_key(item_id))
    if value is None:
        return  # a score can be changed, not taken back
    saving.save(item_id, rater_id, score=value)


def _equal(shown: Sequence[ItemRecord], rater_id: int) -> None:
    """Those without a score get the one that was given; without any, or with several, a sentence."""
    given = {value for item in shown if (value := st.session_state.get(_key(item.id))) is not None}
    if len(given) != 1:
        st.toast(t("side.equal_how"))
        return
    (value,) = given
    for item in shown:
        if st.session_state.get(_key(item.id)) is None:
            saving.save(item.id, rater_id, score=value)


def _key(item_id: int) -> str:
    return f"side-{item_id}"
