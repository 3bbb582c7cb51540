"""The lesson "make a bad translation win": its texts, the numbers side by side, and the class's board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from core.hacks.mean_rank import mean_rank
from core.hacks.robustness import better_under
from core.metrics import digits_of
from core.types import TextPair
from db.queries.classroom import NAME_LIMIT, SHOWN, belongs, board, clear_board, save_attempt
from db.records import AttemptRecord
from pages.auth import session
from pages.ui import models, state
from pages.ui.text import NONE, errors_shown, label, line, metric_name, moment, novel, number, t, table


def add(lesson: str, metric: str, text: str, scores: Mapping[str, float]) -> None:
    """The good news, and the form that puts the attempt on the board under a name."""
    line(t("board.won", metric=metric_name(metric)), tone="title")
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
            state.engine(),
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
    found = {metric: board(state.engine(), who, lesson, metric) for metric in metrics}
    if not any(found.values()):
        line(t("board.empty"), tone="quiet")
        return
    line(t("board.order", shown=SHOWN), tone="quiet")
    for metric, rows in found.items():
        if rows:
            label(t("board.under", metric=metric_name(metric)))
        for row in rows:
            _attempt(row, metric, lang)
    if who.sees_scores:
        _clearing(lesson)


def _attempt(row: AttemptRecord, metric: str, lang: str) -> None:
    with st.container(border=True, gap=None):
        novel(row.text, lang=lang)
        score = number(row.scores[metric], digits_of(metric))
        line(t("board.by", name=row.name, score=score, when=moment(row.created_at)), tone="quiet")


def _clearing(lesson: str) -> None:
    with st.popover(t("board.clear"), icon=":material/delete:"):
        line(t("board.clear_sure"))
        st.button(t("board.clear_yes"), key=f"board-clear-{lesson}", on_click=_clear, args=(lesson,))


def _clear(lesson: str) -> None:
    """As a callback, so that the board is empty when it is drawn next."""
    with errors_shown():
        clear_board(state.engine(), session.viewer(), lesson)


METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading", "subspace")
Scores = dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A reference with a good and a bad translation."""

    lang: str
    reference: str
    good: str
    bad: str


STORIES = (
    Story(
        lang="ja",
        reference="夜が明けるころ、老人は小さな舟で沖へ出た。海は静かで、遠くに灯台の光が見えた。",
        good="明け方、老人は小舟に乗って沖に出た。海は静かで、遠くには灯台の明かりが見えた。",
        bad="朝、男は船で海に行った。波が高く、近くに町が見えた。",
    ),
    Story(
        lang="en",
        reference="At dawn the old man rowed his small boat out to sea. The water was calm, "
        "and far away he could see the light of the lighthouse.",
        good="At daybreak the old man took his little boat out to sea. The sea was calm, "
        "and in the distance he saw the lighthouse shining.",
        bad="In the morning a man went to the water by ship. The waves were high, "
        "and a town could be seen near by.",
    ),
)


def scores(story: Story, text: str) -> Scores:
    """A translation of the story under every metric."""
    pair = TextPair(reference=story.reference, hypothesis=text, lang=story.lang)
    return {name: models.attempt(name, pair).score for name in METRICS}


def beside(good: Scores, own: Scores) -> None:
    """Both translations under every metric, marked where the own one is ahead, and their mean ranks."""
    ahead = better_under(good, own)
    ranked = mean_rank({name: {"good": good[name], "own": own[name]} for name in METRICS})
    ranks = {system.system: number(system.mean_rank, 1) for system in ranked.systems}
    rows = [
        (t("learn.fool.good"), *(_cell(name, good[name]) for name in METRICS), ranks.get("good", NONE)),
        (
            t("learn.fool.own"),
            *(_cell(name, own[name], ahead=name in ahead) for name in METRICS),
            ranks.get("own", NONE),
        ),
    ]
    header = ("", *map(metric_name, METRICS), t("hacks.mean_rank"))
    table(header, rows, numbers=frozenset(range(1, len(header))))


def _cell(name: str, value: float | None, *, ahead: bool = False) -> str:
    return number(value, digits_of(name)) + (" ▲" if ahead else "")
