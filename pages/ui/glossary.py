"""Twenty words of the field, one tap away on every page that uses them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.ui.text import t, terms

WORDS = (
    "metric",
    "reference",
    "hypothesis",
    "token",
    "vector",
    "cosine",
    "precision",
    "recall",
    "f",
    "ngram",
    "bleu",
    "chrf",
    "bertscore",
    "idf",
    "reading",
    "subspace",
    "dependency",
    "mteqa",
    "judge",
    "agreement",
)


def button(first: Sequence[str] = ()) -> None:
    """A button that shows all words with what they mean; `first` stand at the top, for they are used here."""
    with st.popover(t("glossary.title"), icon=":material/menu_book:", key="glossary"):
        ordered = [*first, *(word for word in WORDS if word not in first)]
        terms([(t(f"glossary.{word}"), t(f"glossary.{word}.is")) for word in ordered])
