"""Systems under people and every metric: the table, and the table as a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from core.errors import YomikurabeError
from core.metaeval.evaluation import PEOPLE, Evaluation
from core.metaeval.leaderboard import SystemMeans
from core.raters.ratings import Method
from core.report import formatting
from core.report.blocks import Table
from db.campaigns.export import Download
from db.campaigns.score_files import score_folder
from db.formats.xlsx import workbook
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.campaign_data import column_digits, name_of, printed
from pages.ui.download import csv_bytes
from pages.ui.text import line, show_error, t

FILES = ("csv", "xlsx", "latex", "mtme")
_FOLDER = "systems-folder"


def board(campaign: CampaignSummary, found: Evaluation, rows: Sequence[SystemMeans], method: Method) -> None:
    """A row for each system; a click on a header sorts."""
    intervals = st.toggle(t("systems.intervals"), key="systems-intervals", persist_state="session")
    columns: dict[str, list[object]] = {t("systems.system"): [row.system for row in rows]}
    formats = {}
    for name in found.columns:
        means = [row.means[name] for row in rows]
        title = _title(name, found)
        formats[title] = f"%.{column_digits(name, method)}f"
        columns[title] = [one.mean for one in means]
        if intervals:
            columns[f"{title} · 95 %"] = [
                "–"
                if one.low is None
                else f"{printed(one.low, name, method)} – {printed(one.high, name, method)}"
                for one in means
            ]
    columns[t("systems.rated")] = [row.means[PEOPLE].n for row in rows]
    st.dataframe(
        columns,
        hide_index=True,
        height=min(38 + 35 * len(rows), 640),
        column_config={name: st.column_config.NumberColumn(format=form) for name, form in formats.items()},
        key="systems-board",
        placeholder="–",
    )
    line(t("systems.board_what"), tone="quiet")
    _files(campaign, found, rows, method)


def _title(name: str, found: Evaluation) -> str:
    return f"{name_of(name)} {'↓' if name in found.lower else '↑'}"


def _files(campaign: CampaignSummary, found: Evaluation, rows: Sequence[SystemMeans], method: Method) -> None:
    with st.container(horizontal=True, gap="small"):
        for kind, make in _makers(found, rows, method).items():
            st.download_button(
                t(f"systems.file.{kind}"),
                make,
                file_name=f"yomikurabe-{campaign.id}-systems.{ {'latex': 'tex'}.get(kind, kind) }",
                icon=":material/download:",
                on_click="ignore",
                key=f"systems-file-{kind}",
            )
        st.button(t("systems.file.mtme"), key="systems-mtme", on_click=_fold, args=(campaign.id,),
                  help=t("systems.file.mtme_help"))  # fmt: skip
    kept: tuple[int, Download | YomikurabeError] | None = st.session_state.get(_FOLDER)
    if kept is None or kept[0] != campaign.id:
        return
    if isinstance(kept[1], YomikurabeError):
        show_error(kept[1])
        return
    st.download_button(
        t("systems.file.save", name=kept[1].name), kept[1].data, file_name=kept[1].name,
        icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _fold(campaign_id: int) -> None:
    """Callback: the folder of mt-metrics-eval, made when it is asked for."""
    try:
        made: Download | YomikurabeError = score_folder(state.engine(), session.viewer(), campaign_id)
    except YomikurabeError as error:
        made = error
    st.session_state[_FOLDER] = (campaign_id, made)


def _makers(
    found: Evaluation, rows: Sequence[SystemMeans], method: Method
) -> Mapping[str, Callable[[], bytes]]:
    """The bytes of each kind of file, made when its button is pressed."""
    header = ["system", *(f"{name}{part}" for name in found.columns for part in ("", " low", " high", " n"))]

    def numbers() -> list[list[str | float | int | None]]:
        return [_numbers(row, found.columns) for row in rows]

    def tex() -> bytes:
        return formatting.document([_printed(found, rows, method)]).encode()

    return {
        "csv": lambda: csv_bytes(header, numbers()),
        "xlsx": lambda: workbook({"systems": [header, *numbers()], "signatures": _signatures(found)}),
        "latex": tex,
    }


def _signatures(found: Evaluation) -> list[list[str]]:
    return [["metric", "signature"], *([name, signed] for name, signed in found.signatures.items())]


def _numbers(row: SystemMeans, columns: Sequence[str]) -> list[str | float | int | None]:
    cells: list[str | float | int | None] = [row.system]
    for one in (row.means[name] for name in columns):
        cells += [one.mean, one.low, one.high, one.n]
    return cells


def _printed(found: Evaluation, rows: Sequence[SystemMeans], method: Method) -> Table:
    names = [PEOPLE, *found.metrics]
    return Table(
        name="systems",
        caption=t("systems.caption", signatures="; ".join(found.signatures.values())),
        header=(t("systems.system"), *map(name_of, names)),
        rows=[[row.system, *(printed(row.means[name].mean, name, method) for name in names)] for row in rows],
        numbers=frozenset(range(1, len(names) + 1)),
    )
