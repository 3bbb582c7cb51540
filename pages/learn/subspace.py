"""What no single word says but the sentence does: the examples of Ishibashi et al."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.metrics.subspace import SubspaceTrace
from core.types import TextPair
from pages.learn import lesson
from pages.ui import models
from pages.ui.evidence import subspace
from pages.ui.text import column, errors_shown, line, number, t, table

MORE = " The train was late, and it rained all day."
TEXTS = (
    ("royal", "They are the king and queen."),
    ("royal", "They are royalty."),
    ("genius", "He's very skilled at playing music."),
    ("genius", "He's a very talented musician."),
)
EXAMPLES = tuple(
    lesson.Example(first=sentence, second=word, changes=0, before="", after=MORE) for word, sentence in TEXTS
)
PAPER = ((0.60, 0.69), (0.72, 0.76), (0.69, 0.76), (0.78, 0.82))
"""Greedy cosine and membership of the word in the sentence, as printed."""


def both(pair: TextPair) -> tuple[str, str]:
    """Greedy cosine and membership of the word, the mean over its tokens."""
    found = (models.score(metric, pair).parts["precision"] for metric in ("bertscore", "subspace"))
    greedy, inside = (number(value, 2) for value in found)
    return greedy, inside


def beside_the_paper() -> None:
    """The paper's four rows and ours."""
    header = [t(f"learn.subspace.column.{name}") for name in ("word", "sentence")]
    header += [t("learn.subspace.paper_greedy"), t("learn.subspace.paper_inside")]
    header += [t("learn.subspace.our_greedy"), t("learn.subspace.our_inside")]
    rows = []
    for place, (word, sentence) in enumerate(TEXTS):
        printed = (number(value, 2) for value in PAPER[place])
        ours = both(TextPair(reference=sentence, hypothesis=word, lang="en"))
        rows.append((word, sentence, *printed, *ours))
    table(header, rows, numbers=frozenset(range(2, 6)))


@st.fragment
def try_it() -> None:
    """One word, one sentence, the numbers, and the picture."""
    chosen = st.selectbox(
        t("learn.example"),
        range(len(TEXTS)),
        key="lesson-subspace",
        format_func=lambda place: " – ".join(TEXTS[place]),
        filter_mode=None,
        persist_state="session",
    )
    captions = (t("learn.subspace.column.sentence"), t("learn.subspace.column.word"))
    pair = lesson.fields("subspace", chosen, EXAMPLES[chosen], captions)
    result = models.score("subspace", pair)
    trace = cast(SubspaceTrace, result.trace)
    if not trace.hypothesis.weights.any():
        line(t("pair.empty_side"))
        return
    greedy, inside = both(pair)
    line(t("learn.subspace.numbers", greedy=greedy, inside=inside), tone="title")
    subspace.ranks(result, captions)
    subspace.picture(trace, "hypothesis", key="lesson-memberships")


with column():
    st.header(t("page.subspace"), anchor=False)
    with errors_shown():
        for part in ("problem", "idea"):
            line(t(f"learn.subspace.{part}"))
        beside_the_paper()
        line(t("learn.subspace.look"))
        try_it()
    lesson.question("subspace")
