"""What a close reading says: the tables of its report, and each reader and passage by itself."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.raters.reading.close import CloseFindings, PartPreference
from core.report.study import CHOICES, StudyWords
from core.report.study import close as section_of
from pages.evaluate.agreement.sections import show
from pages.ui.text import line, t, table
from pages.ui.widgets import figures


def results(found: CloseFindings, unit: str, words: StudyWords) -> None:
    """All figures of the close reading; unit: of lengths."""
    st.subheader(t("close.title"), anchor=False)
    values = [
        (t("close.readers"), f"{found.readers:,}", None),
        (t("study.finished"), f"{found.finished:,}", None),
        (t("close.choices"), f"{found.choices:,}", None),
    ]
    figures(values, border=True)
    if not found.choices:
        line(t("close.none"))
        return
    show(section_of(found, unit, words).blocks)
    with st.expander(t("close.by_reader")):
        _parts(found.by_reader, t("study.column.reader"), words)
    with st.expander(t("close.by_chunk")):
        _parts(found.by_chunk, t("close.column.chunk"), words)


def _parts(found: Sequence[PartPreference], what: str, words: StudyWords) -> None:
    rows = [
        [
            one.of if one.chunk is None else f"{one.chunk + 1}",
            *words.share(t("study.preferred", first=one.first, second=one.second), one.share)[:5],
            f"{one.ties:,}",
        ]
        for one in found
    ]
    header = [what, *(t(f"study.column.{name}") for name in (*CHOICES[:5], "ties"))]
    table(header, rows, numbers=frozenset({2, 3, 4, 5, 6}))
