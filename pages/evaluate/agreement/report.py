"""The report: choose what it holds, make it, keep it as one file."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.raters.normalise import METHODS, Method
from core.report import document
from core.text.locale import Language
from db.campaigns.reporting import gather
from db.queries.judgements import newest
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import resources, state
from pages.ui.text import line, t

_MADE = "report-made"
"""The last report of this session: what was asked for, and the file. One is kept, for each is megabytes."""


def tab(campaign: CampaignSummary) -> None:
    """The whole tab. Raises AccessError for a visitor who may not see scores."""
    session.viewer().must_see_scores()
    line(t("report.view.what"))
    language, method = _language(), _method()
    texts = st.toggle(
        t("report.view.texts"), value=True, key="report-texts", help=t("report.view.texts_help")
    )
    anonymous = st.toggle(
        t("report.view.anonymous"), value=not texts, key=f"report-anonymous-{texts}"
    )  # without texts, without names unless somebody says so
    version = newest(resources.engine(), campaign.id)
    asked = (campaign.id, campaign.state, version, language, method, texts, anonymous)
    if st.button(t("report.view.make"), type="primary", key="report-make", icon=":material/description:"):
        with st.spinner(t("statistics.working")):
            st.session_state[_MADE] = asked, _made(campaign.id, language, method, texts, anonymous)
    made = st.session_state.get(_MADE)
    if made is not None and made[0] == asked:
        st.download_button(
            t("report.view.save", size=f"{len(made[1]) / 1e6:.1f}"),
            made[1],
            file_name=f"yomikurabe-{campaign.id}-report-{language}.html",
            mime="text/html",
            icon=":material/download:",
            on_click="ignore",
            key="report-save",
        )
        line(t("report.view.print", file="PDF"), tone="quiet")


def _made(campaign_id: int, language: Language, method: Method, texts: bool, anonymous: bool) -> bytes:
    given = gather(
        resources.engine(),
        session.viewer(),
        campaign_id,
        language=language,
        method=method,
        texts=texts,
        anonymous=anonymous,
    )
    return document(given).encode()


def _language() -> Language:
    chosen = st.segmented_control(
        t("report.view.language"),
        state.LANGUAGES,
        default=state.language(),
        required=True,
        key="report-language",
        format_func=lambda name: t(f"report.language.{name}"),
    )
    return cast(Language, chosen)


def _method() -> Method:
    chosen = st.segmented_control(
        t("agreement.method"),
        METHODS,
        default="raw",
        required=True,
        key="report-method",
        format_func=lambda name: t(f"method.{name}"),
        help=t("agreement.method_help"),
    )
    return cast(Method, chosen)
