"""Errors marked in the text of an item: stored as a draft at once, and with the rating when it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from core.raters.protocols import SOURCE, TARGET, MarkedSpan, Protocol, mqm_score
from db.design import Design
from db.queries import save_rating
from db.queries.drafts import save_draft, stored_spans
from db.records import CampaignRecord, ItemRecord
from pages.evaluate.rate import navigation
from pages.evaluate.rate.passage import passage, words_of
from pages.ui import resources
from pages.ui.text import label, line, number, t

_CHOSEN = "marking-chosen"  # (item, side, place of the chosen span)


def translation(item: ItemRecord, rater_id: int, protocol: Protocol, design: Design) -> None:
    """The translation, to be marked."""
    label(t("rate.translation"))
    _marked(item, rater_id, protocol, item.translation, item.lang, TARGET, vertical=design.vertical)
    legend(protocol, spans(item.id, rater_id), design)


def source(campaign: CampaignRecord, item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """The source, where what the translation leaves out can be marked."""
    if item.source and item.source.strip():
        with st.container(border=True, gap=None):
            label(t("rate.source"))
            _marked(item, rater_id, protocol, item.source, campaign.source_lang, SOURCE)


def spans(item_id: int, rater_id: int) -> tuple[MarkedSpan, ...]:
    """What is marked in an item, saved or not yet."""
    return stored_spans(resources.engine(), item_id=item_id, rater_id=rater_id)


def legend(protocol: Protocol, marked: Sequence[MarkedSpan], design: Design) -> None:
    """The keys, and what is marked so far in a line."""
    keys = " · ".join(
        f"{place} {t(f'passage.severity.{severity}')}"
        for place, severity in enumerate(protocol.severities, 1)
    )
    counts = " · ".join(
        f"{t(f'passage.severity.{severity}')} {sum(one.severity == severity for one in marked)}"
        for severity in protocol.severities
    )
    words = t("marking.keys", keys=keys) + " " + counts
    if not protocol.scored:
        words += " " + t("marking.score", score=number(mqm_score(marked, five_errors=design.five_errors), 1))
    line(words, tone="quiet")


def categories(item: ItemRecord, rater_id: int, protocol: Protocol) -> None:
    """The category and a note of the chosen error (MQM)."""
    if not protocol.categories:
        return
    marked = spans(item.id, rater_id)
    place = _place(item.id, marked)
    if place is None:
        line(t("marking.choose"), tone="quiet")
        return
    one = marked[place]
    key = f"category-{item.id}-{one.side}-{one.start}-{one.end}-{one.missing}"
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            t("marking.category"),
            protocol.categories,
            index=protocol.categories.index(one.category) if one.category in protocol.categories else None,
            format_func=_category,
            placeholder=t("marking.category_choose"),
            key=key,
            on_change=_set,
            args=(item.id, rater_id, place, key, f"{key}-note"),
            width=360,
        )
        st.text_input(
            t("marking.note"),
            one.note,
            key=f"{key}-note",
            max_chars=500,
            on_change=_set,
            args=(item.id, rater_id, place, key, f"{key}-note"),
        )


def uncategorised(marked: Sequence[MarkedSpan], protocol: Protocol) -> int:
    """How many errors still lack the category that the protocol asks for."""
    return sum(not one.category for one in marked) if protocol.categories else 0


def _marked(
    item: ItemRecord,
    rater_id: int,
    protocol: Protocol,
    text: str,
    lang: str,
    side: str,
    *,
    vertical: bool = False,
) -> None:
    passage(
        text,
        lang=lang,
        words=words_of(text, lang),
        spans=lambda: spans(item.id, rater_id),
        severities=protocol.severities,
        key=f"passage-{side}",
        item=item.id,
        side=side,
        omission=side == TARGET,
        vertical=vertical,
        categories={name: _category(name) for name in protocol.categories},
        on_change=lambda marked: _store(item.id, rater_id, _with_other_side(item.id, rater_id, side, marked)),
        on_select=(lambda place: _choose(item.id, side, place)) if protocol.categories else None,
    )


def _category(name: str) -> str:
    return t(f"category.{name}")


def _with_other_side(
    item_id: int, rater_id: int, side: str, marked: Sequence[MarkedSpan]
) -> tuple[MarkedSpan, ...]:
    others = [one for one in spans(item_id, rater_id) if one.side != side]
    return (*marked, *others) if side == TARGET else (*others, *marked)


def _store(item_id: int, rater_id: int, marked: Sequence[MarkedSpan]) -> None:
    """A judged item gets a new revision at once; one that is not judged yet keeps a draft."""
    last = navigation.last_rating(item_id, rater_id)
    if last is None or last.skipped_reason is not None:
        save_draft(resources.engine(), item_id=item_id, rater_id=rater_id, spans=marked)
        return
    record = save_rating(
        resources.engine(),
        item_id=item_id,
        rater_id=rater_id,
        score=last.score,
        comment=last.comment,
        spans=marked,
        seconds=navigation.take_seconds(item_id),
    )
    navigation.set_saved_at(record.created_at)


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


def _set(item_id: int, rater_id: int, place: int, category: str, note: str) -> None:
    marked = list(spans(item_id, rater_id))
    if place < len(marked):
        marked[place] = replace(
            marked[place],
            category=st.session_state.get(category) or "",
            note=st.session_state.get(note) or "",
        )
        _store(item_id, rater_id, marked)
