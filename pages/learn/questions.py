"""Ask about the facts: one edits the translation and sees which question breaks."""

from __future__ import annotations

import streamlit as st

from pages.learn import lesson
from pages.ui import models
from pages.ui.evidence import questions
from pages.ui.text import column, errors_shown, line, metric_name, missing_reason, number, t, table

EXAMPLES = (
    lesson.Example(
        first="China's GDP grew by six percent in 2019.",
        second="In 2019 China's gross domestic product grew by 6 %.",
        changes=1,
        before="gross domestic product",
        after="GPP",
    ),
    lesson.Example(
        first="The letter arrived on March 12th.",
        second="The letter arrived on the 12th.",
        changes=1,
        before="the 12th",
        after="12 March",
    ),
    lesson.Example(
        first="斎藤さんは三月十二日に東京で二匹の猫を見た。",
        second="サイトウさんは3月12日、東京で猫を二匹見た。",
        changes=1,
        before="二匹",
        after="三匹",
    ),
)


@st.fragment
def try_it() -> None:
    """One pair, the reader's change, three numbers, and every question."""
    chosen = lesson.choose("questions", len(EXAMPLES))
    with errors_shown():
        pair = lesson.fields(
            "questions", chosen, EXAMPLES[chosen], (t("pair.reference"), t("pair.translation"))
        )
        result = models.score("mteqa", pair)
        if result.trace is None or result.score is None:
            line(missing_reason(result) if result.trace is None else t("flag.no-questions"))
            return
        names = [metric_name(name) for name in ("bleu", "bertscore", "mteqa")]
        others = [number(models.score(name, pair).score or 0, 3) for name in ("bleu", "bertscore")]
        table(names, [(*others, number(result.score, 3))], numbers=frozenset({0, 1, 2}))
        questions.shown(pair, result.trace, key="lesson-question-rows", brief=True)


with column():
    st.header(t("page.questions"), anchor=False)
    for part in ("problem", "idea"):
        line(t(f"learn.questions.{part}"))
    try_it()
    line(t("learn.questions.look"))
    lesson.question("questions")
