"""Who did what to whom: the same words in other places, told apart by the trees of the two sentences."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.types import Result, TextPair
from pages.learn import lesson, stored
from pages.learn.examples import FILTERS, STRUCTURE, STRUCTURE_METRICS
from pages.ui import address, state
from pages.ui.evidence import structure
from pages.ui.text import errors_shown, line, missing_reason, t
from pages.ui.widgets import switch

_METHOD = "lesson-structure-method"
PARTS = (
    *lesson.texts("structure", STRUCTURE),
    address.choice("method", _METHOD, FILTERS),
    lesson.PROJECTOR,
)
WORDS = ("dependency", "bertscore", "bleu", "f")


def scores(pair: TextPair, method: str) -> dict[str, Result[Any]]:
    """BLEU, BERTScore and structure of a pair; method: what must agree in two parts of the trees."""
    settings = {"structure-dep": {"filter": method}}
    return {name: stored.score(name, pair, settings.get(name)) for name in STRUCTURE_METRICS}


def play() -> None:
    """One pair, the reader's change, the three numbers before and after, and the two trees."""
    example = lesson.opened("structure", STRUCTURE)
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("structure")
        pair, effect = lesson.fields("structure", example, (t("pair.reference"), t("pair.translation")))
        method = switch(
            t("learn.structure.method"), FILTERS, _METHOD, lambda one: t(f"learn.structure.method.{one}")
        )
        line(t(f"learn.structure.about.{method}"), tone="quiet")
    with right, errors_shown():
        if not (pair.reference.strip() and pair.hypothesis.strip()):
            line(t("pair.empty_side"))
            return
        before, after = scores(example.start(), method), scores(pair, method)
        lesson.movement(before, after, effect, moved=pair != example.start())
        found = after["structure-dep"]
        if found.trace is None:
            line(missing_reason(found))
            return
        told = t("learn.structure.look_short" if state.projector() else "learn.structure.look")
        structure.picture(found.trace, key="lesson-trees", told=told)


with lesson.framed("structure", PARTS, words=WORDS, beside=lambda: lesson.choose("structure", STRUCTURE)):
    play()
