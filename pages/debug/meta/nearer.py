"""Which of two settings or metrics is nearer to people, translation by translation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from core.metaeval.evaluation import Evaluation, Floats
from core.metaeval.significance import Nearness, nearness
from db.queries.campaigns import translations_of
from db.records import CampaignSummary
from pages.ui import picker, state
from pages.ui.text import label, line, novel, number, t, table
from pages.ui.widgets import download_csv

MOST = 30
"""Translations that are listed; the file has all."""


@dataclass(frozen=True, slots=True, eq=False)
class NearColumn:
    """A setting or metric by its name for a reader. scores: (n,), higher is better, NaN for none."""

    name: str
    scores: Floats


def compare(
    campaign: CampaignSummary, evaluation: Evaluation, offered: Sequence[NearColumn], *, key: str
) -> None:
    """Two of the columns, chosen by the reader: in how many translations which one is nearer, and in which.

    evaluation: n rows, as many as each column has scores.
    """
    st.subheader(t("nearer.title"), anchor=False)
    line(t("nearer.what"), tone="quiet")
    if len(offered) < 2:
        line(t("nearer.two"))
        return
    left, right = st.columns(2, gap="medium")
    with left:
        first = _choose(t("nearer.first"), offered, 0, f"{key}-first")
    with right:
        second = _choose(t("nearer.second"), offered, 1, f"{key}-second")
    if first is second:
        line(t("nearer.same"))
        return
    base = evaluation.with_metrics(()).table()
    columns = {"first": first.scores, "second": second.scores}
    found = nearness(replace(base, metrics=columns), "first", "second")
    if found.share is None:
        line(t("nearer.no_share"))
        return
    share = t(
        "nearer.share",
        first=first.name,
        second=second.name,
        share=number(found.share, 3),
        n=len(found.rows),
    )
    line(share)
    _table(evaluation, found, (first.name, second.name), key)
    _texts(campaign, evaluation, found, key)


def _choose(caption: str, offered: Sequence[NearColumn], at: int, key: str) -> NearColumn:
    """One of the columns; `at` at first, and when the one that was chosen is gone."""
    if st.session_state.get(key, at) not in range(len(offered)):
        del st.session_state[key]
    place: int = st.selectbox(
        caption,
        range(len(offered)),
        index=at,
        key=key,
        format_func=lambda place: offered[place].name,
        filter_mode=None,
    )
    return offered[place]


def _widest(found: Nearness) -> list[int]:
    """The places in `found`, where the two differ most first."""
    gains = abs(found.gains)
    return sorted(range(len(gains)), key=lambda place: -gains[place])


def _table(evaluation: Evaluation, found: Nearness, names: tuple[str, str], key: str) -> None:
    """People and both columns on one scale, and which of the two is nearer."""
    heads = [t("nearer.translation"), t("systems.people"), *names, t("nearer.nearer")]
    rows = [
        [
            evaluation.place(int(found.rows[place])),
            *(number(float(one[place]), 2, signed=True) for one in (found.people, found.first, found.second)),
            _which(float(found.gains[place]), names),
        ]
        for place in _widest(found)
    ]
    table(heads, rows[:MOST], numbers=frozenset({1, 2, 3}))
    if len(rows) > MOST:
        line(t("nearer.more", n=len(rows) - MOST), tone="quiet")
    download_csv(heads, rows, "yomikurabe-nearer.csv", key=f"{key}-file")


def _which(gain: float, names: tuple[str, str]) -> str:
    if gain == 0:
        return t("nearer.tie")
    return names[0] if gain > 0 else names[1]


def _texts(campaign: CampaignSummary, evaluation: Evaluation, found: Nearness, key: str) -> None:
    """The texts of one of the listed translations, and the way to the lens."""
    rows = [int(found.rows[place]) for place in _widest(found)[:MOST]]
    row = st.selectbox(
        t("nearer.open"),
        rows,
        index=None,
        key=f"{key}-open",
        format_func=evaluation.place,
        placeholder=t("widget.choose"),
        filter_mode=None,
    )
    if row is None:
        return
    (record,) = translations_of(state.engine(), campaign.id, [int(evaluation.translation[row])])
    with st.container(border=True):
        for title, text in ((t("pair.reference"), record.reference), (t("pair.translation"), record.text)):
            label(title)
            novel(text, lang=campaign.target_lang)
        if picker.lens_button(f"{key}-lens"):
            picker.open_translation(record, campaign.id)
