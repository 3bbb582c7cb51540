"""The cast list of a campaign's novel: its persons and places, and how each system renders them."""

from __future__ import annotations

import json

import streamlit as st

from core.novel.cast import TERM, CastList, CastName, SystemName, cast_json, system_consistency
from core.novel.mentions import KINDS as NAMES
from core.novel.terms import terms, with_terms
from db.campaigns.glossary import Glossary
from db.campaigns.novel import NovelTexts
from db.records import CampaignSummary
from pages.auth import session
from pages.debug.cast import glossary
from pages.ui import address, novel, picker
from pages.ui.text import errors_shown, line, number, plain, t, table
from pages.ui.widgets import data_table, download, download_csv, figures, switch

SHOW = ("all", "differing")
KINDS = (*NAMES, TERM)
PARTS = (
    address.campaign("cast"),
    address.choice("kind", "cast-kind", ("all", *KINDS)),
    address.choice("show", "cast-show", SHOW),
    address.choice("name", "cast-name"),
)
COLUMNS = ("renderings", "consistency", "lost", "merged")
RENDERINGS = 4
"""Renderings of a name in the table; all of them stand below it."""


@st.fragment
def cast_list(campaign: CampaignSummary) -> None:
    """Everything that a switch or a choice changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS), errors_shown():
        added = glossary.edited(campaign)
        told = novel.found(campaign, "cast")
        if told is None:
            return
        own, names = told
        names = _with_terms(own.fingerprint, added, own, names)
        if not names:
            line(t("cast.none"))
            return
        _figures(own, names)
        chosen = _filtered(names)
        if not chosen:
            line(t("cast.filtered_out"))
            return
        _table(own, chosen)
        _files(campaign, own, names)
        st.header(t("cast.one"), anchor=False)
        _one(campaign, own, chosen)


@st.cache_resource(show_spinner=False, max_entries=8)
def _with_terms(fingerprint: str, added: Glossary, _own: NovelTexts, _names: CastList) -> CastList:
    """The names with the terms, whose places are found once. fingerprint: of the texts."""
    return with_terms(_names, terms(added, _own.references, _own.systems))


def _figures(own: NovelTexts, names: CastList) -> None:
    counts = [
        (t(f"cast.kind.{kind}"), number(sum(one.kind == kind for one in names), 0), None)
        for kind in KINDS
        if kind in NAMES or any(one.kind == kind for one in names)
    ]
    consistency = [
        (
            t("cast.consistency_of", system=plain(system)),
            number(system_consistency(names, system), 3),
            t("cast.consistency_help"),
        )
        for system in own.systems
    ]
    of_terms = [
        (
            t("cast.terms_consistency_of", system=plain(system)),
            number(system_consistency(names, system, of_terms=True), 3),
            t("cast.terms_consistency_help"),
        )
        for system in own.systems
        if any(one.kind == TERM for one in names)
    ]
    figures([*counts, *consistency, *of_terms])


def _filtered(names: CastList) -> CastList:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        kind = switch(t("cast.kind"), ("all", *KINDS), "cast-kind", lambda name: t(f"cast.kind.{name}"))
        shown = switch(
            t("cast.show"), SHOW, "cast-show", lambda name: t(f"cast.show.{name}"), about=t("cast.show_help")
        )
    return tuple(
        one
        for one in names
        if kind in ("all", one.kind)
        and (shown == "all" or any(_differs(told) for told in one.systems.values()))
    )


def _differs(told: SystemName) -> bool:
    return bool(told.drift or told.merged or told.lost)


def _table(own: NovelTexts, names: CastList) -> None:
    columns: dict[str, list[object]] = {
        t("cast.name"): [one.name for one in names],
        t("cast.kind"): [t(f"cast.is.{one.kind}") for one in names],
        t("cast.mentions"): [_mentions(one) for one in names],
    }
    formats = {}
    for system in own.systems:
        columns[system] = [_renderings(one.systems[system]) for one in names]
        title = t("cast.consistency_of", system=system)
        columns[title] = [one.systems[system].consistency for one in names]
        formats[title] = "%.2f"
    data_table(columns, "cast-table", formats, rows=len(names))
    line(t("cast.table_what"), tone="quiet")


def _mentions(one: CastName) -> int:
    return sum(form.count for form in one.forms)


def _renderings(told: SystemName) -> str:
    shown = [f"{form.form} {form.count}" for form in told.renderings[:RENDERINGS]]
    more = len(told.renderings) - RENDERINGS
    return " · ".join([*shown, *([t("cast.more", n=more)] if more > 0 else [])]) or "–"


def _files(campaign: CampaignSummary, own: NovelTexts, names: CastList) -> None:
    header = [
        "name",
        "kind",
        "mentions",
        "system",
        "rendering",
        "count",
        "consistency",
        "lost",
        "merged with",
    ]
    rows = [
        [
            one.name,
            one.kind,
            _mentions(one),
            system,
            form.form,
            form.count,
            told.consistency,
            len(told.lost),
            ", ".join(told.merged),
        ]
        for one in names
        for system, told in one.systems.items()
        for form in told.renderings
    ]
    with st.container(horizontal=True, gap="small"):
        download_csv(header, rows, f"yomikurabe-{campaign.id}-cast.csv", key="cast-csv")
        download(
            "JSON",
            lambda: json.dumps(cast_json(names, own.places), ensure_ascii=False, indent=1).encode(),
            f"yomikurabe-{campaign.id}-cast.json",
            key="cast-json",
        )


def _one(campaign: CampaignSummary, own: NovelTexts, names: CastList) -> None:
    """A name: its forms, its renderings by each system, and the passages."""
    by_name = {f"{one.name} ({_mentions(one)})": one for one in names}
    if st.session_state.get("cast-name") not in by_name:
        st.session_state["cast-name"] = next(iter(by_name))
    one = by_name[st.selectbox(t("cast.name"), list(by_name), key="cast-name", filter_mode=None)]
    line(t("cast.forms", forms=", ".join(f"{form.form} {form.count}" for form in one.forms)))
    header = [t("systems.system"), *(t(f"cast.column.{name}") for name in COLUMNS)]
    rows = [[system, *_cells(told)] for system, told in one.systems.items()]
    table(header, rows, numbers=frozenset({2, 3}))
    _passages(campaign, own, one)


def _cells(told: SystemName) -> tuple[str, ...]:
    """The cells of `COLUMNS`; a stroke parts renderings that are not the same name."""
    renderings = " / ".join(
        ", ".join(f"{form.form} {form.count}" for form in told.renderings if form.form in group)
        for group in told.groups
    )
    return renderings or "–", number(told.consistency, 2), str(len(told.lost)), ", ".join(told.merged) or "–"


def _passages(campaign: CampaignSummary, own: NovelTexts, one: CastName) -> None:
    columns = st.columns([3, 1], gap="small")
    with columns[1]:
        system = st.selectbox(t("systems.system"), list(own.systems), key="cast-system", filter_mode=None)
    told = one.systems[system]
    labels = {segment: _passage_label(own, one, told, segment) for segment in one.segments}
    with columns[0]:
        segment = st.selectbox(
            t("cast.passages", n=len(labels)),
            list(labels),
            format_func=labels.__getitem__,
            key=f"cast-passage-{one.name}",
            filter_mode=None,
        )
    novel.passage(
        campaign,
        own,
        segment,
        system,
        (
            novel.marks(own.references[segment], (form.form for form in one.forms)),
            novel.marks(own.systems[system][segment], (form.form for form in told.renderings)),
        ),
        key="cast-lens",
    )


def _passage_label(own: NovelTexts, one: CastName, told: SystemName, segment: int) -> str:
    named = next(form.form for form in one.forms if segment in form.segments)
    rendered = next((form.form for form in told.renderings if segment in form.segments), "–")
    return f"{novel.place_name(own, segment)} · {named} → {rendered}"


session.guard("scores")
st.header(t("page.cast"), anchor=False)
line(t("cast.intro"))
asked = address.read(PARTS)
chosen_campaign = picker.choose_campaign("cast")
if chosen_campaign is not None:
    cast_list(chosen_campaign)
address.settle(asked)
