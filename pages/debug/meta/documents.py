"""Scores of whole documents against the means of people's scores, and the scores themselves."""

from __future__ import annotations

import streamlit as st

from core.metaeval.evaluation import Evaluation
from core.metrics.documents import DOCUMENT_METRICS
from core.metrics.documents.base import DocumentResult
from core.novel.documents import LEAST, evaluated, rows_of
from db.campaigns.documents import document_scores
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import novel, state
from pages.ui.campaign_data import column_name
from pages.ui.frame import script_of
from pages.ui.text import interval, line, number, t, table
from pages.ui.widgets import data_table, download_csv

_PAGES = ("cast", "voice")
"""Analyses that have a page of their own, on which they are begun."""


def documents(campaign: CampaignSummary, evaluation: Evaluation) -> None:
    """The table of correlations, and a row for each document and system."""
    own = novel.texts_of(campaign)
    scores, lacking = document_scores(state.engine(), session.viewer(), campaign.id, own)
    for kind in dict.fromkeys(DOCUMENT_METRICS[name].analysis for name in lacking):
        with st.container(horizontal=True, vertical_alignment="center"):
            line(t(f"meta.documents_lacking.{kind}"))
            if kind in _PAGES:
                st.page_link(script_of(kind), label=t(f"page.{kind}"))
            else:
                novel.begin(campaign, kind)
    rows = evaluated(evaluation, scores)
    heads = [
        t("systems.metric"),
        "r",
        *(t(f"meta.column.{name}") for name in ("between", "cells", "documents")),
    ]
    cells = [
        (
            _name(row.name),
            number(row.r.value, 3),
            interval(row.r.low, row.r.high, 3),
            number(row.r.n, 0),
            number(row.documents, 0),
        )
        for row in rows
    ]
    table(heads, cells, numbers=frozenset(range(1, len(heads))))
    line(t("meta.documents_what", least=LEAST), tone="quiet")
    download_csv(heads, cells, "yomikurabe-meta-documents.csv", key="meta-file-documents")
    if scores:
        _scores(scores)


def _scores(scores: list[DocumentResult]) -> None:
    """The scores of each document and system."""
    metrics = list(dict.fromkeys(one.metric for one in scores))
    by_cell: dict[tuple[str, str], dict[str, float | None]] = {}
    for one in rows_of(scores):
        by_cell.setdefault((one.document, one.system), {})[one.metric] = one.score
    columns: dict[str, list[object]] = {
        t("meta.column.document"): [document for document, _ in by_cell],
        t("systems.system"): [system for _, system in by_cell],
    }
    columns |= {_name(name): [own.get(name) for own in by_cell.values()] for name in metrics}
    formats = {_name(name): "%.3f" for name in metrics}
    data_table(columns, "meta-document-scores", formats, rows=len(by_cell))


def _name(metric: str) -> str:
    return t(f"meta.document.{metric}") if metric in DOCUMENT_METRICS else column_name(metric)
