"""Agreement of raters: the one number, the matrix, two raters side by side, each rater, the gold scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import streamlit as st

from core.charts import raters as charts
from core.raters.agreement import Agreement, AgreementReport, bland_altman, by_group, report, shared_scores
from core.raters.ratings import METHODS
from core.raters.reliability import interval
from core.stats.estimate import Estimate
from db.queries.evaluation import Judgements, TranslationPlace, raters_of
from pages.auth import session
from pages.ui import address, picker, state
from pages.ui.campaign_data import Figures, in_points
from pages.ui.text import line, number, t, table
from pages.ui.widgets import chart, clicked_item, download_csv, switch

CHOSEN = "agreement-pair"
PICTURES = ("scatter", "limits")


def _people() -> dict[int, str]:
    """The names of the chosen campaign's people, by id."""
    chosen = st.session_state.get("campaign-agreement")
    return {} if chosen is None else raters_of(state.engine(), session.viewer(), chosen)


def _rater_part(name: str, place: int) -> address.Parameter:
    """One of the two raters, by id: names of people stay out of addresses."""

    def current() -> str | None:
        chosen = st.session_state.get(CHOSEN)
        ids = {person: str(number) for number, person in _people().items()} if chosen else {}
        return ids.get(chosen[place]) if chosen else None

    def restore(value: str | None) -> None:
        named = _people().get(int(value)) if value else None
        if named is not None:
            both = list(st.session_state.get(CHOSEN) or ("", ""))
            both[place] = named
            st.session_state[CHOSEN] = tuple(both)

    return address.Parameter(name=name, current=current, restore=restore)


PAIR_PARTS = (_rater_part("first", 0), _rater_part("second", 1))


def pair(campaign_id: int, report: AgreementReport, scores: Judgements) -> None:
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
    event = _scatter(report, scores.places, *chosen) if picture == "scatter" else _limits(scores, *chosen)
    clicked = clicked_item(event)
    if clicked in scores.places:
        under_lens(campaign_id, scores.places, cast(int, clicked), "agreement-lens")
    elif session.viewer().sees_scores:
        line(t("agreement.click"), tone="quiet")


def _scatter(
    report: AgreementReport, places: Mapping[int, TranslationPlace], first: str, second: str
) -> object:
    shared = shared_scores(report.ratings, first, second)
    if not shared.items:
        return None
    hover = [place(places[cast(int, item)]) for item in shared.items]
    figure = charts.scatter(shared, hover=hover, x_title=first, y_title=second, palette=state.palette())
    return chart(figure, f"agreement-scatter-{first}-{second}", t("agreement.scatter_alt"), on_select="rerun")


def _limits(scores: Judgements, first: str, second: str) -> object:
    """Bland and Altman's limits of agreement, of the scores as given."""
    found = bland_altman(scores.scores, first, second)
    if found.bias.missing is not None:
        line(t(f"missing.{found.bias.missing}"), tone="quiet")
        return None
    words = charts.LimitWords(
        x=t("agreement.limits.x"),
        y=t("agreement.limits.y", first=first, second=second),
        bias=t("agreement.limits.bias"),
        lower=t("agreement.limits.lower"),
        upper=t("agreement.limits.upper"),
    )
    hover = [place(scores.places[cast(int, point.item)]) for point in found.points]
    figure = charts.limits(found, hover=hover, words=words, palette=state.palette())
    event = chart(figure, f"agreement-limits-{first}-{second}", t("agreement.limits.alt"), on_select="rerun")
    line(t("agreement.limits.what"), tone="quiet")
    return event


def under_lens(campaign_id: int, places: Mapping[int, TranslationPlace], item: int, key: str) -> None:
    """The place of a translation that was clicked, and the button that leads to it under the lens."""
    line(place(places[item]), tone="quiet")
    picker.to_lens(item, campaign_id, f"{key}-{item}")


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


def tab(figures: Figures, scores: Judgements) -> None:
    """The whole tab: the matrix, one pair, the raters, the gold scores."""
    method = switch(
        t("agreement.method"),
        METHODS,
        "agreement-method",
        lambda name: t(f"method.{name}"),
        about=t("agreement.method_help"),
    )
    found = figures.get(f"agreement-{method}", lambda: report(scores.scores, method=method))
    ends = figures.get("agreement-interval", lambda: interval(scores.scores, "mean_r"))
    headline(found, ends)
    if found.pairs:
        left, right = st.columns(2, gap="large")
        with left:
            matrix(found)
            line(t("agreement.same_r"), tone="quiet")
        with right:
            pair(figures.campaign.id, found, scores)
    gaps(found)
    st.subheader(t("agreement.raters"), anchor=False)
    raters(found)
    st.subheader(t("agreement.gold"), anchor=False)
    line(t("agreement.gold_what"), tone="quiet")
    gold(figures.campaign.id, found, scores.places)


def headline(agreements: AgreementReport, ends: Estimate) -> None:
    """The one number over everything, with the ends of its interval and what it rests on."""
    if agreements.mean_r is None:
        line(t("agreement.no_r"), tone="title")
    else:
        words = t("agreement.mean_r", r=number(agreements.mean_r))
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


def gold(campaign_id: int, agreements: AgreementReport, rows: Mapping[int, TranslationPlace]) -> None:
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
    event = chart(figure, "agreement-strip", t("agreement.strip_alt"), on_select="rerun")
    clicked = clicked_item(event)
    if clicked in rows:
        under_lens(campaign_id, rows, cast(int, clicked), "gold-lens")
    _gold_table(agreements, rows, f"yomikurabe-{campaign_id}-{agreements.method}.csv")


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
