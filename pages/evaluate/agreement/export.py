"""A campaign as a file to take away, in each format of the field; what it cannot hold is said before."""

from __future__ import annotations

import streamlit as st

from core.errors import YomikurabeError
from db.campaigns.export import Download, download
from db.campaigns.unload import read_bundle
from db.formats import FORMATS
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import resources, state
from pages.ui.text import line, show_error, t

FIRST = ("history", "xlsx", "csv")
_MADE = "takeaway-made"


def tab(campaign: CampaignSummary) -> None:
    """Choose a format, make the file, take it."""
    session.viewer().must_see_scores()
    able = [name for name, entry in FORMATS.items() if entry.writes]
    names = [*FIRST, *(name for name in able if name not in FIRST)]
    name = st.selectbox(
        t("takeaway.format"),
        names,
        key="takeaway-format",
        format_func=lambda one: f"{one}: {t(f'format.{one}')}",
        filter_mode=None,
    )
    st.button(t("takeaway.make"), key="takeaway-make", type="primary", on_click=_make, args=(campaign.id,))
    kept: tuple[int, str, Download | YomikurabeError] | None = st.session_state.get(_MADE)
    if kept is None or kept[:2] != (campaign.id, name):
        line(t("takeaway.none"), tone="quiet")
        return
    made = kept[2]
    if isinstance(made, YomikurabeError):
        show_error(made)
        return
    st.download_button(
        t("takeaway.save", name=made.name, size=_size(len(made.data))),
        made.data,
        file_name=made.name,
        icon=":material/download:",
        on_click="ignore",
    )
    if not made.notes:
        line(t("takeaway.whole"), tone="quiet")
    for note in made.notes:
        line(note if state.language() == "en" else f"{t('manage.note')} {note}", tone="quiet")


def _make(campaign_id: int) -> None:
    """Callback: read the campaign as it is now and write the file in memory."""
    name = st.session_state["takeaway-format"]
    try:
        bundle = read_bundle(resources.engine(), campaign_id, history=True)
        made: Download | YomikurabeError = download(bundle, name)
    except YomikurabeError as error:
        made = error
    st.session_state[_MADE] = (campaign_id, name, made)


def _size(count: int) -> str:
    """`12 kB`, `3.4 MB`."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count / 1e3, 1):.0f} kB"
