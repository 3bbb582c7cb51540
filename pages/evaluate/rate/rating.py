"""The rating row: a number field, a rail that shows the number, a comment, and the ways on.

Whatever is typed is stored by a callback, which runs before the page is drawn; the page then shows what is
stored. Field and comment have a key per item, so a late keystroke only reaches the item it was typed for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import streamlit as st

from core.assets import ASSETS
from core.errors import RatingError
from core.raters.protocols import Protocol
from db.records import ItemRecord
from pages.evaluate.rate import navigation, saving, scales
from pages.evaluate.rate import spans as marking
from pages.ui.text import keep_error, line, moment, score, show_error, t, take_error

OTHER_REASON = "other"
SKIP_REASONS = ("misaligned", "unreadable", "unsure", OTHER_REASON)
COMMENT_LIMIT = 2_000
CORRECTION_LIMIT = 10_000

SQM_TOP = 6
"""The highest of SQM's steps, which some raters know better than points from 0 to 100."""

_RAIL_KEY, _QUESTION, _SURE = "rail", "scale-question", "scale-sure"
_rail = st.components.v2.component(
    "yomikurabe_rail",
    js=(ASSETS / "components" / "rail.js").read_text("utf-8"),
    css=(ASSETS / "components" / "rail.css").read_text("utf-8"),
)


def row(
    item: ItemRecord,
    rater_id: int,
    protocol: Protocol,
    *,
    earlier: Sequence[float] = (),
    first: bool = False,
    edits: bool = False,
    closed: bool = False,
) -> None:
    """Draw the row for one item.

    earlier: the rater's other scores, shown as small marks on the rail. first: the rater has scored nothing
    else yet. edits: the translation may be corrected. closed: scores can be looked at and not changed.
    """
    error = take_error(saving.ERROR_SLOT)
    pending = _rejected(item.id) is not None or _questioned(item.id) is not None
    if error is None and not pending:
        st.session_state[_score_key(item.id)] = shown_score(item)
        st.session_state[_comment_key(item.id)] = item.comment
    if error is None:
        scales.begin(item.id, protocol.scales, item.scales)
    saving.start_clock(item.id)
    shown = _Shown(item=item, rater_id=rater_id, protocol=protocol, first=first)
    if edits:
        correction(item, _on_change, (shown,), closed=closed)
    if protocol.scored:
        with st.container(key="rating-bar", horizontal=True, vertical_alignment="bottom", gap="medium"):
            _scale(shown, earlier, closed=closed)
            if not protocol.scales:
                _next(shown, closed=closed)
        _sentences(shown)
    _own_scales(shown, closed=closed)
    if error is not None:
        show_error(error)
    _below(shown, closed=closed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """The item as it was on the screen when something was clicked or typed."""

    item: ItemRecord
    rater_id: int
    protocol: Protocol
    first: bool
    at: int = field(default_factory=navigation.here)


def shown_score(item: ItemRecord) -> float | None:
    """The score that is given and not stored yet, else the stored one."""
    return item.score if item.draft_score is None else item.draft_score


def _own_scales(shown: _Shown, *, closed: bool) -> None:
    """The campaign's own scales, and what is still to be answered."""
    item, protocol = shown.item, shown.protocol
    if protocol.scales:
        scales.fields(item.id, protocol.scales, _on_change, (shown,), closed=closed)
        value = st.session_state.get(_score_key(item.id)) if protocol.scored else None
        if item.skipped is None and not closed:
            scales.waiting(item.id, protocol.scales, value, scored=protocol.scored)


def _rejected(item_id: int) -> float | None:
    """A number in the field that is no score."""
    return no_score(st.session_state.get(_score_key(item_id)))


def no_score(value: float | None) -> float | None:
    """The number, if it is one outside 0 to 100."""
    return value if value is not None and not 0 <= value <= 100 else None


def _questioned(item_id: int) -> float | None:
    """A number from 1 to 6 on the scale of 0 to 100, until the rater says which scale was meant."""
    asked: tuple[int, float] | None = st.session_state.get(_QUESTION)
    return asked[1] if asked is not None and asked[0] == item_id else None


def _sentences(shown: _Shown) -> None:
    """Under the field: why its number is not stored, and what to do."""
    rejected, questioned = _rejected(shown.item.id), _questioned(shown.item.id)
    if rejected is not None:
        st.error(t("rate.out_of_range", value=score(rejected)), icon=":material/error:")
    elif questioned is not None:
        meant = round(100 * questioned / SQM_TOP)
        with st.container(border=True):
            line(t("rate.scale_question", value=score(questioned)))
            with st.container(horizontal=True, gap="small"):
                for name, value in (("keep", questioned), ("other", float(meant))):
                    st.button(
                        t(f"rate.scale_{name}", value=score(questioned), score=meant),
                        key=f"scale-{name}-{shown.item.id}",
                        on_click=_answer,
                        args=(shown, value),
                    )


def _scale(shown: _Shown, earlier: Sequence[float], *, closed: bool) -> None:
    item = shown.item
    scale(
        shown.protocol,
        item=item.id,
        key=_score_key(item.id),
        stored=shown_score(item),
        earlier=earlier,
        closed=closed,
        rail=_RAIL_KEY,
        hint=t("rate.enter_hint"),
        on_change=lambda: _on_change(shown),
        on_enter=lambda: _on_enter(shown),
        on_picked=lambda: _on_picked(shown),
    )


def scale(
    protocol: Protocol,
    *,
    item: int | str,
    key: str,
    stored: float | None,
    rail: str,
    hint: str,
    on_enter: Callable[[], None],
    on_picked: Callable[[], None],
    on_change: Callable[[], None] | None = None,
    earlier: Sequence[float] = (),
    closed: bool = False,
) -> None:
    """The number field and its rail.

    item: what the rail's messages name (see `told`). key, rail: of the field and of the rail. stored: the
    score that the rail shows. hint: what Enter does. on_enter, on_picked: callbacks that find the message in
    the state of the rail.
    """
    st.number_input(
        t("rate.question"),
        value=None,
        step=1.0,
        format="%g",
        key=key,
        help=t("rate.question_help"),
        placeholder="–",
        on_change=on_change,
        width=170,
        disabled=closed,
    )
    _rail(
        key=rail,
        data={
            "item": item,
            "field": f"st-key-{key}",
            "score": stored,
            "earlier": list(earlier),
            "focus": not protocol.marks,  # errors are marked first: the text has the keys then
            "anchors": [
                (value, t(f"anchor.{protocol.name}.{index}")) for index, value in enumerate(protocol.anchors)
            ],
            "label": t("rate.rail"),
            "hint": hint,
            "disabled": closed,
        },
        on_enter_change=on_enter,
        on_picked_change=on_picked,
    )


def _below(shown: _Shown, *, closed: bool) -> None:
    """Comment, back and skip. The keys name the item, so a double click cannot reach the next item.

    Without a score this is the bar that stays in reach.
    """
    item = shown.item
    bar = "rating-more" if shown.protocol.scored else "rating-bar"
    with st.container(key=bar, horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            t("rate.comment"),
            key=_comment_key(item.id),
            max_chars=COMMENT_LIMIT,
            placeholder="" if item.revision else t("rate.comment_hint"),
            on_change=_on_change,
            args=(shown,),
            persist_state="session",
            disabled=closed,
        )
        st.button(
            t("rate.previous"),
            key=f"previous-{item.id}",
            icon=":material/arrow_back:",
            disabled=item.place == 0,
            on_click=navigation.step,
            args=(-1, navigation.here()),
        )
        skip_button(item, _skip, (shown,), closed=closed)
        if not shown.protocol.scored or shown.protocol.scales:
            _next(shown, closed=closed)


def correction(
    item: ItemRecord, on_change: Callable[..., None], args: tuple[object, ...], *, closed: bool
) -> None:
    """The field in which the rater may correct the translation; `on_change` is called with `args`."""
    key = saving.edited_key(item.id)
    if key not in st.session_state:
        st.session_state[key] = item.edited or item.translation
    st.text_area(
        t("rate.correction"),
        key=key,
        help=t("rate.correction_help"),
        height="content",
        max_chars=CORRECTION_LIMIT,
        on_change=on_change,
        args=args,
        disabled=closed,
    )


def has_reason(reason: str, comment: str) -> bool:
    """Whether a skip says why: a reason that is not in the list needs a comment. Else the page says so."""
    if reason != OTHER_REASON or comment.strip():
        return True
    keep_error(saving.ERROR_SLOT, RatingError("Another reason needs a comment: write it, then skip again."))
    return False


def skip_button(
    item: ItemRecord, skip: Callable[..., None], args: tuple[object, ...], *, closed: bool
) -> None:
    """The reasons for not judging an item; `skip` is called with `args` and the chosen reason."""
    with st.popover(t("rate.skip"), disabled=closed):
        st.caption(t("rate.skip_why"))
        for reason in SKIP_REASONS:
            st.button(
                t(f"skip.{reason}"),
                key=f"skip-{reason}-{item.id}",
                on_click=skip,
                args=(*args, reason),
                width="stretch",
            )


@dataclass(frozen=True, slots=True)
class TypedField:
    """A field of the page. selector: CSS; key: of the item and its part; stored: what the database holds."""

    selector: str
    key: str
    stored: str


def typed_fields(item: ItemRecord, protocol: Protocol) -> list[TypedField]:
    """The fields of an item whose unsent text is kept."""
    comment = TypedField(f".st-key-{_comment_key(item.id)} input", f"comment-{item.id}", item.comment)
    if not protocol.scored:
        return [comment]
    return [TypedField(f".{field_class(item)} input", f"score-{item.id}", typed_score(item)), comment]


def typed_score(item: ItemRecord) -> str:
    """The score that the field has from the database, as text; empty for none."""
    known = shown_score(item)
    return "" if known is None else score(known)


def next_class(item: ItemRecord) -> str:
    """The CSS class of the button that leads on."""
    return f"st-key-next-{item.id}"


def field_class(item: ItemRecord) -> str:
    """The CSS class of the field with the score."""
    return f"st-key-{_score_key(item.id)}"


def _next(shown: _Shown, *, closed: bool) -> None:
    """On; where there is no score this is what saves the marked errors, none among them too."""
    saves = not shown.protocol.scored and not closed
    st.button(
        t("rate.save_next" if saves else "rate.next"),
        key=f"next-{shown.item.id}",
        on_click=_done if saves else _on_next,
        args=(shown,),
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


def _on_change(shown: _Shown) -> None:
    """Callback of the field and the comment."""
    _commit(shown)


def _commit(shown: _Shown) -> bool:
    """Store what the field and the comment hold; True when the item then has a score or a skip.

    An empty field stores nothing: a score can be changed, not taken back.
    """
    item, protocol = shown.item, shown.protocol
    value = st.session_state.get(_score_key(item.id)) if protocol.scored else None
    if _rejected(item.id) is not None or (protocol.name == "da-sqm" and _must_ask(shown, value)):
        return False
    given = scales.answers(item.id, protocol.scales)
    complete = scales.lacking(protocol.scales, given) is None
    if value is not None and complete:
        return _save(shown, score=value)
    last = saving.last_rating(item.id, shown.rater_id)
    if last is not None and complete and (last.skipped_reason is None or not given):
        return _save(shown, score=last.score, skipped=last.skipped_reason)
    # what is written and answered for an item that is not judged yet is a draft
    marked = marking.spans(item.id, shown.rater_id)
    saving.draft(item, shown.rater_id, marked, _comment(item.id), score=value, scales=given)
    return False


def _must_ask(shown: _Shown, value: float | None) -> bool:
    """Whether a first score looks like one from 0 to 6; it is then asked about, and not stored before."""
    st.session_state.pop(_QUESTION, None)
    small = value is not None and value in range(1, SQM_TOP + 1)
    unsure = shown.first and value != shown.item.score
    if not (small and unsure) or st.session_state.get(_SURE) == shown.rater_id:
        return False
    st.session_state[_QUESTION] = (shown.item.id, value)
    return True


def _answer(shown: _Shown, value: float) -> None:
    """Callback: store the score on the scale that the rater chose."""
    st.session_state.pop(_QUESTION, None)
    st.session_state[_SURE] = shown.rater_id
    st.session_state[_score_key(shown.item.id)] = value
    _commit(shown)


def _save(shown: _Shown, *, score: float | None = None, skipped: str | None = None) -> bool:
    """Store an answer with the comment and with what is marked."""
    item_id, rater_id = shown.item.id, shown.rater_id
    marked = marking.spans(item_id, rater_id) if shown.protocol.marks else None
    return saving.save(
        shown.item,
        rater_id,
        score=score,
        skipped=skipped,
        comment=_comment(item_id),
        spans=marked,
        scales=scales.answers(item_id, shown.protocol.scales),
    )


def _done(shown: _Shown) -> None:
    """The marked errors are the judgement."""
    if store_marks(shown.item, shown.rater_id, shown.protocol, comment=_comment(shown.item.id)):
        navigation.step(1, shown.at)


def store_marks(item: ItemRecord, rater_id: int, protocol: Protocol, *, comment: str) -> bool:
    """Store the marked errors of an item, none among them too; False where one lacks its category.

    False, too, where an answer that the campaign needs is missing.
    """
    marked = marking.spans(item.id, rater_id)
    given = scales.answers(item.id, protocol.scales)
    problem = marking.lacks_category(marked, protocol) or scales.lacking(protocol.scales, given)
    if problem is not None or scales.rejected(item.id, protocol.scales):
        if problem is not None:
            keep_error(saving.ERROR_SLOT, problem)
        return False
    return saving.save(item, rater_id, comment=comment, spans=marked, scales=given)


def _on_next(shown: _Shown) -> None:
    """Callback of Next: store the number, then go on; stay where it cannot be stored."""
    item, own = shown.item, shown.protocol.scales
    value = st.session_state.get(_score_key(item.id))
    if scales.rejected(item.id, own):
        return
    judged = item.revision > 0 and value == item.score
    if not judged and not scales.may_go_on(item.id, own, value=value):
        return
    if value is None or value == item.score or _commit(shown):
        navigation.step(1, shown.at)


def _skip(shown: _Shown, reason: str) -> None:
    if has_reason(reason, _comment(shown.item.id)) and _save(shown, skipped=reason):
        navigation.step(1, shown.at)


def _on_enter(shown: _Shown) -> None:
    """Enter in the field: stored, then the next item; an item without a score stays.

    The event brings the number along, for it may overtake the field's own message.
    """
    value = told(st.session_state[_RAIL_KEY].enter, shown.item.id)
    if value is not None:
        st.session_state[_score_key(shown.item.id)] = value
        if _commit(shown):
            navigation.step(1, shown.at)
        elif _rejected(shown.item.id) is None and _questioned(shown.item.id) is None:
            scales.may_go_on(shown.item.id, shown.protocol.scales, value=value)


def _on_picked(shown: _Shown) -> None:
    """A place on the rail was pointed at: as if the number had been typed."""
    value = told(st.session_state[_RAIL_KEY].picked, shown.item.id)
    if value is not None:
        st.session_state[_score_key(shown.item.id)] = value
        _commit(shown)


def told(event: object, item_id: int | str) -> float | None:
    """The number in the rail's event; None for another item's event, and for one of an unknown form."""
    if not isinstance(event, dict) or event.get("item") != item_id:
        return None
    value = event.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _score_key(item_id: int) -> str:
    return f"score-{item_id}"


def _comment(item_id: int) -> str:
    return st.session_state.get(_comment_key(item_id)) or ""


def _comment_key(item_id: int) -> str:
    return f"comment-{item_id}"
