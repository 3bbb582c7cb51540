"""Which translations a page of evaluation looks at: domain, document, length, flag."""

from __future__ import annotations

import streamlit as st

from core.metaeval.evaluation import Evaluation, Filter
from pages.ui.text import flag_words, t


def chosen(found: Evaluation, *, key: str) -> Filter:
    """The filter as widgets, folded in; at first everything passes."""
    with st.expander(t("filter.title"), icon=":material/filter_list:"):
        left, right = st.columns(2, gap="medium")
        domains = _some(t("filter.domains"), found.domains, f"{key}-domains", left)
        documents = _some(t("filter.documents"), found.documents, f"{key}-documents", right)
        shortest, longest = _lengths(found, f"{key}-length", left)
        flag = right.selectbox(
            t("filter.flag"), [None, *found.flags], key=f"{key}-flag", filter_mode=None,
            format_func=lambda name: t("filter.any_flag") if name is None else flag_words(name),
        )  # fmt: skip
        without = flag is not None and right.toggle(t("filter.without"), key=f"{key}-without")
    return Filter(
        domains=domains, documents=documents, shortest=shortest, longest=longest, flag=flag, without=without
    )


def _some(
    caption: str, names: object, key: str, place: st.delta_generator.DeltaGenerator
) -> list[str] | None:
    """Some of the names; None, which is all of them, while none is chosen."""
    offered = list(names)  # type: ignore[call-overload]
    if len(offered) < 2:
        return None
    return place.multiselect(caption, offered, key=key, placeholder=t("filter.all")) or None


def _lengths(
    found: Evaluation, key: str, place: st.delta_generator.DeltaGenerator
) -> tuple[int | None, int | None]:
    if not len(found.length) or found.length.min() == found.length.max():
        return None, None
    ends = int(found.length.min()), int(found.length.max())
    low, high = place.slider(t("filter.length"), *ends, ends, key=key)
    return low, high
