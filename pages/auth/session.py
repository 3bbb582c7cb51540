"""The visitor of this session and their permissions; each page checks them with `guard`.

Nothing is remembered for longer than one run: after a link was revoked, or a person withdrew, the next click
is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

from core.errors import AccessError, InputError
from db.permissions import Viewer
from db.queries import is_open, known_person, look, open_link
from db.queries.joining import join_from_platform, kept_parameters
from db.records import Visit
from pages.auth import cookies
from pages.ui import state
from pages.ui.text import keep_error, show_error, t

LINK_PARAM = "k"
"""The address's parameter with a link's token: `/?k=…`. It leaves the address at once, see `cookies`."""

HERE = (None, "", "127.0.0.1", "::1")
"""Addresses of this machine, as Streamlit tells them."""

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
"""Names by which a browser on this machine asks for the app."""

FORWARDED = ("forwarded", "via", "x-forwarded-", "x-real-ip")
"""How the names of the headers begin that a proxy adds."""

NOT_KEPT = "This browser does not keep the link any more; open your link again."
_TOKEN = "visit-token"
_NUMBER = "visit-link"
_PERSON = "visit-person"
ERROR_SLOT = "visit"


def arrive() -> None:
    """Take the link in the address, else the one that the browser keeps; once per run, before drawing."""
    token = st.query_params.get(LINK_PARAM)
    if token is None:
        _come_back()
        return
    if token != st.session_state.get(_TOKEN):
        try:
            enter_by_link(*_through(open_link(state.engine(), token), token))
        except (AccessError, InputError) as error:
            keep_error(ERROR_SLOT, error)
    st.query_params.pop(LINK_PARAM, None)


def _through(found: Visit, token: str) -> tuple[Visit, str]:
    """A visit by a link, with its token; whom a crowd platform sends through a class's link has joined.

    What the platform says of a person leaves the address, as the token does.
    """
    if found.rater_id is not None or found.campaign_id is None:
        return found, token
    names = kept_parameters(state.engine(), found.campaign_id)
    if not names:
        return found, token
    given = {name: st.query_params.pop(name, "") for name in names}
    return join_from_platform(state.engine(), token, given)


def _come_back() -> None:
    """A new session of a browser that keeps a link: after a reload, or on another day."""
    if any(key in st.session_state for key in (_TOKEN, _PERSON)):
        return
    everybody = is_open(state.engine())
    if everybody and cookies.NUMBER_PARAM not in st.query_params:
        return
    number = cookies.asked_number()
    if number is None or not from_own_page():
        return
    token = cookies.token_of(number)
    if token is None and everybody:
        return
    try:
        if token is None:
            raise AccessError(NOT_KEPT)
        enter_by_link(open_link(state.engine(), token), token)
    except AccessError as error:
        if st.query_params.pop(cookies.NUMBER_PARAM, None) is not None:
            keep_error(ERROR_SLOT, error)


def enter_by_link(visit: Visit, token: str) -> None:
    """From now on this session is that link's."""
    leave()
    st.session_state[_TOKEN] = token
    st.session_state[_NUMBER] = visit.link_id


def enter_as(visit: Visit) -> None:
    """From now on this session is that person's, who gave a password."""
    leave()
    st.session_state[_PERSON] = visit.rater_id


def leave() -> None:
    """Forget everything of this session but the language, and which links it has left."""
    for key in list(st.session_state):
        if not str(key).startswith(("language", "cookies")):
            del st.session_state[key]


def visit() -> Visit | None:
    """Who has come in, looked up again in each run; None without raters."""
    try:
        if st.session_state.get(_TOKEN) is not None:
            return look(state.engine(), st.session_state[_TOKEN])
        if st.session_state.get(_PERSON) is not None:
            return known_person(state.engine(), st.session_state[_PERSON])
    except AccessError as error:
        sign_out()
        keep_error(ERROR_SLOT, error)
    return None


def sign_out() -> None:
    """Make this session nobody's again; the browser forgets its link."""
    number: int | None = st.session_state.get(_NUMBER)
    leave()
    st.query_params.pop(cookies.NUMBER_PARAM, None)
    if number is not None:
        cookies.forget(number)


def part() -> str | None:
    """What this visitor's link makes them in its campaign: `rater`, `student` or `panel`."""
    found = visit()
    return None if found is None else found.part


def viewer() -> Viewer:
    """What this visitor may do: what their link says.

    Without a link: nothing, but on this machine everything until an organiser has come.
    """
    found = visit()
    if found is not None:
        return Viewer(role=found.role, rater_id=found.rater_id)
    return Viewer(open=is_open(state.engine()) and at_this_machine())


def manager() -> Viewer:
    """The visitor as of this click, for a callback. Raises AccessError for one who may not manage."""
    found = viewer()
    found.must_manage()
    return found


def at_this_machine() -> bool:
    """Whether the browser is on this machine, and asks for the app by a name of this machine.

    The address alone does not tell. A foreign page's name may be made to point here (DNS rebinding), another
    app of this machine may open the connection, and all visitors of a proxy have the proxy's address.
    """
    sent = headers()
    if address() not in HERE or any(name.lower().startswith(FORWARDED) for name in sent):
        return False
    try:
        return urlsplit(f"//{sent.get('Host', '')}").hostname in LOCAL_HOSTS and from_own_page()
    except ValueError:  # no host at all
        return False


def from_own_page() -> bool:
    """Whether a page of this very host and port opened the session, as far as the browser tells."""
    host, origin = headers().get("Host", ""), headers().get("Origin")
    return origin in (None, f"http://{host}", f"https://{host}")


def headers() -> Mapping[str, str]:
    """The headers with which the browser opened this session."""
    return st.context.headers


def address() -> str | None:
    """Where the visitor's browser is, as far as Streamlit knows; None for this machine."""
    return st.context.ip_address


def home() -> str:
    """The address of the app, as this browser reaches it, without a page and without a slash at its end."""
    base = (st.context.url or "").split("?")[0].rstrip("/")
    page = base.rsplit("/", 1)
    return page[0] if len(page) == 2 and page[0].count("/") > 1 else base


def link_of(token: str) -> str:
    """The whole address of a link, as this browser reaches the app."""
    return f"{home()}/?{LINK_PARAM}={token}"


def token() -> str | None:
    """The token of the link by which this session came."""
    kept: str | None = st.session_state.get(_TOKEN)
    return kept


def into_browser() -> None:
    """The browser keeps the link's token; the address gets its number, which a change of page takes away."""
    kept, number = token(), st.session_state.get(_NUMBER)
    if kept is None or number is None:
        cookies.forget_now(secret=LINK_PARAM)
        return
    cookies.keep(number, kept, secret=LINK_PARAM)
    if st.query_params.get(cookies.NUMBER_PARAM) != str(number):
        st.query_params[cookies.NUMBER_PARAM] = str(number)


def guard(needs: str) -> None:
    """End a page that this visitor may not see, with one sentence. needs: `scores` or `manages`."""
    who = viewer()
    try:
        if needs == "scores":
            who.must_see_scores()
        else:
            who.must_manage()
    except AccessError as error:
        show_error(error)
        st.page_link("pages/evaluate/rate/page.py", label=t("door.to_rate"), icon=":material/edit_note:")
        st.stop()


def guard_part(needs: str) -> None:
    """For a fragment, which Streamlit redraws without its page: a visitor who lost the right gets the page.

    The page then says why, see `guard`.
    """
    who = viewer()
    if not (who.sees_scores if needs == "scores" else who.manages):
        st.rerun()
