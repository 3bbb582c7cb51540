"""The button that stores results which the pair page computed, beside those that are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from core.types import Result
from db.campaigns.stored_results import keep_results
from pages.auth import session
from pages.ui import state
from pages.ui.picker import Chosen
from pages.ui.text import error_kept, show_kept_error, t


def keep_button(chosen: Chosen, results: Iterable[Result[Any]], place: str) -> None:
    """For those who manage campaigns: store the results that were computed now.

    Nothing for typed texts, for references, and where every result is stored. place: names the button.
    """
    translation = chosen.translation
    if translation is None or translation.is_reference:
        return
    key = f"keep-{place}-{translation.id}"
    show_kept_error(key)
    if not session.viewer().manages:
        return
    stored = chosen.stored
    fresh = [one for one in results if one.trace is not None and not stored.find(one.metric, one.signature)]
    if fresh:
        st.button(
            t("pair.keep"),
            key=key,
            help=t("pair.keep_help"),
            icon=":material/bookmark_add:",
            on_click=_keep,
            args=(translation.id, fresh, key),
        )


def _keep(translation_id: int, results: Sequence[Result[Any]], key: str) -> None:
    with error_kept(key):
        keep_results(state.engine(), session.viewer(), translation_id, results)
