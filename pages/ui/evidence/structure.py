"""The evidence of structure alignment: two trees face to face, and a ledger of their subtrees."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from core.charts.evidence import relation_name, tree_words
from core.charts.trees import ChosenSubtree, trees
from core.metrics import find_metric
from core.metrics.base import Settings
from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import PART_OF_SIDE, SideName
from core.metrics.structure.metric import StructureSide, StructureTrace
from core.text.locale import Speaker
from core.types import Result
from pages.ui import metric_form, models, state
from pages.ui.evidence.keeping import keep_button
from pages.ui.evidence.tokens import SIDES
from pages.ui.picker import Chosen
from pages.ui.text import NONE, flag_words, guide, line, missing_reason, number, t
from pages.ui.widgets import chart, data_table, options, score_row, switch

METRICS = {"dependency": "structure-dep", "constituency": "structure-con"}
CLOSE_UP = 70  # words a side that are drawn together
_CHART, _CHOSEN = "structure-chart", "structure-chosen"


def structure(chosen: Chosen, shared: Settings) -> None:
    """The whole tab. `shared` are BERTScore's settings on this page, of which the layer counts here."""
    kind, own = _settings()
    given = {"layer": shared["layer"]} | metric_form.loaded_by(METRICS[kind], shared) | own
    result = models.score(METRICS[kind], chosen.pair, settings=given, stored=chosen.stored)
    if result.missing is not None:
        line(missing_reason(result))
        return
    trace = cast(StructureTrace, result.trace)
    if not (trace.reference.weights.any() and trace.hypothesis.weights.any()):
        line(t("pair.empty_side"))
        return
    summary(result)
    keep_button(chosen, [result], METRICS[kind])
    picture(trace, key=_CHART)
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            _ledger(result, trace, side)
    if kind == "constituency":
        with st.expander(t("structure.labels")):
            st.markdown(guide("labels"))


def _settings() -> tuple[str, dict[str, str]]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = switch(
            t("structure.trees"),
            tuple(METRICS),
            "structure-trees",
            lambda name: t(f"structure.trees.{name}"),
            about=t("structure.trees.help"),
        )
        declared = [option.name for option in find_metric(METRICS[kind]).options]
        own = [name for name in ("filter", "subtree_weight", "preterminals") if name in declared]
        return kind, options(METRICS[kind], own, "structure")


def summary(result: Result[StructureTrace]) -> None:
    """F, P and R, how many subtrees found no partner, and who made the trees."""
    trace = cast(StructureTrace, result.trace)
    lost = [
        f"{int((~own.aligned.agrees).sum())} / {len(own.subtrees)}"
        for own in (trace.reference, trace.hypothesis)
    ]
    score_row(result, (t("structure.unmatched"), " · ".join(lost), t("structure.unmatched.help")))
    origin = trace.reference.parse.origin or "dependency"
    known = origin if origin in ("built-in", "dependency") else "named"
    line(t(f"structure.origin.{known}", name=origin), tone="quiet")
    for flag in result.flags:
        line(flag_words(flag), tone="quiet")


def picture(trace: StructureTrace, *, key: str, told: str | None = None) -> None:
    """Both trees; a click on a mark joins it with its partner. told: a lesson's words on how to read them."""
    words = tree_words(trace, Speaker(state.language()))
    rows = None if told is not None else _rows(trace)
    figure = trees(trace, words=words, palette=state.palette(), chosen=_chosen(trace), rows=rows)
    line(t("structure.click") if told is None else told, tone="quiet")
    chart(figure, key, t("structure.alt"), on_select=lambda: _choose_mark(key), wide=True)


def _rows(trace: StructureTrace) -> tuple[range, range] | None:
    """In long texts one sentence of each side, chosen by its number."""
    if max(len(getattr(trace, side).parse.words) for side in SIDES) <= CLOSE_UP:
        return None
    found = []
    with st.container(horizontal=True, gap="medium"):
        for side in SIDES:
            parse = getattr(trace, side).parse
            ends = [*parse.sentences[1:], len(parse.words)]
            shown = [range(*pair) for pair in zip(parse.sentences, ends, strict=True)]
            key = f"structure-sentence-{side}"
            if (st.session_state.get(key) or 0) >= len(shown):
                st.session_state[key] = 0
            at = st.selectbox(
                t(f"structure.sentence.{side}"),
                range(len(shown)),
                key=key,
                format_func=[
                    _opening(parse.words, words, place) for place, words in enumerate(shown)
                ].__getitem__,
                width=320,
            )
            found.append(shown[at or 0])
    return found[0], found[1]


def _opening(words: tuple[Any, ...], rows: range, place: int) -> str:
    start = "".join(words[at].text + (" " if words[at].text.isascii() else "") for at in rows[:8])
    return f"{place + 1}: {start}…"


def _chosen(trace: StructureTrace) -> ChosenSubtree | None:
    side, place = st.session_state.get(_CHOSEN) or (None, 0)
    if side is None or place >= len(getattr(trace, side).subtrees):
        return None
    return ChosenSubtree(side, place)


def _choose_mark(key: str) -> None:
    points = [point for point in st.session_state[key].selection.points if len(point["customdata"]) > 1]
    if points:
        side, place = list(points[0]["customdata"])[:2]
        st.session_state[_CHOSEN] = (side, int(place))


def _ledger(result: Result[StructureTrace], trace: StructureTrace, side: SideName) -> None:
    own: StructureSide = getattr(trace, side)
    other = trace.hypothesis if side == "reference" else trace.reference
    st.subheader(t(f"structure.side.{side}"), anchor=False)
    names = [
        t(f"structure.column.{name}")
        for name in ("subtree", "label", "partner", "similarity", "share", "kept")
    ]
    shares = own.shares()
    partner = [None if at == NO_PARTNER else other.text(other.subtrees[at]) for at in own.aligned.partner]
    kept = [
        other.text(other.subtrees[best]) if best not in (NO_PARTNER, at) else ""
        for at, best in zip(own.aligned.partner, own.aligned.best, strict=True)
    ]
    columns: dict[str, list[Any]] = {
        names[0]: [own.text(subtree) for subtree in own.subtrees],
        names[1]: [
            relation_name(subtree.label, Speaker(state.language()))
            if trace.trees == "dependency"
            else subtree.label
            for subtree in own.subtrees
        ],
        names[2]: [NONE if text is None else text for text in partner],
        names[3]: [float(value) for value in own.aligned.similarity],
        names[4]: [float(share) for share in shares],
    }
    if trace.filter != "none":
        columns[names[5]] = kept
    formats = {names[3]: "%.3f", names[4]: "%.4f"}
    key = f"structure-rows-{side}"
    data_table(columns, key, formats, rows=len(own.subtrees), on_select=lambda: _choose_row(key, side))
    part = PART_OF_SIDE[side]
    value = number(result.parts[part], 4)
    line(t("pair.sum", total=number(float(shares.sum()), 4), part=t(f"pair.part.{part}"), value=value))


def _choose_row(key: str, side: SideName) -> None:
    rows = st.session_state[key].selection.rows
    if rows:
        st.session_state[_CHOSEN] = (side, rows[0])
