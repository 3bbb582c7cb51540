"""What a reader is asked after a version, and at the end."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.raters.reading.choices import (
    HUMAN,
    MARGIN,
    MARGINS,
    NO_DIFFERENCE,
    PREFERRED,
    SURE,
    SURENESS,
    WHY,
    ReadingChoices,
    ReadingQuestion,
)
from db.queries.rating import COMMENT_LIMIT
from db.queries.reading import save_final_answers, save_version_answers
from db.records import ReadingRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import either, error_kept, line, plain, show_kept_error, t

_SLOT = "reading-questions"
BACK = "reading-back"
"""The version whose text the reader wants to see again before answering."""


def after_version(reading: ReadingRecord, choices: ReadingChoices, rater_id: int) -> None:
    """The organiser's questions on the version that was just read."""
    st.header(t("reading.after", place=reading.place + 1), anchor=False)
    key = f"reading-answer-{reading.id}"
    with st.form(key, border=False):
        for question in choices.questions:
            _field(question, f"{key}-{question.name}")
        st.form_submit_button(
            t("reading.answer"),
            type="primary",
            on_click=_save_version,
            args=(reading.id, rater_id, key, choices),
        )
    show_kept_error(_SLOT)
    st.button(
        t("reading.back"),
        key="reading-back-to-text",
        type="tertiary",
        icon=":material/arrow_back:",
        on_click=_go_back,
        args=(reading.id,),
    )


def _go_back(reading_id: int) -> None:
    st.session_state[BACK] = reading_id


def _field(question: ReadingQuestion, key: str) -> None:
    words = plain(either(question.en, question.ja))
    label = words if question.needed else t("form.optional", label=words)
    if question.kind == "text":
        st.text_area(label, key=key, max_chars=COMMENT_LIMIT)
        return
    if question.kind == "choice":
        options = [plain(either(*pair)) for pair in _pairs(question)]
        st.radio(label, range(question.options), index=None, format_func=options.__getitem__, key=key)
        return
    st.radio(label, range(1, question.steps + 1), index=None, horizontal=True, key=key)
    low, high = either(question.low_en, question.low_ja), either(question.high_en, question.high_ja)
    ends = [f"1 = {low}" if low else "", f"{question.steps} = {high}" if high else ""]
    line(" · ".join(filter(None, ends)), tone="quiet")


def _pairs(question: ReadingQuestion) -> list[tuple[str, str]]:
    english = question.options_en or question.options_ja
    japanese = question.options_ja or question.options_en
    return list(zip(english, japanese, strict=True))


def _save_version(reading_id: int, rater_id: int, key: str, choices: ReadingChoices) -> None:
    with error_kept(_SLOT):
        values = {one.name: st.session_state.get(f"{key}-{one.name}") for one in choices.questions}
        save_version_answers(state.engine(), session.viewer(), reading_id, rater_id, values)
        st.session_state.pop(BACK, None)


def at_the_end(campaign_id: int, readings: int, choices: ReadingChoices, rater_id: int) -> None:
    """Which version was preferred, by how much and why; and which is human, and how sure the reader is."""
    st.header(t("reading.compare"), anchor=False)
    key = f"reading-final-{campaign_id}"
    versions = list(range(readings))
    with st.form(key, border=False):
        undecided = [NO_DIFFERENCE] if choices.no_difference else []
        _radio(key, PREFERRED, t("reading.preferred"), [*versions, *undecided])
        about = t("reading.margin_open") if choices.no_difference else ""
        _radio(key, MARGIN, t("reading.margin"), MARGINS, about=about)
        st.text_area(t("reading.why_preferred"), key=f"{key}-{WHY}", max_chars=COMMENT_LIMIT)
        if choices.guess:
            _radio(key, HUMAN, t("reading.human"), versions)
            line(t("reading.human_note"), tone="quiet")
            _radio(key, SURE, t("reading.sure"), SURENESS)
        st.form_submit_button(
            t("reading.answer"), type="primary", on_click=_save_final, args=(campaign_id, rater_id, key)
        )
    show_kept_error(_SLOT)


def _radio(key: str, name: str, label: str, options: list[int] | tuple[int, ...], *, about: str = "") -> None:
    st.radio(
        label,
        options,
        index=None,
        horizontal=True,
        format_func=lambda value: _option(name, value),
        key=f"{key}-{name}",
    )
    if about:
        line(about, tone="quiet")


def _option(name: str, value: int) -> str:
    if name in (PREFERRED, HUMAN):
        return t("reading.no_difference") if value == NO_DIFFERENCE else t("reading.version", place=value + 1)
    return t(f"reading.{name}.{value}") if name == MARGIN else t(f"reading.sure.{value}")


def _save_final(campaign_id: int, rater_id: int, key: str) -> None:
    with error_kept(_SLOT):
        names = (PREFERRED, MARGIN, WHY, HUMAN, SURE)
        values: Mapping[str, object] = {name: st.session_state.get(f"{key}-{name}") for name in names}
        save_final_answers(state.engine(), session.viewer(), campaign_id, rater_id, values)
