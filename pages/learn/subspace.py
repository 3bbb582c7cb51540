"""Advanced: what no single word says but the sentence does, with the paper's examples and Japanese ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import streamlit as st

from core.metrics.subspace import SubspaceTrace
from core.types import Result, TextPair
from pages.learn import lesson, stored
from pages.learn.examples import SUBSPACE, SUBSPACE_METRICS, Example
from pages.ui import state
from pages.ui.evidence import subspace
from pages.ui.text import NONE, errors_shown, line, number, t, table

PARTS = (*lesson.texts("subspace", SUBSPACE), lesson.PROJECTOR)
WORDS = ("vector", "token", "cosine", "subspace", "bertscore", "precision")


def word_results(pair: TextPair) -> dict[str, Result[Any]]:
    """Greedy cosine and membership of the word in the sentence, each the mean over its tokens."""
    return {name: stored.score(name, pair) for name in SUBSPACE_METRICS}


def precision(results: Mapping[str, Result[Any]]) -> tuple[float, float]:
    """The two numbers of a word, which is the second text: precision, not F."""
    one, every = (results[name].parts["precision"] for name in SUBSPACE_METRICS)
    return one, every


def comparison(example: Example, pair: TextPair, shown: Mapping[str, Result[Any]]) -> None:
    """Both sentences under both numbers, and how far they are apart: the paper's argument, here and there.

    The paper's claim is that its number puts the two sentences nearer together than the nearest word does.
    """
    close, implied = (precision(word_results(one)) for one in (example.start(), example.changed()))
    printed = [tuple(one[name] for name in SUBSPACE_METRICS) for one in example.paper]
    apart = differences(close, implied)
    rows = [
        _row("close", close, printed[:1]),
        _row("implied", implied, printed[1:]),
        _row("apart", apart, [differences(*printed, digits=PRINTED)] if printed else []),
    ]
    if pair not in (example.start(), example.changed()):
        rows.append(_row("yours", precision(shown), [(None, None)] if printed else []))
    names = [t(f"learn.subspace.{name}") for name in ("one", "all")]
    header = ["", *names, *(t("learn.subspace.printed", name=name) for name in names if printed)]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    line(t("learn.subspace.claim"), tone="quiet")
    said = "holds" if apart[1] < apart[0] else "fails"
    one, every = (number(value, DIGITS) for value in apart)
    line(t(f"learn.subspace.{said}", one=one, all=every), tone="title")
    if said == "fails" and printed:
        line(t("learn.subspace.why_not"))


DIGITS, PRINTED = 3, 2
"""Decimals of our numbers, and of the paper's."""


def differences(
    close: Sequence[float], implied: Sequence[float], *, digits: int = DIGITS
) -> tuple[float, float]:
    """How much lower each number is where the word is only implied, from the numbers as shown."""
    first, second = (
        round(round(one, digits) - round(other, digits), digits)
        for one, other in zip(close, implied, strict=True)
    )
    return first, second


def _row(name: str, ours: Sequence[float], printed: Sequence[Sequence[float | None]]) -> tuple[str, ...]:
    theirs = [number(value, PRINTED) for values in printed for value in values]
    return (t(f"learn.subspace.{name}"), *(number(value, DIGITS) for value in ours), *theirs)


def play() -> None:
    """One word, one sentence, the numbers before and after, and the picture."""
    example = lesson.opened("subspace", SUBSPACE)
    left, right = st.columns([5, 6], gap="large")
    captions = (t("learn.subspace.sentence"), t("learn.subspace.word"))
    with left:
        lesson.intro("subspace")
        pair, _ = lesson.fields("subspace", example, captions)
        if not state.projector():
            line(t("learn.subspace.look"), tone="quiet")
    with right, errors_shown():
        shown = word_results(pair)
        trace = cast(SubspaceTrace | None, shown["subspace"].trace)
        if trace is None or not trace.hypothesis.weights.any():
            line(t("pair.empty_side") if trace is not None else NONE)
            return
        comparison(example, pair, shown)
        subspace.picture(trace, "hypothesis", key="lesson-memberships")
        if not state.projector():
            subspace.ranks(shown["subspace"], captions)


with lesson.framed("subspace", PARTS, words=WORDS, beside=lambda: lesson.choose("subspace", SUBSPACE)):
    play()
