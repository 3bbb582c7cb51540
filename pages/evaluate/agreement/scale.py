"""Which scores the statistics take: the protocol's, or the answers on one of the campaign's own scales."""

from __future__ import annotations

import streamlit as st

from core.raters.own_scales import OwnScale
from core.text.files import number_text
from db.design import from_json
from db.queries import get_campaign
from db.records import CampaignSummary
from pages.ui import address, state
from pages.ui.text import column, either, line, t

KEY = "agreement-scale"


def _restore(name: str | None) -> None:
    st.session_state[KEY] = name or ""


PART = address.Parameter(name="scale", current=lambda: st.session_state.get(KEY) or None, restore=_restore)
"""In the address: the name of the scale, which `choose` checks; none for the protocol's score."""


def choose(campaign: CampaignSummary) -> str:
    """The name of the chosen scale; empty for the protocol's score, and in a campaign without own scales."""
    scales = {one.name: one for one in from_json(get_campaign(state.engine(), campaign.id).design).scales}
    if st.session_state.get(KEY) not in ("", *scales):
        st.session_state[KEY] = ""
    if not scales:
        return ""
    with column():
        chosen = st.selectbox(
            t("agreement.scale"),
            ("", *scales),
            format_func=lambda name: _words(scales[name]) if name else t("agreement.scale_protocol"),
            key=KEY,
            filter_mode=None,
            persist_state="session",
        )
        if chosen:
            own = scales[chosen]
            line(
                t("agreement.scale_note", low=number_text(own.low), high=number_text(own.high)), tone="quiet"
            )
    return chosen


def _words(scale: OwnScale) -> str:
    return f"{either(scale.en, scale.ja)} ({number_text(scale.low)}–{number_text(scale.high)})"
