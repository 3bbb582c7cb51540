"""Marking errors in an item: its texts, the legend, category and note of each mark, and the stored draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.errors import RatingError
from core.raters.protocols import (
    SOURCE,
    TARGET,
    MarkedSpan,
    Protocol,
)
from db.design import Design, computed_score
from db.queries.rating import stored_spans
from db.records import CampaignRecord, ItemRecord
from pages.evaluate.rate import saving
from pages.evaluate.rate.passage import passage, words_of
from pages.ui import state
from pages.ui.error_words import category_words, severity_word
from pages.ui.text import label, line, number, t

_CHOSEN = "marking-chosen"  # (item, side, place of the chosen span)


def translation(item: ItemRecord, rater_id: int, protocol: Protocol, design: Design) -> None:
    """The translation, to be marked."""
    label(t("rate.translation"))
    _marked(item, rater_id, protocol, item.translation, item.lang, TARGET, vertical=design.vertical)
    legend(protocol, spans(item.id, rater_id), design)


def translation_among(
    item: ItemRecord, rater_id: int, protocol: Protocol, *, vertical: bool, focus: bool
) -> None:
    """The translation, to be marked, where others stand on the same screen; without the list of keys."""
    label(t("rate.translation"))
    _marked(
        item,
        rater_id,
        protocol,
        item.translation,
        item.lang,
        TARGET,
        vertical=vertical,
        key=f"passage-{TARGET}-{item.id}",
        focus=focus,
    )


def source(campaign: CampaignRecord, item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """The source, where what the translation leaves out can be marked."""
    if item.source and item.source.strip():
        with st.container(key="text-source", border=True, gap=None):
            label(t("rate.source"))
            _marked(item, rater_id, protocol, item.source, campaign.source_lang, SOURCE)


def spans(item_id: int, rater_id: int) -> tuple[MarkedSpan, ...]:
    """What is marked in an item, saved or not yet."""
    return stored_spans(state.engine(), item_id=item_id, rater_id=rater_id)


def keys_line(protocol: Protocol) -> None:
    """How errors are marked: by keys and mouse, or by finger."""
    keys = " · ".join(
        f"{place} {severity_word(severity, protocol.errors)}"
        for place, severity in enumerate(protocol.severities, 1)
    )
    for device, words in (("keys", t("marking.keys", keys=keys)), ("touch", t("marking.touch"))):
        with st.container(key=f"by-{device}", gap=None):
            line(words, tone="quiet")


def legend(protocol: Protocol, marked: Sequence[MarkedSpan], design: Design) -> None:
    """The keys, and what is marked so far in a line."""
    counts = " · ".join(
        f"{severity_word(severity, protocol.errors)} {sum(one.severity == severity for one in marked)}"
        for severity in protocol.severities
    )
    if not protocol.scored:
        value = number(computed_score(design, marked), 1)
        own = bool(protocol.errors.severities)
        counts += " · " + t("marking.own_score" if own else "marking.score", score=value)
    keys_line(protocol)
    line(counts, tone="quiet")


def categories(item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """The category and a note of the chosen error (MQM)."""
    if not protocol.categories:
        return
    marked = spans(item.id, rater_id)
    place = _place(item.id, marked)
    if place is None:
        line(t("marking.choose"), tone="quiet")
        return
    key = f"category-{item.id}"
    category_fields(marked[place], protocol, key, partial(_set, item, rater_id, place))


def category_fields(
    one: MarkedSpan, protocol: Protocol, key: str, on_change: Callable[[str, str], None]
) -> None:
    """The category and the note of a marked error; `on_change` is given both."""
    key = f"{key}-{one.side}-{one.start}-{one.end}-{one.missing}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            t("marking.category"),
            protocol.categories,
            index=protocol.categories.index(one.category) if one.category in protocol.categories else None,
            format_func=category_words(protocol).__getitem__,
            placeholder=t("marking.category_choose"),
            key=key,
            on_change=_on_category,
            args=(key, on_change),
            width=360,
        )
        st.text_input(
            t("marking.note"),
            one.note,
            key=f"{key}-note",
            max_chars=500,
            on_change=_on_category,
            args=(key, on_change),
        )


def _on_category(key: str, on_change: Callable[[str, str], None]) -> None:
    on_change(st.session_state.get(key) or "", st.session_state.get(f"{key}-note") or "")


def chosen_in(item_id: int) -> bool:
    """Whether a marked error of this item is chosen."""
    chosen = st.session_state.get(_CHOSEN)
    return chosen is not None and chosen[0] == item_id


def uncategorised(marked: Sequence[MarkedSpan], protocol: Protocol) -> int:
    """How many errors still lack the category that the protocol asks for; beside a score it may stay open."""
    return sum(not one.category for one in marked) if protocol.categories and not protocol.scored else 0


def lacks_category(marked: Sequence[MarkedSpan], protocol: Protocol) -> RatingError | None:
    """The error for marked errors without the category that the protocol asks for; None where all have it."""
    count = uncategorised(marked, protocol)
    if not count:
        return None
    return RatingError(
        "{n} error has no category yet; click it and choose one."
        if count == 1
        else "{n} errors have no category yet; click each and choose one.",
        n=count,
    )


def _marked(
    item: ItemRecord,
    rater_id: int,
    protocol: Protocol,
    text: str,
    lang: str,
    side: str,
    *,
    vertical: bool = False,
    key: str = "",
    focus: bool = True,
) -> None:
    passage(
        text,
        lang=lang,
        words=words_of(text, lang),
        spans=lambda: spans(item.id, rater_id),
        severities=protocol.severities,
        key=key or f"passage-{side}",
        item=item.id,
        side=side,
        omission=side == TARGET,
        focus=focus and side == TARGET,
        vertical=vertical,
        categories=category_words(protocol),
        errors=protocol.errors,
        on_change=lambda marked: _store(item, rater_id, _with_other_side(item.id, rater_id, side, marked)),
        on_select=(lambda place: _choose(item.id, side, place)) if protocol.categories else None,
    )


def _with_other_side(
    item_id: int, rater_id: int, side: str, marked: Sequence[MarkedSpan]
) -> tuple[MarkedSpan, ...]:
    others = [one for one in spans(item_id, rater_id) if one.side != side]
    return (*marked, *others) if side == TARGET else (*others, *marked)


def _store(item: ItemRecord, rater_id: int, marked: Sequence[MarkedSpan]) -> None:
    """A judged item gets a new revision at once; one that is not judged yet keeps a draft."""
    last = saving.last_rating(item.id, rater_id)
    if last is not None and last.skipped_reason is None:
        saving.save(
            item, rater_id, score=last.score, comment=last.comment, spans=marked, scales=dict(last.scales)
        )
    else:
        saving.draft(item, rater_id, marked)


def _choose(item_id: int, side: str, place: int | None) -> None:
    st.session_state[_CHOSEN] = None if place is None else (item_id, side, place)


def _place(item_id: int, marked: Sequence[MarkedSpan]) -> int | None:
    """The chosen span among all spans of the item."""
    chosen = st.session_state.get(_CHOSEN)
    if chosen is None or chosen[0] != item_id:
        return None
    _, side, at = chosen
    own = [place for place, one in enumerate(marked) if one.side == side]
    return own[at] if at < len(own) else None


def _set(item: ItemRecord, rater_id: int, place: int, category: str, note: str) -> None:
    marked = list(spans(item.id, rater_id))
    if place < len(marked):
        marked[place] = replace(marked[place], category=category, note=note)
        _store(item, rater_id, marked)
