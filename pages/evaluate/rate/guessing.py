"""What a student guesses that a metric says of the item on the screen, before the metrics are revealed."""

from __future__ import annotations

import streamlit as st

from core.raters.grading import LEVELS
from db.design import Design
from db.queries.classroom import guesses_of, save_guess
from db.records import ItemRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, line, metric_name, show_kept_error, t

_SLOT = "guessing"


def row(item: ItemRecord, design: Design, *, closed: bool) -> None:
    """A switch for each metric that is guessed in this campaign; stored at a click."""
    if not design.guesses:
        return
    stored = guesses_of(state.engine(), session.viewer(), item.id)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for metric in design.guesses:
            st.segmented_control(
                t("guess.metric", metric=metric_name(metric)),
                range(LEVELS),
                default=stored.get(metric),
                format_func=lambda level: t(f"reveal.level.{level}"),
                key=f"guess-{metric}-{item.id}",
                help=t("guess.help"),
                disabled=closed,
                on_change=_save,
                args=(item.id, metric),
            )
    show_kept_error(_SLOT)
    if closed:
        line(t("guess.closed"), tone="quiet")


def _save(item_id: int, metric: str) -> None:
    level = st.session_state[f"guess-{metric}-{item_id}"]
    if level is not None:
        with error_kept(_SLOT):
            save_guess(state.engine(), session.viewer(), item_id, metric, level)
