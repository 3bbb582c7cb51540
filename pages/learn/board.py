"""A lesson's board: the class's best attempts, a way to add one, and for teachers a way to clear it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from db.people_records import AttemptRecord
from db.queries.attempts import NAME_LIMIT, SHOWN, belongs, board, clear_board, save_attempt
from pages.auth import session
from pages.ui import resources, state
from pages.ui.evidence.overview import DIGITS
from pages.ui.text import errors_shown, label, line, moment, novel, number, t


def add(lesson: str, metric: str, text: str, scores: Mapping[str, float]) -> None:
    """The good news, and the form that puts the attempt on the board under a name."""
    line(t("board.won", metric=t(f"metric.{metric}")), tone="title")
    if not belongs(session.viewer()):
        line(t("board.stranger"), tone="quiet")
        return
    known = state.rater()
    with st.form(f"board-{lesson}", clear_on_submit=False):
        name = st.text_input(
            t("board.name"),
            "" if known is None else known.name,
            max_chars=NAME_LIMIT,
            key=f"board-name-{lesson}",
        )
        pressed = st.form_submit_button(t("board.add"), type="primary")
    if pressed:
        fresh = save_attempt(
            resources.engine(),
            session.viewer(),
            lesson=lesson,
            name=name,
            metric=metric,
            text=text,
            scores=scores,
        )
        line(t("board.added" if fresh else "board.there"))


def shown(lesson: str, metrics: Sequence[str], *, lang: str) -> None:
    """The best attempts under each metric; names and texts are people's, so they are data."""
    who = session.viewer()
    if not belongs(who):
        return
    st.subheader(t("board.title"), anchor=False)
    found = {metric: board(resources.engine(), who, lesson, metric) for metric in metrics}
    if not any(found.values()):
        line(t("board.empty"), tone="quiet")
        return
    line(t("board.order", shown=SHOWN), tone="quiet")
    for metric, rows in found.items():
        if rows:
            label(t("board.under", metric=t(f"metric.{metric}")))
        for row in rows:
            _attempt(row, metric, lang)
    if who.sees_scores:
        _clearing(lesson)


def _attempt(row: AttemptRecord, metric: str, lang: str) -> None:
    with st.container(border=True, gap=None):
        novel(row.text, lang=lang)
        score = number(row.scores[metric], DIGITS.get(metric, 3))
        line(t("board.by", name=row.name, score=score, when=moment(row.created_at)), tone="quiet")


def _clearing(lesson: str) -> None:
    with st.popover(t("board.clear"), icon=":material/delete:"):
        line(t("board.clear_sure"))
        st.button(t("board.clear_yes"), key=f"board-clear-{lesson}", on_click=_clear, args=(lesson,))


def _clear(lesson: str) -> None:
    """As a callback, so that the board is empty when it is drawn next."""
    with errors_shown():
        clear_board(resources.engine(), session.viewer(), lesson)
