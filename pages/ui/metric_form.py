"""A form's metrics with their options, and the cost of those that ask a language model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.backends import Judge
from core.metrics import find_metric, known_metrics
from core.metrics.base import Metric
from core.scoring import dollars
from core.types import CostEstimate
from pages.auth import session
from pages.ui.text import line, metric_name, number, t
from pages.ui.widgets import option, options

FOR_ORGANISERS = frozenset({"encoder", "parser", "reader", "engine", "precision", "device"})
"""Options that name a folder or a model to load, or how it runs; only organisers may set them."""

Chosen = dict[str, dict[str, str]]
"""Metrics by name, each with the options that differ from the defaults."""


def choose(caption: str, default: Sequence[str], *, key: str) -> Chosen:
    """Some of all metrics, judges and external ones among them, with their options folded in."""
    known = known_metrics()
    names = st.multiselect(
        caption, list(known), list(default), key=key, format_func=metric_name, placeholder=t("widget.choose")
    )
    settable = {name: _settable(known[name]) for name in names}
    if not any(settable.values()):
        return {name: {} for name in names}
    with st.expander(t("metric_form.options"), icon=":material/tune:"):
        return {name: _settings(known[name], options, f"{key}-{name}") for name, options in settable.items()}


def _settable(metric: Metric[Any]) -> list[str]:
    every = session.viewer().manages
    return [one.name for one in metric.options if every or one.name not in FOR_ORGANISERS]


def _settings(metric: Metric[Any], names: Sequence[str], key: str) -> dict[str, str]:
    if not names:
        return {}
    with st.container(border=True):
        line(metric_name(metric.name))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            chosen = {name: option(metric.name, name, key) for name in names}
    return _changed(metric.name, chosen)


def _changed(metric: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """The settings that differ from the defaults."""
    defaults = {one.name: one.default for one in find_metric(metric).options}
    return {name: value for name, value in chosen.items() if value != defaults[name]}


def models_to_load(key: str) -> dict[str, str]:
    """Another encoder and parser than the built-in ones, for those who may set them."""
    if not session.viewer().manages:
        return {}
    with st.expander(t("metric_form.models"), icon=":material/deployed_code:"):
        line(t("metric_form.models_what"), tone="quiet")
        left, right = st.columns(2, gap="medium")
        with left:
            encoder = _changed("bertscore", options("bertscore", ["encoder"], key))
        with right:
            parser = _changed("structure-dep", options("structure-dep", ["parser"], key))
    return encoder | parser


def loaded_by(metric: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The encoder and parser of a page's settings, as far as the metric has an option for them."""
    chosen = {name: settings[name] for name in ("encoder", "parser") if name in settings}
    return taken_by(metric, chosen)


def taken_by(metric: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Those of the settings that the metric has an option for."""
    known = {one.name for one in find_metric(metric).options}
    return {name: value for name, value in settings.items() if name in known}


def ready(costs: Sequence[tuple[Judge, CostEstimate]], *, key: str) -> bool:
    """Whether there is nothing to pay, or the reader has read the cost and pressed the button."""
    if not costs:
        return True
    for judge, cost in costs:
        judge.limit(cost.prompt_tokens + cost.completion_tokens)
        line(cost_words(judge, cost))
    return st.button(t("asking.ask"), key=f"{key}-ask", type="primary", help=t("asking.ask_help"))


def cost_words(judge: Judge, cost: CostEstimate) -> str:
    """What new calls would cost at most, in calls, tokens and, where prices are known, dollars."""
    values = {"model": judge.name, "calls": cost.new, "stored": cost.calls - cost.new}
    words = t("asking.cost", tokens=f"{cost.prompt_tokens + cost.completion_tokens:,}", **values)
    return " ".join([words, *money(judge, cost.prompt_tokens, cost.completion_tokens)])


def money(judge: Judge | None, prompts: float, replies: float) -> list[str]:
    """The price in dollars as a sentence; nothing where prices are not known."""
    amount = None if judge is None else dollars(judge, prompts, replies)
    if amount is None:
        return []
    shown = math.ceil(amount * 1e4) / 1e4
    return [t("asking.money", amount=number(shown, 2 if shown >= 1 else 4))]
