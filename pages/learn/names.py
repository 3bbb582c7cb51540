"""Why a wrong name nearly passes, and what reading it aloud does about it, with pairs of the novels paper."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.metrics.reading import ReadingTrace
from core.types import TextPair
from pages.learn import lesson, stored
from pages.learn.examples import NAME_METRICS, NAMES, Example
from pages.ui import state
from pages.ui.evidence import names, tokens
from pages.ui.text import errors_shown, line, metric_name, number, t, table

PARTS = (*lesson.texts("names", NAMES), lesson.PROJECTOR)
WORDS = ("bertscore", "reading", "vector", "token", "idf", "f")


def paper(example: Example) -> None:
    """The paper's numbers of this pair, where it prints any."""
    if not example.paper:
        return
    header = ["", t("learn.people"), *(metric_name(name) for name in NAME_METRICS)]
    shown = [
        (t("learn.paper"), *(number(printed[name], 3) for name in ("people", *NAME_METRICS)))
        for printed in example.paper
    ]
    table(header, shown, numbers=frozenset({1, 2, 3}))
    line(t("learn.names.look"), tone="quiet")


def _read_aloud(pair: TextPair, trace: ReadingTrace, example: Example) -> None:
    names.picture(trace, key="lesson-waterfall")
    if state.projector():
        return
    with st.expander(t("learn.more")):
        line(t("learn.names.marked"), tone="quiet")
        names.marked(pair, trace)
        names.legend()
        names.readings(trace, lang=pair.lang)
        paper(example)


def play() -> None:
    """One pair, the reader's change, the numbers before and after, and the picture."""
    example = lesson.opened("names", NAMES)
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("names")
        pair, effect = lesson.fields("names", example, (t("pair.reference"), t("pair.translation")))
    with right, errors_shown():
        before, after = (
            {name: stored.score(name, one) for name in NAME_METRICS} for one in (example.start(), pair)
        )
        lesson.movement(before, after, effect, moved=pair != example.start())
        trace = cast(ReadingTrace | None, after["bertscore-reading"].trace)
        if trace is None or trace.base.empty:
            line(t("pair.empty_side"))
            return
        if "no-rare-token" in trace.flags():
            line(t("learn.names.unmarked"), tone="quiet")
            tokens.both_texts(pair, trace.base)
            paper(example)
        else:
            _read_aloud(pair, trace, example)


with lesson.framed("names", PARTS, words=WORDS, beside=lambda: lesson.choose("names", NAMES)):
    play()
