"""Agreement of raters: the one number, the matrix, two raters side by side, each rater, the gold scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import streamlit as st

from core.charts import raters as charts
from core.raters.agreement import Agreement, AgreementReport, bland_altman, by_group, report, shared_scores
from core.raters.ratings import METHODS, Rating
from core.raters.reliability import interval
from db.queries.evaluation import Judgements, TranslationPlace
from pages.ui import state
from pages.ui.campaign_data import in_points
from pages.ui.text import line, number, t, table
from pages.ui.widgets import chart, download_csv, switch

CHOSEN = "agreement-pair"
PICTURES = ("scatter", "limits")


def pair(report: AgreementReport, scores: Judgements) -> None:
    """Two raters' scores of the items they share, and what there is to say about them."""
    pairs = {(one.first, one.second): one for one in report.pairs}
    if st.session_state.get(CHOSEN) not in pairs:
        st.session_state[CHOSEN] = next(iter(pairs))
    chosen = st.selectbox(
        t("agreement.pair"), list(pairs), format_func=" × ".join, key=CHOSEN, filter_mode=None
    )
    line(_pair_sentence(pairs[chosen]), tone="quiet")
    picture = switch(
        t("agreement.picture"),
        PICTURES,
        "agreement-picture",
        lambda name: t(f"agreement.picture.{name}"),
        hidden=True,
    )
    if picture == "scatter":
        _scatter(report, scores.places, *chosen)
    else:
        _limits(scores, *chosen)


def _scatter(
    report: AgreementReport, places: Mapping[int, TranslationPlace], first: str, second: str
) -> None:
    shared = shared_scores(report.ratings, first, second)
    if not shared.items:
        return
    hover = [place(places[cast(int, item)]) for item in shared.items]
    figure = charts.scatter(shared, hover=hover, x_title=first, y_title=second, palette=state.palette())
    chart(figure, "agreement-scatter", t("agreement.scatter_alt"))


def _limits(scores: Judgements, first: str, second: str) -> None:
    """Bland and Altman's limits of agreement, of the scores as given."""
    found = bland_altman(scores.scores, first, second)
    if found.bias.missing is not None:
        line(t(f"missing.{found.bias.missing}"), tone="quiet")
        return
    words = charts.LimitWords(
        x=t("agreement.limits.x"),
        y=t("agreement.limits.y", first=first, second=second),
        bias=t("agreement.limits.bias"),
        lower=t("agreement.limits.lower"),
        upper=t("agreement.limits.upper"),
    )
    hover = [place(scores.places[cast(int, point.item)]) for point in found.points]
    figure = charts.limits(found, hover=hover, words=words, palette=state.palette())
    chart(figure, "agreement-limits", t("agreement.limits.alt"))
    line(t("agreement.limits.what"), tone="quiet")


def place(row: TranslationPlace) -> str:
    """A translation's place, for a hover."""
    return f"{row.document} {row.position + 1} · {row.system}"


def _pair_sentence(agreement: Agreement) -> str:
    if agreement.r is None:
        reason = t("agreement.few_shared" if agreement.missing == "few-shared" else "agreement.no_variance")
        return f"{t('agreement.cell_n', n=agreement.n)} · {reason}"
    parts = [f"r {number(agreement.r)}", t("agreement.cell_n", n=agreement.n)]
    if agreement.low is not None and agreement.high is not None:
        low, high = number(agreement.low), number(agreement.high)
        parts.insert(1, t("agreement.interval", low=low, high=high))
    return " · ".join(parts)


_MATRIX = "agreement-matrix"
_SHOWN = 500  # rows of the gold table; all are in the file
ORDERS = ("text", "high", "low")


def tab(campaign_id: int, scores: Judgements) -> None:
    """The whole tab: the matrix, one pair, the raters, the gold scores."""
    method = switch(
        t("agreement.method"),
        METHODS,
        "agreement-method",
        lambda name: t(f"method.{name}"),
        about=t("agreement.method_help"),
    )
    found = report(scores.scores, method=method)
    headline(found, scores.scores)
    if found.pairs:
        left, right = st.columns(2, gap="large")
        with left:
            matrix(found)
            line(t("agreement.same_r"), tone="quiet")
        with right:
            pair(found, scores)
    gaps(found)
    st.subheader(t("agreement.raters"), anchor=False)
    raters(found)
    st.subheader(t("agreement.gold"), anchor=False)
    line(t("agreement.gold_what"), tone="quiet")
    gold(found, scores.places, f"yomikurabe-{campaign_id}-{method}.csv")


def headline(agreements: AgreementReport, scores: Sequence[Rating]) -> None:
    """The one number over everything, with its interval and what it rests on."""
    if agreements.mean_r is None:
        line(t("agreement.no_r"), tone="title")
    else:
        words = t("agreement.mean_r", r=number(agreements.mean_r))
        ends = interval(scores, "mean_r")
        if ends.low is not None and ends.high is not None:
            low, high = number(ends.low), number(ends.high)
            words = f"{words} · {t('agreement.interval', low=low, high=high)}"
        line(words, tone="figure")
    line(
        t(
            "agreement.basis",
            defined=agreements.n_defined,
            pairs=len(agreements.pairs),
            raters=len(agreements.names),
            items=agreements.n_shared,
        ),
        tone="quiet",
    )


def matrix(agreements: AgreementReport) -> None:
    """Every two raters; a click on a cell chooses the pair."""
    words = charts.RaterMatrixWords(
        shared=t("agreement.cell_n", n="{n}"),
        interval=t("agreement.interval", low="{low}", high="{high}"),
        few_shared=t("agreement.few_shared"),
        no_variance=t("agreement.no_variance"),
    )
    figure = charts.matrix(agreements.names, agreements.pairs, words=words, palette=state.palette())
    chart(figure, _MATRIX, t("agreement.matrix_alt"), on_select=_choose_cell)


def gaps(agreements: AgreementReport) -> None:
    """Plain sentences where there is no number."""
    few = [one for one in agreements.pairs if one.missing == "few-shared"]
    flat = [one for one in agreements.pairs if one.missing == "no-variance"]
    if few:
        line(t("agreement.few_shared_pairs", pairs=_listed(few)), tone="quiet")
    if flat:
        line(t("agreement.no_variance_pairs", pairs=_listed(flat)), tone="quiet")
    for one in agreements.skipped:
        line(t(f"agreement.skipped.{one.reason}", rater=one.rater), tone="quiet")


def raters(agreements: AgreementReport) -> None:
    """A row per rater."""
    header = [t(f"agreement.column.{name}") for name in ("rater", "n", "mean", "sd", "low", "high")]
    digits = 1 if in_points(agreements.method) else 2
    rows = [
        (
            rater.rater,
            number(rater.n, 0),
            number(rater.mean, digits),
            number(rater.sd, digits),
            number(rater.low, digits),
            number(rater.high, digits),
        )
        for rater in agreements.raters
    ]
    table(header, rows, numbers=frozenset(range(1, 6)))


def gold(agreements: AgreementReport, rows: Mapping[int, TranslationPlace], file_name: str) -> None:
    """The gold scores: a strip per system, a table, a file."""
    system_of = {key: row.system for key, row in rows.items()}
    groups = sorted(by_group(agreements.gold, system_of), key=lambda group: group.group)
    hover = [[place(rows[cast(int, item.item)]) for item in group.items] for group in groups]
    figure = charts.strip(
        groups,
        hover=hover,
        x_title=t("agreement.gold_axis", method=t(f"method.{agreements.method}")),
        mean_word=t("agreement.column.mean"),
        palette=state.palette(),
    )
    chart(figure, "agreement-strip", t("agreement.strip_alt"))
    _gold_table(agreements, rows, file_name)


def _gold_table(agreements: AgreementReport, rows: Mapping[int, TranslationPlace], file_name: str) -> None:
    header = [t(f"agreement.column.{name}") for name in ("document", "position", "system", "gold", "n")]
    order = switch(t("agreement.sort"), ORDERS, "gold-order", lambda name: t(f"agreement.sort.{name}"))
    ordered = sorted(agreements.gold, key=lambda one: _text_order(rows[cast(int, one.item)]))
    if order != "text":
        ordered.sort(key=lambda one: one.mean, reverse=order == "high")
    cells = [(*_cells(rows[cast(int, one.item)]), one.mean, one.n) for one in ordered]
    digits = 1 if in_points(agreements.method) else 2
    shown = [(*cell[:3], number(cell[3], digits), str(cell[4])) for cell in cells[:_SHOWN]]
    table(header, shown, numbers=frozenset({1, 3, 4}))
    if len(cells) > _SHOWN:
        line(t("agreement.more", shown=_SHOWN, total=len(cells)), tone="quiet")
    download_csv(("document", "position", "system", "gold", "raters"), cells, file_name)


def _choose_cell() -> None:
    points = st.session_state[_MATRIX].selection.points
    if points:
        first, second = sorted(points[0]["customdata"])
        st.session_state[CHOSEN] = (first, second)


def _listed(pairs: Sequence[Agreement], most: int = 6) -> str:
    names = [f"{one.first} × {one.second} (n = {one.n})" for one in pairs[:most]]
    return ", ".join(names) + (" …" if len(pairs) > most else "")


def _text_order(row: TranslationPlace) -> tuple[int, str]:
    return row.segment_id, row.system


def _cells(row: TranslationPlace) -> tuple[str, str, str]:
    return row.document, str(row.position + 1), row.system
