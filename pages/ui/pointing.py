"""Whether metrics find errors where people mark them: from stored traces, computed in the background."""

from __future__ import annotations

import streamlit as st

from core.backends import Progress
from core.metaeval.pointing import FIGURES, LEAST, LENGTH, RANDOM, RATER, PointingTable
from db.campaigns.pointing import ENOUGH, KIND, PointingReport, analyse_pointing, stored_pointing
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import runs, state
from pages.ui.campaign_data import column_name
from pages.ui.text import error_kept, interval, line, number, show_kept_error, t, table
from pages.ui.widgets import download_csv

_SLOT = "pointing-slot"


def pointing(campaign: CampaignSummary, nothing: str) -> None:
    """The tables, or the button that begins to compute them. nothing: what is said above the button."""
    found = stored_pointing(state.engine(), session.viewer(), campaign.id)
    if found is None:
        line(nothing)
        st.button(
            t("meta.pointing_begin"), key="pointing-begin", type="primary", on_click=_begin, args=(campaign,)
        )
        show_kept_error(_SLOT)
        return
    _tables(found)


def _begin(campaign: CampaignSummary) -> None:
    """Callback: start to compute in the background."""
    engine, viewer = state.engine(), session.viewer()

    def work(progress: Progress) -> object:
        return analyse_pointing(engine, viewer, campaign.id, progress=progress)

    with error_kept(_SLOT):
        runs.start(campaign, KIND, 1, work)


def _tables(found: PointingReport) -> None:
    everything = found.figures.everything
    if everything.marked < LEAST:
        line(t("meta.pointing_too_few", least=LEAST, marked=everything.marked))
        return
    _table(everything, "all")
    line(t("meta.pointing_what"), tone="quiet")
    for name, share in found.shares.items():
        line(
            t(
                "meta.pointing_left_out",
                metric=column_name(name),
                share=f"{share:.0%}",
                enough=f"{ENOUGH:.0%}",
            ),
            tone="quiet",
        )
    if found.figures.twice is not None:
        st.subheader(t("meta.pointing_twice"), anchor=False)
        _table(found.figures.twice, "twice")
        line(t("meta.pointing_twice_what"), tone="quiet")


def _table(found: PointingTable, key: str) -> None:
    line(
        t(
            "meta.pointing_basis",
            texts=f"{found.texts:,}",
            documents=f"{found.documents:,}",
            marked=f"{found.marked:,}",
            characters=f"{found.characters:,}",
            share=f"{found.share:.1%}",
        )
    )
    heads = [t("systems.metric")]
    for figure in FIGURES:
        heads += [t(f"meta.column.{figure}"), t("meta.column.between")]
    rows = []
    for one in found.rows:
        cells = [_name(one.name)]
        for figure in FIGURES:
            value = getattr(one, figure)
            cells += [number(value.value, 3), interval(value.low, value.high, 3)]
        rows.append(cells)
    table(heads, rows, numbers=frozenset(range(1, len(heads))))
    download_csv(heads, rows, f"yomikurabe-meta-pointing-{key}.csv", key=f"meta-file-pointing-{key}")


def _name(row: str) -> str:
    return t(f"meta.pointing_row.{row}") if row in (RANDOM, LENGTH, RATER) else column_name(row)
