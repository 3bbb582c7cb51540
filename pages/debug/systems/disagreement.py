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
from pages.ui.campaign_data import column_choice, column_name, score_text
from pages.ui.picker import open_translation
from pages.ui.text import label, line, novel, plain, t
from pages.ui.widgets import chart, clicked_item, switch

LEVELS = ("segments", "systems")
_CHOSEN = "systems-chosen"


def scatter(
    campaign: CampaignSummary, evaluation: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> None:
    """The picture; a click on a translation shows it, and takes it under the lens."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        x = column_choice(t("systems.x"), evaluation.columns, key="systems-x", first=PEOPLE)
        y = column_choice(t("systems.y"), evaluation.columns, key="systems-y", first=_preferred(evaluation))
        level = switch(t("systems.level"), LEVELS, "systems-level", lambda name: t(f"systems.level.{name}"))
    words = charts.ScatterWords(x=column_name(x), y=column_name(y))
    if level == "systems":
        figure = charts.systems(rows, x, y, words=words, palette=state.palette())
        chart(figure, "systems-scatter-systems", t("systems.scatter_alt"), scroll_zoom=True)
        return
    if not known(evaluation.column(x), evaluation.column(y)).any():
        line(t("systems.nothing_shared"))
        return
    chosen = _chosen(evaluation)
    figure = charts.translations(evaluation, x, y, words=words, palette=state.palette(), chosen=chosen)
    event = chart(
        figure,
        f"systems-scatter-{x}-{y}",
        t("systems.scatter_alt"),
        on_select="rerun",
        scroll_zoom=True,
    )
    clicked = clicked_item(event)
    if clicked is not None and clicked != chosen and clicked < len(evaluation.translation):
        st.session_state[_CHOSEN] = int(evaluation.translation[clicked])
        st.rerun(scope="fragment")
    if chosen is None:
        line(t("systems.click"), tone="quiet")
        return
    (record,) = translations_of(state.engine(), campaign.id, [int(evaluation.translation[chosen])])
    with st.container(border=True):
        _translation(campaign, evaluation, chosen, record, (x, y), method)


def extremes(campaign: CampaignSummary, evaluation: Evaluation, method: Method) -> None:
    """Both lists for a metric, each with a way to the lens."""
    if not evaluation.metrics:
        return
    metric = column_choice(
        t("systems.metric"), evaluation.metrics, key="systems-metric", first=_preferred(evaluation)
    )
    above, under = disagreements(evaluation, metric)
    if not above and not under:
        line(t("systems.no_disagreement"), tone="quiet")
        return
    ids = [int(evaluation.translation[one.row]) for one in (*above, *under)]
    texts = {one.id: one for one in translations_of(state.engine(), campaign.id, ids)}
    for column, name, listed in zip(
        st.columns(2, gap="medium"), ("above", "under"), (above, under), strict=True
    ):
        with column:
            st.subheader(t(f"systems.{name}", metric=column_name(metric)), anchor=False)
            for one in listed:
                with st.expander(plain(_sentence(evaluation, one))):
                    record = texts[int(evaluation.translation[one.row])]
                    _translation(campaign, evaluation, one.row, record, (PEOPLE, metric), method)


def _sentence(evaluation: Evaluation, disagreement: Disagreement) -> str:
    place = evaluation.place(disagreement.row).replace("·", "—")
    return t(
        "systems.shares",
        place=place,
        people=round(100 * disagreement.people),
        metric=round(100 * disagreement.metric),
    )


def _translation(
    campaign: CampaignSummary,
    evaluation: Evaluation,
    row: int,
    record: TranslationRecord,
    columns: Sequence[str],
    method: Method,
) -> None:
    """Both texts, the two scores, and the way to the lens."""
    told = (
        f"{column_name(name)} {score_text(float(evaluation.column(name)[row]), name, method)}"
        for name in columns
    )
    line(" · ".join([evaluation.place(row), *told]), tone="quiet")
    lang = campaign.target_lang
    for title, text in ((t("pair.reference"), record.reference), (t("pair.translation"), record.text)):
        label(title)
        novel(text, lang=lang)
    if st.button(t("systems.lens"), key=f"lens-{record.id}-{columns[-1]}", icon=":material/search:"):
        open_translation(record, campaign.id)


def _preferred(evaluation: Evaluation) -> str:
    """The metric that is looked at first."""
    return "bertscore" if "bertscore" in evaluation.metrics else next(iter(evaluation.metrics), PEOPLE)


def _chosen(evaluation: Evaluation) -> int | None:
    """The row of the translation that was clicked last, while the filter lets it through."""
    rows = (evaluation.translation == st.session_state.get(_CHOSEN, -1)).nonzero()[0]
    return int(rows[0]) if len(rows) else None
