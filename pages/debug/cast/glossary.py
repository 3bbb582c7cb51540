"""The glossary on the page of names: its terms, one more, fewer, and files in and out."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.novel.glossary import MOST_TERMS, GlossaryTerm, read_glossary, write_tbx, write_tsv
from core.text.languages import base_lang
from db.campaigns.glossary import Glossary, glossary, glossary_in, save_glossary
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.text import NONE, error_kept, line, moment, show_kept_error, t, table
from pages.ui.widgets import download

_SLOT = "terms-slot"
_FIELDS = ("term", "forms", "source", "note")
_ROUND = "terms-round"
"""How many files were taken in: a new file box for each, so that a file is taken in once."""


def edited(campaign: CampaignSummary) -> Glossary:
    """The campaign's terms, under a form to change them for those who may."""
    terms = glossary(state.engine(), campaign.id)
    with st.expander(t("terms.title", n=len(terms)), icon=":material/dictionary:"):
        line(t("terms.what"), tone="quiet")
        if terms:
            heads = [t(f"terms.{name}") for name in _FIELDS]
            table(heads, [[one.term, *_cells(one)] for one in terms])
        if session.viewer().manages:
            _add(campaign)
            _take_in(campaign)
            if terms:
                _remove(campaign, terms)
        show_kept_error(_SLOT)
        if terms:
            _files(campaign, terms)
        if session.viewer().sees_scores:
            _changes(campaign)
    return terms


def _changes(campaign: CampaignSummary) -> None:
    """Who added, changed or removed an entry, and when; the newest change first."""
    rows = glossary_in(state.engine(), campaign.id)
    if not rows or not st.toggle(t("terms.changes", n=len(rows)), key="terms-changes"):
        return
    known: set[str] = set()
    shown = []
    for row in rows:
        kind = "removed" if row.removed else "changed" if row.term.term in known else "added"
        known = known - {row.term.term} if row.removed else known | {row.term.term}
        when = NONE if row.changed_at is None else moment(row.changed_at)
        cells = [NONE] * 3 if row.removed else _cells(row.term)
        shown.append([when, row.rater or NONE, t(f"terms.change.{kind}"), row.term.term, *cells])
    heads = [t(f"terms.{name}") for name in ("when", "who", "change", *_FIELDS)]
    table(heads, shown[::-1])


def _cells(one: GlossaryTerm) -> list[str]:
    return [" | ".join(one.forms) or NONE, one.source or NONE, one.note or NONE]


def _add(campaign: CampaignSummary) -> None:
    with st.form("terms-add", clear_on_submit=True, border=False):
        columns = st.columns(len(_FIELDS), gap="small")
        for column, name in zip(columns, _FIELDS, strict=True):
            about = t("terms.forms_help") if name == "forms" else None
            column.text_input(t(f"terms.{name}"), key=f"terms-{name}", help=about)
        st.form_submit_button(t("terms.add"), on_click=_save_added, args=(campaign,))


def _save_added(campaign: CampaignSummary) -> None:
    """Callback: add the term that was typed; one that is there gets its forms and note as well."""
    typed = {name: str(st.session_state.get(f"terms-{name}", "")) for name in _FIELDS}
    forms = tuple(typed["forms"].split("|"))
    added = GlossaryTerm(term=typed["term"], forms=forms, source=typed["source"], note=typed["note"])
    with error_kept(_SLOT):
        before = glossary(state.engine(), campaign.id)
        save_glossary(state.engine(), session.viewer(), campaign.id, [*before, added])


def _take_in(campaign: CampaignSummary) -> None:
    key = f"terms-file-{st.session_state.get(_ROUND, 0)}"
    st.file_uploader(
        t("terms.file"),
        key=key,
        type=["tsv", "tbx", "xml", "txt"],
        help=t("terms.file_help", most=f"{MOST_TERMS:,}"),
        on_change=_save_file,
        args=(campaign, key),
    )


def _save_file(campaign: CampaignSummary, key: str) -> None:
    """Callback: add the terms of a file."""
    given = st.session_state.get(key)
    if given is None:
        return
    with error_kept(_SLOT):
        lang = base_lang(campaign.target_lang)
        found = read_glossary(given.getvalue(), Path(Path(given.name).name), lang)
        before = glossary(state.engine(), campaign.id)
        save_glossary(state.engine(), session.viewer(), campaign.id, [*before, *found])
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _remove(campaign: CampaignSummary, terms: Glossary) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        gone = st.multiselect(
            t("terms.gone"),
            [one.term for one in terms],
            key="terms-gone",
            placeholder=t("widget.choose"),
        )
        st.button(
            t("terms.remove"),
            key="terms-remove",
            disabled=not gone,
            on_click=_save_without,
            args=(campaign,),
        )


def _save_without(campaign: CampaignSummary) -> None:
    """Callback: remove the chosen terms."""
    gone = set(st.session_state.get("terms-gone", ()))
    with error_kept(_SLOT):
        kept = [one for one in glossary(state.engine(), campaign.id) if one.term not in gone]
        save_glossary(state.engine(), session.viewer(), campaign.id, kept)
        st.session_state["terms-gone"] = []


def _files(campaign: CampaignSummary, terms: Glossary) -> None:
    langs = base_lang(campaign.source_lang), base_lang(campaign.target_lang)
    name = f"yomikurabe-{campaign.id}-glossary"
    with st.container(horizontal=True, gap="small"):
        download("TSV", write_tsv(terms), f"{name}.tsv", key="terms-tsv")
        download(
            "TBX",
            write_tbx(terms, source_lang=langs[0], lang=langs[1]),
            f"{name}.tbx",
            key="terms-tbx",
        )
