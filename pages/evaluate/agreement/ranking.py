"""Ranking of systems: means, tests, clusters; and the ranking under each normalisation of the scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from core.charts import metaeval as charts
from core.raters.normalisation import WAYS, Caution, Order, Orders, Swap, orders
from core.raters.ranking import (
    ALPHA,
    Comparison,
    SystemMean,
    Test,
    clusters,
    compare_all,
    more_items_of,
    system_means,
)
from core.raters.ratings import METHODS, Method, Rating, normalise
from core.report.formatting import places_of
from core.text.numbers import p_value
from db.queries.evaluation import Judgements
from pages.ui import state
from pages.ui.campaign_data import Figures, in_points
from pages.ui.text import NONE, interval, line, number, t, table
from pages.ui.widgets import chart, download_csv, switch

T = TypeVar("T", bound=str)
_MOST = 12  # sentences of a kind


def normalisation_tab(figures: Figures, judgements: Judgements) -> None:
    """The whole tab."""
    mixed = st.toggle(t("orders.mixed"), key="orders-mixed", help=t("orders.mixed_help"))
    with st.spinner(t("orders.fitting") if mixed else t("statistics.working")):
        side_by_side = figures.get(f"orders-{mixed}", lambda: orders(judgements.by_system(), mixed=mixed))
    if len(side_by_side.orders[0].systems) < 2:
        line(t("orders.one_system"))
    else:
        warnings(side_by_side.swaps)
        names: dict[str, str] = {way: t(f"method.{way}") for way in WAYS}
        figure = charts.ranks(side_by_side.orders, names=names, palette=state.palette())
        chart(figure, "orders-ranks", t("orders.alt"))
    scores(side_by_side)
    cautions(side_by_side.cautions)


def warnings(swaps: Sequence[Swap]) -> None:
    """Whether the ranking of the systems depends on the normalisation."""
    if not swaps:
        st.success(t("orders.same"), icon=":material/check:")
        return
    st.warning(t("orders.changes", n=len(swaps)), icon=":material/swap_vert:")
    for swap in swaps[:_MOST]:
        line(
            t(
                "orders.swap",
                first=swap.first,
                second=swap.second,
                first_ahead=_ways(swap.first_ahead),
                second_ahead=_ways(swap.second_ahead),
            ),
            tone="quiet",
        )


def scores(found: Orders) -> None:
    """Each system's mean under each normalisation, with its place."""
    systems = [one.system for one in found.orders[0].systems]
    header = [
        t("agreement.column.system"),
        t("agreement.column.n"),
        *(t(f"method.{o.way}") for o in found.orders),
    ]
    sizes = {one.system: one.n for one in found.orders[0].systems}
    rows = [
        [system, str(sizes[system]), *(_cell(order, system) for order in found.orders)] for system in systems
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    for order in found.orders:
        if order.missing is not None:
            line(f"{t(f'method.{order.way}')}: {t(f'missing.{order.missing}')}", tone="quiet")
        for one in order.skipped:
            reason = t(f"agreement.skipped.{one.reason}", rater=one.rater)
            line(f"{t(f'method.{order.way}')}: {reason}", tone="quiet")


def cautions(found: Sequence[Caution]) -> None:
    """What makes the order doubtful, one sentence each."""
    for one in found[:_MOST]:
        values = {"name": one.name, "n": one.n}
        if one.sd is not None:
            values |= {"sd": number(one.sd, 2)}
        line(t(f"orders.caution.{one.word}", **values), tone="quiet")
    if len(found) > _MOST:
        line(t("agreement.more", shown=_MOST, total=len(found)), tone="quiet")


def _cell(order: Order, system: str) -> str:
    for rank, one in enumerate(order.systems, 1):
        if one.system == system:
            return f"{number(one.value, 1 if in_points(order.way) else 2)} ({rank})"
    return NONE


def _ways(ways: Sequence[str]) -> str:
    return ", ".join(t(f"method.{way}") for way in ways)


TESTS: tuple[Test, ...] = ("wilcoxon", "randomisation")


def tab(figures: Figures, judgements: Judgements) -> None:
    """The whole tab."""
    with st.container(horizontal=True, gap="large"):
        method = _choice("method", METHODS, lambda name: t(f"method.{name}"))
        test = _choice("test", TESTS, lambda name: t(f"ranking.test.{name}"))
    with st.spinner(t("statistics.working")):
        means, compared = figures.get(f"ranking-{method}", lambda: _ranked(judgements, method))
    digits = 1 if in_points(method) else 2
    parted = clusters(means, compared, test=test)
    _picture(means, parted, test=test, method=method, digits=digits)
    _table(means, parted, digits)
    if len(means) > 1:
        _comparisons(compared, test, digits)
    _file(means, parted, f"yomikurabe-{figures.campaign.id}-systems.csv")


def _ranked(judgements: Judgements, method: Method) -> tuple[tuple[SystemMean, ...], tuple[Comparison, ...]]:
    by_system = normalised(judgements, method)
    return system_means(by_system), compare_all(by_system)


def normalised(judgements: Judgements, method: Method) -> dict[str, list[Rating]]:
    """The scores of each system, its items named by their segments, on one scale; raters over all systems."""
    return judgements.by_system(normalise(judgements.scores, method=method).ratings)


def _choice(what: str, choices: Sequence[T], words: Callable[[T], str]) -> T:
    return switch(t(f"ranking.{what}"), choices, f"ranking-{what}", words, about=t(f"ranking.{what}_help"))


def _picture(
    means: Sequence[SystemMean],
    parted: Sequence[Sequence[str]],
    *,
    test: Test,
    method: str,
    digits: int,
) -> None:
    words = charts.MeanWords(
        axis=t("ranking.axis", method=t(f"method.{method}")),
        hover=t("ranking.hover", mean="{mean}", low="{low}", high="{high}", n="{n}"),
        test=t("ranking.by", test=t(f"ranking.test.{test}"), alpha=f"{ALPHA:g}"),
    )
    figure = charts.means(means, parted, words=words, palette=state.palette(), digits=digits)
    chart(figure, "ranking-means", t("ranking.alt"))


def _table(means: Sequence[SystemMean], parted: Sequence[Sequence[str]], digits: int) -> None:
    header = [t(f"ranking.column.{name}") for name in ("cluster", "system", "mean", "interval", "n")]
    table(header, [_row(mean, parted, digits) for mean in means], numbers=frozenset({2, 3, 4}))
    line(t("ranking.what"), tone="quiet")


def _row(mean: SystemMean, parted: Sequence[Sequence[str]], digits: int) -> tuple[str, ...]:
    ends = interval(mean.low, mean.high, digits)
    return places_of(mean.system, parted), mean.system, number(mean.mean, digits), ends, number(mean.n, 0)


def _comparisons(compared: Sequence[Comparison], test: Test, digits: int) -> None:
    st.subheader(t("ranking.pairs"), anchor=False)
    line(t("ranking.pairs_what", test=t(f"ranking.test.{test}")), tone="quiet")
    header = [t(f"ranking.pair.{name}") for name in ("systems", "difference", "n", "p", "more")]
    rows = [_pair(one, test, digits) for one in compared]
    table(header, rows, numbers=frozenset({1, 2, 3, 4}))
    for reason in dict.fromkeys(one.missing for one in compared if one.missing is not None):
        line(t(f"missing.{reason}"), tone="quiet")


def _pair(comparison: Comparison, test: Test, digits: int) -> tuple[str, ...]:
    p = comparison.wilcoxon if test == "wilcoxon" else comparison.randomisation
    needed = more_items_of(comparison)
    more = NONE if needed.more is None else f"{needed.more:,}"
    gap = number(comparison.difference, digits)
    return f"{comparison.first} – {comparison.second}", gap, number(comparison.n, 0), p_value(p), more


def _file(means: Sequence[SystemMean], parted: Sequence[Sequence[str]], file_name: str) -> None:
    rows = [
        [places_of(mean.system, parted), mean.system, mean.mean, mean.low, mean.high, mean.n]
        for mean in means
    ]
    download_csv(("places", "system", "mean", "low", "high", "segments"), rows, file_name)
