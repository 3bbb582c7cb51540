"""The parts of the agreement page: the matrix and one pair, the raters, the gold scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import streamlit as st

from core.charts import agreement as charts
from core.human.agreement import Agreement, AgreementReport, by_group, shared_scores
from core.human.ratings import Rating
from db.records import RatedRow
from pages.ui import state
from pages.ui.download import csv_bytes
from pages.ui.text import line, number, t, table

_MATRIX, _PAIR = "agreement-matrix", "agreement-pair"
_QUIET_CHART = {"displayModeBar": False}
_SHOWN = 500  # rows of the gold table; all are in the file
ORDERS = ("text", "high", "low")


def headline(report: AgreementReport) -> None:
    """The one number over everything, with what it rests on."""
    if report.mean_r is None:
        line(t("agreement.no_r"), tone="title")
    else:
        line(t("agreement.mean_r", r=charts.two_decimals(report.mean_r)), tone="figure")
    line(
        t(
            "agreement.basis",
            defined=report.n_defined,
            pairs=len(report.pairs),
            raters=len(report.names),
            items=report.n_shared,
        ),
        tone="quiet",
    )


def matrix(report: AgreementReport) -> None:
    """Every two raters; a click on a cell chooses the pair."""
    words = charts.MatrixWords(
        shared=t("agreement.cell_n", n="{n}"),
        interval=t("agreement.interval", low="{low}", high="{high}"),
        few_shared=t("agreement.few_shared"),
        no_variance=t("agreement.no_variance"),
    )
    figure = charts.matrix(report.names, report.pairs, words=words, palette=state.palette())
    st.plotly_chart(
        figure,
        key=_MATRIX,
        on_select=_choose_cell,
        selection_mode="points",
        config=_QUIET_CHART,
        alt=t("agreement.matrix_alt"),
    )


def pair(report: AgreementReport, rows: Mapping[int, RatedRow]) -> None:
    """Two raters' scores of the items they share, and what there is to say about them."""
    pairs = {(one.first, one.second): one for one in report.pairs}
    if st.session_state.get(_PAIR) not in pairs:
        st.session_state[_PAIR] = next(iter(pairs))
    chosen = st.selectbox(
        t("agreement.pair"), list(pairs), format_func=" × ".join, key=_PAIR, filter_mode=None
    )
    line(_pair_sentence(pairs[chosen]), tone="quiet")
    shared = shared_scores(report.ratings, *chosen)
    if not shared.items:
        return
    hover = [_place(rows[cast(int, item)]) for item in shared.items]
    figure = charts.scatter(
        shared, hover=hover, x_title=chosen[0], y_title=chosen[1], palette=state.palette()
    )
    st.plotly_chart(figure, key="agreement-scatter", config=_QUIET_CHART, alt=t("agreement.scatter_alt"))


def gaps(report: AgreementReport) -> None:
    """Plain sentences where there is no number."""
    few = [one for one in report.pairs if one.missing == "few-shared"]
    flat = [one for one in report.pairs if one.missing == "no-variance"]
    if few:
        line(t("agreement.few_shared_pairs", pairs=_listed(few)), tone="quiet")
    if flat:
        line(t("agreement.no_variance_pairs", pairs=_listed(flat)), tone="quiet")
    for one in report.skipped:
        line(t(f"agreement.skipped.{one.reason}", rater=one.rater), tone="quiet")


def raters(report: AgreementReport) -> None:
    """A row per rater."""
    header = [t(f"agreement.column.{name}") for name in ("rater", "n", "mean", "sd", "low", "high")]
    digits = _digits(report)
    rows = [
        (
            one.rater,
            str(one.n),
            number(one.mean, digits),
            "–" if one.sd is None else number(one.sd, digits),
            number(one.low, digits),
            number(one.high, digits),
        )
        for one in report.raters
    ]
    table(header, rows, numbers=frozenset(range(1, 6)))


def gold(report: AgreementReport, rows: Mapping[int, RatedRow], file_name: str) -> None:
    """The gold scores: a strip per system, a table, a file."""
    found = by_group(report.gold, {key: row.system for key, row in rows.items()})
    groups = sorted(found, key=lambda group: group.group)
    hover = [[_place(rows[cast(int, one.item)]) for one in group.items] for group in groups]
    figure = charts.strip(
        groups,
        hover=hover,
        x_title=t("agreement.gold_axis", method=t(f"method.{report.method}")),
        mean_word=t("agreement.column.mean"),
        palette=state.palette(),
    )
    st.plotly_chart(figure, key="agreement-strip", config=_QUIET_CHART, alt=t("agreement.strip_alt"))
    _gold_table(report, rows, file_name)


def _gold_table(report: AgreementReport, rows: Mapping[int, RatedRow], file_name: str) -> None:
    header = [t(f"agreement.column.{name}") for name in ("document", "position", "system", "gold", "n")]
    order = st.segmented_control(
        t("agreement.sort"),
        ORDERS,
        default="text",
        required=True,
        key="gold-order",
        format_func=lambda name: t(f"agreement.sort.{name}"),
    )
    found = sorted(report.gold, key=lambda one: _text_order(rows[cast(int, one.item)]))
    if order != "text":
        found.sort(key=lambda one: one.mean, reverse=order == "high")
    cells = [(*_cells(rows[cast(int, one.item)]), one.mean, one.n) for one in found]
    digits = _digits(report)
    shown = [(*cell[:3], number(cell[3], digits), str(cell[4])) for cell in cells[:_SHOWN]]
    table(header, shown, numbers=frozenset({1, 3, 4}))
    if len(cells) > _SHOWN:
        line(t("agreement.more", shown=_SHOWN, total=len(cells)), tone="quiet")
    st.download_button(
        t("agreement.download"),
        csv_bytes(("document", "position", "system", "gold", "raters"), cells),
        file_name=file_name,
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def as_ratings(rows: Sequence[RatedRow]) -> list[Rating]:
    """Stored scores as the statistics want them; the item is the translation."""
    return [Rating(row.rater, row.translation_id, row.score) for row in rows]


def _choose_cell() -> None:
    points = st.session_state[_MATRIX].selection.points
    if points:
        first, second = sorted(points[0]["customdata"])
        st.session_state[_PAIR] = (first, second)


def _pair_sentence(one: Agreement) -> str:
    if one.r is None:
        reason = t("agreement.few_shared" if one.missing == "few-shared" else "agreement.no_variance")
        return f"{t('agreement.cell_n', n=one.n)} · {reason}"
    parts = [f"r {charts.two_decimals(one.r)}", t("agreement.cell_n", n=one.n)]
    if one.low is not None and one.high is not None:
        low, high = charts.two_decimals(one.low), charts.two_decimals(one.high)
        parts.insert(1, t("agreement.interval", low=low, high=high))
    return " · ".join(parts)


def _listed(pairs: Sequence[Agreement], most: int = 6) -> str:
    names = [f"{one.first} × {one.second} (n = {one.n})" for one in pairs[:most]]
    return ", ".join(names) + (" …" if len(pairs) > most else "")


def _text_order(row: RatedRow) -> tuple[int, str]:
    return row.segment_id, row.system


def _cells(row: RatedRow) -> tuple[str, str, str]:
    return row.document, str(row.position + 1), row.system


def _place(row: RatedRow) -> str:
    return f"{row.document} {row.position + 1} · {row.system}"


def _digits(report: AgreementReport) -> int:
    return 1 if report.method in {"raw", "centred"} else 2
