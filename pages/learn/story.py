"""Two translators, one story: how an aligner brings them together, and what the metrics say of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.charts.beads import ROW, SURE, BeadColumn, beads
from core.metrics import digits_of
from core.types import Result
from pages.learn import lesson, stored, why
from pages.learn.passages import ACROSS, BESIDE, TRANSLATORS, PassageRow, StoryPassage, passages
from pages.learn.verdict import metric_in_sentence
from pages.ui import address, state
from pages.ui.text import NONE, label, line, metric_name, novel, number, t, table
from pages.ui.widgets import chart, switch

NAMES = [one.name for one in passages()]
_PASSAGE, _REFERENCE, _ROW = "lesson-story", "lesson-story-reference", "lesson-story-row"


def opened() -> StoryPassage:
    """The passage that is open, at first the first."""
    name = st.session_state.get(_PASSAGE)
    return next((one for one in passages() if one.name == name), passages()[0])


PARTS = (
    address.choice("example", _PASSAGE, NAMES),
    address.choice("reference", _REFERENCE, TRANSLATORS),
    address.number("row", _ROW),
    lesson.PROJECTOR,
)
WORDS = ("reference", "metric", "bleu", "chrf", "bertscore", "mteqa", "cosine")
PROJECTED_ROW = 18
"""Pixels of a sentence in the picture before a class."""


def choose() -> None:
    """The passages."""
    switch(t("learn.example"), NAMES, _PASSAGE, lambda one: t(f"learn.story.example.{one}"), hidden=True)


def who(translator: str) -> str:
    """A translator for a reader."""
    return t(f"learn.story.who.{translator}")


def scores(passage: StoryPassage, reference: str) -> dict[str, Result[Any]]:
    """The other translation against this one, under every metric that compares two Japanese texts."""
    return {name: stored.score(name, passage.beside(reference)) for name in BESIDE}


def across(passage: StoryPassage) -> dict[str, dict[str, Result[Any]]]:
    """Both translations against the English, by metric; the sides are those of `why.preferred`."""
    return {
        name: {
            side: stored.score(name, passage.across(translator))
            for side, translator in zip(why.SIDES, TRANSLATORS, strict=True)
        }
        for name in ACROSS
    }


def verdict(found: Mapping[str, Mapping[str, Result[Any]]]) -> str:
    """Which translation each metric prefers, and by how much, from the numbers as they are shown."""
    parts = []
    for name, results in found.items():
        digits = digits_of(name)
        preferred = why.preferred(results, digits)
        if preferred is None:
            parts.append(t("learn.story.neither", metric=metric_in_sentence(name)))
            continue
        first, last = (round(results[side].score or 0.0, digits) for side in why.SIDES)
        translator = who(TRANSLATORS[why.SIDES.index(preferred)])
        by = number(abs(round(first - last, digits)), digits)
        parts.append(t("learn.story.prefers", metric=metric_in_sentence(name), who=translator, by=by))
    return t("verdict.joint").join(parts) + t("verdict.end")


def against_english(passage: StoryPassage) -> None:
    """Both translations against the English, and the verdict."""
    found = across(passage)
    label(t("learn.story.across"))
    header = (t("lesson.metric"), *map(who, TRANSLATORS))
    rows = [
        (metric_name(name), *(number(results[side].score, digits_of(name)) for side in why.SIDES))
        for name, results in found.items()
    ]
    table(header, rows, numbers=frozenset({1, 2}))
    line(verdict(found), tone="title")


def against_each_other(passage: StoryPassage, reference: str) -> None:
    """The other translation with the first as reference, and after the roles were changed."""
    first, last = (scores(passage, one) for one in (TRANSLATORS[0], reference))
    label(t("learn.story.beside"))
    lesson.movement(first, last, None, moved=reference != TRANSLATORS[0], hint=False)
    bleu = [number(scores(passage, one)["bleu"].score, digits_of("bleu")) for one in TRANSLATORS]
    named = {"first": who(TRANSLATORS[0]), "second": who(TRANSLATORS[1])}
    line(t("learn.story.roles", bleu=bleu[0], changed=bleu[1], metric=metric_name("bleu"), **named))
    line(t("learn.story.no_score"), tone="title")


def picture(passage: StoryPassage) -> None:
    """The beads of both translations with the English."""
    columns = [BeadColumn(who(one), passage.translations[one], passage.beads[one]) for one in TRANSLATORS]
    figure = beads(
        t("learn.story.english"),
        passage.english,
        (columns[0], columns[1]),
        palette=state.palette(),
        row=PROJECTED_ROW if state.projector() else ROW,
    )
    chart(figure, "lesson-story-beads", t("learn.story.alt"))


def row(passage: StoryPassage, one: PassageRow) -> None:
    """What belongs together, side by side, each with how sure the aligner is."""
    with st.container(border=True):
        english, *places = st.columns([5, 4, 4], gap="medium")
        with english:
            label(t("learn.story.english"))
            novel(" ".join(passage.english[n] for n in one.english), lang="en")
        for place, translator, numbers, sure in zip(
            places, TRANSLATORS, one.translated, one.sure, strict=True
        ):
            with place:
                mark = "" if sure is None or sure >= SURE else " ?"
                label(f"{who(translator)} · {NONE if sure is None else number(sure, 2)}{mark}")
                if numbers:
                    novel("".join(passage.translations[translator][n] for n in numbers), lang="ja")
                else:
                    line(t("learn.story.left_out"), tone="quiet")


def rows(passage: StoryPassage) -> None:
    """All rows; before a class one at a time, at first the one that is least sure."""
    found = passage.rows()
    if not state.projector():
        line(t("learn.story.look"), tone="quiet")
        for one in found:
            row(passage, one)
        return
    least = min(range(len(found)), key=lambda one: min(sure for sure in (*found[one].sure, 1.0) if sure))
    at = min(max(int(st.session_state.get(_ROW) or least + 1), 1), len(found))
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for step, icon in ((-1, "arrow_back"), (1, "arrow_forward")):
            st.button(
                t(f"reveal.step.{icon}"),
                key=f"lesson-story-{icon}",
                icon=f":material/{icon}:",
                disabled=not 1 <= at + step <= len(found),
                on_click=st.session_state.__setitem__,
                args=(_ROW, at + step),
            )
        line(t("reveal.place", place=at, total=len(found)), tone="quiet")
    row(passage, found[at - 1])


def play() -> None:
    """The numbers, the picture of the alignment, and what stands beside each other."""
    passage = opened()
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("story")
        if state.projector():
            against_english(passage)
        else:
            picture(passage)
            line(t("learn.story.bands", sure=number(SURE, 1)), tone="quiet")
    with right:
        if state.projector():
            picture(passage)
        else:
            against_english(passage)
            reference = switch(t("learn.story.reference"), TRANSLATORS, _REFERENCE, who)
            against_each_other(passage, reference)
    rows(passage)
    if not state.projector():
        line(t("learn.story.credits", licence="CC BY", library="Project Gutenberg"), tone="quiet")


with lesson.framed("story", PARTS, words=WORDS, beside=choose):
    play()
