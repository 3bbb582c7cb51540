"""One step back in what a rater has said of an item; nothing is lost by it."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from db.queries import history, save_rating
from db.records import ItemRecord
from pages.evaluate.rate import navigation
from pages.ui import resources
from pages.ui.text import show_error, t

_PROBLEM = "undo-problem"


def button(item: ItemRecord, rater_id: int) -> None:
    """The way back to what was stored before, where something was; it becomes a further revision."""
    problem: YomikurabeError | None = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)
    if item.revision > 1:
        st.button(
            t("rate.undo"),
            key=f"undo-{item.id}",
            type="tertiary",
            icon=":material/undo:",
            help=t("rate.undo_help"),
            on_click=_undo,
            args=(item.id, rater_id),
        )


def _undo(item_id: int, rater_id: int) -> None:
    *_, before, _ = history(resources.engine(), item_id, rater_id)
    try:
        record = save_rating(
            resources.engine(),
            item_id=item_id,
            rater_id=rater_id,
            score=before.score,
            comment=before.comment,
            skipped_reason=before.skipped_reason,
            spans=before.spans,
        )
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
        return
    navigation.set_saved_at(record.created_at)
