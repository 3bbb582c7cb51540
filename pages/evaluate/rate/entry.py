"""Entering a campaign by a name (open demo) or as a known person; profile, consent and withdrawal."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import STUDIES
from db.design import CONSENTS, NO_CONSENT, RESEARCH, from_json
from db.names import RATER_NAME_LIMIT
from db.queries import (
    campaigns_of,
    ensure_items,
    enter_rater,
    get_campaign,
    list_campaigns,
    profile,
    save_profile,
    withdraw,
)
from db.queries.people import FIELD_LIMIT
from db.records import CampaignSummary, RaterRecord
from pages.auth import login, session
from pages.evaluate.rate import saving
from pages.ui import picker, state
from pages.ui.text import error_kept, language, line, show_kept_error, t

_NAME, _NAME_SLOT = "rater-name", "name"


def leave() -> None:
    """Callback: back to the first screen."""
    state.set_rater(None)
    state.enter(None)


def by_name() -> None:
    """The open demo: which campaign, and who."""
    st.header(t("rate.title"), anchor=False)
    line(t("rate.intro"))
    chosen = picker.choose_campaign("rate")
    if chosen is None:
        return
    _about(chosen)
    with st.form("entrance", border=False):
        st.text_input(t("rate.name"), key=_NAME, max_chars=RATER_NAME_LIMIT, autocomplete="off")
        line(t("rate.name_note"), tone="quiet")
        st.form_submit_button(
            t("rate.start"), key="start", type="primary", on_click=_enter_by_name, args=("campaign-rate",)
        )
    show_kept_error(_NAME_SLOT)


def as_person(rater: RaterRecord) -> None:
    """A person's own campaigns; where there is only one it is entered at once."""
    mine = _offered(rater.id)
    if len(mine) == 1:
        _enter(mine[0].id, rater)
        st.rerun()
    st.header(t("rate.title"), anchor=False)
    if not mine:
        line(t("rate.no_campaign"))
        return
    line(t("rate.intro"))
    chosen = picker.choose("mine", mine)
    _about(chosen)
    st.button(t("rate.start"), key="start", type="primary", on_click=_enter_as, args=("campaign-mine", rater))
    show_kept_error(_NAME_SLOT)


def offered(rater_id: int) -> int:
    """How many campaigns this person may rate or look at."""
    return len(_offered(rater_id))


def _offered(rater_id: int) -> list[CampaignSummary]:
    mine = campaigns_of(state.engine(), rater_id)
    return [one for one in list_campaigns(state.engine()) if one.id in mine and one.state != "draft"]


def out() -> None:
    """Callback: this session is nobody's again."""
    session.sign_out()
    login.leave()


def _about(chosen: CampaignSummary) -> None:
    line(f"{picker.languages(chosen)} · {picker.sizes(chosen)}", tone="quiet")
    if chosen.protocol in STUDIES:
        return  # what is said of the texts may tell who made a version
    with st.expander(t("rate.about")):
        picker.about(chosen.id)


def _enter_by_name(box: str) -> None:
    """Callback: the name becomes a rater with items. What goes wrong is kept for the page to say.

    box: the key of the box with the campaigns. What it holds now counts, which may be newer than the page.
    """
    campaign, name = st.session_state[box], st.session_state[_NAME] or ""
    with error_kept(_NAME_SLOT):
        session.viewer().must_be_in_the_open()
        _enter(campaign, enter_rater(state.engine(), name))


def _enter_as(box: str, rater: RaterRecord) -> None:
    """Callback: the same for a person who is known."""
    campaign = st.session_state[box]
    with error_kept(_NAME_SLOT):
        session.viewer().must_be(rater.id)
        _enter(campaign, rater)


def _enter(campaign: int, rater: RaterRecord) -> None:
    ensure_items(state.engine(), campaign, rater.id)
    state.set_rater(rater)
    saving.forget_saved_at()
    state.enter(campaign)


LANGUAGES = ("ja", "en", "zh", "ko", "other")
_LANGUAGE, _LEVEL, _CONSENT = "profile-language", "profile-level", "profile-consent"
_SURE, _SLOT, _REFUSED = "withdraw-sure", "profile", "profile-refused"


def consent_of(rater_id: int) -> str:
    """What the person's campaigns ask for: `research` where one does, then `coursework`, else `none`.

    `research` for a person without campaigns.
    """
    asked = {from_json(get_campaign(state.engine(), one.id).design).consent for one in _offered(rater_id)}
    return next((one for one in CONSENTS if one in asked), RESEARCH)


def known(rater_id: int) -> bool:
    """Whether this person has agreed to what is asked; nothing is rated before."""
    agreed = profile(state.engine(), session.viewer(), rater_id).consented_at is not None
    return agreed or consent_of(rater_id) == NO_CONSENT


def form(rater_id: int) -> None:
    """The form, filled with what is stored."""
    stored = profile(state.engine(), session.viewer(), rater_id)
    asked = consent_of(rater_id)
    with st.form("profile", border=False):
        st.selectbox(
            t("profile.language"),
            LANGUAGES,
            index=LANGUAGES.index(stored.native_language) if stored.native_language in LANGUAGES else None,
            format_func=language,
            placeholder=t("profile.choose"),
            key=_LANGUAGE,
            filter_mode=None,
        )
        st.text_input(
            t("profile.level"), stored.level, key=_LEVEL, max_chars=FIELD_LIMIT, help=t("profile.level_help")
        )
        if asked != NO_CONSENT:
            st.checkbox(t(f"profile.consent.{asked}"), stored.consented_at is not None, key=_CONSENT)
            line(t("profile.consent_note"), tone="quiet")
        st.form_submit_button(
            t("profile.save"), key="profile-save", type="primary", on_click=_save, args=(rater_id,)
        )
    show_kept_error(_SLOT)
    if st.session_state.pop(_REFUSED, False):
        words = t("profile.consent_missing", consent=t(f"profile.consent.{asked}"))
        st.error(words, icon=":material/error:")


def organiser() -> None:
    """For an organiser who has never rated: where the work is, and how to come back."""
    st.header(t("organiser.title"), anchor=False)
    line(t("organiser.intro"))
    for section, name, icon in (
        ("evaluate/manage/page.py", "manage", ":material/tune:"),
        ("evaluate/agreement/page.py", "agreement", ":material/groups:"),
    ):
        st.page_link(f"pages/{section}", label=t(f"page.{name}"), icon=icon)
    line(t("organiser.keep"), tone="quiet")
    st.subheader(t("organiser.rate"), anchor=False)


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
    if not st.session_state.get(_CONSENT) and not known(rater_id):
        st.session_state[_REFUSED] = True
        return
    language, level = st.session_state[_LANGUAGE] or "", st.session_state[_LEVEL] or ""
    consent = bool(st.session_state.get(_CONSENT))
    with error_kept(_SLOT):
        who = session.viewer()
        save_profile(state.engine(), who, rater_id, native_language=language, level=level, consent=consent)


def _withdraw(rater_id: int) -> None:
    with error_kept(_SLOT):
        withdraw(state.engine(), session.viewer(), rater_id)
        out()
