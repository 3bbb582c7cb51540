"""The hack lab for one pair: edits as chips, free editing, and what they do to every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from statistics import fmean
from typing import Any

import streamlit as st

from core.backends.external import PREFIX
from core.charts import attribution as charts
from core.errors import YomikurabeError
from core.hacks import EDITS, Edited, EditInput, Skipped, stack
from core.hacks.robustness import reader
from core.metrics import find_metric
from core.metrics.base import Scorer, Settings
from core.scoring import new_costs
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
_LLM = "llm"
_OUTSIDE = "hack-outside"
"""What metrics from outside said, by metric and pair."""
_MOST_KEPT = 50


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
        asked = metric_form.choose(t("hacks.metrics"), metrics(offered=True), key="hack-metrics")
    wanted = {name: {**metric_form.loaded_by(name, loaded), **settings} for name, settings in asked.items()}
    with right:
        scored = _scored(chosen, changed, wanted)
    if not scored[0]:
        return
    before, after = scored
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


def _scored(
    chosen: Chosen, changed: TextPair, wanted: Mapping[str, Settings]
) -> tuple[dict[str, Result[Any]], dict[str, Result[Any]]]:
    """The results before and after under every metric; a judge's once its cost was agreed to."""
    pairs = (chosen.pair, changed)
    judges = _judges(chosen, pairs, wanted)
    if not metric_form.ready(new_costs(judges.values(), pairs), key="hack"):
        wanted = {name: settings for name, settings in wanted.items() if name not in judges}
    before, after = (
        {
            name: judges[name].score(pair) if name in judges else _one(name, pair, chosen, settings)
            for name, settings in wanted.items()
        }
        for pair in pairs
    )
    return before, after


def _judges(
    chosen: Chosen, pairs: Sequence[TextPair], wanted: Mapping[str, Settings]
) -> dict[str, Scorer[Any]]:
    """The metrics that ask a language model; one that cannot be asked says why in its result."""
    found = {}
    for name, settings in wanted.items():
        if find_metric(name).costs or _LLM in settings.values():
            with suppress(YomikurabeError):
                found[name] = models.prepare(name, pairs[0], settings=settings, context=chosen.context)
    return {name: scorer for name, scorer in found.items() if scorer.asks is not None}


def _one(name: str, pair: TextPair, chosen: Chosen, settings: Settings) -> Result[Any]:
    """A result; a metric from outside takes long to start, so what it said last is kept."""
    if not name.startswith(PREFIX):
        return models.attempt(name, pair, settings=settings, context=chosen.context)
    kept: dict[object, Result[Any]] = st.session_state.setdefault(_OUTSIDE, {})
    if (name, pair) not in kept:
        while len(kept) >= _MOST_KEPT:
            kept.pop(next(iter(kept)))
        kept[name, pair] = models.attempt(name, pair, settings=settings, context=chosen.context)
    return kept[name, pair]


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
                    low=metric.low if metric.high <= 0 else max(metric.low, 0.0),
                    high=metric.high,
                    digits=metric.digits,
                    higher_is_better=metric.higher_is_better,
                )
            )
    figure = charts.slopes(rows, still=_people(chosen), words=diff.words(), palette=state.palette())
    chart(figure, "hack-slopes", t("hacks.slopes_alt"), wide=True)
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
