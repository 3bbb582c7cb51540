"""Normalisation side by side: the order of the systems under each, and where it hangs on the choice."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts import systems as charts
from core.raters.orders import WAYS, Caution, Order, Orders, Swap, orders
from db.queries.judgements import Judgements
from pages.ui import state
from pages.ui.text import line, number, t, table

_QUIET_CHART = {"displayModeBar": False}
_MOST = 12  # sentences of a kind
_POINTS = {"raw", "centred", "mixed"}


def tab(found: Judgements) -> None:
    """The whole tab."""
    mixed = st.toggle(t("orders.mixed"), key="orders-mixed", help=t("orders.mixed_help"))
    with st.spinner(t("orders.fitting") if mixed else t("statistics.working")):
        side_by_side = orders(found.by_system(), mixed=mixed)
    if len(side_by_side.orders[0].systems) < 2:
        line(t("orders.one_system"))
    else:
        warnings(side_by_side.swaps)
        names = {way: t(f"method.{way}") for way in WAYS}
        figure = charts.ranks(side_by_side.orders, names=names, palette=state.palette())
        st.plotly_chart(figure, key="orders-ranks", config=_QUIET_CHART, alt=t("orders.alt"))
    scores(side_by_side)
    cautions(side_by_side.cautions)


def warnings(swaps: Sequence[Swap]) -> None:
    """Whether the order of the systems hangs on the normalisation."""
    if not swaps:
        st.success(t("orders.same"), icon=":material/check:")
        return
    st.warning(t("orders.changes", n=len(swaps)), icon=":material/swap_vert:")
    for one in swaps[:_MOST]:
        line(
            t(
                "orders.swap",
                first=one.first,
                second=one.second,
                first_ahead=_ways(one.first_ahead),
                second_ahead=_ways(one.second_ahead),
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
    for place, one in enumerate(order.systems, 1):
        if one.system == system:
            return f"{number(one.value, 1 if order.way in _POINTS else 2)} ({place})"
    return "–"


def _ways(ways: Sequence[str]) -> str:
    return ", ".join(t(f"method.{way}") for way in ways)
