"""The choices of a reading study, its questions, and who reads which version in what order."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from core.errors import InputError
from core.raters.protocols import READING, STUDIES
from core.raters.reading.choices import (
    LEAST_CHUNK,
    MOST_VERSIONS,
    ReadingChoices,
    ReadingQuestion,
    choices_to_json,
    parse_questions,
)
from core.raters.reading.chunks import size_of_chunks, usual_size
from core.raters.reading.excerpt import counts_characters, unit_of
from db.design import Design, from_json, reading_of
from db.permissions import Viewer
from db.queries import list_systems
from db.queries.study import StudyPlan, study_plan
from db.records import CampaignRecord
from pages.evaluate.rate.reading import close, screen
from pages.ui import state
from pages.ui.text import either, errors_shown, line, t, table

_NONE = ""


def fields(
    stored: Design, campaign: CampaignRecord, left_out: tuple[str, ...], protocol: str, key: str
) -> dict[str, Any]:
    """What is chosen for a study: `raters`, `vertical` and `reading` of a design.

    Without whole versions there are no questions on them, no guess, and nothing that is set vertically.
    """
    choices, whole = reading_of(stored), protocol == READING
    wide = counts_characters(campaign.target_lang)
    st.subheader(t("study.form"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        raters = st.number_input(
            t("study.form.readers"), 1, 500, stored.raters, key=f"{key}-readers", width=150
        )
        versions = st.number_input(
            t("study.form.versions"), 2, MOST_VERSIONS, choices.versions, key=f"{key}-versions", width=150
        )
        words = st.number_input(
            t(f"study.form.length.{unit_of(campaign.target_lang)}"),
            0,
            10_000_000,
            choices.words or 0,
            step=500,
            key=f"{key}-words",
            width=220,
            help=t("study.form.length_help"),
        )
        hours = float(choices.pause_hours)
        if whole:
            label = t("study.form.pause")
            hours = st.number_input(label, 0.0, 720.0, hours, 1.0, key=f"{key}-pause", width=190)
    human = _human(choices, campaign, left_out, key) if whole else choices.human
    vertical = wide and whole and st.toggle(t("design.vertical"), stored.vertical, key=f"{key}-vertical")
    undecided = st.toggle(t("study.form.no_difference"), choices.no_difference, key=f"{key}-undecided")
    chosen = replace(
        choices,
        versions=int(versions),
        words=int(words) or None,
        pause_hours=float(hours),
        no_difference=undecided,
        guess=st.toggle(t("study.form.guess"), choices.guess, key=f"{key}-guess") if whole else choices.guess,
        by_part=_by_part(choices, key),
        human=human,
        chunks=_chunks(choices, campaign, key, whole=whole),
        questions=_questions(choices, key) if whole else choices.questions,
    )
    return {"raters": int(raters), "vertical": vertical, "reading": choices_to_json(chosen)}


def _by_part(choices: ReadingChoices, key: str) -> bool:
    """Whether the browser is sent one part of a version at a time."""
    label, about = t("study.form.by_part"), t("study.form.by_part_help")
    return st.toggle(label, choices.by_part, key=f"{key}-by-part", help=about)


def _chunks(choices: ReadingChoices, campaign: CampaignRecord, key: str, *, whole: bool) -> int | None:
    """About how long a passage of the close reading is; None for no close reading."""
    usual = usual_size(campaign.target_lang)
    on = not whole or st.toggle(t("study.form.chunks"), choices.chunks is not None, key=f"{key}-chunks-on")
    if not on:
        return None
    size = st.number_input(
        t(f"study.form.chunk_length.{unit_of(campaign.target_lang)}"),
        LEAST_CHUNK,
        100_000,
        choices.chunks or usual,
        step=50,
        key=f"{key}-chunks",
        width=260,
        help=t("study.form.chunk_help"),
    )
    return int(size)


def _human(choices: ReadingChoices, campaign: CampaignRecord, left_out: tuple[str, ...], key: str) -> str:
    every = [one.name for one in list_systems(state.engine(), campaign.id) if not one.is_reference]
    names = [_NONE, *(name for name in every if name not in left_out)]
    return st.selectbox(
        t("study.form.human"),
        names,
        names.index(choices.human) if choices.human in names else 0,
        format_func=lambda name: name or t("study.form.no_human"),
        key=f"{key}-human",
        width=360,
        filter_mode=None,
    )


def _questions(choices: ReadingChoices, key: str) -> tuple[ReadingQuestion, ...]:
    """Those of a file that is uploaded, else those that the study has; they are listed."""
    found = choices.questions
    with st.expander(t("study.form.questions")):
        file = st.file_uploader(t("study.form.questions_file"), ["json"], key=f"{key}-questions")
        if file is not None:
            with errors_shown():
                try:
                    found = parse_questions(file.getvalue().decode("utf-8-sig"))
                except UnicodeDecodeError as error:
                    raise InputError("The file of questions is not UTF-8; save it as UTF-8.") from error
        rows = [[one.name, t(f"study.form.kind.{one.kind}"), either(one.en, one.ja)] for one in found]
        header = [t(f"study.column.{name}") for name in ("question", "kind", "text")]
        table(header, rows)
    return found


def plan(viewer: Viewer, campaign: CampaignRecord, design: Design, protocol: str) -> None:
    """Who reads what in which order, and where that is not balanced."""
    found = study_plan(state.engine(), viewer, campaign.id, design, protocol)
    line(t(f"study.plan.length.{found.unit}", n=found.length), tone="quiet")
    if found.chunks:
        line(t("study.plan.chunks", n=found.chunks), tone="quiet")
    most = max((len(order) for order in found.orders), default=0)
    header = [
        t("study.plan.reader"),
        *(t("study.plan.version", place=place) for place in range(1, most + 1)),
        t("study.plan.state"),
    ]
    with st.expander(t("study.plan"), expanded=len(found.orders) <= 12):
        table(header, _rows(found), numbers=frozenset({0}))
        _counts(found, most)
    if not found.balance.uneven:
        st.success(t("study.plan.balanced"), icon=":material/balance:")
    for name in found.balance.uneven:
        st.warning(t(f"study.plan.uneven.{name}"), icon=":material/balance:")


def preview(campaign: CampaignRecord) -> None:
    """The text as a reader sees it, with the choices that are saved."""
    whole = campaign.protocol == READING
    if whole and st.toggle(t("study.preview"), key=f"study-preview-{campaign.id}"):
        line(t("study.preview_note"), tone="quiet")
        screen.preview(campaign)
    chosen = size_of_chunks(reading_of(from_json(campaign.design)), campaign.protocol, campaign.target_lang)
    closely = campaign.protocol in STUDIES and chosen is not None
    if closely and st.toggle(t("study.preview_chunk"), key=f"chunk-preview-{campaign.id}"):
        line(t("study.preview_chunk_note"), tone="quiet")
        close.preview(campaign)


def _rows(found: StudyPlan) -> list[list[str]]:
    return [
        [
            str(place),
            *(found.versions[one] for one in order),
            t("study.plan.given" if place <= found.given else "study.plan.planned"),
        ]
        for place, order in enumerate(found.orders, start=1)
    ]


def _counts(found: StudyPlan, most: int) -> None:
    header = [
        t("study.column.version"),
        t("study.plan.read"),
        *(t("study.plan.at", place=place) for place in range(1, most + 1)),
    ]
    rows = [
        [name, str(read), *map(str, at)]
        for name, read, at in zip(found.versions, found.balance.read, found.balance.at, strict=True)
    ]
    table(header, rows, numbers=frozenset(range(1, most + 2)))
