"""The rating row: a number field, a rail that shows the number, a comment, and the ways on.

Whatever is typed is stored by a callback, which runs before the page is drawn; the page then shows what is
stored. Field and comment have a key per item, so a late keystroke only reaches the item it was typed for.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.assets import ASSETS
from core.errors import RatingError
from core.raters.protocols import Protocol
from db.queries.rating import save_draft
from db.records import ItemRecord
from pages.evaluate.rate import navigation, saving
from pages.evaluate.rate import spans as marking
from pages.ui import state
from pages.ui.text import error_kept, keep_error, moment, score, show_error, t, take_error

SKIP_REASONS = ("misaligned", "unreadable", "unsure", "other")
COMMENT_LIMIT = 2_000

_RAIL_KEY = "rail"
_rail = st.components.v2.component(
    "yomikurabe_rail",
    js=(ASSETS / "components" / "rail.js").read_text("utf-8"),
    css=(ASSETS / "components" / "rail.css").read_text("utf-8"),
)


def row(item: ItemRecord, rater_id: int, protocol: Protocol, *, earlier: Sequence[float] = ()) -> None:
    """Draw the row for one item. earlier: the rater's other scores, shown as small marks on the rail."""
    error = take_error(saving.ERROR_SLOT)
    if error is None:
        st.session_state[_score_key(item.id)] = item.score
        st.session_state[_comment_key(item.id)] = item.comment
    saving.start_clock(item.id)
    if protocol.scored:
        _scale(item, rater_id, protocol, earlier)
    if error is not None:
        show_error(error)
    _below(item, rater_id, protocol)


def _scale(item: ItemRecord, rater_id: int, protocol: Protocol, earlier: Sequence[float]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.number_input(
            t("rate.question"),
            min_value=0.0,
            max_value=100.0,
            value=None,
            step=1.0,
            format="%g",
            key=_score_key(item.id),
            help=t("rate.question_help"),
            placeholder="–",
            on_change=_on_change,
            args=(item.id, rater_id, protocol),
            width=170,
        )
        _rail(
            key=_RAIL_KEY,
            data={
                "item": item.id,
                "field": f"st-key-{_score_key(item.id)}",
                "score": item.score,
                "earlier": list(earlier),
                "focus": not protocol.marks,  # errors are marked first: the text has the keys then
                "anchors": [
                    (value, t(f"anchor.{protocol.name}.{index}"))
                    for index, value in enumerate(protocol.anchors)
                ],
                "label": t("rate.rail"),
                "hint": t("rate.enter_hint"),
            },
            on_enter_change=lambda: _on_enter(item.id, rater_id, protocol),
            on_picked_change=lambda: _on_picked(item.id, rater_id, protocol),
        )


def _below(item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            t("rate.comment"),
            key=_comment_key(item.id),
            max_chars=COMMENT_LIMIT,
            placeholder="" if item.revision else t("rate.comment_hint"),
            on_change=_on_change,
            args=(item.id, rater_id, protocol),
            persist_state="session",
        )
        st.button(
            t("rate.previous"),
            key="previous",
            icon=":material/arrow_back:",
            disabled=item.place == 0,
            on_click=navigation.step,
            args=(-1,),
        )
        with st.popover(t("rate.skip")):
            st.caption(t("rate.skip_why"))
            for reason in SKIP_REASONS:
                st.button(
                    t(f"skip.{reason}"),
                    key=f"skip-{reason}",
                    on_click=_skip,
                    args=(item.id, rater_id, protocol, reason),
                    width="stretch",
                )
        _next(item, rater_id, protocol)


def _next(item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """On; where there is no score this is what saves the marked errors, none among them too."""
    st.button(
        t("rate.next" if protocol.scored else "rate.save_next"),
        key="next",
        on_click=navigation.step if protocol.scored else _done,
        args=(1,) if protocol.scored else (item.id, rater_id, protocol),
        icon=":material/arrow_forward:",
        icon_position="right",
        type="primary",
    )


def stored_line(item: ItemRecord) -> str:
    """What the database holds of this item, in one line; empty for an open item."""
    if item.saved_at is None:
        return ""
    when = moment(item.saved_at)
    if item.skipped is not None:
        reason = t(f"skip.{item.skipped}") if item.skipped in SKIP_REASONS else item.skipped
        return t("rate.stored_skip", reason=reason, when=when)
    if item.score is None:
        return t("rate.stored_marks", n=len(item.spans or ()), when=when)
    return t("rate.stored", score=score(item.score or 0), when=when)


def _on_change(item_id: int, rater_id: int, protocol: Protocol) -> None:
    """Callback of the field and the comment."""
    _commit(item_id, rater_id, protocol)


def _commit(item_id: int, rater_id: int, protocol: Protocol) -> bool:
    """Store what the field and the comment hold; True when the item then has a score or a skip.

    An empty field stores nothing: a score can be changed, not taken back.
    """
    value = st.session_state.get(_score_key(item_id)) if protocol.scored else None
    last = saving.last_rating(item_id, rater_id)
    if value is not None:
        return _save(item_id, rater_id, protocol, score=value)
    if last is not None:
        return _save(item_id, rater_id, protocol, score=last.score, skipped=last.skipped_reason)
    with error_kept(saving.ERROR_SLOT):  # a comment on an item that is not judged yet is a draft
        marked = marking.spans(item_id, rater_id)
        save_draft(
            state.engine(), item_id=item_id, rater_id=rater_id, spans=marked, comment=_comment(item_id)
        )
    return False


def _save(
    item_id: int, rater_id: int, protocol: Protocol, *, score: float | None = None, skipped: str | None = None
) -> bool:
    """Store an answer with the comment and with what is marked."""
    comment, marked = _comment(item_id), marking.spans(item_id, rater_id) if protocol.marks else None
    return saving.save(item_id, rater_id, score=score, skipped=skipped, comment=comment, spans=marked)


def _done(item_id: int, rater_id: int, protocol: Protocol) -> None:
    """The marked errors are the judgement. Each needs its category first."""
    without_category = marking.uncategorised(marking.spans(item_id, rater_id), protocol)
    if without_category:
        keep_error(
            saving.ERROR_SLOT,
            RatingError(
                "{n} error has no category yet; click it and choose one."
                if without_category == 1
                else "{n} errors have no category yet; click each and choose one.",
                n=without_category,
            ),
        )
    elif _save(item_id, rater_id, protocol):
        navigation.step(1)


def _skip(item_id: int, rater_id: int, protocol: Protocol, reason: str) -> None:
    if _save(item_id, rater_id, protocol, skipped=reason):
        navigation.step(1)


def _on_enter(item_id: int, rater_id: int, protocol: Protocol) -> None:
    """Enter in the field: stored, then the next item; an item without a score stays.

    The event brings the number along, for it may overtake the field's own message.
    """
    event = st.session_state[_RAIL_KEY].enter
    if event and event["item"] == item_id:
        st.session_state[_score_key(item_id)] = float(event["value"])
        if _commit(item_id, rater_id, protocol):
            navigation.step(1)


def _on_picked(item_id: int, rater_id: int, protocol: Protocol) -> None:
    """A place on the rail was pointed at: as if the number had been typed."""
    event = st.session_state[_RAIL_KEY].picked
    if event and event["item"] == item_id:
        st.session_state[_score_key(item_id)] = float(event["value"])
        _commit(item_id, rater_id, protocol)


def _score_key(item_id: int) -> str:
    return f"score-{item_id}"


def _comment(item_id: int) -> str:
    return st.session_state.get(_comment_key(item_id)) or ""


def _comment_key(item_id: int) -> str:
    return f"comment-{item_id}"
