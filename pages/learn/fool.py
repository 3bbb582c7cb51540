"""Make a bad translation win: raise one metric above the good translation's, and no other."""

from __future__ import annotations

import streamlit as st

from core.hacks.robustness import better_under, fooled_alone
from db.queries.classroom import TEXT_LIMIT
from pages.learn import fooling, lesson
from pages.learn.fooling import METRICS, STORIES
from pages.ui.text import column, errors_shown, label, line, novel, t


@st.fragment
def try_it() -> None:
    """The texts, the reader's one to edit, the numbers, and the board."""
    chosen = lesson.choose("fool", len(STORIES))
    story = STORIES[chosen]
    for name, shown in (("reference", story.reference), ("good", story.good)):
        label(t(f"learn.fool.{name}"))
        novel(shown, lang=story.lang)
    with errors_shown():
        text = lesson.field("fool", chosen, story.bad, t("learn.fool.own"), limit=TEXT_LIMIT)
        good, own = fooling.scores(story, story.good), fooling.scores(story, text)
        fooling.beside(good, own)
        winner, key = fooled_alone(good, own), f"fool-{story.lang}"
        if winner is None:
            line(t("learn.fool.not_yet", ahead=len(better_under(good, own)), others=len(METRICS) - 1))
        else:
            fooling.add(key, winner, text, {name: value for name, value in own.items() if value is not None})
        fooling.shown(key, METRICS, lang=story.lang)


with column():
    st.header(t("page.fool"), anchor=False)
    for part in ("problem", "idea"):
        line(t(f"learn.fool.{part}"))
    try_it()
    line(t("learn.fool.look"))
    lesson.question("fool")
