"""The lesson kit: a plan for 90 minutes, a worksheet and its answers, as HTML and PDF."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.report.page import find_browser, print_to_pdf
from pages.auth import session
from pages.learn import sheets, starter
from pages.ui import frame, picker, state
from pages.ui.text import column, error_kept, line, show_kept_error, t, table
from pages.ui.widgets import download, switch

PAPERS: dict[str, Callable[[], str]] = {
    "plan": sheets.plan,
    "worksheet": lambda: sheets.worksheet(answers=False),
    "answers": lambda: sheets.worksheet(answers=True),
}
BROWSER = "Chromium"
_SLOT, _MADE, _STARTED = "kit", "kit-made", "kit-started"


def minutes() -> None:
    """The plan on the screen, with the way to each lesson."""
    st.subheader(t("kit.plan"), anchor=False)
    rows = [
        (sheets.minutes(first, last), t(f"kit.plan.{name}.what"), t(f"kit.plan.{name}.ask"))
        for first, last, name in sheets.PLAN
    ]
    table([t(f"kit.plan.column.{name}") for name in ("minutes", "what", "ask")], rows)
    with st.container(horizontal=True):
        for *_, name in sheets.PLAN:
            if name != "end":
                st.page_link(frame.script_of(name), label=t(f"page.{name}"))


def papers() -> None:
    """The three papers, to be made as HTML, and printed as PDF where there is a Chromium."""
    st.subheader(t("kit.papers"), anchor=False)
    line(t("kit.papers_what", browser=BROWSER, html="HTML", pdf="PDF"), tone="quiet")
    for name in PAPERS:
        st.button(
            t(f"kit.make.{name}"),
            key=f"kit-{name}",
            on_click=_make,
            args=(name,),
            icon=":material/description:",
        )
        made = st.session_state.get(_MADE, {}).get((name, state.language()))
        if made is None:
            continue
        html, pdf = made
        file = f"yomikurabe-{name}-{state.language()}"
        with st.container(horizontal=True):
            download(t("kit.save", kind="HTML"), html, f"{file}.html", key=f"kit-{name}-html")
            if pdf is not None:
                download(t("kit.save", kind="PDF"), pdf, f"{file}.pdf", key=f"kit-{name}-pdf")
    show_kept_error(_SLOT)
    if find_browser() is None:
        line(t("kit.no_browser", browser=BROWSER, html="HTML"), tone="quiet")


def class_to_begin_with() -> None:
    """A campaign of six items with example scores, for organisers."""
    if not session.viewer().manages:
        return
    st.subheader(t("kit.starter"), anchor=False)
    line(t("kit.starter_what"))
    lang = switch(
        t("report.view.language"),
        state.LANGUAGES,
        "kit-starter-language",
        lambda one: t(f"language.{one}"),
        default=state.language(),
        hidden=True,
    )
    st.button(
        t("kit.starter_make"),
        key="kit-starter",
        on_click=_start_class,
        args=(lang,),
        icon=":material/group_add:",
    )
    if st.session_state.pop(_STARTED, False):
        line(t("kit.starter_made"))
        st.page_link(frame.script_of("class"), label=t("page.class"), icon=":material/school:")


def _start_class(lang: str) -> None:
    with error_kept(_SLOT):
        number = starter.make(state.engine(), session.viewer(), lang)
        picker.choose_for_all_pages(number)
        st.session_state[_STARTED] = True


def _make(name: str) -> None:
    with error_kept(_SLOT):
        html = PAPERS[name]().encode("utf-8")
        held = st.session_state.setdefault(_MADE, {})
        held[name, state.language()] = (html, None)
        if find_browser() is not None:
            held[name, state.language()] = (html, pdf_of(html))


def pdf_of(html: bytes) -> bytes:
    """The same pages as a PDF. Raises UnavailableError where Chromium cannot print them."""
    with tempfile.TemporaryDirectory() as folder:
        page, out = Path(folder) / "paper.html", Path(folder) / "paper.pdf"
        page.write_bytes(html)
        print_to_pdf(page, out)
        return out.read_bytes()


session.guard("scores")
st.header(t("page.kit"), anchor=False)
with column():
    line(t("kit.intro"))
    minutes()
    class_to_begin_with()
    papers()
