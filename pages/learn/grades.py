"""A student's result beside the panel's, and the teacher's table of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.raters.grading import Grade, grade
from db.queries import list_translations
from db.records import CampaignRecord, StudentRecord, TranslationRecord
from pages.ui import picker, state
from pages.ui.text import NONE, interval, line, number, t, table, two_texts
from pages.ui.widgets import csv_bytes, download, figures

COLUMNS = ("who", "n", "bias", "spread", "error", "r", "interval")
GRADEBOOK = (
    "student",
    "student_number",
    "rated",
    "shared",
    "bias",
    "spread",
    "mean_absolute_error",
    "pearson_r",
    "r_low",
    "r_high",
    "feedback",
)
"""Columns of the file, the same in every language, for other programs."""


def result(campaign: CampaignRecord, student: StudentRecord, panel: Mapping[int, float]) -> None:
    """One student: four figures in words, then the five widest gaps with their texts."""
    found = grade(student.scores, panel)
    if found is None:
        line(t("class.nothing_shared"))
        return
    alone = sum(item not in panel for item in student.scores)
    if alone:
        line(t("class.without_panel", n=alone), tone="quiet")
    values = (
        (t("class.n"), number(found.n, 0), None),
        (t("class.bias"), number(found.bias, 1, signed=True), t("class.bias.help")),
        (t("class.spread"), number(found.spread, 1), t("class.spread.help")),
        (t("class.r"), number(found.r, 2), t("class.r.help")),
    )
    figures(values)
    line(t("class.lenient" if found.bias > 3 else "class.strict" if found.bias < -3 else "class.level"))
    st.subheader(t("class.gaps"), anchor=False)
    texts = {translation.id: translation for translation in list_translations(state.engine(), campaign.id)}
    for gap in found.gaps:
        _gap(texts[gap.item], gap.student, gap.panel, campaign)
    if not found.gaps:
        line(t("class.no_gaps"))


def overview(students: Sequence[StudentRecord], panel: Mapping[int, float]) -> None:
    """Everybody at a glance, and the gradebook as a file."""
    rows = [_row(student, grade(student.scores, panel)) for student in students]
    head = [t(f"class.column.{name}") for name in COLUMNS]
    table(head, rows, numbers=frozenset(range(1, len(COLUMNS))))
    download(t("class.gradebook"), gradebook(students, panel), "gradebook.csv", key="gradebook")


def gradebook(students: Sequence[StudentRecord], panel: Mapping[int, float]) -> bytes:
    """A row for each student, as CSV for spreadsheets."""
    return csv_bytes(GRADEBOOK, [_grades(student, grade(student.scores, panel)) for student in students])


def _grades(student: StudentRecord, found: Grade | None) -> list[object]:
    row: list[object] = [student.name, student.number, len(student.scores)]
    if found is None:
        return [*row, 0, *[""] * (len(GRADEBOOK) - len(row) - 1)]
    values = (found.bias, found.spread, found.error, found.r, found.low, found.high)
    rounded = ["" if value is None else round(value, 4) for value in values]
    return [*row, found.n, *rounded, feedback(found)]


def feedback(found: Grade) -> str:
    """A sentence for the student: how strict, how far from the panel, and how far the order agrees."""
    strict = "lenient" if found.bias > 3 else "strict" if found.bias < -3 else "level"
    parts = [t(f"class.{strict}"), t("class.feedback_distance", points=number(found.error, 0), n=found.n)]
    if found.r is not None:
        parts.append(t("class.feedback_r", r=number(found.r, 2)))
    return " ".join(parts)


def _gap(translation: TranslationRecord, student: float, panel: float, campaign: CampaignRecord) -> None:
    lang = campaign.target_lang
    with st.container(border=True):
        line(
            t(
                "class.gap",
                student=number(student, 0),
                panel=number(panel, 1),
                points=number(student - panel, 1, signed=True),
            )
        )
        two_texts(translation.reference, translation.text, lang=lang)
        picker.to_lens(translation.id, campaign.id, f"class-lens-{translation.id}")


def _row(student: StudentRecord, found: Grade | None) -> tuple[str, ...]:
    if found is None:
        return (student.name, "0", *[NONE] * (len(COLUMNS) - 2))
    return (
        student.name,
        number(found.n, 0),
        number(found.bias, 1, signed=True),
        number(found.spread, 1),
        number(found.error, 1),
        number(found.r, 2),
        interval(found.low, found.high),
    )
