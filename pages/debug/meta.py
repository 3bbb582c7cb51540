"""Does a metric agree with people? Correlations, accuracies, significance, and contrast sets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.meta.correlation import MIN_POINTS
from db.records import CampaignSummary
from pages.ui import contrast_view, evaluated, evaluation_filter, meta_view, picker, score_form, visitor
from pages.ui.text import errors_shown, line, t

TABS = ("segments", "systems", "parts", "closer", "partial")


@st.fragment
def agreement(campaign: CampaignSummary) -> None:
    """Everything that a switch, a filter or a click changes; it is redrawn alone."""
    with errors_shown():
        method = evaluated.scale_choice("meta-scale")
        everything = evaluated.read(campaign, method)
        score_form.offer(campaign, everything)
        rows = evaluation_filter.chosen(everything, key=f"meta-{campaign.id}").rows(everything)
        found = everything.among(rows & np.isfinite(everything.people))
        if not found.metrics or len(found.people) < MIN_POINTS:
            line(t("meta.too_few", least=MIN_POINTS) if found.metrics else t("meta.no_metrics"))
            return
        line(
            t("systems.sizes", n=int(rows.sum()), rated=len(found.people), metrics=len(found.metrics)),
            tone="quiet",
        )
        summary = meta_view.figures(found)
        tabs = st.tabs([t(f"meta.tab.{name}") for name in TABS], on_change="rerun", key="meta-tabs")
        drawn = {
            "segments": lambda: meta_view.segments(summary),
            "systems": lambda: meta_view.systems(summary, found, method),
            "parts": lambda: meta_view.parts(found, summary.coefficient),
            "closer": lambda: meta_view.closer(summary),
            "partial": lambda: meta_view.partial(summary),
        }
        for tab, name in zip(tabs, TABS, strict=True):
            if tab.open:
                with tab, errors_shown():
                    drawn[name]()


@st.fragment
def contrasts() -> None:
    """Contrast sets need no campaign."""
    with errors_shown():
        contrast_view.tab()


visitor.guard("scores")
st.header(t("page.meta"), anchor=False)
line(t("meta.intro"))
what = st.segmented_control(
    t("meta.what"), ("campaign", "contrast"), default="campaign", required=True, key="meta-what",
    format_func=lambda name: t(f"meta.what.{name}"), label_visibility="collapsed", persist_state="session",
)  # fmt: skip
if what == "contrast":
    contrasts()
else:
    chosen = picker.campaign("meta")
    if chosen is not None:
        agreement(chosen)
