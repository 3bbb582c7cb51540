"""Ask about the facts: one edits the translation and sees which question breaks, and which numbers rise."""

from __future__ import annotations

import streamlit as st

from pages.learn import lesson, stored
from pages.learn.examples import QUESTION_METRICS, QUESTIONS
from pages.ui.evidence import questions
from pages.ui.text import errors_shown, line, missing_reason, t

PARTS = (*lesson.texts("questions", QUESTIONS), lesson.PROJECTOR)
WORDS = ("mteqa", "bleu", "bertscore", "f")


def play() -> None:
    """One pair, the reader's change, three numbers before and after, and every question."""
    example = lesson.opened("questions", QUESTIONS)
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("questions")
        pair, effect = lesson.fields("questions", example, (t("pair.reference"), t("pair.translation")))
    with right, errors_shown():
        before, after = (
            {name: stored.score(name, one) for name in QUESTION_METRICS} for one in (example.start(), pair)
        )
        lesson.movement(before, after, effect, moved=pair != example.start())
        asked = after["mteqa"]
        if asked.trace is None or asked.score is None:
            line(missing_reason(asked) if asked.trace is None else t("flag.no-questions"))
            return
        questions.listed(pair, asked.trace)


with lesson.framed("questions", PARTS, words=WORDS, beside=lambda: lesson.choose("questions", QUESTIONS)):
    play()
