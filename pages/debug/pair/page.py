"""A pair under the lens: people's score, every metric's, and the evidence behind each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.types import Result
from pages.auth import session
from pages.debug.pair import judge
from pages.ui import models, picker
from pages.ui.evidence import asking, diff, names, overview, questions, structure, subspace, tokens
from pages.ui.text import errors_shown, line, t

TABS = ("tokens", "names", "subspace", "structure", "questions", "judge", "diff", "words", "characters")


@st.fragment
def under_the_lens(chosen: picker.Chosen) -> None:
    """Everything that a setting or a click changes; it is redrawn alone."""
    with errors_shown():
        settings = overview.settings(chosen)
        spanned = {name: settings[name] for name in subspace.SHARED}
        read, names_metric = names.shared_with(settings), "bertscore-reading"
        results = {
            **{name: models.score(name, chosen.pair) for name in ("bleu", "chrf")},
            "bertscore": models.score("bertscore", chosen.pair, settings=settings, context=chosen.context),
            names_metric: models.attempt(names_metric, chosen.pair, settings=read, context=chosen.context),
            "subspace": models.score("subspace", chosen.pair, settings=spanned, context=chosen.context),
            "sentence-cosine": models.score("sentence-cosine", chosen.pair),
        }
        overview.numbers(chosen, results)
        overview.baseline_line(chosen, int(settings["layer"]))
        trace = results["bertscore"].trace
        overview.texts(chosen, trace, tokens.focus(trace))
        tabs = st.tabs([t(f"pair.tab.{name}") for name in TABS], on_change="rerun", key="pair-tabs")
        for tab, name in zip(tabs, TABS, strict=True):
            if tab.open:
                with tab, errors_shown():
                    line(t(f"pair.what.{name}"), tone="quiet")
                    _evidence(name, chosen, settings, results)


def _evidence(
    name: str, chosen: picker.Chosen, settings: Mapping[str, str], results: Mapping[str, Result[Any]]
) -> None:
    """One tab."""
    drawn = {
        "tokens": lambda: tokens.tokens(results["bertscore"]),
        "names": lambda: names.names(chosen, settings),
        "subspace": lambda: subspace.subspace(chosen, settings),
        "structure": lambda: structure.structure(chosen, settings),
        "questions": lambda: questions.questions(chosen, settings),
        "judge": lambda: judge.judge(chosen),
        "diff": lambda: diff.diff(chosen, results),
        "words": lambda: tokens.ngrams(results["bleu"]),
        "characters": lambda: tokens.ngrams(results["chrf"]),
    }
    drawn[name]()


session.guard("scores")
st.header(t("page.pair"), anchor=False)
selected = picker.choose_pair()
if selected is not None:
    under_the_lens(selected)
    asking.ask_agreed()
