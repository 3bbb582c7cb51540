"""The lesson "make a bad translation win": the numbers side by side, and the class's board."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.hacks.mean_rank import mean_rank
from core.hacks.robustness import EQUAL, better_under, fooled_alone
from core.metrics import digits_of
from core.text.copying import is_copied
from db.queries import campaigns_of, list_campaigns
from db.queries.boards import (
    ALL,
    COPY,
    NAME_LIMIT,
    SHOWN,
    belongs,
    board,
    clear_board,
    remove_attempt,
    save_attempt,
)
from db.records import AttemptRecord
from pages.auth import session
from pages.learn import stored
from pages.learn.examples import FOOL_METRICS, Story
from pages.ui import picker, state
from pages.ui.text import (
    NONE,
    error_kept,
    errors_shown,
    label,
    line,
    metric_name,
    moment,
    novel,
    number,
    show_kept_error,
    t,
    table,
)

READING = "bertscore-reading"
RENEWED = "20s"
"""How often the board is read again while the page is open."""

_NO_CLASS = 0
_SLOT, _SAID, _CLASS = "board", "board-said", "board-class"
Scores = dict[str, float | None]


def scores(story: Story, text: str) -> Scores:
    """A translation of the story under every metric."""
    return {name: stored.score(name, story.pair(text)).score for name in FOOL_METRICS}


def playing(good: Scores, own: Scores) -> tuple[str, ...]:
    """The metrics that play: not the reading penalty where it took nothing off, for it is BERTScore then."""
    same = all(
        (one[READING] is None and one["bertscore"] is None)
        or abs((one[READING] or 0.0) - (one["bertscore"] or 0.0)) <= EQUAL
        for one in (good, own)
    )
    return tuple(name for name in FOOL_METRICS if not (same and name == READING))


def category(story: Story, good: Scores, own: Scores, text: str) -> str | None:
    """What a text wins: a metric that it fooled alone, ALL, COPY for a copy of the reference, or nothing."""
    names = playing(good, own)
    kept_good, kept_own = ({name: one[name] for name in names} for one in (good, own))
    ahead = better_under(kept_good, kept_own)
    if ahead and is_copied(text, story.reference):
        return COPY
    if len(ahead) == len(names):
        return ALL
    return fooled_alone(kept_good, kept_own)


def category_name(name: str) -> str:
    """A category for a reader."""
    return t(f"board.category.{name}") if name in (ALL, COPY) else metric_name(name)


def beside(good: Scores, start: Scores, own: Scores) -> None:
    """The good translation, the bad one as it began and as it is now; ▲ where the own one is ahead."""
    names = playing(good, own)
    ahead = better_under(good, own)
    ranked = mean_rank({name: {"good": good[name], "own": own[name]} for name in names})
    ranks = {system.system: number(system.mean_rank, 1) for system in ranked.systems}
    header = (t("lesson.metric"), *(t(f"learn.fool.column.{name}") for name in ("good", "before", "now")))
    rows = [
        (
            metric_name(name),
            _cell(name, good[name]),
            _cell(name, start[name]),
            f"→ {_cell(name, own[name])}{' ▲' if name in ahead else ''}",
        )
        for name in FOOL_METRICS
    ]
    rows.append((t("hacks.mean_rank"), ranks.get("good", NONE), NONE, ranks.get("own", NONE)))
    table(header, rows, numbers=frozenset({1, 2, 3}))


def _cell(name: str, value: float | None) -> str:
    return number(value, digits_of(name))


def told(good: Scores, own: Scores, won: str | None) -> None:
    """What the numbers say of the text, in a sentence."""
    names = playing(good, own)
    ahead = len([name for name in better_under(good, own) if name in names])
    if won is None:
        line(t("learn.fool.not_yet", ahead=ahead, total=len(names)), tone="title")
    elif won in (ALL, COPY):
        line(t(f"board.won.{won}", total=len(names)), tone="title")
    else:
        line(t("board.won", metric=metric_name(won)), tone="title")
    if READING not in names and not state.projector():
        line(t("learn.fool.reading"), tone="quiet")


def class_of_visitor() -> int | None:
    """The class whose board is shown: a student's own, or the one that a teacher chooses; None for none."""
    who = session.viewer()
    campaigns = {one.id: picker.display_name(one) for one in list_campaigns(state.engine())}
    if who.sees_scores:
        offered = [_NO_CLASS, *campaigns]
    else:
        own = campaigns_of(state.engine(), who.rater_id) if who.rater_id is not None else set()
        offered = [number for number in campaigns if number in own] or [_NO_CLASS]
    if len(offered) == 1:
        return offered[0] or None
    if st.session_state.get(_CLASS) not in offered:
        st.session_state.pop(_CLASS, None)
    chosen: int = st.selectbox(
        t("board.class"),
        offered,
        key=_CLASS,
        format_func=lambda one: campaigns[one] if one else t("board.no_class"),
        filter_mode=None,
        persist_state="session",
    )
    return chosen or None


def entry(story: Story, won: str, text: str, own: Scores, campaign_id: int | None) -> None:
    """The button that puts the attempt on the board, under the visitor's own name where there is one."""
    who = session.viewer()
    if not belongs(who):
        line(t("board.stranger"), tone="quiet")
        return
    show_kept_error(_SLOT)
    key = f"board-name-{story.lang}"
    known = session.visit()
    if known is None or known.name is None:
        st.session_state.setdefault(key, "")
        st.text_input(t("board.name"), max_chars=NAME_LIMIT, key=key)
    else:
        line(t("board.as", name=known.name), tone="quiet")
    st.button(
        t("board.add"),
        key=f"board-add-{story.lang}",
        type="primary",
        on_click=_add,
        args=(story, won, text, {name: value for name, value in own.items() if value is not None}),
        kwargs={"campaign_id": campaign_id, "key": key},
    )
    said = st.session_state.pop(_SAID, None)
    if said is not None:
        line(t(f"board.{said}", shown=SHOWN))


def _add(
    story: Story, won: str, text: str, own: Mapping[str, float], *, campaign_id: int | None, key: str
) -> None:
    with error_kept(_SLOT):
        fresh = save_attempt(
            state.engine(),
            session.viewer(),
            lesson=lesson_of(story),
            name=str(st.session_state.get(key, "")),
            category=won,
            text=text,
            scores=own,
            campaign_id=campaign_id,
        )
        st.session_state[_SAID] = "added" if fresh else "there"


def lesson_of(story: Story) -> str:
    """The board's name in the database."""
    return f"fool-{story.lang}"


@st.fragment(run_every=RENEWED)
def shown(story: Story, campaign_id: int | None) -> None:
    """The best attempts in each category; names and texts are people's, so they are data."""
    who = session.viewer()
    if not belongs(who):
        return
    st.subheader(t("board.title"), anchor=False)
    with errors_shown():
        found = {
            name: board(state.engine(), who, lesson_of(story), name, campaign_id=campaign_id)
            for name in (ALL, *FOOL_METRICS, COPY)
        }
        if not any(found.values()):
            line(t("board.empty"), tone="quiet")
            return
        line(t("board.order", shown=SHOWN), tone="quiet")
        for name, rows in found.items():
            if rows:
                label(t("board.under", metric=category_name(name)))
            for row in rows:
                _attempt(row, name, story.lang)
        if who.sees_scores:
            _clearing(story, campaign_id)


def _attempt(row: AttemptRecord, name: str, lang: str) -> None:
    with st.container(border=True, gap=None):
        novel(row.text, lang=lang)
        person = t("board.hidden") if state.projector() else row.name
        score = NONE if name in (ALL, COPY) else number(row.scores[name], digits_of(name))
        with st.container(horizontal=True, vertical_alignment="center"):
            line(t("board.by", name=person, score=score, when=moment(row.created_at)), tone="quiet")
            if session.viewer().sees_scores and not state.projector():
                st.button(
                    t("board.remove"),
                    key=f"board-remove-{row.id}",
                    type="tertiary",
                    icon=":material/delete:",
                    on_click=_remove,
                    args=(row.id,),
                )


def _remove(attempt_id: int) -> None:
    with error_kept(_SLOT):
        remove_attempt(state.engine(), session.viewer(), attempt_id)


def _clearing(story: Story, campaign_id: int | None) -> None:
    if state.projector():
        return
    with st.popover(t("board.clear"), icon=":material/delete:"):
        line(t("board.clear_sure"))
        st.button(
            t("board.clear_yes"),
            key=f"board-clear-{lesson_of(story)}",
            on_click=_clear,
            args=(story, campaign_id),
        )


def _clear(story: Story, campaign_id: int | None) -> None:
    """As a callback, so that the board is empty when it is drawn next."""
    with error_kept(_SLOT):
        clear_board(state.engine(), session.viewer(), lesson_of(story), campaign_id=campaign_id)
