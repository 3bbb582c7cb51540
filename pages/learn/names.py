"""Why a wrong name nearly passes, and what reading it aloud does about it: examples of the novels paper."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.metrics.reading import ReadingTrace
from pages.learn import lesson
from pages.ui import models
from pages.ui.evidence import names
from pages.ui.text import NONE, column, errors_shown, line, metric_name, number, t, table

THRESHOLD = "1.5"  # from this idf on the pieces of 斎藤 and 猟師 are rare in our dictionary of novels
EXAMPLES = (
    lesson.Example(
        first="田中さんはジュースを一本買った。",
        second="佐藤さんはジュースを一本買った。",
        changes=1,
        before="佐藤",
        after="田中",
    ),
    lesson.Example(
        first="斎藤さんは今最高の環境にいると思った。",
        second="尾崎は自分がこれまでにないほど良い場所にいると思った。",
        changes=1,
        before="尾崎",
        after="斎藤",
    ),
    lesson.Example(
        first="あなたは猟師のように槍を握っていなかったから失敗したのよ。",
        second="あなたはハンターがすべきように槍を持っていなかった、そしてあなたが逃したのでそれはあなたのせいです。",
        changes=1,
        before="ハンター",
        after="猟師",
    ),
)
PAPER = ((), (0.477, 0.514, 0.492), (0.790, 0.617, 0.605))
"""People, BERTScore, with the penalty, as printed; nothing is printed for the first pair."""
SETTINGS = ({"criterion": "ner"}, {"threshold": THRESHOLD}, {"threshold": THRESHOLD})


@st.fragment
def try_it() -> None:
    """One pair, the reader's change, the numbers, and the picture."""
    chosen = lesson.choose("names", len(EXAMPLES))
    line(t(f"learn.names.meaning.{chosen}"), tone="quiet")
    with errors_shown():
        captions = (t("pair.reference"), t("pair.translation"))
        pair = lesson.fields("names", chosen, EXAMPLES[chosen], captions)
        result = models.score("bertscore-reading", pair, settings=SETTINGS[chosen])
        trace = cast(ReadingTrace, result.trace)
        if trace.base.empty:
            line(t("pair.empty_side"))
            return
        header = ("", t("learn.people"), t("names.base"), metric_name("bertscore-reading"))
        ours = (NONE, number(result.parts["base_f1"], 3), number(result.parts["f1"], 3))
        paper = tuple(number(value, 3) for value in PAPER[chosen]) or (NONE,) * 3
        rows = ((t("learn.paper"), *paper), (t("learn.here"), *ours))
        table(header, rows, numbers=frozenset({1, 2, 3}))
        names.picture(trace, key="lesson-waterfall")
        line(t("learn.names.marked"), tone="quiet")
        names.marked(pair, trace)
        names.legend()
        names.readings(trace, lang=pair.lang)
        limit = t("learn.names.threshold", threshold=THRESHOLD)
        line(limit if "threshold" in SETTINGS[chosen] else t("learn.names.by_name"), tone="quiet")


with column():
    st.header(t("page.names"), anchor=False)
    for part in ("problem", "idea"):
        line(t(f"learn.names.{part}"))
    try_it()
    line(t("learn.names.look"))
    lesson.question("names")
