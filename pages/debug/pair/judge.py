"""The evidence of GEMBA: the errors that a language model marked, and its replies as they came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import streamlit as st

from core.metrics.gemba.metric import MOST_SAMPLES, GembaTrace, Judged
from core.metrics.gemba.parse import SEVERITIES, MqmError
from core.text.html import Tint, Underline
from core.types import Result
from pages.ui import state
from pages.ui.evidence import asking, questions
from pages.ui.evidence.keeping import keep_button
from pages.ui.picker import Chosen
from pages.ui.text import (
    NONE,
    flag_words,
    interval,
    label,
    line,
    metric_name,
    missing_reason,
    number,
    plain,
    t,
    table,
    tinted,
)
from pages.ui.widgets import figures, option_help, option_name, options, switch

SCHEMES = ("mqm", "da")
_LOOKS: dict[str, tuple[float, Underline]] = {
    "critical": (1.0, "double"),
    "major": (0.7, "solid"),
    "minor": (0.3, "dotted"),
}
"""How strong the colour of an error is, and its line: a severity never shows by colour alone."""


def judge(chosen: Chosen) -> None:
    """The whole tab: settings, cost, score, errors in the text, and the raw replies."""
    metric, settings = _settings()
    if not (chosen.pair.source or "").strip():
        line(t("judge.no_source"))
        return
    result = asking.scored(metric, chosen, settings, key="judge", embedded=_to_the_questions)
    if result is None:
        return
    for flag in result.flags:
        line(flag_words(flag), tone="quiet")
    trace = cast(GembaTrace | None, result.trace)
    if trace is None or result.score is None:
        line(missing_reason(result))
    else:
        summary(result, trace)
        keep_button(chosen, [result], metric)
    if trace is not None:
        _asked(result, trace, chosen.pair.lang)


def _settings() -> tuple[str, dict[str, str]]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        scheme = switch(
            t("judge.scheme"),
            SCHEMES,
            "judge-scheme",
            lambda name: t(f"judge.scheme.{name}"),
            about=t("judge.scheme.help"),
        )
        metric = f"gemba-{scheme}"
        own = options(metric, ("parse", "guard"), "judge")
        samples = st.number_input(
            option_name("samples", metric),
            min_value=1,
            max_value=MOST_SAMPLES,
            value=1,
            key="judge-samples",
            width=130,
            help=option_help("samples", metric),
            persist_state="session",
        )
    return metric, {**own, "samples": str(samples)}


def summary(result: Result[Any], trace: GembaTrace) -> None:
    """The score with its band, the errors of each severity, and the score with what spoke to the judge."""
    parts = result.parts
    digits = 1 if trace.scheme == "da" or parts["samples"] > 1 else 0
    values: list[tuple[str, str, str | None]] = [
        (metric_name(result.metric), number(parts[trace.scheme], digits), plain(result.signature))
    ]
    if parts["samples"] > 1:
        band = interval(parts["low"], parts["high"], 0)
        read = f"{parts['readable']:.0f} / {parts['samples']:.0f}"
        values += [(t("judge.band"), band, t("judge.band.help")), (t("judge.readable"), read, None)]
    if "as_given" in parts:
        values.append((t("judge.as_given"), number(parts["as_given"], digits), t("judge.as_given.help")))
    for severity in SEVERITIES if trace.scheme == "mqm" else ():
        values.append((t(f"judge.severity.{severity}"), number(parts.get(severity, 0), digits), None))
    figures(values)


def _asked(result: Result[Any], trace: GembaTrace, lang: str) -> None:
    """Each text that was judged with its errors, then every reply as it came, and what it all cost."""
    judged = [trace.given] if trace.cleaned is None else [trace.cleaned, trace.given]
    for index, text in enumerate(judged):
        if len(judged) > 1:
            st.subheader(t("judge.cleaned") if index == 0 else t("judge.given"), anchor=False)
        if trace.scheme == "mqm":
            _errors(text, lang, key=f"judge-sample-{index}")
    samples = [sample for text in judged for sample in text.samples]
    if samples:
        said, readable = [sample.said for sample in samples], [sample.readable for sample in samples]
        asking.heard(said, readable, result.parts)


def _errors(judged: Judged, lang: str, *, key: str) -> None:
    """The text with the errors of one reply, and a table of them."""
    readable = [index for index, sample in enumerate(judged.samples) if sample.readable]
    if not readable:
        return
    index = readable[0]
    if len(readable) > 1:
        index = switch(t("judge.sample"), readable, key, lambda reply: f"{reply + 1}", persist=False)
    errors = judged.samples[index].faults
    with st.container(border=True, gap=None):
        label(t("pair.translation"))
        tinted(judged.text, tints(errors), lang=lang, colour=state.palette().delete)
    line(t("judge.legend") if errors else t("judge.no_errors"), tone="quiet")
    if errors:
        head = [t(f"judge.column.{name}") for name in ("severity", "category", "words", "where")]
        rows = [
            (
                t(f"judge.severity.{error.severity}"),
                error.category or NONE,
                error.span or error.line,
                _where(error),
            )
            for error in errors
        ]
        table(head, rows)


def tints(errors: Sequence[MqmError]) -> list[Tint]:
    """A mark per error whose words are in the text; the graver first, which show where two overlap."""
    marked = [error for error in errors if error.start >= 0]
    return [
        Tint(
            start=error.start,
            end=error.end,
            strength=_LOOKS[error.severity][0],
            title=f"{t(f'judge.severity.{error.severity}')}: {error.category}",
            underline=_LOOKS[error.severity][1],
        )
        for error in sorted(marked, key=lambda error: (SEVERITIES.index(error.severity), error.start))
    ]


def _where(error: MqmError) -> str:
    if error.start < 0:
        return t("judge.nowhere")
    first, last = error.start + 1, error.end
    return f"{first}" if first == last else f"{first}–{last}"


def _to_the_questions() -> None:
    """A callback: what can be had without a language model."""
    st.session_state["pair-tabs"] = t("pair.tab.questions")
    questions.by_rules()
