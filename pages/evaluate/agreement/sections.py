"""Sections of a report on a page."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.report.blocks import Block, Section, Sentences, Table
from pages.ui.text import line, table


def titled(section: Section) -> None:
    """A section of the report on the page."""
    st.subheader(section.title, anchor=False)
    show(section.blocks)


def show(blocks: Iterable[Block]) -> None:
    """Tables and sentences of a report on the page."""
    for one in blocks:
        if isinstance(one, Table):
            table(one.header, one.rows, numbers=one.numbers)
        elif isinstance(one, Sentences) and one.tone == "warning":
            st.warning(one.text, icon=":material/warning:")
        elif isinstance(one, Sentences):
            line(one.text, tone="quiet" if one.tone == "quiet" else "normal")
