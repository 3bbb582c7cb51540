"""Coming in by an identity provider: Streamlit's own login, where `[auth]` is in the secrets."""

from __future__ import annotations

import streamlit as st

from core.errors import AccessError
from db.queries import known_by
from pages.auth import session
from pages.ui import resources
from pages.ui.text import show_error, t


def arrive() -> None:
    """Whoever the provider vouches for is that person here; once per run, before anything is drawn."""
    if configured() and st.user.is_logged_in and session.visit() is None:
        try:
            session.enter_as(known_by(resources.engine(), _vouched_address()))
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
        known_by(resources.engine(), _vouched_address())
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
