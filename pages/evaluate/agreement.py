"""Agreement: whether raters agree, pair by pair, and what they say together."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.human.agreement import report
from core.human.normalise import METHODS
from db.queries import rating_table
from db.records import CampaignSummary, RatedRow
from pages.ui import consensus, picker, resources, visitor
from pages.ui.text import column, errors_shown, line, t


@st.fragment
def findings(campaign: CampaignSummary, rows: Sequence[RatedRow]) -> None:
    """Everything that a switch or a click changes; it is redrawn alone."""
    with errors_shown():
        method = st.segmented_control(
            t("agreement.method"),
            METHODS,
            default="raw",
            required=True,
            key="agreement-method",
            format_func=lambda name: t(f"method.{name}"),
            help=t("agreement.method_help"),
            persist_state="session",
        )
        found = report(consensus.as_ratings(rows), method=method)
        by_item = {row.translation_id: row for row in rows}
        consensus.headline(found)
        if found.pairs:
            left, right = st.columns(2, gap="large")
            with left:
                consensus.matrix(found)
                line(t("agreement.same_r"), tone="quiet")
            with right:
                consensus.pair(found, by_item)
        consensus.gaps(found)
        st.subheader(t("agreement.raters"), anchor=False)
        consensus.raters(found)
        st.subheader(t("agreement.gold"), anchor=False)
        line(t("agreement.gold_what"), tone="quiet")
        consensus.gold(found, by_item, f"yomikurabe-{campaign.id}-{method}.csv")


visitor.guard("scores")
st.header(t("page.agreement"), anchor=False)
with column():
    chosen = picker.campaign("agreement")
    if chosen is not None:
        line(f"{picker.languages(chosen)} · {picker.sizes(chosen)}", tone="quiet")
        with st.expander(t("rate.about"), expanded=chosen.demo):
            picker.about(chosen.id)
if chosen is not None:
    scores = rating_table(resources.engine(), visitor.viewer(), chosen.id)
    if scores:
        findings(chosen, scores)
    else:
        line(t("agreement.empty"))
        st.page_link("pages/evaluate/rate.py", label=t("agreement.go_rate"), icon=":material/edit_note:")
