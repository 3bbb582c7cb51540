"""How a class gets in: its link, as a picture for phones, and the address of this machine in its network."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

import segno
import streamlit as st

from db.permissions import RATER
from db.queries import list_links, make_link
from db.queries.accounts import MOST_BY_LINK
from db.records import CampaignRecord, LinkRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, line, show_kept_error, t

USUAL = 40
"""How many people may join, unless told otherwise."""

_SLOT, _MOST, _ADDRESS = "joining", "join-most", "join-address"


def tab(campaign: CampaignRecord) -> None:
    """The class's newest link with its picture, or the form to make one. Only for organisers."""
    links = class_links(campaign.id)
    if links:
        _link(links[0])
    else:
        line(t("joining.none"))
    if state.projector():
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.number_input(t("joining.most"), 1, MOST_BY_LINK, USUAL, key=_MOST, width=200)
        st.button(
            t("joining.make_new" if links else "joining.make"),
            key="join-make",
            type="secondary" if links else "primary",
            on_click=_make,
            args=(campaign.id,),
        )
    show_kept_error(_SLOT)


def class_links(campaign_id: int) -> list[LinkRecord]:
    """The links by which students may still join, newest first."""
    found = list_links(state.engine(), session.viewer(), campaign_id)
    return [one for one in found if one.token and one.part == "student" and one.revoked_at is None]


def _link(link: LinkRecord) -> None:
    home = session.home()
    reached = (urlsplit(home).hostname or "") not in session.LOCAL_HOSTS
    if not reached:
        if not state.projector():
            _unreachable()
        home = (st.session_state.get(_ADDRESS) or home).rstrip("/")
    address = f"{home}/?{session.LINK_PARAM}={link.token}"
    left, right = st.columns([2, 3], gap="large")
    with left:
        picture = segno.make(address, error="m").svg_data_uri(scale=8, border=2, dark="#000", light="#fff")
        st.image(picture, width=480 if state.projector() else 320, alt=t("joining.picture"))
    with right:
        line(t("joining.how"))
        st.code(address, language=None, wrap_lines=True)
        line(t("joining.cap", n=link.most or MOST_BY_LINK), tone="quiet")


def _unreachable() -> None:
    """The app listens to this machine only: the command that opens it to the network, and what that means."""
    here, port = own_address(), urlsplit(session.home()).port or 80
    st.warning(t("joining.local"), icon=":material/wifi_off:")
    if here is None:
        line(t("joining.no_network"))
        return
    line(t("joining.command"))
    command = f"python tools/serve.py {port} --server.address 0.0.0.0 --server.allowedHosts {here}"
    st.code(command, language=None, wrap_lines=True)
    line(t("joining.warning"))
    st.text_input(t("joining.address"), f"http://{here}:{port}", key=_ADDRESS)


def own_address() -> str | None:
    """The address of this machine in its network, or None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: the system only chooses a route
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith("127.") else found


def _make(campaign_id: int) -> None:
    with error_kept(_SLOT):
        most = int(st.session_state[_MOST])
        make_link(
            state.engine(), session.manager(), role=RATER, campaign_id=campaign_id, part="student", most=most
        )
