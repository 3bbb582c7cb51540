"""Comments coded by hand: the code book, one comment after the other, and what the coders gave together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from core.raters.coding import CODING_COLUMNS, coding_rows
from core.raters.reading.choices import KINDS
from core.raters.reading.findings import table_csv
from core.report.study import StudyWords, coded
from core.text.files import decode
from core.text.locale import Speaker
from db.campaigns.coding import (
    BOOK,
    SHEET,
    book_csv,
    differing,
    differing_csv,
    figures_of,
    read_book,
    read_sheet,
    sheet_csv,
)
from db.names import LABEL_LIMIT
from db.queries import enter_rater
from db.queries.coding import (
    NO_CODE,
    CodingRecord,
    code_book,
    coded_comments,
    coders_of,
    comments_to_code,
    finish_coding,
    save_codes,
    set_code_book,
)
from db.records import CampaignSummary, CodeRecord, CommentRecord
from pages.auth import session
from pages.evaluate.agreement.sections import show
from pages.ui import state
from pages.ui.text import NONE, error_kept, line, metric_name, show_kept_error, t, table, terms
from pages.ui.widgets import download, switch

PARTS = ("code", "book", "results")
_SLOT, _PLACE, _CODER = "coding", "coding-place", "coding-coder"
_ROUND, _STORED = "coding-round", "coding-stored"
_FIELDS = ("name", "label", "meaning")


def tab(campaign: CampaignSummary) -> None:
    """The three parts; what a coder gave is shown to others when all have finished."""
    line(t("coding.what"), tone="quiet")
    part = switch(t("coding.part"), PARTS, "coding-part", lambda one: t(f"coding.part.{one}"), hidden=True)
    book = code_book(state.engine(), session.viewer(), campaign.id)
    if part == "book":
        _book(campaign, book)
    elif part == "code":
        _code(campaign, book)
    else:
        _results(campaign)
    show_kept_error(_SLOT)


def _book(campaign: CampaignSummary, book: Sequence[CodeRecord]) -> None:
    """The codes, and a form for those who may change them."""
    if book:
        table([t(f"coding.{name}") for name in _FIELDS], [[one.name, one.label, one.meaning] for one in book])
        download("CSV", book_csv(book).encode("utf-8-sig"), f"yomikurabe-{campaign.id}-codes.csv")
    else:
        line(t("coding.no_book"))
    if not session.viewer().manages:
        return
    about = t("coding.book_file_help", columns=", ".join(BOOK))
    _upload(t("coding.book_file"), about, "coding-book-file", partial(_take_book, campaign.id))
    with st.form("coding-add", clear_on_submit=True, border=False):
        columns = st.columns((1, 1, 2), gap="small")
        for column, name in zip(columns, _FIELDS, strict=True):
            column.text_input(t(f"coding.{name}"), key=f"coding-{name}", max_chars=LABEL_LIMIT)
        st.form_submit_button(t("coding.add"), on_click=_add, args=(campaign.id,))
    if book:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.multiselect(
                t("coding.gone"),
                [one.name for one in book],
                key="coding-gone",
                placeholder=t("widget.choose"),
            )
            st.button(t("coding.remove"), key="coding-remove", on_click=_remove, args=(campaign.id,))


def _upload(label: str, about: str, key: str, take: Callable[[str, Path], None]) -> None:
    """A CSV file that is taken in when it is chosen. take: is given its text, and its name for errors."""
    numbered = f"{key}-{st.session_state.get(_ROUND, 0)}"
    st.file_uploader(label, ["csv"], key=numbered, help=about, on_change=_taken, args=(numbered, take))


def _taken(key: str, take: Callable[[str, Path], None]) -> None:
    """Callback: take the file, and empty the field."""
    file = st.session_state.get(key)
    if file is None:
        return
    with error_kept(_SLOT):
        path = Path(Path(file.name).name)
        take(decode(file.getvalue(), path=path), path)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _take_book(campaign_id: int, text: str, path: Path) -> None:
    """The codes of a file, after those that it does not name."""
    engine, viewer = state.engine(), session.viewer()
    given = read_book(text, path)
    names = {one.name for one in given}
    kept = [one for one in code_book(engine, viewer, campaign_id) if one.name not in names]
    set_code_book(engine, viewer, campaign_id, [*kept, *given])


def _take_sheet(campaign_id: int, coder: int, text: str, path: Path) -> None:
    """The codes that a coder wrote into a spreadsheet."""
    stored = save_codes(state.engine(), session.viewer(), campaign_id, coder, read_sheet(text, path))
    st.session_state[_STORED] = stored
    st.session_state.pop(_PLACE, None)


def _add(campaign_id: int) -> None:
    """Callback: one code more, or another label and meaning of a code that is there."""
    typed = {name: str(st.session_state.get(f"coding-{name}", "")).strip() for name in _FIELDS}
    with error_kept(_SLOT):
        engine, viewer = state.engine(), session.viewer()
        before = [one for one in code_book(engine, viewer, campaign_id) if one.name != typed["name"]]
        set_code_book(engine, viewer, campaign_id, [*before, CodeRecord(**typed)])


def _remove(campaign_id: int) -> None:
    gone = set(st.session_state.get("coding-gone", ()))
    with error_kept(_SLOT):
        engine, viewer = state.engine(), session.viewer()
        kept = [one for one in code_book(engine, viewer, campaign_id) if one.name not in gone]
        set_code_book(engine, viewer, campaign_id, kept)
        st.session_state["coding-gone"] = []


def _coder() -> int | None:
    """Who codes here: the person who is signed in; in the open demo, the person whose name was typed."""
    viewer = session.viewer()
    if viewer.rater_id is not None:
        return viewer.rater_id
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(t("coding.who"), key="coding-who", width=260)
        st.button(t("coding.begin"), key="coding-begin", on_click=_begin)
    number: int | None = st.session_state.get(_CODER)
    return number


def _begin() -> None:
    with error_kept(_SLOT):
        st.session_state[_CODER] = enter_rater(state.engine(), st.session_state.get("coding-who", "")).id
        st.session_state.pop(_PLACE, None)


def _code(campaign: CampaignSummary, book: Sequence[CodeRecord]) -> None:
    """One comment after the other, with the codes to choose from."""
    if not book:
        line(t("coding.no_book"))
        return
    coder = _coder()
    if coder is None:
        return
    comments, finished = comments_to_code(state.engine(), session.viewer(), campaign.id, coder)
    if not comments:
        line(t("coding.no_comments"))
        return
    left = [place for place, one in enumerate(comments) if one.codes is None]
    line(t("coding.progress", done=len(comments) - len(left), total=len(comments)))
    st.progress(1 - len(left) / len(comments))
    if finished:
        line(t("coding.finished"))
        if not left:
            return
        line(t("coding.later", n=len(left)))
        comments = [comments[place] for place in left]
        left = list(range(len(left)))
    if (stored := st.session_state.pop(_STORED, None)) is not None:
        st.success(t("coding.taken", n=stored))
    place = st.session_state.get(_PLACE, (None, 0))
    at = place[1] if place[0] == (campaign.id, coder) else (left or [0])[0]
    at = min(max(at, 0), len(comments) - 1)
    _comment(campaign.id, coder, comments[at], at, book)
    if not left and not finished:
        line(t("coding.finish_note"))
        st.button(
            t("coding.finish"),
            key="coding-finish",
            type="primary",
            on_click=_finish,
            args=(campaign.id, coder),
        )
    _spreadsheet(campaign.id, coder, comments)


def _spreadsheet(campaign_id: int, coder: int, comments: Sequence[CommentRecord]) -> None:
    """The comments as a file to be coded elsewhere, and the way back."""
    with st.expander(t("coding.spreadsheet")):
        line(t("coding.spreadsheet_note", column=SHEET[-1], none=NO_CODE), tone="quiet")
        data = sheet_csv(comments).encode("utf-8-sig")
        download(t("coding.sheet"), data, f"yomikurabe-{campaign_id}-comments.csv", key="coding-sheet")
        take = partial(_take_sheet, campaign_id, coder)
        about = t("coding.sheet_file_help", columns=", ".join((SHEET[0], SHEET[-1])))
        _upload(t("coding.sheet_file"), about, "coding-sheet-file", take)


def _comment(campaign_id: int, coder: int, one: CommentRecord, at: int, book: Sequence[CodeRecord]) -> None:
    labels = {code.name: code.label or code.name for code in book}
    with st.container(border=True):
        line(t("coding.number", n=at + 1, about=_about(one.about)), tone="quiet")
        line(one.text)
    key = f"coding-codes-{one.key}-{coder}"
    st.pills(
        t("coding.codes"),
        list(labels),
        selection_mode="multi",
        default=list(one.codes or ()),
        format_func=labels.__getitem__,
        key=key,
    )
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("coding.back"),
            key=f"coding-back-{one.key}",
            icon=":material/arrow_back:",
            disabled=at == 0,
            on_click=_go,
            args=(campaign_id, coder, at - 1),
        )
        st.button(
            t("coding.save"),
            key=f"coding-save-{one.key}",
            type="primary",
            on_click=_save,
            args=(campaign_id, coder, one.key, key, at),
        )
    line(t("coding.none_note"), tone="quiet")
    terms([(labels[code.name], code.meaning) for code in book if code.meaning])


def _about(about: str) -> str:
    """What a comment is about, in the interface's words where there are some."""
    if about in KINDS:
        return t(f"reading.pen.{about}")
    return t("study.why") if about == "why" else about or t("coding.on_rating")


def _go(campaign_id: int, coder: int, at: int) -> None:
    st.session_state[_PLACE] = ((campaign_id, coder), at)


def _save(campaign_id: int, coder: int, comment: str, key: str, at: int) -> None:
    """Callback: store what is chosen, also nothing, and go on."""
    with error_kept(_SLOT):
        codes = list(st.session_state.get(key) or ())
        save_codes(state.engine(), session.viewer(), campaign_id, coder, {comment: codes})
        _go(campaign_id, coder, at + 1)


def _finish(campaign_id: int, coder: int) -> None:
    with error_kept(_SLOT):
        finish_coding(state.engine(), session.viewer(), campaign_id, coder)


def _results(campaign: CampaignSummary) -> None:
    """Kappa, counts and disagreements; before that, how far the coders are."""
    coders = coders_of(state.engine(), session.viewer(), campaign.id)
    found = coded_comments(state.engine(), session.viewer(), campaign.id)
    if found is None:
        line(t("coding.not_yet"))
        if coders:
            header = [t(f"coding.coder.{name}") for name in ("name", "coded", "finished")]
            yes, no = t("coding.yes"), t("coding.no")
            rows = [[one.name, f"{one.coded:,}", yes if one.finished else no] for one in coders]
            table(header, rows, numbers=frozenset({1}))
        return
    figures = figures_of(found)
    show(coded(figures, StudyWords(say=Speaker(state.language()), title=metric_name)).blocks)
    _differing(found, [one.name for one in coders])
    with st.container(horizontal=True, gap="small"):
        name = f"yomikurabe-{campaign.id}"
        data = table_csv(CODING_COLUMNS, coding_rows(figures)).encode("utf-8-sig")
        download(t("study.save", file="codes.csv"), data, f"{name}-codes.csv", key="coding-figures")
        data = differing_csv(found).encode("utf-8-sig")
        download(t("study.save", file="discuss.csv"), data, f"{name}-discuss.csv", key="coding-discuss")


def _differing(found: CodingRecord, coders: Sequence[str]) -> None:
    """The comments to discuss, with the codes of each coder."""
    rows = [
        [
            " · ".join(filter(None, (version, _about(about)))),
            text,
            " / ".join(f"{who}: {'; '.join(given[who]) or NONE}" for who in coders),
        ]
        for version, about, text, given in differing(found)
    ]
    with st.expander(t("coding.differing", n=len(rows)), expanded=bool(rows)):
        if rows:
            table([*(t(f"study.column.{name}") for name in ("version", "text")), t("coding.codes")], rows)
        else:
            line(t("coding.all_same"))
