"""Sign-in: class links ask for a name; others use a password or an identity provider (secrets: `[auth]`)."""

from __future__ import annotations

import streamlit as st

from core.errors import AccessError
from db.names import RATER_NAME_LIMIT
from db.queries import join, known_by, log_in
from db.queries.accounts import NUMBER_LIMIT
from pages.auth import session
from pages.ui import state
from pages.ui.text import column, error_kept, line, show_error, show_kept_error, t


def arrive() -> None:
    """Sign in the person whom the provider has verified; once per run, before anything is drawn."""
    if configured() and st.user.is_logged_in and session.visit() is None:
        try:
            session.enter_as(known_by(state.engine(), _vouched_address()))
        except AccessError:
            return  # a stranger: `way_in` says why, where they look for a way in


def way_in() -> None:
    """The button to the provider; for one who came from there and is a stranger here, why, and out again."""
    if not configured():
        return
    if not st.user.is_logged_in:
        st.button(t("door.provider"), key="provider", on_click=st.login)
        return
    try:
        known_by(state.engine(), _vouched_address())
    except AccessError as error:
        show_error(error)
    st.button(t("door.provider_out"), key="provider-out", on_click=st.logout)


def leave() -> None:
    """Callback's part: the provider's cookie goes too, or it would let the same person in at once."""
    if configured() and st.user.is_logged_in:
        st.logout()


def configured() -> bool:
    """Whether Streamlit's own login is set up."""
    try:
        return "auth" in st.secrets
    except FileNotFoundError:
        return False


def _vouched_address() -> str:
    """The e-mail address that the provider vouches for: it is the login name of an account here."""
    email = st.user.get("email")
    if not isinstance(email, str) or not email.strip():
        raise AccessError("Your organisation has not said which e-mail address is yours; ask the organiser.")
    if st.user.get("email_verified") is False:
        raise AccessError("Your organisation has not verified your e-mail address; ask there.")
    return email


def own_link() -> None:
    """The visitor's own link, folded in: nobody who sees the screen can read it off. Nothing without one."""
    token = session.token()
    if token is not None:
        with st.popover(t("door.own_link"), icon=":material/key:", type="tertiary"):
            line(t("door.own_link_what"))
            st.code(session.link_of(token), language=None, wrap_lines=True)


_NAME, _NUMBER, _LOGIN, _PASSWORD = "door-name", "door-number", "door-login", "door-password"
_SLOT = "sign-in"


def needed() -> bool:
    """Ask for a name before any page is drawn, where one is needed; True while it is."""
    visit = session.visit()
    show_kept_error(_SLOT)
    show_kept_error(session.ERROR_SLOT)
    if visit is None or visit.rater_id is not None:
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
    way_in()


def _ask_for_a_name() -> None:
    st.header(t("door.join"), anchor=False)
    line(t("door.join_intro"))
    with st.form("join", border=False):
        st.text_input(t("rate.name"), key=_NAME, max_chars=RATER_NAME_LIMIT, autocomplete="off")
        if session.part() == "student":
            st.text_input(t("door.number"), key=_NUMBER, max_chars=NUMBER_LIMIT, autocomplete="off")
        st.form_submit_button(t("door.join_enter"), key="join", type="primary", on_click=_join)


def _join() -> None:
    with error_kept(_SLOT):
        name, number = st.session_state[_NAME] or "", st.session_state.get(_NUMBER) or ""
        visit, own = join(state.engine(), session.token() or "", name, student_number=number)
        session.enter_by_link(visit, own)


def _log_in() -> None:
    login, password = st.session_state[_LOGIN] or "", st.session_state[_PASSWORD] or ""
    with error_kept(_SLOT):
        session.enter_as(log_in(state.engine(), login, password))
