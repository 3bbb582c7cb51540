"""Progress: who rates, how far, at what pace, last seen when; it renews itself and shows no score."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from db.queries.completion import outcomes
from db.queries.people import people_of
from db.records import OutcomeRecord, PersonRecord
from pages.auth import session
from pages.ui import picker, state
from pages.ui.text import NONE, errors_shown, language, line, moment, number, t, table
from pages.ui.widgets import download_csv, to_manage

EVERY = 15  # seconds
COLUMNS = ("who", "part", "language", "done", "skipped", "share", "seconds", "pace", "seen")


def outcome(found: OutcomeRecord | None) -> str:
    """Whether a rater who has finished passed the hidden checks, and of how many."""
    if found is None:
        return NONE
    return t("progress.passed" if found.passed else "progress.failed", right=found.right, n=found.counted)


def cells(person: PersonRecord) -> tuple[str, ...]:
    """A person's row."""
    finished = person.done + person.skipped
    return (
        person.name,
        t(f"part.{person.part}"),
        " · ".join(filter(None, (person.native_language and language(person.native_language), person.level)))
        or NONE,
        f"{person.done:,} / {person.total:,}",
        number(person.skipped, 0),
        f"{100 * finished / person.total:.0f} %" if person.total else NONE,
        number(person.median_seconds, 0),
        number(person.characters_a_minute, 0),
        NONE if person.seen_at is None else moment(person.seen_at),
    )


@st.fragment(run_every=EVERY)
def progress(campaign_id: int) -> None:
    """The table, renewed by itself."""
    session.guard_part("scores")
    with errors_shown():
        people = people_of(state.engine(), session.viewer(), campaign_id)
        if not people:
            line(t("progress.none"))
            to_manage()
            return
        total = sum(one.total for one in people)
        finished = sum(one.done + one.skipped for one in people)
        st.progress(finished / total if total else 0.0, text=t("progress.all", done=finished, total=total))
        found = outcomes(state.engine(), session.viewer(), campaign_id)
        names = COLUMNS if found is None else (*COLUMNS, "outcome")
        header = [t(f"progress.column.{name}") for name in names]
        rows = [cells(person) for person in people]
        if found is not None:
            rows = [(*row, outcome(found.get(one.rater_id))) for row, one in zip(rows, people, strict=True)]
        platform = tuple(dict.fromkeys(name for one in people for name in one.parameters))
        header = [*header, *platform]
        rows = [
            (*row, *(one.parameters.get(name, NONE) for name in platform))
            for row, one in zip(rows, people, strict=True)
        ]
        table(header, rows, numbers=frozenset({3, 4, 5, 6, 7}))
        if found is not None or platform:
            download_csv(header, rows, f"yomikurabe-{campaign_id}-progress.csv", key="progress-csv")
        line(t("progress.renewed", when=moment(datetime.now(UTC)), seconds=EVERY), tone="quiet")


session.guard("scores")
st.header(t("page.progress"), anchor=False)
chosen = picker.choose_campaign("progress")
if chosen is not None:
    progress(chosen.id)
