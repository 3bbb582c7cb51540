"""The errors that people marked in a translation, and below what a metric finds wrong at each character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from core.metaeval.pointing import MarkedText, pointing_of_text
from core.metrics import METRICS, evidence
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.protocols import MAJOR, MINOR, NEUTRAL, TARGET, MarkedSpan
from core.text.html import Tint, Underline
from core.types import Result
from db.queries.marks import MarkRecord, marks_of_translation
from pages.auth import session
from pages.ui import state
from pages.ui.error_words import category_word, looks, severity_word
from pages.ui.picker import Chosen
from pages.ui.text import NONE, label, line, metric_name, number, t, tinted
from pages.ui.widgets import figures, switch

_LOOKS: dict[str, tuple[float, Underline]] = {
    MAJOR: (0.8, "solid"),
    MINOR: (0.35, "dotted"),
    NEUTRAL: (0.15, "dashed"),
}
"""How strong the colour of a mark is, and its line; graver ones look like the first."""

HIGH = 0.75
"""Of a text's highest evidence: from here on it is underlined."""


def marks(chosen: Chosen, results: Mapping[str, Result[Any]]) -> None:
    """People's marks above, a metric's evidence below, and how well the one ranks the other."""
    translation, campaign = chosen.translation, chosen.campaign_id
    if translation is None or campaign is None:
        line(t("pair.marks_typed"))
        return
    given = marks_of_translation(state.engine(), session.viewer(), campaign, translation.id)
    if not given:
        line(t("pair.marks_none"))
        return
    rater = switch(
        t("pair.marks_rater"), range(len(given)), f"marks-rater-{translation.id}", lambda at: given[at].rater
    )
    _people(given[rater], chosen.pair.lang)
    found = _evidence(chosen, results)
    if found:
        _metric(given[rater], found, chosen.pair.lang)


def _people(one: MarkRecord, lang: str) -> None:
    with st.container(border=True, gap=None):
        label(t("pair.marks_people", rater=one.rater))
        tinted(one.text, tints_of_marks(one.spans, one.errors), lang=lang, colour=state.palette().delete)
    elsewhere = sum(span.missing or span.side != TARGET for span in one.spans)
    line(t("pair.marks_legend") if one.spans else t("judge.no_errors"), tone="quiet")
    if elsewhere:
        line(t("pair.marks_elsewhere", n=elsewhere), tone="quiet")


def _evidence(chosen: Chosen, results: Mapping[str, Result[Any]]) -> dict[str, NDArray[np.float64]]:
    """What metrics say of the characters: those of the page, then others whose traces are stored."""
    text = chosen.pair.hypothesis
    known = dict(results)
    for metric, signature in chosen.stored.rows:
        stored = chosen.stored.find(metric, signature) if metric not in known else None
        if stored is not None:
            known[metric] = stored
    found = {name: evidence(result, text) for name, result in known.items() if name in METRICS}
    return {name: values for name, values in found.items() if values is not None}


def _metric(one: MarkRecord, found: Mapping[str, NDArray[np.float64]], lang: str) -> None:
    names = list(found)
    first = "bertscore" if "bertscore" in names else names[0]
    name = switch(t("systems.metric"), names, "marks-metric", metric_name, default=first)
    values = found[name]
    with st.container(border=True, gap=None):
        label(t("pair.marks_evidence", metric=metric_name(name)))
        tinted(one.text, tints_of_evidence(values), lang=lang, colour=state.palette().match)
    line(t("pair.marks_evidence_legend"), tone="quiet")
    marked = MarkedText(
        text=one.text, document="", item=0, rater=one.rater, spans=one.spans, errors=one.errors
    )
    precision, auc, share = pointing_of_text(marked, values)
    figures(
        [
            (t("pair.marks_precision"), number(precision, 3), t("pair.marks_precision_help")),
            (t("pair.marks_auc"), number(auc, 3), t("pair.marks_auc_help")),
            (t("pair.marks_share"), NONE if share is None else f"{share:.0%}", t("pair.marks_share_help")),
        ]
    )


def tints_of_marks(spans: Sequence[MarkedSpan], errors: OwnErrors = NO_OWN_ERRORS) -> list[Tint]:
    """A mark for each error in the translation, the graver ones first, which show where two overlap."""
    here = [span for span in spans if span.side == TARGET and not span.missing]
    found = []
    look = looks(tuple({span.severity for span in here}), errors)
    styles = {name: _LOOKS.get(style, _LOOKS[MAJOR]) for name, style in look.items()}
    for span in sorted(here, key=lambda one: (-styles[one.severity][0], one.start)):
        strength, underline = styles[span.severity]
        severity = severity_word(span.severity, errors)
        kind = category_word(span.category, errors) if span.category else ""
        title = " · ".join(filter(None, (severity, kind, span.note)))
        found.append(
            Tint(start=span.start, end=span.end, strength=strength, title=title, underline=underline)
        )
    return found


def tints_of_evidence(values: NDArray[np.float64]) -> list[Tint]:
    """A tint for each run of characters with one number above 0, against the highest of the text."""
    highest = float(values.max(initial=0.0))
    found, at = [], 0
    for value, run in groupby(values.tolist()):
        end = at + len(list(run))
        if value > 0:
            share = value / highest
            found.append(
                Tint(
                    start=at,
                    end=end,
                    strength=share,
                    title=f"{value:.3f}",
                    underline="solid" if share >= HIGH else "none",
                )
            )
        at = end
    return found
