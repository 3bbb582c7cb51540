"""All systems of one segment on one screen, a score each, and one button for those that are equal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import streamlit as st

from db.design import Design
from db.records import CampaignRecord, ItemRecord
from pages.evaluate.rate import navigation, rating, saving
from pages.ui.text import label, line, score, set_text, show_error, t, take_error


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


def texts(shown: Sequence[ItemRecord], rater_id: int, design: Design, *, closed: bool) -> None:
    """The reference above, the translations below it, each with its score, comment and way to skip."""
    error = take_error(saving.ERROR_SLOT)
    for item in shown:
        if error is None and _rejected(item.id) is None:
            st.session_state[_key(item.id)] = item.score
        st.session_state[_comment_key(item.id)] = item.comment
    saving.start_clock(shown[0].id)
    if design.reference:
        with st.container(border=True, gap=None):
            label(t("rate.reference"))
            set_text(shown[0].reference, lang=shown[0].lang, vertical=design.vertical)
    if error is not None:
        show_error(error)
    wide = 2 if len(shown) in (2, 4) else 3
    for start in range(0, len(shown), wide):
        columns = st.columns(min(len(shown), wide), gap="medium")
        for column, item in zip(columns, shown[start : start + wide], strict=False):
            with column:
                _one(item, "ABCDE"[shown.index(item) % 5], rater_id, design, closed=closed)
    line(t("side.note"), tone="quiet")


def fields(shown: Sequence[ItemRecord]) -> list[str]:
    """CSS selectors of the fields with the scores, in order."""
    return [f".st-key-{_key(item.id)} input" for item in shown]


def typed_fields(shown: Sequence[ItemRecord]) -> list[rating.TypedField]:
    """The fields whose unsent text is kept."""
    return [
        field
        for item in shown
        for field in (
            rating.TypedField(
                f".st-key-{_key(item.id)} input",
                f"score-{item.id}",
                "" if item.score is None else score(item.score),
            ),
            rating.TypedField(f".st-key-{_comment_key(item.id)} input", f"comment-{item.id}", item.comment),
        )
    ]


def ways(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    rater_id: int,
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
                args=(shown, rater_id),
            )
        st.button(
            t("rate.next"),
            key=f"next-{shown[0].id}",
            icon=":material/arrow_forward:",
            icon_position="right",
            type="primary",
            on_click=_on_next,
            args=(campaign, items, places),
        )


def _one(item: ItemRecord, letter: str, rater_id: int, design: Design, *, closed: bool) -> None:
    with st.container(border=True, height="stretch", gap=None):
        label(f"{t('rate.translation')} {letter}")
        set_text(item.translation, lang=item.lang, vertical=design.vertical)
    st.number_input(
        t("side.score", letter=letter),
        value=None,
        step=1.0,
        format="%g",
        key=_key(item.id),
        placeholder="–",
        on_change=_commit,
        args=(item, rater_id),
        disabled=closed,
    )
    rejected = _rejected(item.id)
    if rejected is not None:
        st.error(t("rate.out_of_range", value=score(rejected)), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            t("rate.comment"),
            key=_comment_key(item.id),
            max_chars=rating.COMMENT_LIMIT,
            on_change=_commit,
            args=(item, rater_id),
            disabled=closed,
        )
        rating.skip_button(item, _skip, (item, rater_id), closed=closed)
    line(rating.stored_line(item), tone="quiet")


def _commit(item: ItemRecord, rater_id: int) -> None:
    """Store a score with the comment; a comment alone is kept as a draft."""
    value, comment = st.session_state.get(_key(item.id)), st.session_state.get(_comment_key(item.id)) or ""
    if _rejected(item.id) is not None:
        return
    last = saving.last_rating(item.id, rater_id)
    if value is not None:
        saving.save(item, rater_id, score=value, comment=comment)
    elif last is not None:  # a score can be changed, not taken back
        saving.save(item, rater_id, score=last.score, skipped=last.skipped_reason, comment=comment)
    else:
        saving.draft(item.id, rater_id, (), comment)


def _skip(item: ItemRecord, rater_id: int, reason: str) -> None:
    comment = st.session_state.get(_comment_key(item.id)) or ""
    if not rating.has_reason(reason, comment):
        return
    st.session_state[_key(item.id)] = None
    saving.save(item, rater_id, skipped=reason, comment=comment)


def _equal(shown: Sequence[ItemRecord], rater_id: int) -> None:
    """Those without a score get the one that was given; without any, or with several, a sentence."""
    given = {value for item in shown if (value := st.session_state.get(_key(item.id))) is not None}
    if len(given) != 1 or any(_rejected(item.id) is not None for item in shown):
        st.toast(t("side.equal_how"))
        return
    (value,) = given
    for item in shown:
        if st.session_state.get(_key(item.id)) is None:
            saving.save(item, rater_id, score=value, comment=item.comment)


def _on_next(campaign: CampaignRecord, items: Sequence[ItemRecord], places: range) -> None:
    """Callback of Next: go on; stay where a number cannot be stored."""
    if not any(_rejected(items[place].id) is not None for place in places):
        navigation.go(campaign.id, items, places.stop)


def _rejected(item_id: int) -> float | None:
    return rating.no_score(st.session_state.get(_key(item_id)))


def _key(item_id: int) -> str:
    return f"side-{item_id}"


def _comment_key(item_id: int) -> str:
    return f"side-comment-{item_id}"
