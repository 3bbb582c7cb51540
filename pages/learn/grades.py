"""A student's result beside the panel's, and the teacher's table of all of them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import streamlit as st

from core.errors import YomikurabeError
from core.raters.grading import Grade, grade
from db.queries import list_translations
from db.queries.classroom import release
from db.records import CampaignRecord, StudentRecord, TranslationRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import label, line, novel, number, show_error, t, table

COLUMNS = ("who", "n", "bias", "spread", "error", "r", "interval")
_PROBLEM = "class-problem"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def result(campaign: CampaignRecord, student: StudentRecord, panel: Mapping[int, float]) -> None:
    """One student: four figures in words, then the five widest gaps with their texts."""
    found = grade(student.scores, panel)
    if found is None:
        line(t("class.nothing_shared"))
        return
    values = (
        (t("class.n"), str(found.n), None),
        (t("class.bias"), _signed(found.bias), t("class.bias.help")),
        (t("class.spread"), "–" if found.spread is None else number(found.spread, 1), t("class.spread.help")),
        (t("class.r"), _r(found), t("class.r.help")),
    )
    with st.container(horizontal=True, gap="large"):
        for caption, value, about in values:
            st.metric(caption, value, help=about, width="content")
    line(t("class.lenient" if found.bias > 3 else "class.strict" if found.bias < -3 else "class.level"))
    st.subheader(t("class.gaps"), anchor=False)
    texts = {one.id: one for one in list_translations(state.engine(), campaign.id)}
    for gap in found.gaps:
        _gap(texts[gap.item], gap.student, gap.panel, campaign.target_lang)
    if not found.gaps:
        line(t("class.no_gaps"))


def overview(students: Sequence[StudentRecord], panel: Mapping[int, float]) -> None:
    """Everybody at a glance, and the gradebook as a file."""
    rows = [_row(one, grade(one.scores, panel)) for one in students]
    head = [t(f"class.column.{name}") for name in COLUMNS]
    table(head, rows, numbers=frozenset(range(1, len(COLUMNS))))
    st.download_button(
        t("class.gradebook"),
        gradebook(students, panel),
        file_name="gradebook.csv",
        mime="text/csv",
        key="gradebook",
        icon=":material/download:",
    )


def gradebook(students: Sequence[StudentRecord], panel: Mapping[int, float]) -> str:
    """A CSV with plain column names; a name that a spreadsheet would take for a formula is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(("student", "n", "bias", "spread", "mean_absolute_error", "pearson_r", "r_low", "r_high"))
    for one in students:
        found = grade(one.scores, panel)
        name = f"'{one.name}" if one.name.startswith(_FORMULA) else one.name
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
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)


def _release(campaign_id: int) -> None:
    released = bool(st.session_state[f"release-{campaign_id}"])
    try:
        release(state.engine(), session.viewer(), campaign_id, released=released)
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error


def _gap(one: TranslationRecord, student: float, panel: float, lang: str) -> None:
    with st.container(border=True):
        line(
            t(
                "class.gap",
                student=number(student, 0),
                panel=number(panel, 1),
                points=_signed(student - panel),
            )
        )
        left, right = st.columns(2, gap="medium")
        with left:
            label(t("pair.reference"))
            novel(one.reference, lang=lang)
        with right:
            label(t("pair.translation"))
            novel(one.text, lang=lang)


def _row(student: StudentRecord, found: Grade | None) -> tuple[str, ...]:
    if found is None:
        return (student.name, "0", *["–"] * (len(COLUMNS) - 2))
    interval = (
        "–" if found.low is None or found.high is None else f"{number(found.low)} … {number(found.high)}"
    )
    return (
        student.name,
        str(found.n),
        _signed(found.bias),
        "–" if found.spread is None else number(found.spread, 1),
        number(found.error, 1),
        _r(found),
        interval,
    )


def _r(found: Grade) -> str:
    return "–" if found.r is None else number(found.r, 2)


def _signed(points: float) -> str:
    return f"+{number(points, 1)}" if points > 0 else number(points, 1)
