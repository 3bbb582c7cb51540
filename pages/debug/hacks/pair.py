"""The hack lab for one pair: edits as chips, free editing, and what they do to every number."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

import streamlit as st

from core.charts import attribution as charts
from core.hacks import EDITS, Edited, EditInput, Skipped, stack
from core.hacks.robustness import reader
from core.metrics import find_metric
from core.metrics.base import Settings
from core.text.html import Tint
from core.text.languages import base_lang
from core.types import Result, TextPair
from db.queries.evaluation import ratings_of_translation
from pages.auth import session
from pages.ui import maker, metric_form, models, state
from pages.ui.evidence import diff
from pages.ui.picker import Chosen
from pages.ui.text import label, line, metric_name, novel, t, tinted
from pages.ui.widgets import chart, metrics

LANGS = ("ja", "en")


def lab(chosen: Chosen) -> None:
    """The whole of it, redrawn alone."""
    if base_lang(chosen.pair.lang) not in LANGS:
        line(t("hacks.language"))
        return
    left, right = st.columns([5, 6], gap="large")
    with left:
        changed = _edited(chosen)
    if changed is None:
        return
    with left:
        loaded = metric_form.models_to_load("hack")
    before, after = (_scores(pair, chosen, loaded) for pair in (chosen.pair, changed))
    with right:
        label(t("hacks.slopes"))
        _slopes(chosen, before, after)
        _missing(after)
        maker.button("hacks", chosen.pair, edited=changed.hypothesis)
    _why(before, after)


def _edited(chosen: Chosen) -> TextPair | None:
    """The pair with the translation as it is now, and the widgets that made it so."""
    names = st.multiselect(
        t("hacks.edits"),
        list(EDITS),
        ["maru-7"],
        key="hack-edits",
        format_func=lambda name: t(f"hacks.edit.{name}"),
        help=t("hacks.edits_help"),
        persist_state="session",
        placeholder=t("widget.choose"),
    )
    for name in names:
        edit = EDITS[name]
        what = edit.summary_ja if state.language() == "ja" else edit.summary_en
        meaning = t(f"hacks.meaning.{edit.breaks_meaning}")
        line(f"{t(f'hacks.edit.{name}')}: {what} · {meaning}", tone="quiet")
    seed = int(
        st.number_input(t("hacks.seed"), 0, 9999, 0, key="hack-seed", width=140, help=t("hacks.seed_help"))
    )
    done = _stacked(chosen, names, seed)
    if isinstance(done, Skipped):
        line(t(f"hacks.skipped.{done.reason}"))
        done = None
    text = chosen.pair.hypothesis if done is None else done.text
    if st.toggle(t("hacks.by_hand"), key="hack-by-hand", help=t("hacks.by_hand_help")):
        text = st.text_area(t("hacks.hand"), text, key=f"hack-hand-{hash((text, seed))}", height=160)
        done = None
    _texts(chosen, text, done)
    pair = chosen.pair
    return TextPair(reference=pair.reference, hypothesis=text, source=pair.source, lang=pair.lang)


def _stacked(chosen: Chosen, names: list[str], seed: int) -> Edited | Skipped | None:
    """The translation after these edits, one on the other; None without any."""
    if not names:
        return None
    pair = chosen.pair
    given = EditInput(
        text=pair.hypothesis,
        lang=base_lang(pair.lang),
        source=pair.source,
        reference=pair.reference,
        other=next((other.text for other in chosen.others() if not other.is_reference), None),
    )
    with st.spinner(t("pair.working")):
        read = reader({need for name in names for need in EDITS[name].needs}, models.backends())
        return stack(names, read([given])[0], seed, read=lambda edited: read([edited])[0])


def _texts(chosen: Chosen, text: str, done: Edited | None) -> None:
    for caption, shown, edited in (
        (t("pair.reference"), chosen.pair.reference, None),
        (t("hacks.before"), chosen.pair.hypothesis, None),
        (t("hacks.after"), text, done),
    ):
        with st.container(border=True, gap=None):
            label(caption)
            if edited is None or edited.end <= edited.start:
                novel(shown, lang=chosen.pair.lang)
            else:
                tints = [Tint(start=edited.start, end=edited.end, strength=0.7, underline="solid")]
                tinted(shown, tints, lang=chosen.pair.lang, colour=state.palette().substitute)


def _scores(pair: TextPair, chosen: Chosen, loaded: Settings) -> dict[str, Result[Any]]:
    return {
        name: models.attempt(name, pair, settings=metric_form.loaded_by(name, loaded), context=chosen.context)
        for name in metrics(offered=True)
    }


def _slopes(chosen: Chosen, before: Mapping[str, Result[Any]], after: Mapping[str, Result[Any]]) -> None:
    rows = []
    for name in before:
        first, last, metric = before[name].score, after[name].score, find_metric(name)
        if first is not None and last is not None and metric.high is not None:
            rows.append(
                charts.Slope(
                    name=metric_name(name),
                    before=first,
                    after=last,
                    low=max(metric.low, 0.0),
                    high=metric.high,
                    digits=metric.digits,
                    higher_is_better=metric.higher_is_better,
                )
            )
    figure = charts.slopes(rows, still=_people(chosen), words=diff.words(), palette=state.palette())
    chart(figure, "hack-slopes", t("hacks.slopes_alt"))
    line(t("hacks.slopes_read"), tone="quiet")


def _people(chosen: Chosen) -> charts.Slope | None:
    """People's mean score, which no edit changes."""
    if chosen.translation is None:
        return None
    rows = ratings_of_translation(state.engine(), session.viewer(), chosen.translation.id)
    scores = [row.score for row in rows if not row.computed]
    if not scores:
        return None
    mean = fmean(scores)
    return charts.Slope(name=t("hacks.people"), before=mean, after=mean, low=0, high=100, digits=1)


def _missing(after: Mapping[str, Result[Any]]) -> None:
    without = [metric_name(name) for name, result in after.items() if result.score is None]
    if without:
        line(t("hacks.no_score", metrics=", ".join(without)), tone="quiet")


def _why(before: Mapping[str, Result[Any]], after: Mapping[str, Result[Any]]) -> None:
    st.subheader(t("hacks.why"), anchor=False)
    name = diff.metric_switch(list(before), "hack-metric")
    diff.steps(before[name], after[name], key="hack")
