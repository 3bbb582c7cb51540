"""What the ratings say: whether raters agree, what they say of the systems, who can be relied on."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import STUDIES
from db.queries.evaluation import Judgements
from pages.auth import session
from pages.evaluate.agreement import agreement, coding, quality, ranking, reading, reliability, report, scale
from pages.ui import address, campaign_data, picker
from pages.ui.text import column, errors_shown, line, t

TABS = ("agreement", "reliability", "orders", "ranking", "raters", "codes", "report", "files")


PARTS = (
    address.campaign("agreement"),
    address.tab("agreement-tabs", TABS, lambda name: t(f"agreement.tab.{name}")),
    scale.PART,
    address.choice("picture", "agreement-picture", agreement.PICTURES),
    *agreement.PAIR_PARTS,
)


@st.fragment
def findings(figures: campaign_data.Figures, scores: Judgements) -> None:
    """Everything that a switch or a click changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS):
        _tabs(figures, scores)


def _tabs(figures: campaign_data.Figures, scores: Judgements) -> None:
    campaign = figures.campaign
    tabs = st.tabs([t(f"agreement.tab.{name}") for name in TABS], on_change="rerun", key="agreement-tabs")
    for tab, name in zip(tabs, TABS, strict=True):
        if tab.open:
            with tab, errors_shown():
                if name == "agreement":
                    agreement.tab(figures, scores)
                elif name == "reliability":
                    reliability.tab(figures, scores)
                elif name == "orders":
                    ranking.normalisation_tab(figures, scores)
                elif name == "ranking":
                    ranking.tab(figures, scores)
                elif name == "codes":
                    coding.tab(campaign)
                elif name == "report":
                    report.tab(campaign, scale=figures.scale)
                elif name == "files":
                    report.export_tab(campaign)
                else:
                    quality.tab(figures, campaign_data.ratings_of(campaign, figures.scale))


session.guard("scores")
st.header(t("page.agreement"), anchor=False)
asked = address.read(PARTS)
with column():
    chosen = picker.choose_campaign("agreement")
    if chosen is not None:
        line(f"{picker.languages(chosen)} · {picker.sizes(chosen)}", tone="quiet")
        with st.expander(t("rate.about"), expanded=chosen.demo):
            picker.about(chosen.id)
if chosen is not None and chosen.protocol in STUDIES:
    with column():
        reading.results(chosen)
elif chosen is not None:
    own = scale.choose(chosen)
    figures = campaign_data.Figures.of(chosen, scale=own)
    given = campaign_data.judgements_of(chosen, own)
    if given.scores or campaign_data.ratings_of(chosen, own):
        findings(figures, given)
    else:
        line(t("agreement.empty"))
        st.page_link("pages/evaluate/rate/page.py", label=t("agreement.go_rate"), icon=":material/edit_note:")
address.settle(asked)
