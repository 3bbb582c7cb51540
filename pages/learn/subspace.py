"""Advanced: what no single word says but the sentence does, with the paper's examples and Japanese ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import streamlit as st

from core.metrics.subspace import SubspaceTrace
from core.types import Result, TextPair
from pages.learn import lesson, stored
from pages.learn.examples import SUBSPACE, SUBSPACE_METRICS, Example
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
    """The sentence with a close word, the one that implies it, and the difference: here and in the paper."""
    rows, gains = [], []
    for place, (name, one) in enumerate((("close", example.start()), ("implied", example.changed()))):
        ours = precision(word_results(one))
        rows.append(_row(f"{t(f'learn.subspace.{name}')} · {t('learn.subspace.now')}", *ours))
        gains.append(gain_of(*ours))
        if example.paper:
            told = example.paper[place]
            caption = f"{t(f'learn.subspace.{name}')} · {t('learn.subspace.paper')}"
            rows.append(_row(caption, told["bertscore"], told["subspace"], digits=2))
    if pair not in (example.start(), example.changed()):
        rows.append(_row(t("learn.subspace.yours"), *precision(shown)))
    header = ["", *(t(f"learn.subspace.{name}") for name in ("one", "all", "gain"))]
    table(header, rows, numbers=frozenset({1, 2, 3}))
    close, implied = (number(gain, 3, signed=True) for gain in gains)
    said = "holds" if gains[1] > gains[0] else "fails"
    line(t("learn.subspace.difference"), tone="quiet")
    line(t(f"learn.subspace.{said}", implied=implied, close=close), tone="title")


def gain_of(one: float, every: float, *, digits: int = 3) -> float:
    """The difference of the two numbers as they are shown."""
    return round(round(every, digits) - round(one, digits), digits)


def _row(caption: str, one: float, every: float, *, digits: int = 3) -> tuple[str, ...]:
    gain = gain_of(one, every, digits=digits)
    return (caption, number(one, digits), number(every, digits), number(gain, digits, signed=True))


def play() -> None:
    """One word, one sentence, the numbers before and after, and the picture."""
    example = lesson.opened("subspace", SUBSPACE)
    left, right = st.columns([5, 6], gap="large")
    captions = (t("learn.subspace.sentence"), t("learn.subspace.word"))
    with left:
        lesson.intro("subspace")
        pair, _ = lesson.fields("subspace", example, captions)
        line(t("learn.subspace.look"), tone="quiet")
    with right, errors_shown():
        shown = word_results(pair)
        trace = cast(SubspaceTrace | None, shown["subspace"].trace)
        if trace is None or not trace.hypothesis.weights.any():
            line(t("pair.empty_side") if trace is not None else NONE)
            return
        comparison(example, pair, shown)
        subspace.picture(trace, "hypothesis", key="lesson-memberships")
        subspace.ranks(shown["subspace"], captions)


with lesson.framed("subspace", PARTS, words=WORDS, beside=lambda: lesson.choose("subspace", SUBSPACE)):
    play()
