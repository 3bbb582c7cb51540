"""The rater's desk: one item after another, and the end."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.queries import items_of
from db.records import CampaignRecord, ItemRecord, RaterRecord
from pages.ui import picker, rating, resources, visitor, walk
from pages.ui.text import either, errors_shown, guide, label, line, moment, novel, score, t, table

_BEGINNING = 60  # characters of a translation in the list of earlier scores


@st.fragment
def desk(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """Everything that changes while one rates; it is redrawn alone."""
    with errors_shown():
        items = items_of(resources.engine(), campaign.id, rater.id)
        if not items:
            line(t("rate.no_items"))
            return
        place = walk.place(campaign.id, items)
        _header(campaign, rater, items, place)
        if place < len(items):
            _item(campaign, rater, items, items[place])
        else:
            _end(campaign, items)


def guideline(campaign: CampaignRecord) -> None:
    """What raters are asked to do: the campaign's own words, else the app's."""
    own = either(campaign.guideline_en, campaign.guideline_ja)
    if own:
        line(own)
    else:
        st.markdown(guide("adequacy"))


def _header(campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], place: int) -> None:
    open_places = walk.missing(items)
    where = t("rate.place", place=place + 1, total=len(items)) if place < len(items) else t("rate.at_end")
    saved = walk.saved_at()
    parts = [picker.display_name(campaign), rater.name, where]
    if saved is not None:
        parts.append(t("rate.saved", when=moment(saved)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            line(" · ".join(parts))
        if open_places:
            _missing(campaign, items, open_places)
    st.progress((len(items) - len(open_places)) / len(items))


def _missing(campaign: CampaignRecord, items: Sequence[ItemRecord], open_places: Sequence[int]) -> None:
    """What is still open, by number, and the way there."""
    with st.popover(t("rate.missing", n=len(open_places)), icon=":material/checklist:", type="tertiary"):
        line(t("rate.missing_how"))
        st.button(
            t("rate.first_missing", place=open_places[0] + 1),
            key="first-missing",
            on_click=walk.go,
            args=(campaign.id, items, open_places[0]),
            type="primary",
        )
        st.selectbox(
            t("rate.missing_list"),
            open_places,
            index=None,
            format_func=lambda place: str(place + 1),
            placeholder=t("rate.missing_choose"),
            key="missing-place",
            on_change=_jump,
            args=(campaign.id, items),
        )


def _jump(campaign_id: int, items: Sequence[ItemRecord]) -> None:
    place = st.session_state["missing-place"]
    if place is not None:
        walk.go(campaign_id, items, place)
        st.session_state["missing-place"] = None


def _item(
    campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], item: ItemRecord
) -> None:
    left, right = st.columns(2, gap="medium")
    with left.container(border=True, height="stretch", gap=None):
        label(t("rate.reference"))
        novel(item.reference, lang=item.lang)
    with right.container(border=True, height="stretch", gap=None):
        label(t("rate.translation"))
        novel(item.translation, lang=item.lang)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        show_source = st.toggle(t("rate.source"), key="show-source", persist_state="session")
        show_own = st.toggle(t("rate.own"), key="show-own", persist_state="session")
        with st.popover(t("rate.guideline"), icon=":material/menu_book:", type="tertiary"):
            guideline(campaign)
        with st.popover(t("rate.about"), icon=":material/info:", type="tertiary"):
            picker.about(campaign.id)
        line(rating.stored_line(item), tone="quiet")
    if show_source:
        with st.container(border=True, gap=None):
            label(t("rate.source"))
            novel(item.source or "", lang=campaign.source_lang)
    own = [one for one in items if one.score is not None and one.id != item.id]
    marks = [one.score for one in own if one.score is not None]
    rating.row(item, rater.id, earlier=marks if show_own else ())
    if show_own:
        _own_scores(own)


def _own_scores(own: Sequence[ItemRecord]) -> None:
    if not own:
        line(t("rate.own_none"), tone="quiet")
        return
    ordered = sorted(own, key=lambda one: (-(one.score or 0), one.place))
    rows = [(score(one.score or 0), str(one.place + 1), _beginning(one.translation)) for one in ordered]
    table((t("rate.score"), t("rate.number"), t("rate.translation")), rows, numbers=frozenset({0, 1}))


def _beginning(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _BEGINNING else flat[:_BEGINNING] + "…"


def _end(campaign: CampaignRecord, items: Sequence[ItemRecord]) -> None:
    open_places = walk.missing(items)
    if open_places:
        line(t("rate.end_missing", n=len(open_places)), tone="title")
        go_on = t("rate.first_missing", place=open_places[0] + 1)
        st.button(go_on, type="primary", on_click=walk.go, args=(campaign.id, items, open_places[0]))
    else:
        scored = sum(item.score is not None for item in items)
        line(t("rate.thanks"), tone="title")
        line(t("rate.thanks_counts", scored=scored, skipped=len(items) - scored))
        line(t("rate.what_next"))
        if visitor.viewer().sees_scores:
            st.page_link(
                "pages/evaluate/agreement.py", label=t("rate.see_agreement"), icon=":material/groups:"
            )
    st.button(
        t("rate.look_back"), key="look-back", on_click=walk.step, args=(-1,), icon=":material/arrow_back:"
    )
