"""Who the visitor is here, the campaigns with their next step, and the pages opened last."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import STUDIES
from db.permissions import Viewer
from db.queries import list_campaigns
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import frame, picker, state
from pages.ui.text import line, t

MOST = 6
WIDTHS = (5, 2, 3, 4)


def who_is_here(viewer: Viewer) -> None:
    """What an organiser's link gives, and how it lets in again."""
    if viewer.open:
        line(t("front.open"), tone="quiet")
    elif viewer.manages:
        with st.container(horizontal=True, vertical_alignment="center"):
            line(t("front.organiser"), tone="quiet")
            with st.popover(t("front.come_back"), type="tertiary", icon=":material/key:"):
                line(t("organiser.keep"))
                if (token := session.token()) is not None:
                    st.code(session.link_of(token), language=None, wrap_lines=True)


def campaigns(viewer: Viewer) -> None:
    """The newest campaigns: state, what is there, and the next step as a button."""
    listed = list_campaigns(state.engine())
    st.subheader(t("front.campaigns"), anchor=False)
    if not listed:
        line(t("picker.none"))
    for campaign in listed[::-1][:MOST]:
        name, standing, size, step = st.columns(WIDTHS, vertical_alignment="center", gap="small")
        with name:
            line(picker.display_name(campaign))
        with standing:
            line(t(f"front.state.{campaign.state}"), tone="quiet")
        with size:
            line(_size(campaign), tone="quiet")
        with step:
            _next_step(campaign, viewer)
    if len(listed) > MOST:
        line(t("front.more_campaigns", n=len(listed) - MOST), tone="quiet")


def _size(campaign: CampaignSummary) -> str:
    """How much people have given so far."""
    if campaign.protocol in STUDIES:
        return t(f"front.read.{campaign.protocol}", versions=campaign.n_ratings, readers=campaign.n_raters)
    return t("front.rated", ratings=campaign.n_ratings, raters=campaign.n_raters)


def _next_step(campaign: CampaignSummary, viewer: Viewer) -> None:
    step, page = next_step(campaign, manages=viewer.manages)
    if st.button(t(f"front.next.{step}"), key=f"next-{campaign.id}", type="tertiary", icon=":material/east:"):
        picker.open_campaign(campaign.id, page)


def next_step(campaign: CampaignSummary, *, manages: bool) -> tuple[str, str]:
    """What to do next with a campaign, as the end of a key of words, and on which page."""
    if campaign.state == "draft" and manages:
        return "open", "manage"
    if campaign.n_ratings == 0:
        return ("invite", "manage") if manages and not campaign.demo else ("scores", "systems")
    return ("watch", "progress") if campaign.state == "open" and not campaign.demo else ("agree", "agreement")


def recent() -> None:
    """The pages opened last in this session."""
    names = frame.recent()
    if names:
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            line(t("front.recent"), tone="quiet")
            for name in names:
                st.page_link(frame.script_of(name), label=t(f"page.{name}"))
