"""Who may take part: links and accounts; opening and closing a campaign; the seal on its systems' names."""

from __future__ import annotations

import streamlit as st

from db.names import RATER_NAME_LIMIT
from db.permissions import PARTS, Viewer
from db.queries import add_account, list_links, new_link, revoke_link
from db.queries.manage import STATES, set_state
from db.queries.sealed import seal_of
from db.records import CampaignRecord, LinkRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import NONE, error_kept, line, moment, show_kept_error, t, table
from pages.ui.widgets import switch

KINDS = ("person", "class", "teacher", "organiser")
_NEW = "link-new"
_SLOT, _STATE_SLOT = "link", "campaign-state"


def links(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Make a link, see it once, and end one."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = switch(
            t("links.kind"),
            KINDS,
            "link-kind",
            lambda name: t(f"links.kind.{name}"),
            about=t("links.kind_help"),
            persist=False,
        )
        if kind != "class":
            st.text_input(t("links.name"), key="link-name", max_chars=RATER_NAME_LIMIT, width=260)
        if kind in ("person", "class"):
            st.selectbox(
                t("links.part"), PARTS, key="link-part", format_func=lambda part: t(f"part.{part}"), width=200
            )
        st.button(t("links.make"), key="link-make", type="primary", on_click=_make, args=(campaign.id, kind))
    show_kept_error(_SLOT)
    fresh = st.session_state.get(_NEW)
    if fresh is not None:
        line(t("links.fresh"))
        st.code(fresh, language=None, wrap_lines=True)
    _list(viewer, campaign)


def accounts(campaign: CampaignRecord) -> None:
    """An account with a password, for those who cannot keep a link."""
    with st.form("account", border=False, clear_on_submit=True):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            st.text_input(t("door.login"), key="account-login", max_chars=RATER_NAME_LIMIT, width=260)
            st.text_input(t("door.password"), key="account-password", type="password", width=260)
            st.selectbox(
                t("links.role"),
                ("rater", "teacher", "organiser"),
                key="account-role",
                format_func=lambda role: t(f"role.{role}"),
                width=200,
            )
        st.form_submit_button(
            t("links.account_make"), key="account-make", on_click=_account, args=(campaign.id,)
        )
    show_kept_error(_SLOT)


def _list(viewer: Viewer, campaign: CampaignRecord) -> None:
    found = list_links(state.engine(), viewer, campaign.id)
    if not found:
        line(t("links.none"), tone="quiet")
        return
    head = [t(f"links.column.{name}") for name in ("who", "role", "part", "made", "used", "ended")]
    table(head, [_row(one) for one in found])
    alive = {one.id: one for one in found if one.revoked_at is None}
    if alive:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            st.selectbox(
                t("links.which"),
                list(alive),
                key="link-end",
                format_func=lambda number: f"{number} · {alive[number].name or t('links.kind.class')}",
                width=320,
            )
            st.button(t("links.end"), key="link-revoke", on_click=_revoke)


def _row(link: LinkRecord) -> tuple[str, ...]:
    instants = [moment(when) if when else NONE for when in (link.created_at, link.used_at, link.revoked_at)]
    return (link.name or t("links.kind.class"), t(f"role.{link.role}"), t(f"part.{link.part}"), *instants)


def _make(campaign_id: int, kind: str) -> None:
    role = "rater" if kind in ("person", "class") else kind
    name = None if kind == "class" else st.session_state.get("link-name") or ""
    part = st.session_state.get("link-part") or PARTS[0]
    with error_kept(_SLOT):
        who = session.manager()
        token = new_link(state.engine(), who, role=role, campaign_id=campaign_id, name=name, part=part)
        st.session_state[_NEW] = session.link_of(token)


def _revoke() -> None:
    with error_kept(_SLOT):
        who = session.manager()
        revoke_link(state.engine(), who, st.session_state["link-end"])


def _account(campaign_id: int) -> None:
    with error_kept(_SLOT):
        who = session.manager()
        add_account(
            state.engine(),
            who,
            login=st.session_state["account-login"] or "",
            password=st.session_state["account-password"] or "",
            role=st.session_state["account-role"],
            campaign_id=campaign_id,
        )
        st.toast(t("links.account_made"))


def states(campaign: CampaignRecord) -> None:
    """Where the campaign is, and the two ways on."""
    line(t(f"state.{campaign.state}.about"))
    _seal(campaign.id)
    with st.container(horizontal=True, gap="small"):
        for name in STATES:
            if name != campaign.state:
                st.button(
                    t(f"state.{name}"),
                    key=f"state-{name}",
                    type="primary" if name == "open" else "secondary",
                    on_click=_set_state,
                    args=(campaign.id, name),
                )
    show_kept_error(_STATE_SLOT)


def _seal(campaign_id: int) -> None:
    """The commitment while the names are hidden; what it is made of when they are not any more."""
    found = seal_of(state.engine(), campaign_id)
    if found is None:
        return
    commitment, seal = found
    line(t("seal.closed" if seal is None else "seal.opened"), tone="quiet")
    st.code(commitment, language=None, wrap_lines=True)
    if seal is not None:
        with st.expander(t("seal.what")):
            line(t("seal.how"), tone="quiet")
            header = (t("seal.name"), t("seal.shown"))
            table(header, sorted(seal.names.items(), key=lambda one: (len(one[1]), one[1])))
            st.code(seal.nonce, language=None)


def _set_state(campaign_id: int, name: str) -> None:
    with error_kept(_STATE_SLOT):
        set_state(state.engine(), session.viewer(), campaign_id, name)
