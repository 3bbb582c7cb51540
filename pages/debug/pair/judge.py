"""The evidence of GEMBA: the errors that a language model marked, and its replies as they came."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from core.metrics import find_metric
from core.metrics.gemba.metric import MOST_SAMPLES, GembaTrace, Judged
from core.metrics.gemba.parse import SEVERITIES, MqmError
from core.text.html import Tint, Underline
from core.types import Result
from pages.ui import state
from pages.ui.evidence import asking, questions
from pages.ui.evidence.structure import plain_missing
from pages.ui.picker import Chosen
from pages.ui.text import flag_words, label, line, number, plain, t, table, tinted

SCHEMES = ("mqm", "da")
_LOOKS: dict[str, tuple[float, Underline]] = {
    "critical": (1.0, "double"),
    "major": (0.7, "solid"),
    "minor": (0.3, "dotted"),
}
"""How strong the colour of an error is, and its line: a severity never shows by colour alone."""


def judge(chosen: Chosen) -> None:
    """The whole tab: settings, cost, score, errors in the text, and the raw replies."""
    scheme, settings = _settings()
    if not (chosen.pair.source or "").strip():
        line(t("judge.no_source"))
        return
    result = asking.scored(f"gemba-{scheme}", chosen.pair, settings, key="judge", embedded=_to_the_questions)
    if result is None:
        return
    for flag in result.flags:
        line(flag_words(flag), tone="quiet")
    trace = cast(GembaTrace | None, result.trace)
    if trace is None or result.score is None:
        line(plain_missing(result))
    else:
        summary(result, trace)
    if trace is not None:
        _asked(result, trace, chosen.pair.lang)


def _settings() -> tuple[str, dict[str, str]]:
    options = {option.name: option for option in find_metric("gemba-mqm").options}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        scheme = _choice("scheme", SCHEMES)
        own = {name: _choice(name, options[name].choices) for name in ("parse", "guard")}
        samples = st.number_input(
            t("judge.option.samples"),
            min_value=1,
            max_value=MOST_SAMPLES,
            value=1,
            key="judge-samples",
            width=130,
            help=t("judge.option.samples.help"),
            persist_state="session",
        )
    return scheme, {**own, "samples": str(samples)}


def _choice(name: str, choices: tuple[str, ...]) -> str:
    chosen = st.segmented_control(
        t(f"judge.option.{name}"),
        choices,
        default=choices[0],
        required=True,
        key=f"judge-{name}",
        format_func=lambda value: t(f"judge.option.{name}.{value}"),
        help=t(f"judge.option.{name}.help"),
        persist_state="session",
    )
    return cast(str, chosen)


def summary(result: Result[Any], trace: GembaTrace) -> None:
    """The score with its band, the errors of each severity, and the score with what spoke to the judge."""
    parts = result.parts
    digits = 1 if trace.scheme == "da" or parts["samples"] > 1 else 0
    values = [(t(f"metric.{result.metric}"), number(parts[trace.scheme], digits), plain(result.signature))]
    if parts["samples"] > 1:
        band = f"{number(parts['low'], 0)} … {number(parts['high'], 0)}"
        read = f"{parts['readable']:.0f} / {parts['samples']:.0f}"
        values += [(t("judge.band"), band, t("judge.band.help")), (t("judge.readable"), read, None)]
    if "as_given" in parts:
        values.append((t("judge.as_given"), number(parts["as_given"], digits), t("judge.as_given.help")))
    for severity in SEVERITIES if trace.scheme == "mqm" else ():
        values.append((t(f"judge.severity.{severity}"), number(parts.get(severity, 0), digits), None))
    with st.container(horizontal=True, gap="large"):
        for caption, value, about in values:
            st.metric(caption, value, help=about, width="content")


def _asked(result: Result[Any], trace: GembaTrace, lang: str) -> None:
    """Each text that was judged with its errors, then every reply as it came, and what it all cost."""
    texts = [trace.given] if trace.cleaned is None else [trace.cleaned, trace.given]
    for place, judged in enumerate(texts):
        if len(texts) > 1:
            st.subheader(t("judge.cleaned") if place == 0 else t("judge.given"), anchor=False)
        if trace.scheme == "mqm":
            _errors(judged, lang, key=f"judge-sample-{place}")
    samples = [sample for judged in texts for sample in judged.samples]
    if samples:
        asking.heard([one.said for one in samples], [one.readable for one in samples], result.parts)


def _errors(judged: Judged, lang: str, *, key: str) -> None:
    """The text with the errors of one reply, and a table of them."""
    readable = [place for place, sample in enumerate(judged.samples) if sample.readable]
    if not readable:
        return
    place = readable[0]
    if len(readable) > 1:
        picked = st.segmented_control(
            t("judge.sample"), readable, default=place, required=True, key=key,
            format_func=lambda at: f"{at + 1}",
        )  # fmt: skip
        place = readable[0] if picked is None else picked
    faults = judged.samples[place].faults
    with st.container(border=True, gap=None):
        label(t("pair.translation"))
        tinted(judged.text, tints(faults), lang=lang, colour=state.palette().delete)
    line(t("judge.legend") if faults else t("judge.no_errors"), tone="quiet")
    if faults:
        head = [t(f"judge.column.{name}") for name in ("severity", "category", "words", "where")]
        rows = [
            (t(f"judge.severity.{one.severity}"), one.category or "–", one.span or one.line, _where(one))
            for one in faults
        ]
        table(head, rows)


def tints(faults: tuple[MqmError, ...]) -> list[Tint]:
    """A mark per error that stands in the text; where two overlap the graver one shows."""
    there = sorted(
        (one for one in faults if one.start >= 0), key=lambda one: (SEVERITIES.index(one.severity), one.start)
    )
    shown: list[Tint] = []
    for one in there:
        if any(one.start < other.end and other.start < one.end for other in shown):
            continue
        strength, underline = _LOOKS[one.severity]
        title = f"{t(f'judge.severity.{one.severity}')}: {one.category}"
        shown.append(Tint(start=one.start, end=one.end, strength=strength, title=title, underline=underline))
    return sorted(shown, key=lambda one: one.start)


def _where(fault: MqmError) -> str:
    if fault.start < 0:
        return t("judge.nowhere")
    first, last = fault.start + 1, fault.end
    return f"{first}" if first == last else f"{first}–{last}"


def _to_the_questions() -> None:
    """A callback: what can be had without a language model."""
    st.session_state["pair-tabs"] = t("pair.tab.questions")
    questions.by_rules()
