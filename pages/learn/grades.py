"""A student's result beside the panel's, and the teacher's table of all of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import streamlit as st

from core.raters.grading import Grade, grade
from db.queries import list_translations
from db.queries.classroom import release
from db.records import CampaignRecord, StudentRecord, TranslationRecord
from pages.auth import session
from pages.ui import picker, state
from pages.ui.text import NONE, error_kept, interval, label, line, novel, number, show_kept_error, t, table
from pages.ui.widgets import download, figures

COLUMNS = ("who", "n", "bias", "spread", "error", "r", "interval")
_SLOT = "class"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def result(campaign: CampaignRecord, student: StudentRecord, panel: Mapping[int, float]) -> None:
    """One student: four figures in words, then the five widest gaps with their texts."""
    found = grade(student.scores, panel)
    if found is None:
        line(t("class.nothing_shared"))
        return
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


def gradebook(students: Sequence[StudentRecord], panel: Mapping[int, float]) -> str:
    """A CSV with plain column names; a name that a spreadsheet would take for a formula is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(("student", "n", "bias", "spread", "mean_absolute_error", "pearson_r", "r_low", "r_high"))
    for student in students:
        found = grade(student.scores, panel)
        name = f"'{student.name}" if student.name.startswith(_FORMULA) else student.name
        figures = (
            (0, "", "", "", "", "", "")
            if found is None
            else (found.n, found.bias, found.spread, found.error, found.r, found.low, found.high)
        )
        writer.writerow(
            (
                name,
                *(
                    "" if value is None else round(value, 4) if isinstance(value, float) else value
                    for value in figures
                ),
            )
        )
    return file.getvalue()


def releasing(campaign: CampaignRecord) -> None:
    """The switch that lets the class see the panel's scores."""
    st.toggle(
        t("class.release"),
        campaign.released_at is not None,
        key=f"release-{campaign.id}",
        help=t("class.release_help"),
        on_change=_release,
        args=(campaign.id,),
    )
    show_kept_error(_SLOT)


def _release(campaign_id: int) -> None:
    released = bool(st.session_state[f"release-{campaign_id}"])
    with error_kept(_SLOT):
        release(state.engine(), session.viewer(), campaign_id, released=released)


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
        left, right = st.columns(2, gap="medium")
        with left:
            label(t("pair.reference"))
            novel(translation.reference, lang=lang)
        with right:
            label(t("pair.translation"))
            novel(translation.text, lang=lang)
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
