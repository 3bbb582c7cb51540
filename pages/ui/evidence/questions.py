"""The evidence of MTEQA: every question, both answers, every verdict, and the answers lit in the texts."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from core.metrics.base import Settings
from core.metrics.mteqa.metric import Asked, MteqaTrace
from core.metrics.mteqa.steps import LLM
from core.text.html import Tint
from core.types import OK, Result, TextPair
from pages.ui import state
from pages.ui.evidence import asking
from pages.ui.evidence.structure import plain_missing
from pages.ui.picker import Chosen
from pages.ui.text import label, line, number, plain, t, tinted

METRIC = "mteqa"
COMPARE = ("value", "f1", "em", "bleu", "chrf", "bertscore")
STEPS = {"questions": ("rules", LLM), "answers": ("match", LLM), "compare": (*COMPARE, LLM)}
"""Who takes each step, the usual one first."""
_ROWS = "question-rows"


def questions(chosen: Chosen, shared: Settings) -> None:
    """The whole tab. `shared` are BERTScore's settings on this page, of which the layer counts here."""
    given = {"layer": shared["layer"], **_settings()}
    result = asking.scored(METRIC, chosen.pair, given, key="questions", embedded=by_rules)
    if result is None:
        return
    if result.trace is None or (result.missing and "no-questions" not in result.flags):
        line(plain_missing(result))
    if "no-questions" in result.flags:
        line(t("flag.no-questions"))
    if result.trace is not None and "mteqa" in result.parts:
        summary(result)
        shown(chosen.pair, result.trace)
    said = () if result.trace is None else result.trace.said
    if said:
        asking.heard(said, [one.state == OK for one in said], result.parts)


def by_rules() -> None:
    """A callback: back to what works without a language model."""
    st.session_state.update({f"questions-{name}": usual for name, (usual, *_) in STEPS.items()})


def _settings() -> dict[str, str]:
    """Who asks, who answers, and how answers are compared."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        return {
            name: cast(
                str,
                st.segmented_control(
                    t(f"questions.{name}"),
                    choices,
                    default=choices[0],
                    required=True,
                    key=f"questions-{name}",
                    format_func=lambda value, name=name: t(f"questions.{name}.{value}"),
                    help=t(f"questions.{name}.help"),
                    persist_state="session",
                ),
            )
            for name, choices in STEPS.items()
        }


def summary(result: Result[MteqaTrace]) -> None:
    """The mean verdict, how many questions there are and were answered, and how much they cover."""
    parts = result.parts
    values = (
        (t("metric.mteqa"), number(parts["mteqa"], 3), plain(result.signature)),
        (t("questions.asked"), f"{parts['questions']:.0f}", None),
        (t("questions.answered"), f"{parts['answered']:.0f}", None),
        (t("questions.coverage"), f"{100 * parts['coverage']:.0f} %", t("questions.coverage.help")),
    )
    with st.container(horizontal=True, gap="large"):
        for caption, value, about in values:
            st.metric(caption, value, help=about, width="content")


def shown(pair: TextPair, trace: MteqaTrace, *, key: str = _ROWS) -> None:
    """Both texts with the answers lit, and the table whose rows light one of them."""
    rows = st.session_state.get(key)
    picked = rows.selection.rows if rows is not None and rows.selection.rows else []
    chosen = picked[0] if picked and picked[0] < len(trace.asked) else None
    texts = (
        (t("pair.reference"), pair.reference, [(one.start, one.end) for one in trace.asked]),
        (t("pair.translation"), pair.hypothesis, [(one.given_start, one.given_end) for one in trace.asked]),
    )
    for column, (caption, text, places) in zip(st.columns(2, gap="medium"), texts, strict=True):
        with column.container(border=True, height="stretch", gap=None):
            label(caption)
            tinted(text, _tints(trace, places, chosen), lang=pair.lang, colour=state.palette().match)
    line(t("questions.legend"), tone="quiet")
    _table(trace, key)
    if chosen is not None:
        one = trace.asked[chosen]
        line(_reason(one))


def _tints(trace: MteqaTrace, places: list[tuple[int, int]], chosen: int | None) -> list[Tint]:
    """An answer each: full where the verdict is 1, wavy where it is below, double where it is looked at."""
    found: list[Tint] = []
    end = 0
    for at in sorted(range(len(places)), key=lambda place: places[place]):
        start, stop = places[at]
        if start < end or start < 0:
            continue
        end = stop
        one: Asked = trace.asked[at]
        right = one.verdict == 1
        found.append(
            Tint(
                start=start,
                end=stop,
                strength=0.2 + 0.8 * one.verdict,
                title=f"{one.question} {number(one.verdict, 2)}",
                underline="double" if at == chosen else "solid" if right else "wavy",
            )
        )
    return found


def _reason(one: Asked) -> str:
    """Why the verdict is what it is: our sentence, or the language model's own words."""
    if one.decided == LLM:
        return t("questions.reason.llm", words=one.reason or "–")
    return t(f"questions.reason.{one.reason}", expected=one.expected, given=one.given or "–")


def _table(trace: MteqaTrace, key: str) -> None:
    head = {
        name: t(f"questions.column.{name}") for name in ("question", "expected", "given", "verdict", "fit")
    }
    columns: dict[str, list[Any]] = {
        head["question"]: [one.question for one in trace.asked],
        head["expected"]: [one.expected for one in trace.asked],
        head["given"]: [one.given or "–" for one in trace.asked],
        head["verdict"]: [one.verdict if one.usable else None for one in trace.asked],
    }
    for place, name in enumerate(COMPARE):
        columns[t(f"questions.compare.{name}")] = [one.verdicts[place].value for one in trace.asked]
    columns[head["fit"]] = [one.fit for one in trace.asked]
    numbers = list(columns)[3:]
    st.dataframe(
        columns,
        hide_index=True,
        key=key,
        height=min(38 + 35 * len(trace.asked), 560),
        on_select="rerun",
        selection_mode="single-row",
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in numbers},
    )
