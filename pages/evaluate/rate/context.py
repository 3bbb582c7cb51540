"""What a rater reads: reference, translation, source and context, as the campaign's design says."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from db.design import ALWAYS, NEVER, Design
from db.queries.rating import neighbours
from db.records import CampaignRecord, ItemRecord, NeighbourRecord
from pages.ui import state
from pages.ui.text import label, line, set_text, t

SHOW_SOURCE = "show-source"


def texts(
    campaign: CampaignRecord, item: ItemRecord, rater_id: int, design: Design, translation: Callable[[], None]
) -> None:
    """Reference and translation side by side, with what stands before and after. `translation` draws it."""
    before, after = _around(item, rater_id, design)
    _context(before, design, item.lang, t("rate.before"))
    if design.reference:
        left, right = st.columns(2, gap="medium")
        with left.container(key="text-reference", border=True, height="stretch", gap=None):
            label(t("rate.reference"))
            set_text(item.reference, lang=item.lang, vertical=design.vertical)
        with right.container(key="text-translation", border=True, height="stretch", gap=None):
            translation()
    else:
        with st.container(key="text-translation", border=True, gap=None):
            translation()
    _context(after, design, item.lang, t("rate.after"))


def plain_translation(item: ItemRecord, design: Design) -> None:
    """The translation as a text to be read."""
    label(t("rate.translation"))
    set_text(item.translation, lang=item.lang, vertical=design.vertical)


def source_toggle(design: Design) -> bool:
    """Whether the source is shown now."""
    if design.source == NEVER:
        return False
    return design.source == ALWAYS or st.toggle(t("rate.source"), key=SHOW_SOURCE, persist_state="session")


def source(campaign: CampaignRecord, item: ItemRecord) -> None:
    """The source text."""
    with st.container(key="text-source", border=True, gap=None):
        label(t("rate.source"))
        set_text(item.source or "", lang=campaign.source_lang)


def _around(
    item: ItemRecord, rater_id: int, design: Design
) -> tuple[list[NeighbourRecord], list[NeighbourRecord]]:
    if not (design.before or design.after):
        return [], []
    return neighbours(
        state.engine(), item_id=item.id, rater_id=rater_id, before=design.before, after=design.after
    )


def _context(rows: list[NeighbourRecord], design: Design, lang: str, caption: str) -> None:
    """Segments of the same document, quieter than the one that is rated."""
    if not rows:
        return
    with st.expander(caption, expanded=True):
        columns = st.columns(2, gap="medium") if design.reference else [st.container()]
        chosen = [[row.reference for row in rows], [row.translation for row in rows]]
        for column, passages in zip(columns, chosen if design.reference else chosen[1:], strict=True):
            with column:
                for passage in passages:
                    line(passage, tone="quiet")
