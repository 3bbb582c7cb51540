"""A pair under the lens: people's score, every metric's, and the evidence behind each."""

from __future__ import annotations

import streamlit as st

from pages.ui import evidence, lens, models, pairs
from pages.ui.text import errors_shown, line, t


@st.fragment
def under_the_lens(chosen: pairs.Chosen) -> None:
    """Everything that a setting or a click changes; it is redrawn alone."""
    with errors_shown():
        settings = lens.settings()
        results = {
            "bleu": models.score("bleu", chosen.pair),
            "chrf": models.score("chrf", chosen.pair),
            "bertscore": models.score("bertscore", chosen.pair, settings=settings, context=chosen.context),
            "sentence-cosine": models.score("sentence-cosine", chosen.pair),
        }
        lens.numbers(chosen, results)
        lens.baseline_line(chosen, int(settings["layer"]))
        trace = results["bertscore"].trace
        lens.texts(chosen, trace, evidence.focus(trace))
        names = ("tokens", "words", "characters")
        tabs = st.tabs([t(f"pair.tab.{name}") for name in names], on_change="rerun", key="pair-tabs")
        for tab, name, metric in zip(tabs, names, ("bertscore", "bleu", "chrf"), strict=True):
            if tab.open:
                with tab:
                    line(t(f"pair.what.{name}"), tone="quiet")
                    show = evidence.tokens if name == "tokens" else evidence.ngrams
                    show(results[metric])


st.header(t("page.pair"), anchor=False)
selected = pairs.choose()
if selected is not None:
    under_the_lens(selected)
