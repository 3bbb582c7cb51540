"""Readers, not raters: what a large study of readers found, and why reading and rating can differ."""

from __future__ import annotations

import streamlit as st

from core.raters.reading.preferences import ShareEstimate, share_of
from core.text.numbers import p_value
from pages.learn import lesson
from pages.ui import address
from pages.ui.text import NONE, interval, label, line, number, t, table
from pages.ui.widgets import switch

FOUND = {"whole": (19, 30), "chunks": (522, 772), "guess": (17, 30)}
"""Of LAIT: hits and comparisons. whole, chunks: the human translation was preferred; guess: it was found."""

CITATION = (
    "Ferstler, Podoxin, Brassington, Grundkiewicz, Taboada, Karpinska: AI translation of literary texts is "
    "“fine”, but readers still prefer human translations, arXiv 2606.26040, 2026"
)
MOST = 400
_ASKED, _COMPARISONS = "lesson-readers-asked", "lesson-readers-comparisons"
PARTS = (
    address.choice("asked", _ASKED, tuple(FOUND)),
    address.number("comparisons", _COMPARISONS),
    lesson.PROJECTOR,
)
WORDS = ("agreement", "metric", "hypothesis")
ROWS = ("unit", "time", "aim", "result")


def found(asked: str, comparisons: int | None = None) -> ShareEstimate:
    """What was found, or the same share of another number of comparisons, rounded to a whole one."""
    hits, n = FOUND[asked]
    return share_of(hits, n) if comparisons is None else share_of(round(hits / n * comparisons), comparisons)


def cells(name: str, one: ShareEstimate) -> list[str]:
    """A row: what was asked, hits, share, interval, p."""
    p = NONE if one.p is None else p_value(one.p)
    return [name, f"{one.hits} / {one.n}", number(one.value), interval(one.low, one.high), p]


def study() -> None:
    """The figures of the study, each with the interval that this program computes."""
    label(t("learn.readers.found"))
    names = ("what", "choices", "share", "interval", "p")
    rows = [cells(t(f"learn.readers.asked.{asked}"), found(asked)) for asked in FOUND]
    table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({1, 2, 3, 4}))
    line(t("learn.readers.source", citation=CITATION), tone="quiet")
    line(t("learn.readers.metrics"))


def how_many() -> None:
    """The same share with more or fewer comparisons: what an interval owes to their number."""
    asked = switch(t("learn.readers.ask"), tuple(FOUND), _ASKED, lambda one: t(f"learn.readers.asked.{one}"))
    st.session_state.setdefault(_COMPARISONS, FOUND[asked][1] if FOUND[asked][1] <= MOST else MOST)
    comparisons = st.slider(
        t("learn.readers.comparisons"), 10, MOST, step=10, key=_COMPARISONS, persist_state="session"
    )
    one = found(asked, comparisons)
    line(
        t(
            "learn.readers.would",
            n=one.n,
            hits=one.hits,
            ends=interval(one.low, one.high),
            p=NONE if one.p is None else p_value(one.p),
        ),
        tone="title",
    )
    line(t("learn.readers.dependent"), tone="quiet")


def beside() -> None:
    """What rating and reading ask for, in this program."""
    label(t("learn.readers.beside"))
    header = ("", t("learn.readers.rating"), t("learn.readers.reading"), t("learn.readers.close"))
    rows = [
        (
            t(f"learn.readers.{row}"),
            *(t(f"learn.readers.{row}.{way}") for way in ("rating", "reading", "close")),
        )
        for row in ROWS
    ]
    table(header, rows)


def play() -> None:
    """The three ways beside each other, the figures, and the slider; then the study on oneself."""
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("readers")
        beside()
    with right:
        study()
        how_many()
        st.page_link("pages/learn/oneself.py", label=t("page.oneself"), icon=":material/menu_book:")


with lesson.framed("readers", PARTS, words=WORDS):
    play()
