"""Translations one by one: any two columns as a scatter, and those on which people and a metric disagree."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts import metaeval as charts
from core.metaeval.evaluation import PEOPLE, Evaluation, known
from core.metaeval.leaderboard import Disagreement, SystemMeans, disagreements
from core.raters.ratings import Method
from db.queries.campaigns import translations_of
from db.records import CampaignSummary, TranslationRecord
from pages.ui import state
from pages.ui.campaign_data import column_choice, name_of, printed
from pages.ui.text import label, line, novel, t

LEVELS = ("segments", "systems")
_CHOSEN = "systems-chosen"
_BOXES = {"displayModeBar": False, "scrollZoom": True}


def scatter(
    campaign: CampaignSummary, found: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> None:
    """The picture; a click on a translation shows it, and takes it under the lens."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        x = column_choice(t("systems.x"), found.columns, key="systems-x", first=PEOPLE)
        y = column_choice(t("systems.y"), found.columns, key="systems-y", first=_preferred(found))
        level = st.segmented_control(
            t("systems.level"), LEVELS, default=LEVELS[0], required=True, key="systems-level",
            format_func=lambda name: t(f"systems.level.{name}"), persist_state="session",
        )  # fmt: skip
    words = charts.ScatterWords(x=name_of(x), y=name_of(y))
    if level == "systems":
        figure = charts.systems(rows, x, y, words=words, palette=state.palette())
        st.plotly_chart(figure, key="systems-scatter-systems", config=_BOXES, alt=t("systems.scatter_alt"))
        return
    if not known(found.column(x), found.column(y)).any():
        line(t("systems.nothing_shared"))
        return
    chosen = _chosen(found)
    figure = charts.translations(found, x, y, words=words, palette=state.palette(), chosen=chosen)
    event = st.plotly_chart(
        figure, key=f"systems-scatter-{x}-{y}", config=_BOXES, on_select="rerun", selection_mode="points",
        alt=t("systems.scatter_alt"),
    )  # fmt: skip
    clicked = _row_of(event)
    if clicked is not None and clicked != chosen and clicked < len(found.translation):
        st.session_state[_CHOSEN] = int(found.translation[clicked])
        st.rerun(scope="fragment")
    if chosen is None:
        line(t("systems.click"), tone="quiet")
        return
    (record,) = translations_of(state.engine(), campaign.id, [int(found.translation[chosen])])
    with st.container(border=True):
        _translation(campaign, found, chosen, record, (x, y), method)


def extremes(campaign: CampaignSummary, found: Evaluation, method: Method) -> None:
    """Both lists for a metric, each with a way to the lens."""
    if not found.metrics:
        return
    metric = column_choice(t("systems.metric"), found.metrics, key="systems-metric", first=_preferred(found))
    above, under = disagreements(found, metric)
    if not above and not under:
        line(t("systems.no_disagreement"), tone="quiet")
        return
    ids = [int(found.translation[one.row]) for one in (*above, *under)]
    texts = {one.id: one for one in translations_of(state.engine(), campaign.id, ids)}
    for column, name, listed in zip(
        st.columns(2, gap="medium"), ("above", "under"), (above, under), strict=True
    ):
        with column:
            st.subheader(t(f"systems.{name}", metric=name_of(metric)), anchor=False)
            for one in listed:
                with st.expander(_sentence(found, one)):
                    record = texts[int(found.translation[one.row])]
                    _translation(campaign, found, one.row, record, (PEOPLE, metric), method)


def _sentence(found: Evaluation, one: Disagreement) -> str:
    place = found.place(one.row).replace("·", "—")
    return t("systems.shares", place=place, people=round(100 * one.people), metric=round(100 * one.metric))


def _translation(
    campaign: CampaignSummary,
    found: Evaluation,
    row: int,
    record: TranslationRecord,
    columns: Sequence[str],
    method: Method,
) -> None:
    """Both texts, the two scores, and the way to the lens."""
    told = (f"{name_of(name)} {printed(float(found.column(name)[row]), name, method)}" for name in columns)
    line(" · ".join([found.place(row), *told]), tone="quiet")
    lang = campaign.target_lang
    for title, text in ((t("pair.reference"), record.reference), (t("pair.translation"), record.text)):
        label(title)
        novel(text, lang=lang)
    if st.button(t("systems.lens"), key=f"lens-{record.id}-{columns[-1]}", icon=":material/search:"):
        open_pair(campaign.id, record.segment_id, record.system_id)


def open_pair(campaign_id: int, segment_id: int, system_id: int) -> None:
    """Go to a translation on the page of pairs."""
    state.set_campaign_id(campaign_id)
    st.session_state["campaign-pair"] = campaign_id
    st.session_state["pair-origin"] = "campaign"
    st.session_state[f"segment-{campaign_id}"] = segment_id
    st.session_state[f"system-{campaign_id}"] = system_id
    st.switch_page("pages/debug/pair/page.py")


def _preferred(found: Evaluation) -> str:
    """The metric that is looked at first."""
    return "bertscore" if "bertscore" in found.metrics else next(iter(found.metrics), PEOPLE)


def _chosen(found: Evaluation) -> int | None:
    """The row of the translation that was clicked last, while the filter lets it through."""
    rows = (found.translation == st.session_state.get(_CHOSEN, -1)).nonzero()[0]
    return int(rows[0]) if len(rows) else None


def _row_of(event: object) -> int | None:
    points = getattr(getattr(event, "selection", None), "points", [])
    data = points[0].get("customdata") if points else None
    if isinstance(data, list | tuple):
        data = data[0] if data else None
    return data if isinstance(data, int) else None
