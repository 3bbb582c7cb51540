"""Three ways in: rate three passages, look into a score, and the lessons."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

import streamlit as st

from core.assets import ASSETS
from core.metrics import digits_of
from core.metrics.bertscore.metric import BertScoreTrace
from core.types import Result
from db.campaigns.stored_results import read_results
from db.permissions import Viewer
from db.queries.evaluation import ratings_of_translation
from pages.ui import picker, state
from pages.ui.evidence.tokens import tints
from pages.ui.showcase import Showcase
from pages.ui.text import label, line, metric_name, novel, number, t, table, tinted

METRICS = ("bleu", "chrf", "bertscore", "bertscore-reading")
LESSONS = ("names", "subspace", "structure", "questions", "fool")
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


def look(shown: Showcase | None, viewer: Viewer) -> None:
    """One pair with its tinted translation, its numbers, and the way to the evidence."""
    st.subheader(t("front.look"), anchor=False)
    if shown is None:
        line(t("front.no_demo"))
        return
    scored = _stored(shown)
    _texts(shown, scored.get("bertscore"))
    people = _people(shown, viewer)
    named = [(metric_name(name), number(result.score, digits_of(name))) for name, result in scored.items()]
    if people is not None:
        named.insert(0, (t("front.people"), number(people, 0)))
    if named:
        table([caption for caption, _ in named], [[value for _, value in named]])
    if "bertscore" in scored:
        value = number(scored["bertscore"].score, digits_of("bertscore"))
        line(t("front.look_why", score=value))
    if not viewer.sees_scores:
        st.page_link("pages/learn/names.py", label=t("page.names"), icon=":material/school:")
    elif st.button(t("front.look_open"), key="front-look", icon=":material/search:"):
        picker.open_translation(shown.pair, shown.campaign.id)


def _stored(shown: Showcase) -> dict[str, Result[BertScoreTrace]]:
    """The stored result of each metric; no model is loaded here."""
    stored = read_results(state.engine(), shown.pair.id)
    found: dict[str, Result[BertScoreTrace]] = {}
    for metric, signature in stored.rows:
        result = stored.find(metric, signature) if metric in METRICS else None
        if result is not None:
            found.setdefault(metric, result)
    return {name: found[name] for name in METRICS if name in found}


def _texts(shown: Showcase, scored: Result[BertScoreTrace] | None) -> None:
    with st.container(gap=None):
        label(t("pair.reference"))
        novel(shown.pair.reference, lang=shown.lang)
    with st.container(gap=None):
        label(t("pair.translation"))
        _translation(shown, scored)


def _translation(shown: Showcase, scored: Result[BertScoreTrace] | None) -> None:
    if scored is None or scored.trace is None:
        novel(shown.pair.text, lang=shown.lang)
    else:
        side = scored.trace.hypothesis
        tinted(shown.pair.text, tints(side), lang=shown.lang, colour=state.palette().match)


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
        left, right = st.columns([1, 5], vertical_alignment="center", gap="small")
        left.image(picture, width=PICTURE, alt="")  # the link beside it says the same
        right.page_link(f"pages/learn/{name}.py", label=t(f"page.{name}"))


def _lessons() -> Iterator[tuple[str, str]]:
    for name in LESSONS:
        yield name, str(ASSETS / "pictures" / f"{name}.svg")
