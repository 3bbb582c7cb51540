"""Make a bad translation win: raise one metric above the good translation's and no other, or fool all."""

from __future__ import annotations

import streamlit as st

from db.queries.boards import TEXT_LIMIT
from pages.learn import fooling, lesson
from pages.learn.examples import STORIES, Story
from pages.ui import address, state
from pages.ui.text import errors_shown, label, line, novel, t
from pages.ui.widgets import switch

_STORY = "lesson-fool"


def opened() -> Story:
    """The story that is open, at first the one in the reader's language."""
    lang = st.session_state.get(_STORY) or state.language()
    return next(one for one in STORIES if one.lang == lang)


def _key() -> str:
    return f"lesson-fool-{opened().lang}"


def _current() -> str | None:
    text = st.session_state.get(_key(), opened().bad)
    return None if text == opened().bad else str(text)


def _restore(value: str | None) -> None:
    st.session_state[_key()] = opened().bad if value is None else value[:TEXT_LIMIT]


PARTS = (
    address.choice("example", _STORY, [one.lang for one in STORIES]),
    address.Parameter(name="translation", current=_current, restore=_restore),
    lesson.PROJECTOR,
)
WORDS = ("bleu", "chrf", "bertscore", "subspace", "reading")


def choose() -> None:
    """Both stories, that in the reader's language first."""
    langs = sorted((one.lang for one in STORIES), key=lambda lang: lang != state.language())
    switch(t("learn.example"), langs, _STORY, lambda lang: t(f"learn.fool.example.{lang}"), hidden=True)


def play() -> None:
    """The texts, the reader's one to edit, the numbers, and the board."""
    story = opened()
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("fool")
        for name, shown in (("reference", story.reference), ("good", story.good)):
            with st.container(border=True, gap=None):
                label(t(f"learn.fool.{name}"))
                novel(shown, lang=story.lang)
        text = lesson.field("fool", story.lang, story.bad, t("learn.fool.own"), limit=TEXT_LIMIT)
    with right:
        campaign_id = fooling.class_of_visitor()
        with errors_shown():
            good, start, own = (fooling.scores(story, one) for one in (story.good, story.bad, text))
            won = fooling.category(story, good, own, text)
            fooling.beside(good, start, own)
            fooling.told(good, own, won)
            if won is not None:
                fooling.entry(story, won, text, own, campaign_id)
        if not state.projector():
            line(t("learn.fool.look"), tone="quiet")
        fooling.shown(story, campaign_id)


with lesson.framed("fool", PARTS, words=WORDS, beside=choose):
    play()
