"""Several items on one screen: for each a score, a comment and a way to skip, and what Enter leads to."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.raters.protocols import Protocol
from db.records import ItemRecord
from pages.evaluate.rate import rating, saving, scales
from pages.evaluate.rate import spans as marking
from pages.ui.text import line, score, show_error, t, take_error


def begin(shown: Sequence[ItemRecord], protocol: Protocol) -> None:
    """Fill the fields with what is stored, start the clock, and say why the last answer was not stored."""
    error = take_error(saving.ERROR_SLOT)
    for item in shown:
        if error is None and rejected(item.id) is None:
            st.session_state[key(item.id)] = rating.shown_score(item)
        if error is None:
            scales.begin(item.id, protocol.scales, item.scales)
        st.session_state[_comment_key(item.id)] = item.comment
    saving.start_clock(*(item.id for item in shown))
    if error is not None:
        show_error(error)


def judgement(item: ItemRecord, rater_id: int, protocol: Protocol, name: str, *, closed: bool) -> None:
    """The fields of one item. name: what the field with the score is called."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if protocol.scored:
            st.number_input(
                name,
                value=None,
                step=1.0,
                format="%g",
                key=key(item.id),
                placeholder="–",
                on_change=commit,
                args=(item, rater_id, protocol),
                width=190,
                disabled=closed,
            )
        st.text_input(
            t("rate.comment"),
            key=_comment_key(item.id),
            max_chars=rating.COMMENT_LIMIT,
            on_change=commit,
            args=(item, rater_id, protocol),
            disabled=closed,
        )
        rating.skip_button(item, _skip, (item, rater_id), closed=closed)
    wrong = rejected(item.id)
    if wrong is not None:
        st.error(t("rate.out_of_range", value=score(wrong)), icon=":material/error:")
    if protocol.scales:
        scales.fields(item.id, protocol.scales, commit, (item, rater_id, protocol), closed=closed)
        if item.skipped is None and not closed:
            value = st.session_state.get(key(item.id))
            scales.waiting(item.id, protocol.scales, value, scored=protocol.scored)
    line(rating.stored_line(item), tone="quiet")


def correction(item: ItemRecord, rater_id: int, protocol: Protocol, *, closed: bool) -> None:
    """The field in which the rater may correct the translation."""
    rating.correction(item, commit, (item, rater_id, protocol), closed=closed)


def fields(shown: Sequence[ItemRecord]) -> list[str]:
    """CSS selectors of the fields with the scores, in order."""
    return [f".st-key-{key(item.id)} input" for item in shown]


def typed_fields(shown: Sequence[ItemRecord]) -> list[rating.TypedField]:
    """The fields whose unsent text is kept."""
    return [
        field
        for item in shown
        for field in (
            rating.TypedField(
                f".st-key-{key(item.id)} input",
                f"score-{item.id}",
                rating.typed_score(item),
            ),
            rating.TypedField(f".st-key-{_comment_key(item.id)} input", f"comment-{item.id}", item.comment),
        )
    ]


def rejected(item_id: int) -> float | None:
    """A number in an item's field that is no score."""
    return rating.no_score(st.session_state.get(key(item_id)))


def comment_of(item_id: int) -> str:
    """The comment as it stands in the field."""
    return st.session_state.get(_comment_key(item_id)) or ""


def key(item_id: int) -> str:
    """The key of an item's field with the score."""
    return f"side-{item_id}"


def _comment_key(item_id: int) -> str:
    return f"side-comment-{item_id}"


def complete(shown: Sequence[ItemRecord], protocol: Protocol) -> bool:
    """Whether nothing that the campaign needs is missing of items that are begun. Else the page says so."""
    for item in shown:
        if scales.rejected(item.id, protocol.scales):
            return False
        value = st.session_state.get(key(item.id)) if protocol.scored else None
        if item.revision > 0 and value == item.score:
            continue
        if not scales.may_go_on(item.id, protocol.scales, value=value, scored=protocol.scored):
            return False
    return True


def commit(item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """Store a score with the comment, what is marked and answered.

    A draft keeps a comment alone, and answers while one that is needed is missing.
    """
    value = st.session_state.get(key(item.id))
    if rejected(item.id) is not None:
        return
    last = saving.last_rating(item.id, rater_id)
    marked = marking.spans(item.id, rater_id) if protocol.marks else None
    comment, given = comment_of(item.id), scales.answers(item.id, protocol.scales)
    whole = scales.lacking(protocol.scales, given) is None
    if value is not None and whole:
        saving.save(item, rater_id, score=value, comment=comment, spans=marked, scales=given)
    elif last is not None and whole and (last.skipped_reason is None or not given):
        # a score can be changed, not taken back
        reason = last.skipped_reason
        saving.save(
            item, rater_id, score=last.score, skipped=reason, comment=comment, spans=marked, scales=given
        )
    else:
        saving.draft(item, rater_id, marked or (), comment, score=value, scales=given)


def _skip(item: ItemRecord, rater_id: int, reason: str) -> None:
    comment = comment_of(item.id)
    if not rating.has_reason(reason, comment):
        return
    st.session_state[key(item.id)] = None
    saving.save(item, rater_id, skipped=reason, comment=comment)
