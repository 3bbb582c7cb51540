"""One pair: people's score, every metric's, and the evidence behind each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.types import Result
from pages.auth import session
from pages.debug.pair import judge, marks, overview
from pages.ui import address, glossary, maker, metric_form, models, picker
from pages.ui.evidence import asking, diff, names, questions, structure, subspace, tokens
from pages.ui.evidence.keeping import keep_button, save_button
from pages.ui.text import NONE, errors_shown, in_words, line, t
from pages.ui.widgets import metrics, picture_kind

TABS = (
    "tokens",
    "names",
    "subspace",
    "structure",
    "questions",
    "judge",
    "marks",
    "diff",
    "words",
    "characters",
)
PARTS = (
    *picker.PAIR_PARTS,
    address.tab("pair-tabs", TABS, lambda name: t(f"pair.tab.{name}")),
    *tokens.PARTS,
)


@st.fragment
def evidence(chosen: picker.Chosen) -> None:
    """Everything that a setting or a click changes; it is redrawn alone."""
    session.guard_part("scores")
    with errors_shown():
        chosen = chosen.with_stored()
        top = st.container(horizontal=True, horizontal_alignment="right")
        settings = overview.settings(chosen)
        shared = {
            "bertscore": metric_form.taken_by("bertscore", settings),
            "bertscore-reading": names.shared(settings),
            "subspace": subspace.shared(settings),
        }
        results = {
            name: models.attempt(
                name,
                chosen.pair,
                settings=shared.get(name, metric_form.loaded_by(name, settings)),
                context=chosen.context,
                stored=chosen.stored,
            )
            for name in metrics(offered=True, fast=True)
        }
        overview.numbers(chosen, results)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            keep_button(chosen, results.values(), "numbers")
            save_button(chosen, results.values())
            picture_kind()
        if results["bertscore"].trace is None:
            line(in_words(results["bertscore"].missing or NONE))
            return
        tokens.settle(results["bertscore"].trace)
        overview.baseline_line(chosen, settings)
        overview.passages(chosen, results["bertscore"].trace)
        tabs = st.tabs([t(f"pair.tab.{name}") for name in TABS], on_change="rerun", key="pair-tabs")
        for tab, name in zip(tabs, TABS, strict=True):
            if tab.open:
                with tab, errors_shown():
                    line(t(f"pair.what.{name}"), tone="quiet")
                    _tab(name, chosen, settings, results)
        with top:
            glossary.button()
            maker.button("pair", chosen.pair, tab=PARTS[len(picker.PAIR_PARTS)].current())
            picker.copy_link(PARTS)
    address.write(PARTS)


def _tab(
    name: str, chosen: picker.Chosen, settings: Mapping[str, str], results: Mapping[str, Result[Any]]
) -> None:
    drawn = {
        "tokens": lambda: tokens.tokens(results["bertscore"]),
        "names": lambda: names.names(chosen, settings),
        "subspace": lambda: subspace.subspace(chosen, settings),
        "structure": lambda: structure.structure(chosen, settings),
        "questions": lambda: questions.questions(chosen, settings),
        "judge": lambda: judge.judge(chosen),
        "marks": lambda: marks.marks(chosen, results),
        "diff": lambda: diff.diff(chosen, results),
        "words": lambda: tokens.ngrams(results["bleu"]),
        "characters": lambda: tokens.ngrams(results["chrf"]),
    }
    drawn[name]()


session.guard("scores")
st.header(t("page.pair"), anchor=False)
asked = address.read(PARTS)
selected = picker.choose_pair()
if selected is not None:
    evidence(selected)
    asking.ask_agreed()
address.settle(asked)
