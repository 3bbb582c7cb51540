"""Three ways in: rate three passages, look into a score, and the lessons."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import cast

import streamlit as st

from core.assets import ASSETS
from core.metrics import digits_of
from core.metrics.bertscore.metric import BertScoreTrace
from db.campaigns.stored_results import read_results
from db.permissions import Viewer
from db.queries.evaluation import ratings_of_translation
from db.records import ScoreRow
from pages.ui import picker, state
from pages.ui.evidence.tokens import tints
from pages.ui.showcase import Showcase, first_scores
from pages.ui.text import label, line, metric_name, novel, number, t, table, tinted

METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading")
LESSONS = ("ab", "names", "structure", "questions", "raters", "judge", "story", "readers", "fool", "subspace")
PICTURE = 36  # pixels


def rate(shown: Showcase | None) -> None:
    """Three passages, two minutes; without the demo, the page for raters."""
    st.subheader(t("front.rate"), anchor=False)
    line(t("front.rate_what"))
    if shown is None:
        st.page_link("pages/evaluate/rate/page.py", label=t("page.rate"), icon=":material/edit_note:")
        return
    novel(shown.passages[0].text, lang=shown.lang)
    if st.button(t("front.rate_start"), key="front-rate", type="primary", icon=":material/edit_note:"):
        st.switch_page("pages/home/passages.py")
    st.page_link("pages/learn/oneself.py", label=t("front.oneself"), icon=":material/menu_book:")


def look(shown: Showcase | None, viewer: Viewer) -> None:
    """One pair with its tinted translation, its numbers, and the way to the evidence."""
    st.subheader(t("front.look"), anchor=False)
    if shown is None:
        line(t("front.no_demo"))
        return
    scored = first_scores(shown.pair.id)
    trace = _trace(shown, scored.get("bertscore"))
    _texts(shown, trace)
    people = _people(shown, viewer)
    named = {
        metric_name(name): number(scored[name].score, digits_of(name)) for name in METRICS if name in scored
    }
    if people is not None:
        named = {t("front.people"): number(people, 0), **named}
    if named:
        table(list(named), [list(named.values())])
    if trace is not None:
        line(t("front.look_why", score=number(scored["bertscore"].score, digits_of("bertscore"))))
    if not viewer.sees_scores:
        st.page_link("pages/learn/names.py", label=t("page.names"), icon=":material/school:")
    elif st.button(t("front.look_open"), key="front-look", icon=":material/search:"):
        picker.open_translation(shown.pair, shown.campaign.id)


def _trace(shown: Showcase, row: ScoreRow | None) -> BertScoreTrace | None:
    """The stored trace of the pair; no model is loaded here."""
    if row is None:
        return None
    result = read_results(state.engine(), shown.pair.id).find(row.metric, row.signature)
    return None if result is None else cast(BertScoreTrace, result.trace)


def _texts(shown: Showcase, trace: BertScoreTrace | None) -> None:
    with st.container(gap=None):
        label(t("pair.reference"))
        novel(shown.pair.reference, lang=shown.lang)
    with st.container(gap=None):
        label(t("pair.translation"))
        if trace is None:
            novel(shown.pair.text, lang=shown.lang)
        else:
            colour = state.palette().match
            tinted(shown.pair.text, tints(trace.hypothesis), lang=shown.lang, colour=colour)


def _people(shown: Showcase, viewer: Viewer) -> float | None:
    """The mean of people's scores of the pair, if this visitor may see it and there are any."""
    if not viewer.sees_scores:
        return None
    rows = ratings_of_translation(state.engine(), viewer, shown.pair.id)
    return fmean(row.score for row in rows) if rows else None


def learn() -> None:
    """The lessons, each with its picture."""
    st.subheader(t("front.learn"), anchor=False)
    line(t("front.learn_what"))
    for name, picture in _lessons():
        key = f"front-lesson-{name}"
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=key):
            st.image(picture, width=PICTURE, alt="")  # the link beside it says the same
            st.page_link(f"pages/learn/{name}.py", label=t(f"page.{name}"), width="stretch")


def _lessons() -> Iterator[tuple[str, str]]:
    for name in LESSONS:
        yield name, str(ASSETS / "pictures" / f"{name}.svg")
