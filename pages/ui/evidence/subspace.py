"""The evidence of Subspace-BERTScore: how far each token lies in the span of the other text."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.charts.subspace import CoverageWords, MembershipWords, Order, coverage, memberships
from core.errors import YomikurabeError
from core.metrics.base import Settings
from core.metrics.bertscore.baseline import length_control
from core.metrics.bertscore.metric import SideName, visible
from core.metrics.bertscore.weights import find_idf
from core.metrics.subspace import SubspaceTrace
from core.types import Result
from pages.ui import metric_form, models, state
from pages.ui.evidence.keeping import keep_button
from pages.ui.evidence.tokens import SIDES, choose, focus
from pages.ui.picker import Chosen
from pages.ui.text import interval, line, metric_name, number, t, table
from pages.ui.widgets import chart, option_help, option_name, options, score_row, switch

METRIC = "subspace"
SHARED = ("layer", "weight", "idf")
"""Options that the page sets once for BERTScore and for this metric."""
ORDERS: tuple[Order, ...] = ("text", "gap")


def shared(page: Settings) -> dict[str, str]:
    """What the page's settings say to this metric."""
    return {name: page[name] for name in SHARED} | metric_form.loaded_by(METRIC, page)


def subspace(chosen: Chosen, page: Settings) -> None:
    """The whole tab. `page` are BERTScore's settings on this page."""
    own, order = _settings()
    settings = shared(page) | own
    result = models.score(
        METRIC, chosen.pair, settings=settings, context=chosen.context, stored=chosen.stored
    )
    trace = cast(SubspaceTrace, result.trace)
    if not (trace.reference.weights.any() and trace.hypothesis.weights.any()):
        line(t("pair.empty_side"))
        return
    score_row(result)
    keep_button(chosen, [result], METRIC)
    ranks(result, (t("pair.reference"), t("pair.translation")))
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            st.subheader(t(f"subspace.side.{side}"), anchor=False)
            picture(trace, side, key=f"subspace-{side}", order=order)
            covering(trace, side)
    st.subheader(t("subspace.control"), anchor=False)
    line(t("subspace.control.what"), tone="quiet")
    computed = chosen.stored.find(METRIC, result.signature) is None
    if computed or st.toggle(t("subspace.control.compute"), key="subspace-control"):
        control(chosen, settings)


def _settings() -> tuple[dict[str, str], Order]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        energy = st.slider(
            option_name("energy", METRIC),
            0.6,
            1.0,
            1.0,
            0.05,
            key="subspace-energy",
            help=option_help("energy", METRIC),
            width=260,
            persist_state="session",
        )
        chosen = options(METRIC, ("window", "specials"), "subspace")
        order = switch(
            t("subspace.order"), ORDERS, "subspace-order", lambda name: t(f"subspace.order.{name}")
        )
    return {"energy": f"{energy:.2f}", **chosen}, order


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
    chart(figure, key, t("subspace.alt"), on_select=lambda: _choose_mark(key, trace, side))


def _choose_mark(key: str, trace: SubspaceTrace, side: SideName) -> None:
    points = st.session_state[key].selection.points
    if points:
        token = int(points[0]["customdata"][-1])
        choose(side, token, int(getattr(trace, side).partner[token]))


def covering(trace: SubspaceTrace, side: SideName) -> None:
    """For the token that the reader looks at: the directions of the other text that cover it."""
    index = getattr(focus(trace), side)
    if index is None:
        line(t("subspace.cover.none"), tone="quiet")
        return
    token = getattr(trace, side).tokens[index]
    line(t("subspace.cover", token=visible(token)))
    words = CoverageWords(
        share=t("subspace.cover.share"), rest=t("subspace.cover.rest"), outside=t("subspace.cover.outside")
    )
    figure = coverage(trace, side, index, words=words, palette=state.palette())
    chart(figure, f"cover-{side}", t("subspace.cover.alt"))


def control(chosen: Chosen, settings: Settings) -> None:
    """What random tokens of the same count score with these settings, beside BERTScore's."""
    pair = chosen.pair
    encoder = models.encoder(settings.get("encoder", "embedded"))
    try:
        idf = find_idf("novel", encoder, [pair])
    except YomikurabeError:
        line(t("subspace.control.no_dictionary"), tone="quiet")
        return
    rows = []
    for metric, given in ((METRIC, settings), ("bertscore", shared(settings))):
        scorer = models.prepare(metric, pair, settings=given, context=chosen.context)
        random = length_control(pair, scorer.score, encoder=encoder, idf=idf)
        own = scorer.score(pair).score
        if random is not None and own is not None:
            ends = interval(min(random.scores), max(random.scores), 3)
            rows.append((metric_name(metric), number(own, 3), number(random.mean, 3), ends))
    header = [t(f"subspace.control.{name}") for name in ("metric", "translation", "random", "range")]
    table(header, rows, numbers=frozenset({1, 2, 3}))
