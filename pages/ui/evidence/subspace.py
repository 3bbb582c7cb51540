"""The evidence of Subspace-BERTScore: how far each token lies in the span of the other text."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.charts.subspace import CoverageWords, MembershipWords, Order, coverage, memberships
from core.errors import YomikurabeError
from core.metrics import find_metric
from core.metrics.base import Settings
from core.metrics.bertscore.baseline import length_control
from core.metrics.bertscore.ledger import SideName, visible
from core.metrics.bertscore.weights import find_idf
from core.metrics.subspace import SubspaceTrace
from core.types import Result
from pages.ui import models, state
from pages.ui.evidence.tokens import SIDES, choose, focus
from pages.ui.picker import Chosen
from pages.ui.text import line, number, plain, t, table

METRIC = "subspace"
SHARED = ("layer", "weight", "idf")
"""Options that the page sets once for BERTScore and for this metric."""
ORDERS: tuple[Order, ...] = ("text", "gap")


def subspace(chosen: Chosen, shared: Settings) -> None:
    """The whole tab. `shared` are BERTScore's settings on this page."""
    own, order = _settings()
    given = {name: shared[name] for name in SHARED} | own
    result = models.score(METRIC, chosen.pair, settings=given, context=chosen.context)
    trace = cast(SubspaceTrace, result.trace)
    if not (trace.reference.weights.any() and trace.hypothesis.weights.any()):
        line(t("pair.empty_side"))
        return
    _summary(result)
    ranks(result, (t("pair.reference"), t("pair.translation")))
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            st.subheader(t(f"subspace.side.{side}"), anchor=False)
            picture(trace, side, key=f"subspace-{side}", order=order)
            covering(trace, side)
    control(chosen, given)


def _settings() -> tuple[dict[str, str], Order]:
    options = {option.name: option for option in find_metric(METRIC).options}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        energy = st.slider(
            t("subspace.option.energy"), 0.6, 1.0, 1.0, 0.05,
            key="subspace-energy", help=t("subspace.option.energy.help"), width=260, persist_state="session",
        )  # fmt: skip
        chosen = {
            name: st.segmented_control(
                t(f"subspace.option.{name}"),
                options[name].choices,
                default=options[name].default,
                required=True,
                key=f"subspace-{name}",
                format_func=lambda value, name=name: t(f"subspace.option.{name}.{value}"),
                help=t(f"subspace.option.{name}.help"),
                persist_state="session",
            )
            for name in ("window", "specials")
        }
        order = st.segmented_control(
            t("subspace.order"),
            ORDERS,
            default="text",
            required=True,
            key="subspace-order",
            format_func=lambda value: t(f"subspace.order.{value}"),
            persist_state="session",
        )
    return {"energy": f"{energy:.2f}", **cast(dict[str, str], chosen)}, cast(Order, order)


def _summary(result: Result[SubspaceTrace]) -> None:
    with st.container(horizontal=True, gap="large"):
        st.metric(
            t("metric.subspace"), number(result.parts["f1"], 3), help=plain(result.signature), width="content"
        )
        for part in ("precision", "recall"):
            st.metric(t(f"pair.part.{part}"), number(result.parts[part], 3), width="content")


def ranks(result: Result[SubspaceTrace], captions: tuple[str, str]) -> None:
    """How much of the space each text fills, and a warning where that is too much."""
    trace = cast(SubspaceTrace, result.trace)
    ratio = number(result.parts["rank_ratio"], 2)
    filled = [
        f"{caption} {t('subspace.ranks', rank=side.rank, kept=side.kept)}"
        for caption, side in zip(captions, (trace.reference, trace.hypothesis), strict=True)
    ]
    line(t("subspace.filled", dimension=trace.dimension, sides=" · ".join(filled), ratio=ratio), tone="quiet")
    if "subspace-saturated" in result.flags:
        line(t("subspace.saturated", ratio=ratio))


def picture(trace: SubspaceTrace, side: SideName, *, key: str, order: Order = "text") -> None:
    """Membership beside the greedy cosine, token by token."""
    words = MembershipWords(
        token=t("pair.column.token"),
        partner=t("pair.column.partner"),
        cosine=t("subspace.cosine"),
        membership=t("subspace.membership"),
        angle=t("subspace.angle"),
        gap=t("subspace.gap"),
    )
    figure = memberships(trace, side, words=words, palette=state.palette(), order=order)
    st.plotly_chart(
        figure,
        key=key,
        on_select=lambda: _choose_mark(key, trace, side),
        selection_mode="points",
        config={"displayModeBar": False},
        alt=t("subspace.alt"),
    )


def _choose_mark(key: str, trace: SubspaceTrace, side: SideName) -> None:
    points = st.session_state[key].selection.points
    if points:
        place = int(points[0]["customdata"][-1])
        choose(side, place, int(getattr(trace, side).partner[place]))


def covering(trace: SubspaceTrace, side: SideName) -> None:
    """For the token that the reader looks at: the directions of the other text that cover it."""
    place = getattr(focus(trace), side)
    if place is None:
        line(t("subspace.cover.none"), tone="quiet")
        return
    token = getattr(trace, side).tokens[place]
    line(t("subspace.cover", token=visible(token)))
    words = CoverageWords(
        share=t("subspace.cover.share"), rest=t("subspace.cover.rest"), outside=t("subspace.cover.outside")
    )
    figure = coverage(trace, side, place, words=words, palette=state.palette())
    st.plotly_chart(
        figure, key=f"cover-{side}", config={"displayModeBar": False}, alt=t("subspace.cover.alt")
    )


def control(chosen: Chosen, settings: Settings) -> None:
    """What random tokens of the same count score with these settings, beside BERTScore's."""
    st.subheader(t("subspace.control"), anchor=False)
    line(t("subspace.control.what"), tone="quiet")
    pair = chosen.pair
    try:
        idf = find_idf("novel", models.encoder(), [pair])
    except YomikurabeError:
        line(t("subspace.control.no_dictionary"), tone="quiet")
        return
    shared = {name: settings[name] for name in SHARED}
    rows = []
    for metric, given in ((METRIC, dict(settings)), ("bertscore", shared)):
        prepared = models.prepare(metric, pair, settings=given, context=chosen.context)
        found = length_control(pair, prepared.score, encoder=models.encoder(), idf=idf)
        own = prepared.score(pair).score
        if found is not None and own is not None:
            low, high = min(found.scores), max(found.scores)
            spread = f"{number(low, 3)} – {number(high, 3)}"
            rows.append((t(f"metric.{metric}"), number(own, 3), number(found.mean, 3), spread))
    header = [t(f"subspace.control.{name}") for name in ("metric", "translation", "random", "range")]
    table(header, rows, numbers=frozenset({1, 2, 3}))
