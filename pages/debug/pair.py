"""A pair under the lens: people's score, every metric's, and the evidence behind each."""

from __future__ import annotations

import streamlit as st

from pages.ui import (
    evidence,
    evidence_diff,
    evidence_judge,
    evidence_names,
    evidence_questions,
    evidence_structure,
    evidence_subspace,
    lens,
    models,
    pairs,
    visitor,
)
from pages.ui.text import errors_shown, line, t

TABS = ("tokens", "names", "subspace", "structure", "questions", "judge", "diff", "words", "characters")


@st.fragment
def under_the_lens(chosen: pairs.Chosen) -> None:
    """Everything that a setting or a click changes; it is redrawn alone."""
    with errors_shown():
        settings = lens.settings(chosen)
        spanned = {name: settings[name] for name in evidence_subspace.SHARED}
        read = evidence_names.shared_with(settings)
        results = {
            "bleu": models.score("bleu", chosen.pair),
            "chrf": models.score("chrf", chosen.pair),
            "bertscore": models.score("bertscore", chosen.pair, settings=settings, context=chosen.context),
            "bertscore-reading": models.attempt(
                "bertscore-reading", chosen.pair, settings=read, context=chosen.context
            ),
            "subspace": models.score("subspace", chosen.pair, settings=spanned, context=chosen.context),
            "sentence-cosine": models.score("sentence-cosine", chosen.pair),
        }
        lens.numbers(chosen, results)
        lens.baseline_line(chosen, int(settings["layer"]))
        trace = results["bertscore"].trace
        lens.texts(chosen, trace, evidence.focus(trace))
        tabs = st.tabs([t(f"pair.tab.{name}") for name in TABS], on_change="rerun", key="pair-tabs")
        for tab, name in zip(tabs, TABS, strict=True):
            if tab.open:
                with tab, errors_shown():
                    line(t(f"pair.what.{name}"), tone="quiet")
                    if name == "tokens":
                        evidence.tokens(results["bertscore"])
                    elif name == "names":
                        evidence_names.names(chosen, settings)
                    elif name == "subspace":
                        evidence_subspace.subspace(chosen, settings)
                    elif name == "structure":
                        evidence_structure.structure(chosen, settings)
                    elif name == "questions":
                        evidence_questions.questions(chosen, settings)
                    elif name == "judge":
                        evidence_judge.judge(chosen)
                    elif name == "diff":
                        evidence_diff.diff(chosen, results)
                    else:
                        evidence.ngrams(results["bleu" if name == "words" else "chrf"])


visitor.guard("scores")
st.header(t("page.pair"), anchor=False)
selected = pairs.choose()
if selected is not None:
    under_the_lens(selected)
