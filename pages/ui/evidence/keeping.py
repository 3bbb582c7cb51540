"""The buttons that store results which the pair page computed, and that save all of them as a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from core.codec import encode_result
from core.types import Result
from db.campaigns.stored_results import keep_results
from pages.auth import session
from pages.ui import state
from pages.ui.picker import Chosen
from pages.ui.text import error_kept, show_kept_error, t
from pages.ui.widgets import download


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


def save_button(chosen: Chosen, results: Iterable[Result[Any]]) -> None:
    """Save the texts and every result that is shown, with its trace, as JSON."""
    shown = tuple(results)
    number = "typed" if chosen.translation is None else chosen.translation.id
    name = f"yomikurabe-evidence-{number}.json"
    download(t("pair.evidence"), lambda: evidence_file(chosen, shown), name, key="pair-evidence")


def evidence_file(chosen: Chosen, results: Iterable[Result[Any]]) -> bytes:
    """The file's bytes, UTF-8; `core.codec` reads each trace again."""
    pair = chosen.pair
    document = {
        "reference": pair.reference,
        "translation": pair.hypothesis,
        "source": pair.source,
        "results": [encode_result(one, with_trace=True) for one in results],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()
