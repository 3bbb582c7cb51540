"""The tokens of the visitor's links in the browser's cookies, so that no secret stands in the address.

Each link has a cookie of its own, named after the link's number, which is no secret. The address has only
that number (`?as=12`), so that two tabs can belong to two people, and a reload stays in. An address without
a number belongs to the link that was used last.

A script sets the cookies, because Streamlit cannot; so they are not `HttpOnly`. They are `SameSite=Strict`,
and `Secure` under https. Cookies do not know ports, so their names hold the port of the app.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

NUMBER_PARAM = "as"
"""The address's parameter that holds the number of the visitor's link."""

DAYS = 30
"""How long a browser keeps a link after it was used last."""

_FORGOTTEN = "cookies-forgotten"
"""The numbers that this session has forgotten; its handshake still holds their cookies."""

_SCRIPT = """
export default ({ data }) => {
  const safe = location.protocol === "https:" ? "; Secure" : "";
  const keep = (name, value, age) => {
    document.cookie = `${name}=${value}; Path=/; SameSite=Strict; Max-Age=${age}${safe}`;
  };
  for (const name of data.forget) keep(name, "", 0);
  for (const [name, value] of Object.entries(data.keep)) keep(name, value, data.seconds);
  if (!document.querySelector('meta[name="referrer"]')) {
    const policy = document.createElement("meta");
    policy.name = "referrer";
    policy.content = "no-referrer";
    document.head.append(policy);
  }
  const address = new URL(location.href);
  if (address.searchParams.has(data.secret)) {
    address.searchParams.delete(data.secret);
    history.replaceState(history.state, "", address);
  }
};
"""
_browser = st.components.v2.component("yomikurabe_links", js=_SCRIPT)


def asked_number() -> str | None:
    """The number of the link in the address, else that of the link used last; None for neither."""
    asked = st.query_params.get(NUMBER_PARAM)
    return asked if asked is not None else sent().get(_last())


def token_of(number: str) -> str | None:
    """The token that the browser keeps for a link; None for a link that it does not know."""
    return None if number in _forgotten() else sent().get(_cookie(number))


def keep(number: int, token: str, *, secret: str) -> None:
    """Have the browser keep a link's token, and drop the parameter `secret` from its address."""
    _forgotten().discard(str(number))
    _tell(keep={_cookie(str(number)): token, _last(): str(number)}, forget=[], secret=secret)


def forget_now(*, secret: str) -> None:
    """Have the browser forget the links that this session has left; `secret` as in `keep`."""
    numbers = sorted(_forgotten())
    if numbers:
        forget = [*map(_cookie, numbers), _last()]
        _tell(keep={}, forget=forget, secret=secret)


def forget(number: int) -> None:
    """Take the link's cookie no more in this session; `forget_now` tells the browser."""
    _forgotten().add(str(number))


def sent() -> Mapping[str, str]:
    """The cookies with which the browser opened this session."""
    return st.context.cookies


def _cookie(number: str) -> str:
    return f"yomikurabe-{_port()}-link-{number}"


def _last() -> str:
    return f"yomikurabe-{_port()}-last"


def _port() -> str:
    """The app's port, as the browser asks for it; `0` for the usual one."""
    return (st.context.headers.get("Host") or "").rpartition("]")[2].partition(":")[2] or "0"


def _tell(*, keep: Mapping[str, str], forget: list[str], secret: str) -> None:
    data = {"keep": dict(keep), "forget": forget, "secret": secret, "seconds": DAYS * 86_400}
    _browser(data=data, key="visit-links", width="content")


def _forgotten() -> set[str]:
    numbers: set[str] = st.session_state.setdefault(_FORGOTTEN, set())
    return numbers
