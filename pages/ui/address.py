"""The state of a page in its address, so that a link, a reload, and back and forward show it again.

A page names the parts of its address. `read` sets the widgets' state from the address before they are drawn,
`write` puts their state back into it. Names of people are no parts; texts that
people typed are parts in lessons only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlencode

import streamlit as st

from pages.auth import cookies, session
from pages.ui import glossary, state
from pages.ui.text import line, t

KEPT = (cookies.NUMBER_PARAM, state.LANGUAGE_PARAM)
"""The parameters of every page: the number of the visitor's link, and the language."""

_PAGE = "address-page"
_ARRIVED = "address-arrived"
_WRITTEN = "address-written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an address.

    current: its value for what the page shows, None for no such parameter. restore: sets the widget's state
    from the address; gets None where the address has other parts but not this one, and may raise ValueError.
    """

    name: str
    current: Callable[[], str | None]
    restore: Callable[[str | None], None]


def number(name: str, key: Callable[[], str] | str, *, clears: bool = False) -> Parameter:
    """The id, or another whole number, that a widget has as its value. key: of the widget.

    clears: an address without the parameter leaves the widget empty.
    """

    def current() -> str | None:
        value = st.session_state.get(_key(key))
        return None if value is None else str(value)

    def restore(value: str | None) -> None:
        if value is not None:
            st.session_state[_key(key)] = int(value)
        elif clears:
            st.session_state[_key(key)] = None

    return Parameter(name=name, current=current, restore=restore)


def choice(name: str, key: str, choices: Sequence[str] | None = None) -> Parameter:
    """The value of a box or switch whose values are words of the program. choices: None for any word."""

    def current() -> str | None:
        value: str | None = st.session_state.get(key)
        return value

    def restore(value: str | None) -> None:
        if value is not None and (choices is None or value in choices):
            st.session_state[key] = value

    return Parameter(name=name, current=current, restore=restore)


def tab(key: str, names: Sequence[str], words: Callable[[str], str]) -> Parameter:
    """The open tab, by its name in the code. words: what a tab is called on the screen."""

    def current() -> str | None:
        label = st.session_state.get(key)
        return next((name for name in names if words(name) == label), None)

    def restore(value: str | None) -> None:
        if value is not None and value in names:
            st.session_state[key] = words(value)

    return Parameter(name="tab", current=current, restore=restore)


def within(part: Parameter, holds: Callable[[], bool]) -> Parameter:
    """The part, which exists only while something holds, such as an open tab."""

    def current() -> str | None:
        return part.current() if holds() else None

    def restore(value: str | None) -> None:
        if holds():
            part.restore(value)

    return Parameter(name=part.name, current=current, restore=restore)


def campaign(page: str) -> Parameter:
    """The campaign chosen in the box of a page."""
    return number("campaign", f"campaign-{page}")


def enter(page: str) -> None:
    """Once per run, before the page: which page this is, by its name in the address."""
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        st.session_state[_ARRIVED] = True


@dataclass(frozen=True, slots=True)
class AskedState:
    """What the address asked for in this run, and where to say that it is not there."""

    parts: Sequence[Parameter]
    values: dict[str, str]
    place: Any


def read(parts: Sequence[Parameter]) -> AskedState:
    """Set the widgets' state if the reader comes to the page, or went back or forward on it.

    A click on a widget is newer than the address of its run: then the address is left alone.
    """
    arrived = st.session_state.pop(_ARRIVED, False)
    values = {part.name: st.query_params[part.name] for part in parts if part.name in st.query_params}
    written = st.session_state.get(_WRITTEN)
    place = st.empty()
    if not values or not (arrived or (values != written and query(parts) == written)):
        return AskedState(parts, {}, place)
    for part in parts:
        try:
            part.restore(values.get(part.name))
        except ValueError:
            continue  # no number: `settle` finds that it is not shown
    st.session_state[_WRITTEN] = query(parts)  # if the next step of the browser comes before this run ends
    return AskedState(parts, values, place)


def query(parts: Sequence[Parameter]) -> dict[str, str]:
    """The parameters for what the page shows."""
    values = ((part.name, part.current()) for part in parts)
    return {name: value for name, value in values if value is not None}


def write(parts: Sequence[Parameter]) -> None:
    """Put what the page shows into the address, in one step; other parameters stay."""
    own, shown = {part.name for part in parts}, query(parts)
    st.session_state[_WRITTEN] = shown
    now = st.query_params.to_dict()
    wanted = {**{name: value for name, value in now.items() if name not in own}, **shown}
    if wanted != now:
        st.query_params.from_dict(wanted)


def go(page: str, parts: Sequence[Parameter]) -> NoReturn:
    """Go to another page with its address: one step of the browser's history."""
    kept = {name: value for name, value in st.query_params.to_dict().items() if name in KEPT}
    st.switch_page(page, query_params={**kept, **query(parts)})


def settle(asked: AskedState) -> None:
    """At the end of a page: `write`, and one sentence about what the address asked for and is not there."""
    shown = query(asked.parts)
    gone = [t(f"address.{name}") for name, value in asked.values.items() if shown.get(name) != value]
    if gone:
        with asked.place.container():
            st.warning(t("address.gone", what=", ".join(gone)), icon=":material/link_off:")
    write(asked.parts)


def link(parts: Sequence[Parameter]) -> str:
    """The whole address of what is shown, without the visitor's own link and language."""
    page = st.session_state.get(_PAGE, "")
    return f"{session.home()}/{page}?{urlencode(query(parts))}"


def copy_link(parts: Sequence[Parameter], *, left_out: str | None = None) -> None:
    """The button that shows the address, to be copied. left_out: a sentence about what is not in it."""
    with st.popover(t("address.copy"), icon=":material/link:", key="address-copy"):
        line(t("address.copy_what"), tone="quiet")
        st.code(link(parts), language=None, wrap_lines=True)
        if left_out is not None:
            line(left_out, tone="quiet")


@contextmanager
def shared(parts: Sequence[Parameter]) -> Iterator[None]:
    """What is drawn within, under the glossary and its address; after that the address is written."""
    top = st.container(horizontal=True, horizontal_alignment="right")
    yield
    with top:
        glossary.button()
        copy_link(parts)
    write(parts)


def _key(key: Callable[[], str] | str) -> str:
    return key if isinstance(key, str) else key()
