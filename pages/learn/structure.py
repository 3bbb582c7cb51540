"""Who did what to whom: two sentences with the same words, told apart by their trees."""

from __future__ import annotations

import streamlit as st

from core.types import TextPair
from pages.learn import lesson
from pages.ui import models
from pages.ui.evidence import structure
from pages.ui.text import column, errors_shown, line, missing_reason, number, t, table

EXAMPLES = (
    lesson.Example(
        first="I saw a girl by a telescope.",
        second="I saw a girl having a telescope.",
        changes=1,
        before="having",
        after="by",
    ),
    lesson.Example(
        first="彼が彼女を見た。",
        second="彼女が彼を見た。",
        changes=1,
        before="彼女が彼を",
        after="彼が彼女を",
    ),
)
SETTINGS = {"filter": "role", "layer": "12"}


def beside(pair: TextPair) -> None:
    """BLEU, BERTScore and structure of the pair as it stands."""
    names = ("bleu", "bertscore", "structure")
    bleu = number(models.score("bleu", pair).score or 0, 2)
    tokens = number(models.score("bertscore", pair).parts["f1"], 3)
    found = models.score("structure-dep", pair, settings=SETTINGS)
    shown = (bleu, tokens, number(found.score, 3))
    table([t(f"learn.structure.column.{name}") for name in names], [shown], numbers=frozenset({0, 1, 2}))
    if found.trace is None:
        line(missing_reason(found))
        return
    structure.picture(found.trace, key="lesson-trees")


@st.fragment
def try_it() -> None:
    """One pair, the reader's change, the three numbers, and the two trees."""
    chosen = lesson.choose("structure", len(EXAMPLES))
    line(t(f"learn.structure.meaning.{chosen}"), tone="quiet")
    with errors_shown():
        captions = (t("pair.reference"), t("pair.translation"))
        pair = lesson.fields("structure", chosen, EXAMPLES[chosen], captions)
        if pair.reference.strip() and pair.hypothesis.strip():
            beside(pair)
        else:
            line(t("pair.empty_side"))


with column():
    st.header(t("page.structure"), anchor=False)
    for part in ("problem", "idea"):
        line(t(f"learn.structure.{part}"))
    try_it()
    line(t("learn.structure.look"))
    lesson.question("structure")
