"""Read a story as a study on oneself: what it is, the way into it, and what one gave, at the end."""

from __future__ import annotations

import secrets

import streamlit as st

from core.raters.reading.close import CloseFindings
from core.raters.reading.findings import StudyFindings
from core.raters.reading.preferences import LENGTH
from db.campaigns.self_study import own_findings, self_study, take_part
from db.queries import enter_rater
from db.queries.close import chunks_of
from db.queries.reading import compared_at, readings_of
from db.queries.study import StudyRecord
from db.records import RaterRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import NONE, column, error_kept, errors_shown, line, metric_name, show_kept_error, t, table

_VISITOR, _GO, _SLOT = "oneself-visitor", "oneself-go", "oneself"
WHO = ("okubo", "mikami")


def reader() -> RaterRecord | None:
    """The person who reads: the one who has signed in; at an open machine the visitor, once they began."""
    visit = session.visit()
    if visit is not None and visit.rater_id is not None and visit.name is not None:
        return RaterRecord(id=visit.rater_id, name=visit.name, imported=False)
    kept: RaterRecord | None = st.session_state.get(_VISITOR)
    return kept


def may_begin() -> bool:
    """Whether this visitor has a place where what they give can be stored."""
    return reader() is not None or session.viewer().open


def _begin() -> None:
    """Callback: the reader gets their versions, and the rating page opens with them."""
    with error_kept(_SLOT):
        person = reader()
        if person is None:
            session.viewer().must_be_in_the_open()
            person = enter_rater(state.engine(), t("passages.visitor", code=secrets.token_hex(3)))
            st.session_state[_VISITOR] = person
        campaign = take_part(state.engine(), session.viewer(), person.id)
        state.set_rater(person)
        state.enter(campaign.id)
        st.session_state[_GO] = True


def invitation(*, begun: bool) -> None:
    """What is to be read, how long it takes, and the button."""
    line(t("oneself.what"))
    line(t("oneself.how"))
    if may_begin():
        words = t("oneself.go_on" if begun else "oneself.begin")
        st.button(words, key="oneself-begin", type="primary", icon=":material/menu_book:", on_click=_begin)
        line(t("oneself.kept"), tone="quiet")
    else:
        st.info(t("oneself.no_place"), icon=":material/login:")
    show_kept_error(_SLOT)
    line(t("learn.story.credits", licence="CC BY", library="Project Gutenberg"), tone="quiet")
    st.page_link("pages/learn/readers.py", label=t("page.readers"), icon=":material/school:")


def results(study: StudyRecord, found: StudyFindings) -> None:
    """What this reader preferred: as a whole, in passages, and beside length and metrics."""
    (own,) = study.readers
    st.subheader(t("oneself.done"), anchor=False)
    preferred = own.final.get("preferred")
    whole = None if preferred in (None, -1) else own.read[preferred].system
    order = [one.system for one in own.read]
    line(t("oneself.order", first=who(order[0]), second=who(order[1])))
    line(t("oneself.whole", who=who(whole)) if whole else t("oneself.whole_none"), tone="title")
    close = found.close
    if close is None or not close.preferences:
        return
    (pair,) = close.preferences
    counts = {pair.first: pair.share.hits, pair.second: pair.share.n - pair.share.hits}
    rows = [[who(name), f"{counts.get(name, 0)}"] for name in WHO]
    rows.append([t("reading.no_difference"), f"{pair.ties}"])
    table([t("study.column.version"), t("oneself.passages")], rows, numbers=frozenset({1}))
    _in_words(close)
    header = [t("oneself.asked"), t("oneself.agrees"), t("oneself.as_whole")]
    table(header, _picks(found), numbers=frozenset({1, 2}))
    line(t("oneself.note", n=pair.share.n), tone="quiet")
    with st.expander(t("close.by_chunk")):
        _passages(study)


def who(version: str | None) -> str:
    """A translator for a reader."""
    return NONE if version is None else t(f"learn.story.who.{version}")


def _in_words(close: CloseFindings) -> None:
    """Whether the passages went with the whole, and the side that was chosen."""
    if close.with_whole.n:
        line(t("oneself.same" if close.with_whole.hits else "oneself.other"))
    line(t("oneself.left", hits=close.left.hits, n=close.left.n))


def _picks(found: StudyFindings) -> list[list[str]]:
    """Length and each metric: in how many passages it picks what the reader picked, and as a whole."""
    whole = {one.metric: one.share for one in found.metrics}
    rows = []
    for one in found.close.metrics if found.close else ():
        name = t("study.length") if one.metric == LENGTH else metric_name(one.metric)
        share = whole.get(one.metric)
        as_whole = NONE if share is None or not share.n else t("oneself.yes" if share.hits else "oneself.no")
        rows.append([name, f"{one.share.hits} / {one.share.n}", as_whole])
    return rows


def _passages(study: StudyRecord) -> None:
    """Each passage: what stood where, and what was preferred."""
    rows = []
    for one in study.readers[0].compared:
        preferred = one.answers.get("preferred")
        chosen = t("reading.no_difference") if preferred == -1 else NONE
        if preferred in (0, 1):
            chosen = who((one.left, one.right)[preferred])
        margin = one.answers.get("margin")
        by = NONE if margin is None else t(f"reading.margin.{margin}")
        rows.append([f"{one.place + 1}", who(one.left), who(one.right), chosen, by])
    names = (
        t("close.column.chunk"),
        t("chunks.side.0"),
        t("chunks.side.1"),
        t("oneself.preferred"),
        t("reading.margin"),
    )
    table(names, rows, numbers=frozenset({0}))


def page() -> None:
    """The invitation; once everything is done, the results."""
    if st.session_state.pop(_GO, False):
        st.switch_page("pages/evaluate/rate/page.py")
    st.header(t("page.oneself"), anchor=False)
    person = reader()
    with column(), errors_shown():
        if person is None:
            invitation(begun=False)
            return
        engine, viewer = state.engine(), session.viewer()
        campaign = self_study(engine)
        begun = bool(readings_of(engine, viewer, campaign.id, person.id))
        chunks = chunks_of(engine, viewer, campaign.id, person.id)
        compared = compared_at(engine, viewer, campaign.id, person.id)
        if not begun or compared is None or any(one.finished_at is None for one in chunks):
            invitation(begun=begun)
            return
        results(*own_findings(engine, viewer, campaign.id, person.id))
        st.page_link("pages/learn/readers.py", label=t("page.readers"), icon=":material/school:")


page()
