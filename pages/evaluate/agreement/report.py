"""Files of a campaign: the report, and the campaign in each format of the field."""

from __future__ import annotations

import streamlit as st

from core.raters.ratings import METHODS, Method
from core.report import as_csv, as_json, document
from core.text.locale import Language
from db.campaigns.export import Download, download, read_bundle
from db.campaigns.reporting import gather
from db.formats import FORMATS
from db.queries.documents import document_scores
from db.queries.evaluation import newest
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, in_words, line, show_kept_error, t
from pages.ui.widgets import csv_bytes, switch
from pages.ui.widgets import download as save

FIRST = ("history", "xlsx", "csv")
DOCUMENT_COLUMNS = ("rater", "document", "system", "score", "rated_at")
_EXPORTED = "takeaway-made"


def export_tab(campaign: CampaignSummary) -> None:
    """Choose a format, make the file, take it."""
    session.viewer().must_see_scores()
    able = [name for name, entry in FORMATS.items() if entry.writes]
    names = [*FIRST, *(name for name in able if name not in FIRST)]
    name = st.selectbox(
        t("takeaway.format"),
        names,
        key="takeaway-format",
        format_func=lambda name: f"{name}: {t(f'format.{name}')}",
        filter_mode=None,
    )
    st.button(t("takeaway.make"), key="takeaway-make", type="primary", on_click=_make, args=(campaign.id,))
    show_kept_error(_EXPORTED)
    _document_scores(campaign)
    kept: tuple[int, str, Download] | None = st.session_state.get(_EXPORTED)
    if kept is None or kept[:2] != (campaign.id, name):
        line(t("takeaway.none"), tone="quiet")
        return
    made = kept[2]
    save(t("takeaway.save", name=made.name, size=_size(len(made.data))), made.data, made.name)
    if not made.notes:
        line(t("takeaway.whole"), tone="quiet")
    for note in made.notes:
        line(in_words(note), tone="quiet")


def _document_scores(campaign: CampaignSummary) -> None:
    """The scores of whole documents as CSV, where there are some."""
    found = document_scores(state.engine(), session.viewer(), campaign.id)
    if found:
        rows = [(one.rater, one.document, one.system, one.score, one.rated_at.isoformat()) for one in found]
        file = f"yomikurabe-{campaign.id}-documents.csv"
        save(t("takeaway.documents", n=len(found)), csv_bytes(DOCUMENT_COLUMNS, rows), file)


def _make(campaign_id: int) -> None:
    """Callback: read the campaign as it is now and write the file in memory."""
    name = st.session_state["takeaway-format"]
    with error_kept(_EXPORTED):
        session.viewer().must_see_scores()
        bundle = read_bundle(state.engine(), campaign_id, history=True)
        st.session_state[_EXPORTED] = (campaign_id, name, download(bundle, name))


def _size(count: int) -> str:
    """`12 kB`, `3.4 MB`."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count / 1e3, 1):.0f} kB"


_MADE = "report-made"
"""The last report of this session: what was asked for, and the file. One is kept, for each is megabytes."""


def tab(campaign: CampaignSummary, *, scale: str = "", study: bool = False) -> None:
    """The whole tab. scale: the campaign's own whose answers are the scores.

    study: the report on a reading study, which has no scores and names no reader.
    Raises AccessError for a visitor who may not see scores.
    """
    session.viewer().must_see_scores()
    line(t("report.view.what"))
    language = _language()
    method: Method = "raw" if study else _method()
    texts = st.toggle(
        t("report.view.texts"), value=True, key="report-texts", help=t("report.view.texts_help")
    )
    anonymous = study or st.toggle(
        t("report.view.anonymous"), value=not texts, key=f"report-anonymous-{texts}"
    )  # without texts, without names unless somebody says so
    version = newest(state.engine(), campaign.id)
    asked = (campaign.id, campaign.state, version, language, method, scale, texts, anonymous)
    if st.button(t("report.view.make"), type="primary", key="report-make", icon=":material/description:"):
        with st.spinner(t("statistics.working")):
            page, files = _made(campaign.id, language, method, scale, texts, anonymous)
            st.session_state[_MADE] = asked, page, {} if study else files  # a study has its own files
    made = st.session_state.get(_MADE)
    if made is not None and made[0] == asked:
        words = t("report.view.save", size=f"{len(made[1]) / 1e6:.1f}")
        save(words, made[1], f"yomikurabe-{campaign.id}-report-{language}.html", key="report-save")
        for ending, data in made[2].items():
            file = f"yomikurabe-{campaign.id}-figures.{ending}"
            save(t("report.view.figures", form=ending.upper()), data, file, key=f"report-figures-{ending}")
        line(t("report.view.print", file="PDF"), tone="quiet")


def _made(
    campaign_id: int, language: Language, method: Method, scale: str, texts: bool, anonymous: bool
) -> tuple[bytes, dict[str, bytes]]:
    """The report, and its figures by the ending of the file."""
    given = gather(
        state.engine(),
        session.viewer(),
        campaign_id,
        language=language,
        method=method,
        scale=scale,
        texts=texts,
        anonymous=anonymous,
    )
    figures = {"csv": as_csv(given).encode("utf-8-sig"), "json": as_json(given).encode()}
    return document(given).encode(), figures


def _language() -> Language:
    return switch(
        t("report.view.language"),
        state.LANGUAGES,
        "report-language",
        lambda name: t(f"report.language.{name}"),
        default=state.language(),
        persist=False,
    )


def _method() -> Method:
    return switch(
        t("agreement.method"),
        METHODS,
        "report-method",
        lambda name: t(f"method.{name}"),
        about=t("agreement.method_help"),
        persist=False,
    )
