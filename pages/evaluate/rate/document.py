"""A document on one screen: its segments under each other, each judged, and a score for the whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import streamlit as st

from core.raters.protocols import Protocol
from db.design import Design
from db.queries.documents import document_score_of, save_document_score
from db.records import CampaignRecord, ItemRecord
from pages.auth import session
from pages.evaluate.rate import context, navigation, rating, saving, several, spans
from pages.ui import state
from pages.ui.text import error_kept, label, line, score, set_text, show_kept_error, t

MOST_SEGMENTS = 20
"""Segments on a screen; a longer document has several screens, as even as can be."""

_SLOT = "document-score"


def screen(items: Sequence[ItemRecord], place: int) -> range:
    """The places on the screen that holds this place: a document in one translation, or a part of it."""
    whole = document(items, place)
    screens = -(-len(whole) // MOST_SEGMENTS)
    cuts = [whole.start + len(whole) * at // screens for at in range(screens + 1)]
    return next(range(start, end) for start, end in pairwise(cuts) if start <= place < end)


def document(items: Sequence[ItemRecord], place: int) -> range:
    """The places of the items around this one that are of the same version of a document."""
    first = last = place
    while first > 0 and items[first - 1].version == items[place].version:
        first -= 1
    while last + 1 < len(items) and items[last + 1].version == items[place].version:
        last += 1
    return range(first, last + 1)


def segments(
    campaign: CampaignRecord,
    shown: Sequence[ItemRecord],
    rater_id: int,
    protocol: Protocol,
    design: Design,
    *,
    source: bool,
    closed: bool,
) -> None:
    """Each segment: reference and translation, the source if it is wanted, and the fields below."""
    several.begin(shown, protocol)
    if protocol.marks:
        spans.keys_line(protocol)
    first_open = next((item.id for item in shown if navigation.is_open(item)), None)
    for item in shown:
        with st.container(border=True, gap="small"):
            line(t("document.segment", n=item.position + 1), tone="quiet")
            columns = st.columns(2, gap="medium") if design.reference else [st.container()]
            if design.reference:
                with columns[0].container(key=f"text-reference-{item.id}", gap=None):
                    label(t("rate.reference"))
                    set_text(item.reference, lang=item.lang, vertical=design.vertical)
            with columns[-1].container(key=f"text-translation-{item.id}", gap=None):
                if protocol.marks:
                    spans.translation_among(
                        item, rater_id, protocol, vertical=design.vertical, focus=item.id == first_open
                    )
                else:
                    context.plain_translation(item, design)
            if source and item.source:
                label(t("rate.source"))
                set_text(item.source, lang=campaign.source_lang)
            if spans.chosen_in(item.id):
                spans.categories(item, rater_id, protocol)
            if design.post_edit:
                several.correction(item, rater_id, protocol, closed=closed)
            name = t("document.score", n=item.position + 1)
            several.judgement(item, rater_id, protocol, name, closed=closed)


def whole_score(items: Sequence[ItemRecord], places: range, rater_id: int, *, closed: bool) -> str | None:
    """The field for the whole document, on its last screen; gives its CSS selector."""
    if places.stop != document(items, places.start).stop:
        return None
    item = items[places.stop - 1]
    key = f"document-score-{item.id}"
    if _rejected(key) is None:
        st.session_state[key] = document_score_of(state.engine(), item_id=item.id, rater_id=rater_id)
    with st.container(border=True):
        st.number_input(
            t("document.whole"),
            value=None,
            step=1.0,
            format="%g",
            key=key,
            placeholder="–",
            help=t("document.whole_help"),
            on_change=_commit,
            args=(key, item.id, rater_id),
            width=260,
            disabled=closed,
        )
        wrong = _rejected(key)
        if wrong is not None:
            st.error(t("rate.out_of_range", value=score(wrong)), icon=":material/error:")
        show_kept_error(_SLOT)
    return f".st-key-{key} input"


def ways(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    rater_id: int,
    protocol: Protocol,
    *,
    closed: bool,
) -> None:
    """Back and on. Each button belongs to its screen."""
    shown = [items[place] for place in places]
    saves = not protocol.scored and not closed
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.button(
            t("rate.previous"),
            key=f"previous-{shown[0].id}",
            icon=":material/arrow_back:",
            disabled=places.start == 0,
            on_click=navigation.go,
            args=(campaign.id, items, places.start - 1),
        )
        st.button(
            t("rate.save_next" if saves else "rate.next"),
            key=f"next-{shown[0].id}",
            icon=":material/arrow_forward:",
            icon_position="right",
            type="primary",
            on_click=partial(_on_next, campaign, items, places, rater_id, protocol, saves=saves),
        )


def _on_next(
    campaign: CampaignRecord,
    items: Sequence[ItemRecord],
    places: range,
    rater_id: int,
    protocol: Protocol,
    *,
    saves: bool,
) -> None:
    """Callback of Next: store marks that have no score, then go on; stay where something cannot be stored."""
    shown = [items[place] for place in places]
    if any(several.rejected(item.id) is not None for item in shown):
        return
    if _rejected(f"document-score-{shown[-1].id}") is not None:
        return
    if not saves and not several.complete(shown, protocol):
        return
    for item in shown if saves else ():
        if item.skipped is None and not rating.store_marks(
            item, rater_id, protocol, comment=several.comment_of(item.id)
        ):
            return
    navigation.go(campaign.id, items, places.stop)


def _rejected(key: str) -> float | None:
    return rating.no_score(st.session_state.get(key))


def _commit(key: str, item_id: int, rater_id: int) -> None:
    value = st.session_state.get(key)
    if value is not None and _rejected(key) is None:
        with error_kept(_SLOT):
            session.viewer().must_be(rater_id)
            save_document_score(state.engine(), item_id=item_id, rater_id=rater_id, score=value)
            saving.forget_saved_at()
