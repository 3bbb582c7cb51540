"""Mending an alignment by hand: two texts in columns, least sure beads first; changes are kept at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from core.alignment.beads import Bead
from core.alignment.mending import Mended
from core.text.html import BeadRow
from db.campaigns.books import AlignedSet, kept_folder
from db.campaigns.mending import (
    Mending,
    MendingStep,
    begin_mending,
    keep_mending,
    realign_book,
    with_mending,
)
from pages.auth import session
from pages.ui import models, state
from pages.ui.text import beads, error_kept, errors_shown, language, line, number, show_kept_error, t
from pages.ui.widgets import switch

ALIGNED = "books-aligned"
"""The aligned books of this session, with what was mended of them."""
_MENDINGS, _BEFORE, _PLACE, _SLOT = "mendings", "mendings-before", "mendings-place", "mending"
AROUND = 2
"""Beads that are shown before and after the chosen one."""


def begin(made: AlignedSet) -> AlignedSet:
    """The books with the corrections that were stored for these texts before."""
    found = {role: begin_mending(made, role, kept_folder()) for role in made.aligned}
    forget()
    st.session_state[_MENDINGS] = found
    for role, mending in found.items():
        if mending.steps:
            made = with_mending(made, role, mending)
    return made


def forget() -> None:
    """Forget the corrections of this session; the stored ones stay."""
    for key in (_MENDINGS, _BEFORE, _PLACE):
        st.session_state.pop(key, None)


def steps() -> Mapping[str, tuple[MendingStep, ...]]:
    """What was changed by hand, by the books' roles."""
    kept: dict[str, Mending] = st.session_state.get(_MENDINGS, {})
    return {role: mending.steps for role, mending in kept.items()}


@st.fragment
def mend(made: AlignedSet) -> None:
    """The whole view; redrawn alone. What it changes is in `ALIGNED` when the page is drawn again."""
    session.guard_part("manages")
    line(t("mending.intro"), tone="quiet")
    roles = list(made.aligned)
    names = {role: made.books.files[role] for role in roles}
    role = switch(t("mending.book"), roles, "mending-role", names.__getitem__) if len(roles) > 1 else roles[0]
    mended = st.session_state[_MENDINGS][role].mended
    place = _place(role, mended)
    open_ones = mended.doubtful()
    line(
        t(
            "mending.state",
            n=number(len(mended.beads), 0),
            open=number(len(open_ones), 0),
            changes=number(len(st.session_state[_MENDINGS][role].steps), 0),
        )
    )
    _shown(made, role, mended, place)
    _buttons(role, mended, place)
    _cut(role, mended.beads[place], place)
    with errors_shown():
        _realign(made, role, mended)
    show_kept_error(_SLOT)


def _place(role: str, mended: Mended) -> int:
    """The chosen bead; at first the least sure one."""
    places: dict[str, int] = st.session_state.setdefault(_PLACE, {})
    if role not in places:
        places[role] = next(iter(mended.doubtful()), 0)
    places[role] = min(places[role], len(mended.beads) - 1)
    return places[role]


def _shown(made: AlignedSet, role: str, mended: Mended, place: int) -> None:
    book = made.aligned[role]
    first, last = max(place - AROUND, 0), min(place + AROUND + 1, len(mended.beads))
    rows = [
        BeadRow(
            [book.left[n].text for n in mended.beads[at].left],
            [book.right[n].text for n in mended.beads[at].right],
            _about(mended, at),
            mended.beads[at].confidence,
            chosen=at == place,
        )
        for at in range(first, last)
    ]
    by_role = made.books.by_role()
    langs = made.books.pivot.lang, by_role[role].lang
    line(
        t(
            "mending.columns",
            left=f"{made.books.pivot_file()} ({language(langs[0])})",
            right=f"{made.books.files[role]} ({language(langs[1])})",
        ),
        tone="quiet",
    )
    beads(rows, langs=langs, none=t("mending.none"), colour=state.palette().match)


def _about(mended: Mended, place: int) -> str:
    if mended.is_confirmed(place):
        return t("mending.bead_confirmed", n=place + 1)
    return t("mending.bead", n=place + 1, sure=f"{mended.beads[place].confidence:.0%}")


def _buttons(role: str, mended: Mended, place: int) -> None:
    bead = mended.beads[place]
    changes: tuple[tuple[str, str, str, Callable[[Mended], Mended]], ...] = (
        ("confirm", "Y", ":material/check:", lambda one: one.confirm(place)),
        ("merge", "M", ":material/merge:", lambda one: one.merge(place)),
        ("left_down", "Shift+J", ":material/south_west:", lambda one: one.move(place, "left", 1)),
        ("left_up", "Shift+K", ":material/north_west:", lambda one: one.move(place, "left", -1)),
        ("right_down", "J", ":material/south_east:", lambda one: one.move(place, "right", 1)),
        ("right_up", "K", ":material/north_east:", lambda one: one.move(place, "right", -1)),
        ("part", "O", ":material/link_off:", lambda one: one.part(place)),
    )
    with st.container(horizontal=True, gap="small"):
        for name, key, icon, change in changes:
            st.button(
                t(f"mending.{name}"),
                key=f"mending-{name}",
                icon=icon,
                shortcut=key,
                on_click=_change,
                args=(role, name, bead, change),
                type="primary" if name == "confirm" else "secondary",
            )
    with st.container(horizontal=True, gap="small"):
        for name, key, icon in (
            ("undo", "Z", ":material/undo:"),
            ("before", "P", ":material/arrow_upward:"),
            ("after", "N", ":material/arrow_downward:"),
            ("doubtful", "D", ":material/question_mark:"),
        ):
            undone = name == "undo" and not st.session_state.get(_BEFORE, {}).get(role)
            nothing = name == "doubtful" and not mended.doubtful()
            st.button(
                t(f"mending.{name}"),
                key=f"mending-{name}",
                icon=icon,
                shortcut=key,
                type="tertiary",
                on_click=_undo if name == "undo" else _go,
                args=(role,) if name == "undo" else (role, name),
                disabled=undone or nothing,
            )


def _cut(role: str, bead: Bead, place: int) -> None:
    """The fields for a cut within the chosen bead, where it has more than one sentence."""
    if len(bead.left) + len(bead.right) < 2:
        return
    at = f"{role}-{place}"
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        left = st.number_input(
            t("mending.cut_left"), 0, len(bead.left), len(bead.left) // 2, key=f"mending-left-{at}"
        )
        right = st.number_input(
            t("mending.cut_right"),
            0,
            len(bead.right),
            len(bead.right) // 2,
            key=f"mending-right-{at}",
        )
        st.button(
            t("mending.split"),
            key="mending-split",
            icon=":material/content_cut:",
            shortcut="S",
            on_click=_change,
            args=(role, "split", bead, lambda one: one.split(place, int(left), int(right))),
        )


def _realign(made: AlignedSet, role: str, mended: Mended) -> None:
    if not mended.confirmed:
        return
    if st.button(
        t("mending.realign"), key="mending-realign", icon=":material/sync:", help=t("mending.realign_help")
    ):
        with st.spinner(t("books.preparing")):  # the sentences are encoded already
            found = realign_book(made, role, mended, models.backends(), kept=kept_folder())
        _store(role, found, "realign", None)
        st.rerun()


def _change(role: str, what: str, bead: Bead, change: Callable[[Mended], Mended]) -> None:
    """A button's callback: one change, kept at once; then the next doubtful bead after a confirmation."""
    with error_kept(_SLOT):
        session.manager()
        mended = change(st.session_state[_MENDINGS][role].mended)
        _store(role, mended, what, bead)
        if what == "confirm" and mended.doubtful():
            st.session_state[_PLACE][role] = mended.doubtful()[0]


def _store(role: str, mended: Mended, what: str, bead: Bead | None) -> None:
    kept: dict[str, Mending] = st.session_state[_MENDINGS]
    undo: dict[str, list[Mending]] = st.session_state.setdefault(_BEFORE, {})
    undo.setdefault(role, []).append(kept[role])
    numbers = ((), ()) if bead is None else (bead.left, bead.right)
    _keep(role, kept[role].then(mended, what, numbers, session.manager().rater_id))


def _undo(role: str) -> None:
    with error_kept(_SLOT):
        session.manager()
        _keep(role, st.session_state[_BEFORE][role].pop())


def _keep(role: str, mending: Mending) -> None:
    made: AlignedSet = st.session_state[ALIGNED]
    keep_mending(made, role, mending, kept_folder())
    st.session_state[_MENDINGS][role] = mending
    st.session_state[ALIGNED] = with_mending(made, role, mending)


def _go(role: str, where: str) -> None:
    mended: Mended = st.session_state[_MENDINGS][role].mended
    places: dict[str, Any] = st.session_state[_PLACE]
    if where == "doubtful":
        listed = mended.doubtful()
        at = listed.index(places[role]) if places[role] in listed else -1
        places[role] = listed[(at + 1) % len(listed)]
    else:
        step = 1 if where == "after" else -1
        places[role] = min(max(places[role] + step, 0), len(mended.beads) - 1)
