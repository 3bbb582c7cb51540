"""A new campaign from books: chapters are chosen, the books aligned, and doubtful units looked at first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.alignment.units import UNITS, RatedUnit
from core.text.books.reading import ENDINGS
from db.campaigns.books import (
    AlignedSet,
    BookSet,
    UnitChoice,
    align_set,
    campaign_of,
    kept_folder,
    read_books,
    units_of,
)
from db.campaigns.load import load_bundle
from db.campaigns.mending import note_mendings
from db.names import LABEL_LIMIT
from db.permissions import Viewer
from pages.auth import session
from pages.evaluate.manage import mending
from pages.evaluate.manage.mending import ALIGNED
from pages.evaluate.manage.upload import write_upload
from pages.ui import models, state
from pages.ui.text import NONE, error_kept, language, line, show_kept_error, t, table
from pages.ui.widgets import figures, stoppable

_READ, _MADE, _SLOT = "books-read", "books-made", "books"
DOUBTFUL = 12
"""Units that are shown, the least sure first."""


def box() -> DeltaGenerator:
    """Where the form stands: closed at first, and again after a campaign was made."""
    return st.expander(t("books.new"), icon=":material/menu_book:", key=f"books-box{_round()}")


def _round() -> str:
    """The end of a key that is another one after each campaign that was made: the fields are empty again."""
    made: int = st.session_state.get(_MADE, 0)
    return f"-{made}" if made else ""


def new_campaign(viewer: Viewer) -> None:
    """The whole way: files, chapters, units, the alignment, and the button that stores a draft."""
    viewer.must_manage()
    line(t("books.intro"), tone="quiet")
    kinds = [ending.removeprefix(".") for ending in ENDINGS]
    original = st.file_uploader(t("books.original"), kinds, key=f"books-original{_round()}")
    reference = st.file_uploader(t("books.reference"), kinds, key=f"books-reference{_round()}")
    systems = st.file_uploader(
        t("books.systems"), kinds, accept_multiple_files=True, key=f"books-systems{_round()}"
    )
    if (original is None and reference is None) or len(
        [one for one in (original, reference, *systems) if one]
    ) < 2:
        line(t("books.none"), tone="quiet")
        return
    books = _read(original, reference, systems)
    _overview(books)
    choice = _choice(books)
    st.button(t("books.align"), key="books-align", type="primary", on_click=_forget)
    if st.session_state.get("books-align"):
        _align(books)
    made: AlignedSet | None = st.session_state.get(ALIGNED)
    if made is not None and made.books is books:
        _result(made, choice)
    show_kept_error(_SLOT)


def _read(
    original: UploadedFile | None, reference: UploadedFile | None, systems: Sequence[UploadedFile]
) -> BookSet:
    """The books; read once, and again only when a file is another. Raises the reader's errors."""
    identity = [None if one is None else one.file_id for one in (original, reference, *systems)]
    kept = st.session_state.get(_READ)
    if kept is not None and kept[0] == identity:
        books: BookSet = kept[1]
        return books
    with st.spinner(t("manage.reading")), TemporaryDirectory() as folder:
        places = [
            None if one is None else write_upload(one, Path(folder) / str(place))
            for place, one in enumerate((original, reference, *systems))
        ]
        named = {Path(one.name).stem: path for one, path in zip(systems, places[2:], strict=True) if path}
        books = read_books(places[0], places[1], named)
    st.session_state[_READ] = (identity, books)
    return books


def _overview(books: BookSet) -> None:
    """Title, author, language and number of chapters of each book."""
    rows = [
        (
            t(f"books.role.{role}") if role in ("original", "reference") else role,
            book.title,
            book.author or NONE,
            language(book.lang),
            str(len(book.chapters)),
            f"{sum(chapter.characters() for chapter in book.chapters):,}",
        )
        for role, book in books.by_role().items()
    ]
    columns = ("role", "title", "author", "language", "chapters", "characters")
    table([t(f"books.column.{name}") for name in columns], rows, numbers=frozenset({4, 5}))


def _choice(books: BookSet) -> UnitChoice:
    first = books.original or books.pivot
    names = {n: f"{n + 1} {chapter.title}".strip() for n, chapter in enumerate(first.chapters)}
    chapters = st.multiselect(
        t("books.chapters"),
        list(names),
        key="books-chapters",
        format_func=lambda n: names[n],
        placeholder=t("books.all_chapters"),
    )
    kinds = {name: t(f"books.unit.{name}") for name in UNITS}
    with st.container(horizontal=True, gap="medium"):
        unit = st.selectbox(
            t("books.unit"),
            UNITS,
            index=1,
            key="books-unit",
            format_func=lambda name: kinds[name],
            filter_mode=None,
        )
        size = st.number_input(
            t("books.size"), 50, 5000, 400, 50, key="books-size", help=t("books.size_help")
        )
        count = st.number_input(t("books.sample"), 0, 500, 0, key="books-sample", help=t("books.sample_help"))
        apart = st.number_input(t("books.apart"), 0, 50, 0, key="books-apart")
        seed = st.number_input(t("books.seed"), 0, 2**31 - 1, 0, key="books-seed")
    with st.container(horizontal=True, gap="medium"):
        ruby = st.toggle(t("books.ruby"), True, key="books-ruby", help=t("books.ruby_help"))
        marks = st.toggle(t("books.marks"), key="books-marks", help=t("books.marks_help"))
    return UnitChoice(
        kind=unit,
        characters=int(size),
        chapters=tuple(sorted(chapters)),
        per_chapter=int(count) or None,
        apart=int(apart),
        seed=int(seed),
        ruby=ruby,
        marks=marks,
    )


def _forget() -> None:
    mending.forget()
    st.session_state.pop(ALIGNED, None)


def _align(books: BookSet) -> None:
    """Align with a bar and a Stop button; what was encoded is kept for the next time."""
    with stoppable("books", t("books.preparing"), _words, kept=t("books.stop_help")) as progress:
        made = align_set(books, models.backends(), kept=kept_folder(), progress=progress)
        st.session_state[ALIGNED] = mending.begin(made)


def _words(done: int, total: int) -> str:
    return t("books.progress", done=f"{done:,}", total=f"{total:,}")


def _result(made: AlignedSet, choice: UnitChoice) -> None:
    units = units_of(made, choice)
    found = [(made.books.files[role], f"{one.found:.0%}", None) for role, one in made.aligned.items()]
    figures([(t("books.units"), f"{len(units):,}", None), *found])
    line(t("books.found_help"), tone="quiet")
    line(t("books.doubtful"))
    roles = list(made.aligned)
    doubtful = sorted(units, key=lambda unit: unit.confidence)[:DOUBTFUL]
    table(
        [
            t("books.confidence"),
            t("manage.column.place"),
            made.books.pivot_file(),
            *(made.books.files[r] for r in roles),
        ],
        [_row(made, unit, roles) for unit in doubtful],
        numbers=frozenset({0}),
    )
    with st.expander(t("mending.title"), icon=":material/build:", key="mending-box"):
        mending.mend(made)
    name = st.text_input(
        t("manage.name"), made.books.pivot.title, key=f"books-name{_round()}", max_chars=LABEL_LIMIT
    )
    st.button(t("manage.make"), key="books-make", on_click=_make, args=(choice, name))


def _row(made: AlignedSet, unit: RatedUnit, roles: Sequence[str]) -> tuple[str, ...]:
    texts = [made.text("", unit.pivot)]
    texts += [made.text(role, numbers) for role, numbers in zip(roles, unit.others, strict=True)]
    return f"{unit.confidence:.0%}", f"{unit.chapter + 1}.{unit.place + 1}", *(one or NONE for one in texts)


def _make(choice: UnitChoice, name: str) -> None:
    with error_kept(_SLOT):
        person = session.manager().rater_id
        made: AlignedSet | None = st.session_state.get(ALIGNED)
        if made is None:  # a second press: the campaign was made by the first
            return
        report = load_bundle(
            state.engine(), campaign_of(made, name.strip(), choice), name.strip(), state="draft"
        )
        note_mendings(state.engine(), report.campaign_id, mending.steps(), person)
        state.set_campaign_id(report.campaign_id)
        st.session_state["campaign-manage"] = report.campaign_id
        _forget()
        st.session_state[_MADE] = st.session_state.get(_MADE, 0) + 1
        st.toast(t("manage.made"))
