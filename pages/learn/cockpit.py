"""The teacher's cockpit: start, stop and timer, what is released, who is where, and how the scores spread."""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import fmean

import streamlit as st

from core.raters.grading import class_items
from db.names import RATER_NAME_LIMIT
from db.queries import get_campaign, list_translations
from db.queries.classroom import STEPS, class_scores, pace, release, released, remove, rename
from db.queries.people import people_of
from db.records import CampaignRecord, PersonRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import NONE, error_kept, errors_shown, line, moment, number, show_kept_error, t, table
from pages.ui.widgets import figures

EVERY = 5
"""Seconds after which the figures are drawn again."""

SHORT = 40
"""Characters of a translation in a list."""

_SLOT, _MINUTES, _WHO, _NAME, _SURE = "cockpit", "class-minutes", "class-person", "class-rename", "class-sure"


def controls(campaign: CampaignRecord) -> None:
    """Start and stop with a timer, and what students see, one step after the other."""
    rating = campaign.takes_ratings(datetime.now(UTC))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.number_input(t("class.minutes"), 0, 180, 0, key=_MINUTES, width=170, help=t("class.minutes_help"))
        st.button(
            t("class.start"),
            key="class-start",
            type="secondary" if rating else "primary",
            icon=":material/play_arrow:",
            on_click=_pace,
            args=(campaign.id, True),
        )
        st.button(
            t("class.stop"),
            key="class-stop",
            icon=":material/stop:",
            disabled=not rating,
            on_click=_pace,
            args=(campaign.id, False),
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(width="content"):
            line(t("class.released"))
        for step in STEPS:
            st.toggle(
                t(f"class.release.{step}"),
                step in released(campaign),
                key=f"release-{step}-{campaign.id}",
                help=t(f"class.release.{step}_help"),
                on_change=_release,
                args=(campaign.id, step),
            )
    show_kept_error(_SLOT)


@st.fragment(run_every=EVERY)
def watch(campaign_id: int) -> None:
    """Who is where, and each item's scores, renewed by themselves; before a class without the names."""
    session.guard_part("scores")
    with errors_shown():
        campaign = get_campaign(state.engine(), campaign_id)
        people = [
            one for one in people_of(state.engine(), session.viewer(), campaign_id) if one.part == "student"
        ]
        figures(
            (
                (t("class.people"), number(len(people), 0), None),
                (t("class.finished"), number(sum(_finished(one) for one in people), 0), None),
                (t("class.left"), _left(campaign), None),
            )
        )
        if not people:
            line(t("class.no_students"))
            return
        if not state.projector():
            header = [t(f"class.place.{name}") for name in ("who", "done", "seen")]
            table(header, [_row(one) for one in people], numbers=frozenset({1}))
        _spread(campaign_id)


def _spread(campaign_id: int) -> None:
    """Each item with the number of its scores, their mean, lowest and highest, as they come."""
    scores = class_scores(state.engine(), session.viewer(), campaign_id)
    items = sorted(class_items(scores, {}, {}), key=lambda one: one.item)
    if not items:
        return
    texts = {one.id: one for one in list_translations(state.engine(), campaign_id)}
    header = [t(f"class.item.{name}") for name in ("text", "n", "mean", "low", "high")]
    rows = [
        (
            _beginning(texts[one.item].text),
            number(len(one.scores), 0),
            number(fmean(one.scores), 0),
            number(min(one.scores), 0),
            number(max(one.scores), 0),
        )
        for one in items
    ]
    table(header, rows, numbers=frozenset({1, 2, 3, 4}))


def people(campaign: CampaignRecord) -> None:
    """Rename a student, or remove one who joined twice."""
    everybody = people_of(state.engine(), session.viewer(), campaign.id)
    names = {one.rater_id: one.name for one in everybody if one.part == "student"}
    if not names:
        return
    with st.expander(t("class.change"), icon=":material/manage_accounts:"):
        chosen = st.selectbox(
            t("class.look"), list(names), format_func=names.__getitem__, key=_WHO, filter_mode=None
        )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            st.text_input(t("class.new_name"), key=_NAME, max_chars=RATER_NAME_LIMIT, width=260)
            st.button(t("class.rename"), key="class-rename-do", on_click=_rename, args=(campaign.id, chosen))
        if session.viewer().manages:
            st.checkbox(t("class.remove_sure"), key=_SURE)
            st.button(
                t("class.remove"),
                key="class-remove",
                disabled=not st.session_state.get(_SURE),
                on_click=_remove,
                args=(campaign.id, chosen),
            )
    show_kept_error(_SLOT)


def _beginning(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT]}…"


def _finished(person: PersonRecord) -> bool:
    return person.total > 0 and person.done + person.skipped >= person.total


def _row(person: PersonRecord) -> tuple[str, ...]:
    seen = NONE if person.seen_at is None else moment(person.seen_at)
    return person.name, f"{person.done + person.skipped} / {person.total}", seen


def _left(campaign: CampaignRecord) -> str:
    """Minutes and seconds until ratings are refused; a word where there is no timer or it is over."""
    now = datetime.now(UTC)
    if not campaign.takes_ratings(now):
        return t("class.stopped")
    if campaign.deadline is None:
        return t("class.no_timer")
    seconds = int((campaign.deadline - now).total_seconds())
    return f"{seconds // 60}:{seconds % 60:02d}"


def _pace(campaign_id: int, rating: bool) -> None:
    with error_kept(_SLOT):
        minutes = st.session_state.get(_MINUTES) or None
        pace(state.engine(), session.viewer(), campaign_id, rating=rating, minutes=minutes)


def _release(campaign_id: int, step: str) -> None:
    wanted = bool(st.session_state[f"release-{step}-{campaign_id}"])
    with error_kept(_SLOT):
        release(state.engine(), session.viewer(), campaign_id, step=step, released=wanted)


def _rename(campaign_id: int, rater_id: int) -> None:
    with error_kept(_SLOT):
        rename(state.engine(), session.viewer(), campaign_id, rater_id, st.session_state[_NAME] or "")
        st.session_state[_NAME] = ""


def _remove(campaign_id: int, rater_id: int) -> None:
    with error_kept(_SLOT):
        remove(state.engine(), session.manager(), campaign_id, rater_id)
        st.session_state[_SURE] = False
