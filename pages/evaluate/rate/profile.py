"""What a person says of themselves, their consent, and the way out that takes everything along."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from db.queries import profile, save_profile, withdraw
from db.queries.people import FIELD_LIMIT
from pages.auth import session
from pages.evaluate.rate import entrance
from pages.ui import resources
from pages.ui.text import line, show_error, t

LANGUAGES = ("ja", "en", "zh", "ko", "other")
_LANGUAGE, _LEVEL, _CONSENT, _PROBLEM, _SURE = (
    "profile-language", "profile-level", "profile-consent", "profile-problem", "withdraw-sure",
)  # fmt: skip


def known(rater_id: int) -> bool:
    """Whether this person has given consent; nothing is rated before."""
    return profile(resources.engine(), session.viewer(), rater_id).consented_at is not None


def form(rater_id: int) -> None:
    """The form, filled with what is stored."""
    stored = profile(resources.engine(), session.viewer(), rater_id)
    with st.form("profile", border=False):
        st.selectbox(
            t("profile.language"),
            LANGUAGES,
            index=LANGUAGES.index(stored.native_language) if stored.native_language in LANGUAGES else None,
            format_func=lambda lang: t(f"profile.language.{lang}"),
            placeholder=t("profile.choose"),
            key=_LANGUAGE,
            filter_mode=None,
        )
        st.text_input(
            t("profile.level"), stored.level, key=_LEVEL, max_chars=FIELD_LIMIT, help=t("profile.level_help")
        )
        st.checkbox(t("profile.consent"), stored.consented_at is not None, key=_CONSENT)
        line(t("profile.consent_note"), tone="quiet")
        st.form_submit_button(
            t("profile.save"), key="profile-save", type="primary", on_click=_save, args=(rater_id,)
        )
    _say()


def way_out(rater_id: int) -> None:
    """Withdraw: two steps, and plain words about what is erased."""
    line(t("profile.withdraw_note"), tone="quiet")
    st.checkbox(t("profile.withdraw_sure"), key=_SURE)
    st.button(
        t("profile.withdraw"),
        key="withdraw",
        disabled=not st.session_state.get(_SURE),
        on_click=_withdraw,
        args=(rater_id,),
    )


def _save(rater_id: int) -> None:
    try:
        save_profile(
            resources.engine(),
            session.viewer(),
            rater_id,
            native_language=st.session_state[_LANGUAGE] or "",
            level=st.session_state[_LEVEL] or "",
            consent=bool(st.session_state[_CONSENT]),
        )
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error


def _withdraw(rater_id: int) -> None:
    try:
        withdraw(resources.engine(), session.viewer(), rater_id)
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
        return
    entrance.out()


def _say() -> None:
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)
