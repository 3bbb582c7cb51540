"""What a settings grid is asked for: metrics, axes with their values, and how many segments."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.grid.axes import METRIC, MOST_CELLS, Axis, how_many
from core.metrics import METRICS, find_metric
from core.metrics.bertscore.weights import shipped
from pages.auth import session
from pages.debug.meta.option_words import option_name, value_name
from pages.ui.text import line, t

USUAL_METRICS = ("bertscore", "bertscore-reading")
USUAL_AXES = ("layer", "weight")
OFFERED = (
    "layer", "weight", "idf", "quantile", "mode", "criterion", "reading", "kana", "energy", "window",
    "specials", "rescale", "long", "filter", "subtree_weight", "preterminals", "compare", "tokenize",
    "encoder",
)  # fmt: skip
_ASKING = ("gemba-mqm", "gemba-da")
_LLM = "llm"
_SUGGESTED = {
    "layer": ("3", "6", "7", "8", "9", "10", "11", "12"),
    "quantile": ("0.30", "0.40", "0.50", "0.60", "0.70"),
    "energy": ("1.0", "0.9", "0.8", "0.6"),
    "encoder": ("embedded",),
}
_AT_FIRST = {"layer": ("6", "9", "12"), "quantile": ("0.40", "0.70"), "energy": ("1.0", "0.8", "0.6")}


def asked(lang: str) -> list[Axis]:
    """The axes that the reader chose; `metric` comes first. Empty while something is lacking."""
    metrics = st.multiselect(
        t("systems.metric"), [name for name in METRICS if name not in _ASKING], list(USUAL_METRICS),
        key="grid-metrics", format_func=lambda name: t(f"metric.{name}"),
    )  # fmt: skip
    offered = _offered(metrics)
    chosen = st.session_state.get("grid-axes", USUAL_AXES)
    st.session_state["grid-axes"] = [one for one in chosen if one in offered]
    names = st.multiselect(
        t("grid.axes"), offered, key="grid-axes", format_func=option_name, help=t("grid.axes_help")
    )
    places = st.columns(2, gap="medium")
    axes = [Axis(METRIC, tuple(metrics))]
    for number, name in enumerate(names):
        with places[number % 2]:
            axes.append(Axis(name, tuple(_values(name, metrics, lang))))
    return axes if all(axis.values for axis in axes) else []


def size(axes: Sequence[Axis], translations: int) -> bool:
    """Say how much that is; whether it can be started."""
    if not axes:
        line(t("grid.lacking"), tone="quiet")
        return False
    count = how_many(axes)
    line(t("grid.size", cells=f"{count:,}", n=f"{translations:,}"))
    if count > MOST_CELLS:
        line(t("grid.too_many", most=f"{MOST_CELLS:,}"), tone="quiet")
    return count <= MOST_CELLS


def _offered(metrics: Sequence[str]) -> list[str]:
    """Options of any of the metrics; which model is loaded is an organiser's to say."""
    own = {option.name for metric in metrics for option in find_metric(metric).options}
    return [name for name in OFFERED if name in own and (name != "encoder" or session.viewer().manages)]


def _values(name: str, metrics: Sequence[str], lang: str) -> list[str]:
    """The values of an axis; numbers and names of models may be typed."""
    typed = name in _SUGGESTED
    offered = list(_SUGGESTED[name]) if typed else _choices(name, metrics, lang)
    chosen: list[str] = st.multiselect(
        option_name(name), offered, list(_AT_FIRST.get(name, offered)), key=f"grid-values-{name}-{lang}",
        format_func=lambda value: value_name(name, value), accept_new_options=typed,
        help=t("grid.typed_help") if typed else None,
    )  # fmt: skip
    return list(dict.fromkeys(value.strip() for value in chosen if value.strip()))


def _choices(name: str, metrics: Sequence[str], lang: str) -> list[str]:
    if name == "idf":
        return [*shipped(lang), "references"]
    options = (option for metric in metrics for option in find_metric(metric).options)
    found = next(option for option in options if option.name == name)
    return [value for value in found.choices if value != _LLM]
