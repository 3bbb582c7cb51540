"""Three passages to rate, then the scores of other people and of the metrics beside the visitor's own.

At an open machine the scores are stored in a campaign of visitors' scores; elsewhere they are kept for this
session only.
"""

from __future__ import annotations

import secrets
from statistics import fmean

import streamlit as st

from core.metrics import digits_of
from db.campaigns.demos import visitors_campaign
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating
from db.queries.evaluation import ratings_of_translation
from db.records import TranslationRecord
from pages.auth import session
from pages.ui import picker, state
from pages.ui.showcase import Showcase, first_scores, showcase
from pages.ui.text import (
    NONE,
    error_kept,
    label,
    line,
    metric_name,
    novel,
    number,
    score,
    show_kept_error,
    t,
    table,
)
from pages.ui.widgets import metrics

_GIVEN, _VISITOR = "passages-given", "passages-visitor"
_LACKING, _SLOT = "passages-lacking", "passages"


def ask(shown: Showcase, given: dict[int, float]) -> None:
    """The next passage with its field."""
    passage = shown.passages[len(given)]
    line(t("passages.what"))
    label(t("passages.place", n=len(given) + 1, total=len(shown.passages)))
    for column, (caption, text) in zip(
        st.columns(2, gap="medium"),
        ((t("pair.reference"), passage.reference), (t("pair.translation"), passage.text)),
        strict=True,
    ):
        with column.container(border=True, height="stretch", gap=None):
            label(caption)
            novel(text, lang=shown.lang)
    with st.form(f"passage-{passage.id}", border=False):
        field = f"passage-score-{passage.id}"
        st.number_input(t("passages.score"), 0, 100, None, key=field, width=220)
        last = len(given) + 1 == len(shown.passages)
        st.form_submit_button(
            t("passages.show" if last else "passages.next"),
            type="primary",
            key="passage-next",
            on_click=_take,
            args=(shown, passage, field),
        )
    show_kept_error(_SLOT)
    if st.session_state.pop(_LACKING, False):
        st.warning(t("passages.needed"))


def _take(shown: Showcase, passage: TranslationRecord, field: str) -> None:
    """Callback: keep the score of the passage that is on the screen, and store it at an open machine."""
    value = st.session_state.get(field)
    with error_kept(_SLOT):
        if value is None:
            st.session_state[_LACKING] = True
            return
        if session.viewer().open:
            _store(shown, passage, float(value))
        st.session_state[_GIVEN] = {**st.session_state.get(_GIVEN, {}), passage.id: float(value)}


def _store(shown: Showcase, passage: TranslationRecord, value: float) -> None:
    engine = state.engine()
    name = st.session_state.setdefault(_VISITOR, t("passages.visitor", code=secrets.token_hex(2)))
    rater = enter_rater(engine, name)
    campaign = visitors_campaign(engine, shown.campaign, shown.passages)
    ensure_items(engine, campaign.id, rater.id)
    document = _document(shown, passage)
    item = next(one for one in items_of(engine, campaign.id, rater.id) if one.document == document)
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=value)


def _document(shown: Showcase, passage: TranslationRecord) -> str:
    """The name of the passage in the campaign of visitors' scores."""
    return str(1 + shown.passages.index(passage))


def reveal(shown: Showcase, given: dict[int, float]) -> None:
    """All scores of each passage, and the way to the evidence."""
    st.subheader(t("passages.done"), anchor=False)
    name = st.session_state.get(_VISITOR)
    line(t("passages.stored", name=name) if name else t("passages.unstored"), tone="quiet")
    line(t("passages.scale"), tone="quiet")
    for passage in shown.passages:
        with st.container(border=True):
            novel(passage.text, lang=shown.lang)
            with st.expander(t("pair.reference")):
                novel(passage.reference, lang=shown.lang)
            _numbers(shown, passage, given[passage.id])
            if session.viewer().sees_scores and st.button(
                t("passages.why"), key=f"why-{passage.id}", icon=":material/search:"
            ):
                picker.open_translation(passage, shown.campaign.id)
    st.button(t("passages.again"), key="passages-again", type="tertiary", on_click=_again)
    st.page_link("pages/evaluate/rate/page.py", label=t("page.rate"), icon=":material/edit_note:")


def _numbers(shown: Showcase, passage: TranslationRecord, own: float) -> None:
    """One row: the visitor's score, the mean of the others, and each stored score of a metric."""
    header, values = [t("passages.you")], [score(own)]
    if session.viewer().sees_scores:
        others = _others(shown, passage)
        header.append(t("passages.others", n=len(others)) if others else t("passages.nobody"))
        values.append(number(fmean(others), 0) if others else NONE)
    stored = first_scores(passage.id)
    for metric in metrics(offered=True):
        if metric in stored:
            header.append(metric_name(metric))
            values.append(number(stored[metric].score, digits_of(metric)))
    table(header, [values], numbers=frozenset(range(len(values))))


def _others(shown: Showcase, passage: TranslationRecord) -> list[float]:
    """What raters of the demo and other visitors gave."""
    engine, viewer = state.engine(), session.viewer()
    ids = [passage.id]
    if (name := st.session_state.get(_VISITOR)) is not None:
        campaign = visitors_campaign(engine, shown.campaign, shown.passages)
        document = _document(shown, passage)
        ids += [one.id for one in list_translations(engine, campaign.id) if one.document == document]
    rows = [row for number in ids for row in ratings_of_translation(engine, viewer, number)]
    return [row.score for row in rows if row.rater != name]


def _again() -> None:
    """Callback: another visitor, from the first passage."""
    for key in (_GIVEN, _VISITOR):
        st.session_state.pop(key, None)


st.header(t("page.passages"), anchor=False)
passages = showcase()
if passages is None:
    line(t("front.no_demo"))
else:
    kept = st.session_state.get(_GIVEN, {})
    scores = {one.id: kept[one.id] for one in passages.passages if one.id in kept}
    if len(scores) < len(passages.passages):
        ask(passages, scores)
    else:
        reveal(passages, scores)
