"""The door: a class's link asks for a name, and who has no link may have a password."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from db.names import RATER_NAME_LIMIT
from db.queries import join, log_in
from pages.auth import provider, session
from pages.ui import resources
from pages.ui.text import column, line, show_error, t

_NAME, _LOGIN, _PASSWORD, _PROBLEM = "door-name", "door-login", "door-password", "door-problem"


def needed() -> bool:
    """Draw what stands before the pages, if anything does; True while it does."""
    found = session.visit()
    problem: YomikurabeError | None = st.session_state.pop(_PROBLEM, None) or session.problem()
    if problem is not None:
        show_error(problem)
    if found is None or found.rater_id is not None:
        return False
    with column():
        _ask_for_a_name()
    return True


def entrance() -> None:
    """For a visitor of whom nothing is known: what this is, and the ways in."""
    st.header(t("door.title"), anchor=False)
    line(t("door.intro"))
    with st.form("login", border=False):
        st.text_input(t("door.login"), key=_LOGIN, max_chars=RATER_NAME_LIMIT, autocomplete="username")
        st.text_input(t("door.password"), key=_PASSWORD, type="password", autocomplete="current-password")
        st.form_submit_button(t("door.enter"), key="enter", type="primary", on_click=_log_in)
    provider.way_in()


def _ask_for_a_name() -> None:
    st.header(t("door.join"), anchor=False)
    line(t("door.join_intro"))
    with st.form("join", border=False):
        st.text_input(t("rate.name"), key=_NAME, max_chars=RATER_NAME_LIMIT, autocomplete="off")
        st.form_submit_button(t("door.join_enter"), key="join", type="primary", on_click=_join)


def _join() -> None:
    try:
        _, own = join(resources.engine(), session.token() or "", st.session_state[_NAME] or "")
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
        return
    session.enter_by_link(own)


def _log_in() -> None:
    login, password = st.session_state[_LOGIN] or "", st.session_state[_PASSWORD] or ""
    try:
        session.enter_as(log_in(resources.engine(), login, password))
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
