"""Systems as people and as metrics see them, and the translations on which the two disagree."""

from __future__ import annotations

import streamlit as st

from core.metaeval.leaderboard import system_board
from core.raters.ratings import METHODS
from db.records import CampaignSummary
from pages.auth import session
from pages.debug.systems import board as board_view
from pages.debug.systems import disagreement
from pages.ui import address, campaign_data, picker, scoring
from pages.ui.text import errors_shown, line, t

PARTS = (
    address.campaign("systems"),
    address.choice("scale", "systems-scale", METHODS),
    address.choice("x", "systems-x"),
    address.choice("y", "systems-y"),
    address.choice("level", "systems-level", disagreement.LEVELS),
    address.choice("metric", "systems-metric"),
)


@st.fragment
def comparison(campaign: CampaignSummary) -> None:
    """Everything that a switch, a filter or a click changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS), errors_shown():
        method = campaign_data.scale_choice("systems-scale")
        everything = campaign_data.evaluation_of(campaign, method)
        found = everything.among(
            campaign_data.filtered(everything, key=f"systems-{campaign.id}").rows(everything)
        )
        if not len(found.translation):
            line(t("systems.empty" if not len(everything.translation) else "systems.filtered_out"))
            return
        rated = int((found.people == found.people).sum())
        line(
            t("systems.sizes", n=len(found.translation), rated=rated, metrics=len(found.metrics)),
            tone="quiet",
        )
        rows = system_board(found)
        board_view.board(campaign, found, rows, method)
        if not found.metrics:
            return
        st.header(t("systems.scatter"), anchor=False)
        disagreement.scatter(campaign, found, rows, method)
        st.header(t("systems.disagree"), anchor=False)
        line(t("systems.disagree_what"), tone="quiet")
        disagreement.extremes(campaign, found, method)


session.guard("scores")
st.header(t("page.systems"), anchor=False)
line(t("systems.intro"))
asked = address.read(PARTS)
chosen = picker.choose_campaign("systems")
if chosen is not None:
    with errors_shown():
        scoring.form(chosen, campaign_data.evaluation_of(chosen))
    comparison(chosen)
address.settle(asked)
