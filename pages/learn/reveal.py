"""Guess, rate, reveal: each item with the own score, class, panel and metrics, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import streamlit as st

from core.metrics import METRICS
from core.metrics.bertscore.metric import BertScoreTrace
from core.raters.grading import WORTH_A_WORD, ClassItem, class_items, level_of
from core.text.languages import base_lang
from db.campaigns.stored_results import read_results
from db.queries import list_translations
from db.queries.classroom import (
    CLASS,
    PANEL,
    class_scores,
    metric_scores,
    panel,
    panel_comments,
    released,
    students,
)
from db.queries.classroom import METRICS as METRICS_STEP
from db.records import CampaignRecord, StudentRecord, TranslationRecord
from pages.auth import session
from pages.ui import picker, state
from pages.ui.evidence.tokens import tints
from pages.ui.showcase import first_scores
from pages.ui.text import NONE, facts, line, metric_name, number, t, tinted, two_texts

_AT = "reveal-at"
MOST = 12
"""Items on the teacher's page; the rest contradict less."""


def for_class(campaign: CampaignRecord) -> None:
    """The teacher's list: the items on which class, panel and metrics contradict each other most."""
    engine, viewer = state.engine(), session.viewer()
    everybody = students(engine, viewer, campaign.id)
    items = class_items(
        [one.scores for one in everybody],
        panel(engine, viewer, campaign.id),
        metric_scores(engine, viewer, campaign.id),
    )
    rated = [one for one in items if one.scores]
    if not rated:
        line(t("reveal.none"))
        return
    texts = {one.id: one for one in list_translations(engine, campaign.id)}
    said = panel_comments(engine, viewer, campaign.id)
    if state.projector():
        _one(rated[:MOST], texts, said, campaign)
        return
    line(t("reveal.what"), tone="quiet")
    for one in rated[:MOST]:
        with st.container(border=True):
            shown = texts[one.item]
            two_texts(shown.reference, shown.text, lang=base_lang(campaign.target_lang))
            _numbers(one, None, {})
            comments(said.get(one.item, ()))
            for prompt in prompts(one):
                line(prompt)
            picker.to_lens(one.item, campaign.id, f"reveal-lens-{one.item}")
    if len(rated) > MOST:
        line(t("reveal.more", n=len(rated) - MOST), tone="quiet")


def _one(
    rated: Sequence[ClassItem],
    texts: Mapping[int, TranslationRecord],
    said: Mapping[int, Sequence[str]],
    campaign: CampaignRecord,
) -> None:
    """One item before the class, with the way to the one before and the next."""
    at = min(int(st.session_state.get(_AT, 0)), len(rated) - 1)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        for step, icon in ((-1, "arrow_back"), (1, "arrow_forward")):
            st.button(
                t(f"reveal.step.{icon}"),
                key=f"reveal-{icon}",
                icon=f":material/{icon}:",
                disabled=not 0 <= at + step < len(rated),
                on_click=st.session_state.__setitem__,
                args=(_AT, at + step),
            )
        line(t("reveal.place", place=at + 1, total=len(rated)), tone="quiet")
    item = rated[at]
    shown = texts[item.item]
    two_texts(shown.reference, shown.text, lang=base_lang(campaign.target_lang))
    _numbers(item, None, {})
    for prompt in prompts(item):
        line(prompt, tone="title")
    comments(said.get(item.item, ()))


def comments(said: Sequence[str]) -> None:
    """What the experts wrote about a translation; their words are data."""
    for one in said:
        line(t("reveal.comment", comment=one))


def for_student(campaign: CampaignRecord, own: StudentRecord) -> None:
    """The student's own items in the order in which they were rated, with what is released."""
    engine, viewer, steps = state.engine(), session.viewer(), released(campaign)
    items = class_items(
        class_scores(engine, viewer, campaign.id) if CLASS in steps else [own.scores],
        panel(engine, viewer, campaign.id) if PANEL in steps else {},
        metric_scores(engine, viewer, campaign.id) if METRICS_STEP in steps else {},
    )
    by_item = {one.item: one for one in items}
    said = panel_comments(engine, viewer, campaign.id) if PANEL in steps else {}
    texts = {one.id: one for one in list_translations(engine, campaign.id)}
    for item, score in own.scores.items():
        with st.container(border=True):
            shown = texts[item]
            two_texts(shown.reference, shown.text, lang=base_lang(campaign.target_lang))
            _numbers(by_item[item], score, own.guesses.get(item, {}), class_shown=CLASS in steps)
            comments(said.get(item, ()))
            if METRICS_STEP in steps:
                _evidence(texts[item], campaign)


def prompts(item: ClassItem) -> list[str]:
    """Questions for the class about an item: what fooled people, and what fooled metrics."""
    found = []
    gap = item.people_gap
    if gap is not None and abs(gap) >= WORTH_A_WORD:
        found.append(t("reveal.people_high" if gap > 0 else "reveal.people_low", points=number(abs(gap), 0)))
    gaps = item.metric_gaps
    for sign, direction in ((1, "high"), (-1, "low")):
        names = [metric_name(name) for name, value in gaps.items() if sign * value >= WORTH_A_WORD]
        if names:
            found.append(t(f"reveal.metrics_{direction}", metrics=t("kit.comma").join(names)))
    return found


def _numbers(
    item: ClassItem, own: float | None, guesses: Mapping[str, int], *, class_shown: bool = True
) -> None:
    """Own score, class, panel, and the third in which each metric puts the translation."""
    found: list[tuple[str, str]] = []
    if own is not None:
        found.append((t("reveal.own"), number(own, 0)))
    if class_shown:
        found.append((t("reveal.class", n=len(item.scores)), number(item.mean, 0)))
    found.append((t("reveal.panel"), number(item.panel, 0)))
    for name in shown_metrics(item, guesses):
        found.append((metric_name(name), _third(item.metrics.get(name), guesses.get(name))))
    facts(found)


def shown_metrics(item: ClassItem, guesses: Mapping[str, int]) -> Sequence[str]:
    """The metrics of the row: those that were guessed first, then the others that are selected by default."""
    others = [name for name in item.metrics if name in METRICS and METRICS[name].offered]
    return list(dict.fromkeys((*guesses, *others)))


def _third(percentile: float | None, guessed: int | None) -> str:
    """`high ✓`: where the metric puts it, and whether the guess was right."""
    if percentile is None:
        return NONE if guessed is None else t("reveal.guessed", level=t(f"reveal.level.{guessed}"))
    level = level_of(percentile)
    words = t(f"reveal.level.{level}")
    if guessed is None:
        return words
    if guessed == level:
        return t("reveal.right", level=words)
    return t("reveal.wrong", level=words, guess=t(f"reveal.level.{guessed}"))


def _evidence(translation: TranslationRecord, campaign: CampaignRecord) -> None:
    """What BERTScore found of the reference in this translation, from the stored trace."""
    row = first_scores(translation.id).get("bertscore")
    result = (
        None if row is None else read_results(state.engine(), translation.id).find("bertscore", row.signature)
    )
    if result is None:
        return
    with st.expander(t("reveal.why"), icon=":material/search:"):
        line(t("reveal.why_what", score=number(result.score, 3)), tone="quiet")
        trace = cast(BertScoreTrace, result.trace)
        lang, colour = base_lang(campaign.target_lang), state.palette().match
        tinted(translation.text, tints(trace.hypothesis), lang=lang, colour=colour)
