"""Can a judge be flattered? A sentence to the judge inside a translation, and what a guard makes of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.errors import UnavailableError
from core.metrics.gemba.instructions import suspicions, without
from core.metrics.gemba.metric import Judged
from core.metrics.gemba.prompts import messages
from core.text.html import Tint
from core.types import Result
from pages.auth import session
from pages.learn import lesson, stored
from pages.learn.examples import (
    FLATTERIES,
    JUDGE,
    JUDGE_METRIC,
    JUDGE_PROMPTS,
    PUBLISHED_ATTACK,
    Flattery,
    judge_settings,
)
from pages.ui import address, models, state
from pages.ui.evidence import asking
from pages.ui.picker import Chosen
from pages.ui.text import NONE, label, line, novel, number, show_error, t, table, tinted
from pages.ui.widgets import switch

_EXAMPLE, _PROMPT = "lesson-judge", "lesson-judge-prompt"


def opened() -> Flattery:
    """The example that is open, at first one into the reader's language."""
    name = st.session_state.get(_EXAMPLE)
    usual = next(one for one in FLATTERIES if one.lang == state.language())
    return next((one for one in FLATTERIES if one.name == name), usual)


def _key() -> str:
    return f"lesson-judge-{opened().name}"


def _current() -> str | None:
    text = st.session_state.get(_key(), opened().bad)
    return None if text == opened().bad else str(text)


def _restore(value: str | None) -> None:
    st.session_state[_key()] = opened().bad if value is None else value[: lesson.TEXT_LIMIT]


PARTS = (
    address.choice("example", _EXAMPLE, [one.name for one in FLATTERIES]),
    address.Parameter(name="translation", current=_current, restore=_restore),
    address.choice("prompt", _PROMPT, tuple(JUDGE_PROMPTS)),
    lesson.PROJECTOR,
)
WORDS = ("judge",)


def choose() -> None:
    """Into which language the bad translation is."""
    found = sorted(FLATTERIES, key=lambda one: one.lang != state.language())
    names = [one.name for one in found]
    switch(t("learn.example"), names, _EXAMPLE, lambda name: t(f"learn.judge.example.{name}"), hidden=True)


def typed(example: Flattery) -> str:
    """The translation as the reader left it, with buttons to flatter the judge and to go back."""
    key = _key()
    st.session_state.setdefault(key, example.bad)
    st.text_area(
        t("pair.translation"), key=key, height=110, max_chars=lesson.TEXT_LIMIT, persist_state="session"
    )
    text = str(st.session_state[key])
    with st.container(horizontal=True, gap="small"):
        st.button(
            t("learn.judge.flatter"),
            key="lesson-judge-change",
            type="primary",
            disabled=text.endswith(example.praise),
            on_click=st.session_state.__setitem__,
            args=(key, f"{text}{example.praise}"[: lesson.TEXT_LIMIT]),
        )
        st.button(
            t("learn.back"),
            key="lesson-judge-back",
            disabled=text == example.bad,
            on_click=st.session_state.__setitem__,
            args=(key, example.bad),
        )
    return text


def published() -> None:
    """The paper's own numbers, before and after the sentence was appended to every translation."""
    label(t("learn.judge.paper", paper="ehiMetrick", model="GPT-4o"))
    before, after = (_printed(place) for place in (0, 1))
    lesson.movement(before, after, None, moved=True)
    line(t("learn.judge.nothing_better"))


def _printed(place: int) -> dict[str, Result[Any]]:
    return {
        name: Result(metric=name, score=scores[place], signature="")
        for name, scores in PUBLISHED_ATTACK.items()
    }


def guard(example: Flattery, text: str) -> None:
    """What the guard finds in the translation, and what is left of it for the judge."""
    found = suspicions(text, example.source)
    line(t("learn.judge.found", n=len(found)) if found else t("learn.judge.nothing"), tone="title")
    tints = [Tint(start=one.start, end=one.end, strength=1, underline="wavy") for one in found]
    with st.container(border=True, gap=None):
        label(t("learn.judge.given"))
        tinted(text, tints, lang=example.lang, colour=state.palette().delete)
    if found and not state.projector():
        with st.container(border=True, gap=None):
            label(t("learn.judge.cleaned"))
            novel(without(text, found), lang=example.lang)


def prompt() -> str:
    """The choice of what a language model is told; gives the prompt's name: unguarded, or guarded."""
    chosen = switch(
        t("learn.judge.prompt"), tuple(JUDGE_PROMPTS), _PROMPT, lambda name: t(f"learn.judge.prompt.{name}")
    )
    line(t(f"learn.judge.about.{chosen}"), tone="quiet")
    return JUDGE_PROMPTS[chosen]


def told(example: Flattery, text: str, words: str) -> None:
    """The whole prompt, word for word, folded in."""
    with st.expander(t("learn.judge.told")):
        said = messages("da", example.source, text, example.lang, words)
        shown = "\n\n".join(f"[{one.role}]\n{one.content}" for one in (said[0], said[-1]))
        st.code(shown, language=None, wrap_lines=True)


def replied(example: Flattery, text: str, words: str) -> None:
    """What a small model really replied, before and after the praise, with the numbers that are in it."""
    first, last = (stored.judged(example.pair(one), words) for one in (example.bad, text))
    if first is None or last is None:
        line(t("learn.judge.not_asked", model=JUDGE), tone="quiet")
        return
    label(t("learn.judge.replied", model=JUDGE))
    rows = [(t("learn.judge.column.before"), first.given)]
    if text != example.bad:
        rows.append((t("learn.judge.column.after"), last.given))
    if last.cleaned is not None:
        rows.append((t("learn.judge.column.cleaned"), last.cleaned))
    cells = [(name, _reply(judged), _number(last.numbers(judged))) for name, judged in rows]
    header = [t(f"learn.judge.column.{name}") for name in ("text", "reply", "score")]
    table(header, cells, numbers=frozenset({2}))
    missing = sum(not last.numbers(judged) for _, judged in rows)
    if missing:
        line(t("learn.judge.no_number", n=missing, total=len(rows)), tone="title")
    if missing == len(rows):
        line(t("learn.judge.small"))


SHORT = 90
"""Characters of a reply in the table; the whole reply is in the file of the lesson."""


def _reply(judged: Judged) -> str:
    flat = " ".join(judged.samples[0].said.text.split())
    return flat if len(flat) <= SHORT else f"{flat[:SHORT]}…"


def _number(found: list[float]) -> str:
    return number(found[0], 0) if found else NONE


def ask(example: Flattery, text: str, words: str) -> None:
    """The model's own scores, for an organiser whose app is connected to one; nothing is made up without."""
    if not session.viewer().manages:
        line(t("learn.judge.organiser"), tone="quiet")
        return
    try:
        models.backends().judge("default")
    except UnavailableError as error:
        line(t("learn.judge.connect"))
        show_error(error)
        return
    result = asking.scored(
        JUDGE_METRIC,
        Chosen(pair=example.pair(text)),
        judge_settings(words),
        key="lesson-judge-model",
        embedded=lambda: None,
    )
    if result is None or result.score is None:
        return
    given, cleaned = result.parts.get("as_given", result.score), result.score
    line(t("learn.judge.scores", given=number(given, 0), cleaned=number(cleaned, 0)), tone="title")


def play() -> None:
    """The text, the paper's numbers, what our guard finds, and what models really replied."""
    example = opened()
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("judge")
        with st.container(border=True, gap=None):
            label(t("pair.source"))
            novel(example.source, lang="en" if example.lang == "ja" else "ja")
        text = typed(example)
    with right:
        published()
        guard(example, text)
        if not state.projector():
            words = prompt()
            replied(example, text, words)
            told(example, text, words)
            ask(example, text, words)


with lesson.framed("judge", PARTS, words=WORDS, beside=choose):
    play()
asking.ask_agreed()
