"""Does a metric agree with people? Correlations, accuracies, significance, settings, and contrast sets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.metaeval.correlation import COEFFICIENTS, GROUPINGS, MIN_POINTS
from core.raters.ratings import METHODS
from db.records import CampaignSummary
from pages.auth import session
from pages.debug.meta import contrast, correlations, grid
from pages.debug.meta.documents import documents
from pages.ui import address, campaign_data, picker, scoring
from pages.ui.pointing import pointing
from pages.ui.text import errors_shown, line, t
from pages.ui.widgets import switch

WHAT = ("campaign", "grid", "contrast")
TABS = ("segments", "ceiling", "pointing", "systems", "documents", "parts", "closer", "partial")


def _shows(name: str) -> bool:
    return (st.session_state.get("meta-what") or WHAT[0]) == name


OF_CAMPAIGN = (
    address.choice("scale", "meta-scale", METHODS),
    address.choice("coefficient", "meta-coefficient", COEFFICIENTS),
    address.choice("grouping", "meta-grouping", GROUPINGS),
    address.tab("meta-tabs", TABS, lambda name: t(f"meta.tab.{name}")),
)
PARTS = (
    address.choice("what", "meta-what", WHAT),
    address.within(address.campaign("meta"), lambda: not _shows("contrast")),
    *(address.within(part, lambda: _shows("campaign")) for part in OF_CAMPAIGN),
)


@st.fragment
def agreement(campaign: CampaignSummary) -> None:
    """Everything that a switch, a filter or a click changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS), errors_shown():
        method = campaign_data.scale_choice("meta-scale")
        everything = campaign_data.evaluation_of(campaign, method)
        rows = campaign_data.filtered(everything, key=f"meta-{campaign.id}").rows(everything)
        found = everything.among(rows & np.isfinite(everything.people))
        if not found.metrics or len(found.people) < MIN_POINTS:
            line(t("meta.too_few", least=MIN_POINTS) if found.metrics else t("meta.no_metrics"))
            return
        line(
            t("systems.sizes", n=int(rows.sum()), rated=len(found.people), metrics=len(found.metrics)),
            tone="quiet",
        )
        summary = correlations.figures(found)
        tabs = st.tabs([t(f"meta.tab.{name}") for name in TABS], on_change="rerun", key="meta-tabs")
        drawn = {
            "segments": lambda: correlations.segments(summary),
            "ceiling": lambda: correlations.one_more_rater(campaign, found, method),
            "pointing": lambda: pointing(campaign, t("meta.pointing_nothing")),
            "systems": lambda: correlations.systems(summary, found, method),
            "documents": lambda: documents(campaign, found),
            "parts": lambda: correlations.parts(found, summary.coefficient),
            "closer": lambda: correlations.closer(campaign, summary, found),
            "partial": lambda: correlations.partial(summary),
        }
        for tab, name in zip(tabs, TABS, strict=True):
            if tab.open:
                with tab, errors_shown():
                    drawn[name]()


session.guard("scores")
st.header(t("page.meta"), anchor=False)
line(t("meta.intro"))
asked = address.read(PARTS)
what = switch(t("meta.what"), WHAT, "meta-what", lambda name: t(f"meta.what.{name}"), hidden=True)
with errors_shown():  # outside a fragment: a click within one stops no run
    if what == "contrast":
        contrast.tab()
    else:
        chosen = picker.choose_campaign("meta")
        if chosen is not None and what == "grid":
            grid.tab(chosen)
        elif chosen is not None:
            scoring.form(chosen, campaign_data.evaluation_of(chosen))
            agreement(chosen)
address.settle(asked)
