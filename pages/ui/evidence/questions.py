"""The evidence of MTEQA: every question, both answers, every verdict, and the answers lit in the texts."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.backends.external import PREFIX
from core.metrics import find_metric
from core.metrics.base import Settings
from core.metrics.mteqa.metric import Asked, MteqaTrace
from core.metrics.mteqa.steps import LLM
from core.text.html import Tint
from core.types import OK, Result, TextPair
from pages.ui import metric_form, state
from pages.ui.evidence import asking
from pages.ui.evidence.keeping import keep_button
from pages.ui.picker import Chosen
from pages.ui.text import NONE, line, metric_name, missing_reason, number, plain, t, table
from pages.ui.widgets import data_table, figures, options, texts, value_name

METRIC = "mteqa"
STEPS = ("questions", "answers", "compare", "rounds")
_ROWS = "question-rows"


def questions(chosen: Chosen, shared: Settings) -> None:
    """The whole tab. `shared` are BERTScore's settings on this page, of which the layer counts here."""
    given = {"layer": shared["layer"], **metric_form.loaded_by(METRIC, shared), **_settings()}
    result = asking.scored(METRIC, chosen, given, key="questions", embedded=by_rules)
    if result is None:
        return
    if result.trace is None or (result.missing and "no-questions" not in result.flags):
        line(missing_reason(result))
    if "no-questions" in result.flags:
        line(t("flag.no-questions"))
    if result.trace is not None and "mteqa" in result.parts:
        summary(result)
        keep_button(chosen, [result], METRIC)
        shown(chosen.pair, result.trace)
    said = () if result.trace is None else result.trace.said
    if said:
        asking.heard(said, [one.state == OK for one in said], result.parts)


def by_rules() -> None:
    """A callback: back to what works without a language model."""
    usual = {option.name: option.default for option in find_metric(METRIC).options}
    st.session_state.update({f"questions-{name}": usual[name] for name in STEPS})


def _settings() -> dict[str, str]:
    """Who asks, who answers, how answers are compared, and how many rounds there are."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        return options(METRIC, STEPS, "questions")


def summary(result: Result[MteqaTrace]) -> None:
    """The mean verdict, how many questions there are and were answered, and how much they cover."""
    parts = result.parts
    figures(
        (
            (metric_name(METRIC), number(parts["mteqa"], 3), plain(result.signature)),
            (t("questions.asked"), f"{parts['questions']:.0f}", None),
            (t("questions.answered"), f"{parts['answered']:.0f}", None),
            (t("questions.coverage"), f"{100 * parts['coverage']:.0f} %", t("questions.coverage.help")),
        )
    )


MOST_PROJECTED = 1


def listed(pair: TextPair, trace: MteqaTrace) -> None:
    """Both texts with the answers lit, and each question with what counts: for a lesson.

    Before a room only the first questions, those with another answer before the others.
    """
    _lit(pair, trace, None)
    asked = list(trace.asked)
    if state.projector():
        asked = sorted(asked, key=lambda one: one.verdict)[:MOST_PROJECTED]
    else:
        line(t("questions.lines"), tone="quiet")
    header = [t(f"questions.column.{name}") for name in ("question", "expected", "given", "verdict")]
    rows = [
        (one.question, one.expected, one.given or t("questions.none"), number(one.verdict, 2))
        if one.usable
        else (one.question, one.expected, t("questions.none"), NONE)
        for one in asked
    ]
    table(header, rows, numbers=frozenset({3}))


def shown(pair: TextPair, trace: MteqaTrace) -> None:
    """Both texts with the answers lit, and the table whose rows light one of them."""
    rows = st.session_state.get(_ROWS)
    picked = rows.selection.rows if rows is not None and rows.selection.rows else []
    chosen = picked[0] if picked and picked[0] < len(trace.asked) else None
    _lit(pair, trace, chosen)
    line(t("questions.legend"), tone="quiet")
    _table(trace)
    if chosen is not None:
        line(_reason(trace.asked[chosen]))


def _lit(pair: TextPair, trace: MteqaTrace, chosen: int | None) -> None:
    expected = [(question.start, question.end) for question in trace.asked]
    given = [(question.given_start, question.given_end) for question in trace.asked]
    passages = (
        (t("pair.reference"), pair.reference, tints(trace, expected, chosen)),
        (t("pair.translation"), pair.hypothesis, tints(trace, given, chosen)),
    )
    texts(passages, lang=pair.lang, colour=state.palette().match)


def tints(trace: MteqaTrace, places: list[tuple[int, int]], chosen: int | None) -> list[Tint]:
    """An answer each: full where the verdict is 1, wavy where it is below, double where it is looked at."""
    marks: list[Tint] = []
    for index in sorted(range(len(places)), key=lambda question: places[question]):
        start, end = places[index]
        question: Asked = trace.asked[index]
        if start >= 0:
            marks.append(
                Tint(
                    start=start,
                    end=end,
                    strength=0.2 + 0.8 * question.verdict,
                    title=f"{question.question} {number(question.verdict, 2)}",
                    underline="double" if index == chosen else "solid" if question.verdict == 1 else "wavy",
                )
            )
    return marks


def _reason(asked: Asked) -> str:
    """Why the verdict is what it is: our sentence, or the language model's own words."""
    if asked.decided.startswith(PREFIX) and asked.reason != "no-answer":
        return t(
            "questions.reason.outside",
            name=asked.decided.removeprefix(PREFIX),
            words=number(asked.verdict, 2),
        )
    if asked.decided == LLM:
        return t("questions.reason.llm", words=asked.reason or NONE)
    return t(f"questions.reason.{asked.reason}", expected=asked.expected, given=asked.given or NONE)


def _table(trace: MteqaTrace) -> None:
    head = {
        name: t(f"questions.column.{name}") for name in ("question", "expected", "given", "verdict", "fit")
    }
    columns: dict[str, list[Any]] = {
        head["question"]: [one.question for one in trace.asked],
        head["expected"]: [one.expected for one in trace.asked],
        head["given"]: [one.given or t("questions.none") for one in trace.asked],
        head["verdict"]: [one.verdict if one.usable else None for one in trace.asked],
    }
    compared = [{one.name: one.value for one in asked.verdicts} for asked in trace.asked]
    for name in dict.fromkeys(name for asked in compared for name in asked):
        columns[value_name("compare", name)] = [asked.get(name) for asked in compared]
    columns[head["fit"]] = [one.fit for one in trace.asked]
    numbers = list(columns)[3:]
    if trace.first is not None:
        rounds = [1 if place < trace.first else 2 for place in range(len(trace.asked))]
        columns[t("questions.column.round")] = rounds
    formats = dict.fromkeys(numbers, "%.2f")
    data_table(columns, _ROWS, formats, rows=len(trace.asked), most_pixels=560, on_select="rerun")
