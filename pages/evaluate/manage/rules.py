"""The rules by which raters will be called into question, declared before the campaign opens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from core.raters.rules import Rules, from_json, rules_for, to_json
from core.text.languages import base_lang
from pages.ui.text import line, t

# field, whether it may be off, lowest, highest, step
POINTS = (
    ("repeat_error", 0.0, 100.0, 1.0),
    ("degraded_p", 0.0, 1.0, 0.01),
    ("reference_share", 0.0, 1.0, 0.05),
    ("pace", 0.0, 20_000.0, 50.0),
    ("same_share", 0.0, 1.0, 0.05),
    ("drift_slope", 0.0, 100.0, 1.0),
)


def fields(stored: Mapping[str, Any], target_lang: str, key: str) -> dict[str, Any]:
    """The thresholds as widgets, each with a switch; gives what is to be stored."""
    usual = rules_for(base_lang(target_lang))
    before = now = from_json(stored) if stored else usual
    with st.expander(t("design.rules")):
        line(t("design.rules_note"), tone="quiet")
        for name, low, high, step in POINTS:
            now = replace(now, **{name: _threshold(now, usual, name, (low, high, step), key)})
        run = st.number_input(
            t("design.rule.same_run"), 0, 1000, now.same_run or 0, key=f"{key}-rule-run", width=260,
            help=t("design.rule.same_run_help"),
        )  # fmt: skip
    now = replace(now, same_run=int(run) or None)
    return dict(stored) if now == before else to_json(now)


def _threshold(
    now: Rules, usual: Rules, name: str, limits: tuple[float, float, float], key: str
) -> float | None:
    """One rule: on or off, and its threshold."""
    low, high, step = limits
    value = getattr(now, name)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        on = st.toggle(t(f"design.rule.{name}"), value is not None, key=f"{key}-rule-{name}", width=430)
        given = st.number_input(
            t("design.rule.threshold"),
            low,
            high,
            float(value if value is not None else getattr(usual, name) or high / 2),
            step,
            key=f"{key}-rule-{name}-at",
            width=150,
            disabled=not on,
            label_visibility="collapsed",
        )
    return float(given) if on else None
