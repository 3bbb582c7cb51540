"""Errors marked before raters see the texts: from a rater, a file or a model; and what raters changed."""

from __future__ import annotations

from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import YomikurabeError
from core.raters.protocols import PROTOCOLS
from db.campaigns.prefill_files import marks_in, raters_in
from db.formats.bundle import Bundle
from db.permissions import Viewer
from db.queries.prefills import (
    Marks,
    clear_prefills,
    judges,
    marks_of_judge,
    marks_of_rater,
    prefill_summary,
    prefill_uses,
    raters_with_marks,
    set_prefills,
)
from db.records import CampaignRecord
from pages.auth import session
from pages.evaluate.manage import upload
from pages.ui import state
from pages.ui.text import error_kept, line, show_error, show_kept_error, t, table
from pages.ui.widgets import download_csv, switch

ORIGINS = ("rater", "file", "model")
_SLOT, _READ = "prefill", "prefill-read"
USES = ("rater", "document", "position", "system", "origin", "kept", "changed", "removed", "added")


def tab(viewer: Viewer, campaign: CampaignRecord) -> None:
    """What is filled in, a source for more, and what raters made of it."""
    protocol = PROTOCOLS.get(campaign.protocol)
    if protocol is None or not protocol.marks:
        line(t("prefill.no_marks"))
        return
    _summary(viewer, campaign)
    origin = switch(
        t("prefill.from"), ORIGINS, "prefill-from", lambda name: t(f"prefill.from.{name}"), persist=False
    )
    {"rater": _from_rater, "file": _from_file, "model": _from_model}[origin](viewer, campaign)
    show_kept_error(_SLOT)
    _uses(viewer, campaign)


def _summary(viewer: Viewer, campaign: CampaignRecord) -> None:
    found = prefill_summary(state.engine(), viewer, campaign.id)
    if not found:
        line(t("prefill.none"), tone="quiet")
        return
    head = [t(f"prefill.column.{name}") for name in ("origin", "translations", "marks")]
    rows = [(one.origin, f"{one.translations:,}", f"{one.marks:,}") for one in found]
    table(head, rows, numbers=frozenset({1, 2}))
    st.button(t("prefill.clear"), key=f"prefill-clear-{campaign.id}", on_click=_clear, args=(campaign.id,))


def _from_rater(viewer: Viewer, campaign: CampaignRecord) -> None:
    raters = {one.id: one.name for one in raters_with_marks(state.engine(), viewer, campaign.id)}
    if not raters:
        line(t("prefill.no_raters"), tone="quiet")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.selectbox(
            t("prefill.rater"), list(raters), key="prefill-rater", format_func=raters.__getitem__, width=320
        )
        st.button(
            t("prefill.fill"),
            key=f"prefill-fill-{campaign.id}",
            type="primary",
            on_click=_fill_from_rater,
            args=(campaign.id, chosen, raters[chosen]),
        )


def _from_file(viewer: Viewer, campaign: CampaignRecord) -> None:
    viewer.must_manage()
    main = st.file_uploader(t("prefill.file"), key="prefill-file", help=t("prefill.file_help"))
    if main is None:
        return
    try:
        bundle = _bundle(main, campaign)
    except YomikurabeError as error:
        show_error(error)
        return
    raters = raters_in(bundle)
    if not raters:
        line(t("prefill.file_none"))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        rater = st.selectbox(t("prefill.rater"), raters, key="prefill-file-rater", width=320)
        found = marks_in(state.engine(), campaign.id, bundle, rater)
        st.button(
            t("prefill.fill"),
            key=f"prefill-fill-{campaign.id}",
            type="primary",
            disabled=not found.marks,
            on_click=_fill,
            args=(campaign.id, found.marks, f"{main.name}: {rater}"),
        )
    line(t("prefill.file_found", n=len(found.marks), unknown=found.unknown), tone="quiet")


def _from_model(viewer: Viewer, campaign: CampaignRecord) -> None:
    signatures = judges(state.engine(), viewer, campaign.id)
    if not signatures:
        line(t("prefill.no_models"), tone="quiet")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.selectbox(t("prefill.model"), signatures, key="prefill-model")
        st.button(
            t("prefill.fill"),
            key=f"prefill-fill-{campaign.id}",
            type="primary",
            on_click=_fill_from_model,
            args=(campaign.id, chosen),
        )


def _uses(viewer: Viewer, campaign: CampaignRecord) -> None:
    """What raters kept, changed, removed and added."""
    uses = prefill_uses(state.engine(), viewer, campaign.id)
    if not uses:
        return
    st.subheader(t("prefill.uses"), anchor=False)
    totals: dict[str, list[int]] = {}
    rows = []
    for one in uses:
        counts = [one.changes.kept, one.changes.changed, one.changes.removed, one.changes.added]
        rows.append((one.rater, one.document, one.position, one.system, one.origin, *counts))
        before = totals.setdefault(one.rater, [0, 0, 0, 0])
        totals[one.rater] = [left + right for left, right in zip(before, counts, strict=True)]
    head = [t(f"prefill.column.{name}") for name in ("rater", "kept", "changed", "removed", "added")]
    shown = [(rater, *(f"{count:,}" for count in counts)) for rater, counts in totals.items()]
    table(head, shown, numbers=frozenset({1, 2, 3, 4}))
    download_csv(USES, rows, f"yomikurabe-{campaign.id}-marks.csv")


def _bundle(main: UploadedFile, campaign: CampaignRecord) -> Bundle:
    """What the file holds; read once."""
    kept: tuple[str, Bundle] | None = st.session_state.get(_READ)
    if kept is not None and kept[0] == main.file_id:
        return kept[1]
    with st.spinner(t("manage.reading")), TemporaryDirectory() as folder:
        bundle = upload.read_likely(main, folder, (campaign.source_lang, campaign.target_lang))
    st.session_state[_READ] = (main.file_id, bundle)
    return bundle


def _clear(campaign_id: int) -> None:
    with error_kept(_SLOT):
        clear_prefills(state.engine(), session.viewer(), campaign_id)


def _fill_from_rater(campaign_id: int, rater_id: int, name: str) -> None:
    with error_kept(_SLOT):
        marks = marks_of_rater(state.engine(), session.viewer(), campaign_id, rater_id)
        _store(campaign_id, marks, name, rater_id)


def _fill_from_model(campaign_id: int, signature: str) -> None:
    with error_kept(_SLOT):
        marks = marks_of_judge(state.engine(), session.viewer(), campaign_id, signature)
        _store(campaign_id, marks, signature)


def _fill(campaign_id: int, marks: Marks, origin: str) -> None:
    with error_kept(_SLOT):
        _store(campaign_id, marks, origin)


def _store(campaign_id: int, marks: Marks, origin: str, rater_id: int | None = None) -> None:
    viewer = session.viewer()
    count = set_prefills(state.engine(), viewer, campaign_id, marks, origin=origin, rater_id=rater_id)
    st.toast(t("prefill.filled", n=count))
