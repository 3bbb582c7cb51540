"""Systems under people and every metric: the table, and the table as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.hacks.mean_rank import mean_rank
from core.metaeval.evaluation import PEOPLE, Evaluation
from core.metaeval.leaderboard import SystemMeans
from core.raters.ratings import Method
from core.report import formatting
from core.report.blocks import Table
from core.text.workbook import workbook
from db.campaigns.export import Download
from db.campaigns.score_files import score_folder
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.campaign_data import column_digits, column_name, score_text
from pages.ui.text import error_kept, interval, line, show_kept_error, t
from pages.ui.widgets import csv_bytes, data_table, download

FILES = ("csv", "xlsx", "latex", "mtme")
_FOLDER = "systems-folder"


def board(
    campaign: CampaignSummary, evaluation: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> None:
    """A row for each system; a click on a header sorts."""
    intervals = st.toggle(t("systems.intervals"), key="systems-intervals", persist_state="session")
    columns: dict[str, list[object]] = {t("systems.system"): [row.system for row in rows]}
    formats = {}
    for name in evaluation.columns:
        means = [row.means[name] for row in rows]
        title = _title(name, evaluation)
        formats[title] = f"%.{column_digits(name, method)}f"
        columns[title] = [one.mean for one in means]
        if intervals:
            digits = column_digits(name, method)
            columns[f"{title} · 95 %"] = [interval(mean.low, mean.high, digits) for mean in means]
    ranked = _mean_ranks(evaluation, rows)
    if ranked:
        title = f"{t('systems.mean_rank')} ↓"
        columns[title] = [ranked.get(row.system) for row in rows]
        formats[title] = "%.2f"
    columns[t("systems.rated")] = [row.means[PEOPLE].n for row in rows]
    data_table(columns, "systems-board", formats, rows=len(rows), most_pixels=640)
    line(t("systems.board_what"), tone="quiet")
    _files(campaign, evaluation, rows, method)


def _mean_ranks(evaluation: Evaluation, rows: Sequence[SystemMeans]) -> dict[str, float]:
    """The mean rank of each system over the metrics that score all systems, from two metrics on."""
    scores = {
        name: {row.system: row.means[name].mean for row in rows}
        for name in evaluation.columns
        if name != PEOPLE
    }
    standings = mean_rank(scores, lower_is_better=tuple(evaluation.lower))
    return {one.system: one.mean_rank for one in standings.systems} if len(standings.metrics) > 1 else {}


def _title(name: str, evaluation: Evaluation) -> str:
    return f"{column_name(name)} {'↓' if name in evaluation.lower else '↑'}"


def _files(
    campaign: CampaignSummary, evaluation: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> None:
    with st.container(horizontal=True, gap="small"):
        for kind, make in _makers(evaluation, rows, method).items():
            name = f"yomikurabe-{campaign.id}-systems.{'tex' if kind == 'latex' else kind}"
            download(t(f"systems.file.{kind}"), make, name, key=f"systems-file-{kind}")
        st.button(
            t("systems.file.mtme"),
            key="systems-mtme",
            on_click=_make_folder,
            args=(campaign.id,),
            help=t("systems.file.mtme_help"),
        )
    show_kept_error(_FOLDER)
    kept: tuple[int, Download] | None = st.session_state.get(_FOLDER)
    if kept is not None and kept[0] == campaign.id:
        download(t("systems.file.save", name=kept[1].name), kept[1].data, kept[1].name)


def _make_folder(campaign_id: int) -> None:
    """Callback: the folder of mt-metrics-eval, made when it is asked for."""
    with error_kept(_FOLDER):
        st.session_state[_FOLDER] = (campaign_id, score_folder(state.engine(), session.viewer(), campaign_id))


def _makers(
    evaluation: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> Mapping[str, Callable[[], bytes]]:
    """The bytes of each kind of file, made when its button is pressed."""
    header = [
        "system",
        *(f"{name}{part}" for name in evaluation.columns for part in ("", " low", " high", " n")),
    ]

    def numbers() -> list[list[str | float | int | None]]:
        return [_numbers(row, evaluation.columns) for row in rows]

    def tex() -> bytes:
        return formatting.document([_printed(evaluation, rows, method)]).encode()

    return {
        "csv": lambda: csv_bytes(header, numbers()),
        "xlsx": lambda: workbook({"systems": [header, *numbers()], "signatures": _signatures(evaluation)}),
        "latex": tex,
    }


def _signatures(evaluation: Evaluation) -> list[list[str]]:
    return [
        ["metric", "signature"],
        *([name, signature] for name, signature in evaluation.signatures.items()),
    ]


def _numbers(row: SystemMeans, columns: Sequence[str]) -> list[str | float | int | None]:
    cells: list[str | float | int | None] = [row.system]
    for one in (row.means[name] for name in columns):
        cells += [one.mean, one.low, one.high, one.n]
    return cells


def _printed(evaluation: Evaluation, rows: Sequence[SystemMeans], method: Method) -> Table:
    names = [PEOPLE, *evaluation.metrics]
    return Table(
        name="systems",
        caption=t("systems.caption", signatures="; ".join(evaluation.signatures.values())),
        header=(t("systems.system"), *map(column_name, names)),
        rows=[
            [row.system, *(score_text(row.means[name].mean, name, method) for name in names)] for row in rows
        ],
        numbers=frozenset(range(1, len(names) + 1)),
    )
