"""The keys of the rating page, shown by a button or by `?`."""

from __future__ import annotations

import streamlit as st

from core.raters.protocols import Protocol
from pages.ui.text import ASSETS, t, table

_listener = st.components.v2.component(
    "yomikurabe_keys", js=(ASSETS / "components" / "keys.js").read_text("utf-8")
)


def button() -> bool:
    """The way to the keys by the mouse: whether it was pressed."""
    return st.button(t("keys.title"), key="keys", type="tertiary", icon=":material/keyboard:")


def listen(protocol: Protocol, *, pressed: bool) -> None:
    """The way by `?`, and the list itself. The listener cannot be seen, so it stands at the end."""
    heard = _listener(key="keys-heard", on_asked_change=lambda: None)
    if pressed or heard.asked:
        _dialog(t("keys.title"), protocol)


def _dialog(title: str, protocol: Protocol) -> None:
    @st.dialog(title)
    def shown() -> None:
        rows = [("?", t("keys.help"))]
        if protocol.scored:
            rows = [("0–9", t("keys.digits")), ("Enter", t("keys.enter")), *rows]
        if protocol.marks:
            numbers = " ".join(str(place) for place in range(1, len(protocol.severities) + 1))
            rows = [
                ("← →", t("keys.move")),
                ("Shift ← →", t("keys.extend")),
                (numbers, t("keys.mark")),
                ("M", t("keys.missing")),
                ("Delete", t("keys.remove")),
                ("Z", t("keys.undo")),
                *rows,
            ]
        table((t("keys.key"), t("keys.does")), rows)

    shown()
