"""Links: made for one person or for a list, shown once, given again when they were lost, and ended."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.raters.platforms import platform_of
from db.design import from_json
from db.names import RATER_NAME_LIMIT
from db.permissions import PARTS, RATER, Viewer
from db.queries import list_links, make_link, revoke_link
from db.queries.links import MOST_AT_ONCE, is_unopened, make_links, renew_links, renew_unopened
from db.records import CampaignRecord, FreshLink, LinkRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import NONE, error_kept, line, moment, show_kept_error, t, table
from pages.ui.widgets import download_csv, switch

KINDS = ("person", "list", "class", "teacher", "organiser")
COLUMNS = ("who", "as", "made", "used", "ended")
HEADER = ("name", "link")
"""The columns of the file with the links: the same in every language, for other programs."""
_SINGLY = 3  # more fresh links than these are shown as a table
_SLOT, _NAME, _NAMES, _PART, _CHOSEN = "link", "link-name", "link-names", "link-part", "link-chosen"


def tab(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Make links, see them once, and end them or make others."""
    kind = switch(
        t("links.kind"),
        KINDS,
        "link-kind",
        lambda name: t(f"links.kind.{name}"),
        about=t("links.kind_help"),
        persist=False,
    )
    if kind == "list":
        st.text_area(t("links.names"), key=_NAMES, height=160, help=t("links.names_help", limit=MOST_AT_ONCE))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if kind not in ("class", "list"):
            st.text_input(t("links.name"), key=_NAME, max_chars=RATER_NAME_LIMIT, width=260)
        if kind in ("person", "list", "class"):
            st.selectbox(
                t("links.part"), PARTS, key=_PART, format_func=lambda part: t(f"part.{part}"), width=200
            )
        make = t("links.make_list" if kind == "list" else "links.make")
        st.button(make, key="link-make", type="primary", on_click=_make, args=(campaign.id, kind))
    show_kept_error(_SLOT)
    _fresh(campaign)
    _list(viewer, campaign)


def _for_platform(campaign: CampaignRecord) -> None:
    """What an organiser does with a class's link in the form of a crowd platform."""
    names = from_json(campaign.design).parameters
    if names:
        platform = platform_of(names)
        line(t("links.platform", names=", ".join(names)), tone="quiet")
        if platform is not None and platform.sent:
            line(t("links.platform_sent"), tone="quiet")
            st.code(platform.sent, language=None, wrap_lines=True)


def _fresh(campaign: CampaignRecord) -> None:
    """The links that were made in this session, until they are put away: they are told only now."""
    campaign_id = campaign.id
    fresh: list[FreshLink] = st.session_state.get(_kept(campaign_id), [])
    if not fresh:
        return
    rows = [(_whose(one.name), session.link_of(one.token)) for one in fresh]
    with st.container(border=True):
        line(t("links.fresh_count", n=len(fresh)), tone="title")
        line(t("links.fresh"))
        if len(rows) <= _SINGLY:
            for whose, address in rows:
                line(whose, tone="quiet")
                st.code(address, language=None, wrap_lines=True)
            if any(one.name is None for one in fresh):
                _for_platform(campaign)
        else:
            table((t("links.name"), t("links.address")), rows)
        with st.container(horizontal=True, gap="small"):
            download_csv(HEADER, rows, f"yomikurabe-{campaign_id}-links.csv", key=f"links-csv-{campaign_id}")
            newest = max(one.link_id for one in fresh)
            st.button(
                t("links.put_away"), key=f"links-away-{newest}", on_click=_put_away, args=(campaign_id,)
            )


def _list(viewer: Viewer, campaign: CampaignRecord) -> None:
    found = list_links(state.engine(), viewer, campaign.id)
    if not found:
        line(t("links.none"), tone="quiet")
        return
    st.subheader(t("links.all", n=len(found)), anchor=False)
    table([t(f"links.column.{name}") for name in COLUMNS], [_row(one) for one in found])
    offered = {one.id: one for one in found if one.revoked_at is None} | _lost(found)
    if offered:
        _change(campaign.id, offered)
    unopened = sum(one.role == RATER and one.rater_id is not None and is_unopened(one) for one in found)
    if unopened:
        with st.popover(t("links.renew_unopened", n=unopened), icon=":material/autorenew:"):
            line(t("links.renew_unopened_note", n=unopened))
            st.button(
                t("links.renew"),
                key=f"links-unopened-{found[0].id}",  # the newest: a second click finds another button
                type="primary",
                on_click=_renew_unopened,
                args=(campaign.id,),
            )


def _change(campaign_id: int, offered: dict[int, LinkRecord]) -> None:
    """Choose links, for a fresh one each or to end them."""
    st.session_state[_CHOSEN] = [one for one in st.session_state.get(_CHOSEN, []) if one in offered]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.multiselect(
            t("links.which"),
            list(offered),
            key=_CHOSEN,
            format_func=lambda number: _option(offered[number]),
            placeholder=t("links.choose"),
        )
        personal = [one for one in chosen if offered[one].rater_id is not None]
        st.button(
            t("links.renew"),
            key="link-renew",
            disabled=not chosen or len(personal) < len(chosen),
            on_click=_renew,
            args=(campaign_id,),
        )
        st.button(
            t("links.end"), key="link-revoke", disabled=not chosen, on_click=_revoke, args=(campaign_id,)
        )
    line(t("links.change_note"), tone="quiet")


def _lost(found: Sequence[LinkRecord]) -> dict[int, LinkRecord]:
    """The latest link of each person whose links have all ended, but for those who withdrew."""
    alive = {one.rater_id for one in found if one.revoked_at is None}
    latest: dict[int, LinkRecord] = {}
    for one in found:  # newest first
        if one.rater_id is not None and one.withdrawn_at is None and one.rater_id not in alive:
            latest.setdefault(one.rater_id, one)
    return {one.id: one for one in latest.values()}


def _option(link: LinkRecord) -> str:
    made = t("links.made", when=moment(link.created_at))
    return f"{_whose(link.name)} · {_as(link)} · {t('links.ended') if link.revoked_at else made}"


def _row(link: LinkRecord) -> tuple[str, ...]:
    instants = [moment(when) if when else NONE for when in (link.created_at, link.used_at, link.revoked_at)]
    return (_whose(link.name), _as(link), *instants)


def _whose(name: str | None) -> str:
    return t("links.kind.class") if name is None else name


def _as(link: LinkRecord) -> str:
    """What the link makes of its person: a rater's part, or the role of somebody who does more than rate."""
    return t(f"part.{link.part}") if link.role == RATER else t(f"role.{link.role}")


def _kept(campaign_id: int) -> str:
    return f"links-fresh-{campaign_id}"


def _keep(campaign_id: int, fresh: Sequence[FreshLink]) -> None:
    st.session_state[_kept(campaign_id)] = [*fresh, *st.session_state.get(_kept(campaign_id), [])]


def _put_away(campaign_id: int) -> None:
    st.session_state.pop(_kept(campaign_id), None)


def _drop_ended(campaign_id: int, viewer: Viewer) -> None:
    """Of the links that are shown, those that have ended since are shown no more."""
    found = list_links(state.engine(), viewer, campaign_id)
    alive = {one.id for one in found if one.revoked_at is None}
    kept: list[FreshLink] = st.session_state.get(_kept(campaign_id), [])
    st.session_state[_kept(campaign_id)] = [one for one in kept if one.link_id in alive]


def _make(campaign_id: int, kind: str) -> None:
    part = st.session_state.get(_PART) or PARTS[0]
    with error_kept(_SLOT):
        who = session.manager()
        if kind == "list":
            names = st.session_state.get(_NAMES) or ""
            _keep(
                campaign_id, make_links(state.engine(), who, campaign_id=campaign_id, names=names, part=part)
            )
            st.session_state[_NAMES] = ""
            return
        role = RATER if kind in ("person", "class") else kind
        name = None if kind == "class" else st.session_state.get(_NAME) or ""
        one = make_link(state.engine(), who, role=role, campaign_id=campaign_id, name=name, part=part)
        _keep(campaign_id, [one])
        if name is not None:
            st.session_state[_NAME] = ""


def _renew(campaign_id: int) -> None:
    with error_kept(_SLOT):
        who, chosen = session.manager(), st.session_state.get(_CHOSEN, [])
        fresh = renew_links(state.engine(), who, campaign_id=campaign_id, link_ids=chosen)
        _drop_ended(campaign_id, who)
        _keep(campaign_id, fresh)
        st.session_state[_CHOSEN] = []


def _renew_unopened(campaign_id: int) -> None:
    with error_kept(_SLOT):
        who = session.manager()
        fresh = renew_unopened(state.engine(), who, campaign_id=campaign_id)
        _drop_ended(campaign_id, who)
        _keep(campaign_id, fresh)


def _revoke(campaign_id: int) -> None:
    with error_kept(_SLOT):
        who = session.manager()
        for number in st.session_state.get(_CHOSEN, []):
            revoke_link(state.engine(), who, number)
        _drop_ended(campaign_id, who)
        st.session_state[_CHOSEN] = []
