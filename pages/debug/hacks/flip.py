"""The smallest change: how little it takes until a metric prefers the other translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.errors import YomikurabeError
from core.hacks import EDITS, EditInput
from core.hacks.flip import LAB, SECONDS, Flip, FlipStep, flip
from core.hacks.robustness import reader
from core.metrics import digits_of
from core.metrics.base import Scorer
from core.text.html import Tint
from core.text.languages import base_lang
from pages.debug.hacks.pair import LANGS
from pages.ui import maker, models, state
from pages.ui.picker import Chosen
from pages.ui.text import label, line, metric_name, number, t, table, tinted
from pages.ui.widgets import download_csv, metric_choice, metrics, switch

BORDERS = ("other", "score")
TYPED = "typed"
_FOUND = "flip-found"
"""The last result of this session, with what it is of."""


def search(chosen: Chosen) -> None:
    """The whole tab: what to cross, the button, and the way with every score on it."""
    if base_lang(chosen.pair.lang) not in LANGS:
        line(t("hacks.language"))
        return
    other, target = _border(chosen)
    name = _metric()
    asked = metric_choice(t("flip.others"), metrics(offered=True, fast=True), key="flip-metrics")
    names = [name, *(one for one in asked if one != name)]
    ready = target is not None or bool((other or "").strip())
    if st.button(t("flip.search"), key="flip-search", type="primary", disabled=not ready):
        st.session_state.pop(_FOUND, None)
        with st.spinner(t("flip.working", seconds=f"{SECONDS:g}")):
            found = _find(chosen, other, target, name, names)
        st.session_state[_FOUND] = (chosen.pair, other, target, name, found)
    last = st.session_state.get(_FOUND)
    if last is not None and last[:4] == (chosen.pair, other, target, name):
        _show(chosen, other, last[4])


def _border(chosen: Chosen) -> tuple[str | None, float | None]:
    """The other translation, or None; and the score to cross, None for that translation's."""
    others = {one.system: one.text for one in chosen.others() if not one.is_reference}
    kind = switch(t("flip.border"), BORDERS, "flip-border", lambda name: t(f"flip.border.{name}"))
    name = st.selectbox(
        t("flip.other"),
        [*others, TYPED],
        format_func=lambda name: t("diff.typed") if name == TYPED else str(name),
        key=f"flip-other-{chosen.translation and chosen.translation.id}",
        filter_mode=None,
        help=t("flip.other_help"),
    )
    other = (
        st.text_area(t("diff.type"), key="flip-typed", height=100, persist_state="session")
        if name == TYPED
        else others[name]
    )
    target = None
    if kind == "score":
        target = float(st.number_input(t("flip.target"), value=0.8, step=0.01, key="flip-target", width=180))
    return other or None, target


def _metric() -> str:
    names = metrics(offered=True)
    return st.selectbox(
        t("flip.metric"),
        names,
        index=names.index("bertscore"),
        format_func=metric_name,
        key="flip-metric",
        width=260,
        filter_mode=None,
        persist_state="session",
    )


def _find(
    chosen: Chosen, other: str | None, target: float | None, name: str, names: list[str]
) -> Flip | YomikurabeError:
    """The search; an error is kept with it."""
    pair, lang = chosen.pair, base_lang(chosen.pair.lang)
    backends = models.backends()
    try:
        scorers: Mapping[str, Scorer[Any]] = {
            one: models.prepare(one, pair, settings={}, context=chosen.context) for one in names
        }
        read = reader({need for edit in LAB for need in EDITS[edit].needs}, backends)
        (given,) = read([EditInput(text=pair.hypothesis, lang=lang, reference=pair.reference, other=other)])
        return flip(pair, given, scorers, metric=name, target=target)
    except YomikurabeError as error:
        return error


def _show(chosen: Chosen, other: str | None, found: Flip | YomikurabeError) -> None:
    if isinstance(found, YomikurabeError):
        raise found
    digits = digits_of(found.metric)
    words = "reached" if found.reached else "stopped" if found.stopped else "nearest"
    line(
        t(
            f"flip.{words}",
            metric=metric_name(found.metric),
            score=number(found.target, digits),
            moves=len(found.steps) - 1,
            size=found.size,
            tried=found.tried,
        )
    )
    _texts(chosen, other, found)
    _way(found)
    maker.button("hacks", chosen.pair, edited=found.steps[-1].text)


def _texts(chosen: Chosen, other: str | None, found: Flip) -> None:
    """The texts: what was changed is marked before and after it was."""
    pair, palette = chosen.pair, state.palette()
    before = [Tint(start=one.start, end=one.end, strength=0.6, underline="dashed") for one in found.steps]
    after = [Tint(start=one.now[0], end=one.now[1], strength=0.6, underline="solid") for one in found.steps]
    for caption, text, tints, colour in (
        (t("pair.reference"), pair.reference, [], palette.match),
        (t("hacks.before"), pair.hypothesis, before, palette.delete),
        (t("hacks.after"), found.steps[-1].text, after, palette.insert),
        (t("flip.other"), other or "", [], palette.match),
    ):
        if text:
            with st.container(border=True, gap=None):
                label(caption)
                shown = [one for one in tints if one.end > one.start]
                tinted(text, shown, lang=pair.lang, colour=colour)


def _way(found: Flip) -> None:
    """A row for each text on the way and for the other translation, a column for each metric."""
    names = list(found.steps[0].scores)
    heads = [t("flip.change"), t("flip.size"), *map(metric_name, names)]
    rows = []
    before: FlipStep | None = None
    for step in found.steps:
        cells = [_cell(name, step, before) for name in names]
        kind = t(f"flip.kind.{step.kind}") if step.kind else t("hacks.before")
        rows.append([f"{kind}: {step.note}" if step.note else kind, f"{step.size}", *cells])
        before = step
    if found.other:
        others = (number(found.other[name], digits_of(name)) for name in names)
        rows.append([t("flip.other"), "", *others])
    table(heads, rows, numbers=frozenset(range(1, len(heads))))
    line(t("flip.what"), tone="quiet")
    download_csv(heads, rows, "yomikurabe-flip.csv", key="flip-file")


def _cell(name: str, step: FlipStep, before: FlipStep | None) -> str:
    """The score, and by how much the move changed it."""
    score, digits = step.scores[name], digits_of(name)
    earlier = None if before is None else before.scores[name]
    if score is None or earlier is None:
        return number(score, digits)
    return f"{number(score, digits)} ({number(score - earlier, digits, signed=True)})"
