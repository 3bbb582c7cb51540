"""Can a judge be flattered? A sentence to the judge inside a translation, and what a guard makes of it."""

from __future__ import annotations

import streamlit as st

from core.errors import UnavailableError
from core.metrics.gemba.instructions import suspicions, without
from core.metrics.gemba.prompts import GUARDED, UNGUARDED, messages
from core.text.html import Tint
from core.types import TextPair
from pages.auth import session
from pages.learn import lesson
from pages.learn.examples import FLATTERIES, Flattery
from pages.ui import address, models, state
from pages.ui.evidence import asking
from pages.ui.picker import Chosen
from pages.ui.text import label, line, novel, number, show_error, t, tinted
from pages.ui.widgets import switch

METRIC = "gemba-da"
PROMPTS = {"published": UNGUARDED, "guarded": GUARDED}
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
    address.choice("prompt", _PROMPT, tuple(PROMPTS)),
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


def guard(example: Flattery, text: str) -> None:
    """What the guard finds in the translation, and what is left of it for the judge."""
    found = suspicions(text, example.source)
    line(t("learn.judge.found", n=len(found)) if found else t("learn.judge.nothing"), tone="title")
    tints = [Tint(start=one.start, end=one.end, strength=1, underline="wavy") for one in found]
    with st.container(border=True, gap=None):
        label(t("learn.judge.given"))
        tinted(text, tints, lang=example.lang, colour=state.palette().delete)
    if found:
        with st.container(border=True, gap=None):
            label(t("learn.judge.cleaned"))
            novel(without(text, found), lang=example.lang)


def prompt(example: Flattery, text: str) -> str:
    """What a language model is told, word for word; gives the prompt's name: unguarded, or guarded."""
    chosen = switch(
        t("learn.judge.prompt"), tuple(PROMPTS), _PROMPT, lambda name: t(f"learn.judge.prompt.{name}")
    )
    line(t(f"learn.judge.about.{chosen}"), tone="quiet")
    told = messages("da", example.source, text, example.lang, PROMPTS[chosen])
    shown = "\n\n".join(f"[{one.role}]\n{one.content}" for one in (told[0], told[-1]))
    st.code(shown, language=None, wrap_lines=True)
    return PROMPTS[chosen]


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
    pair = TextPair(reference="", hypothesis=text, source=example.source, lang=example.lang)
    result = asking.scored(
        METRIC,
        Chosen(pair=pair),
        {"prompt": words, "guard": "remove"},
        key="lesson-judge-model",
        embedded=lambda: None,
    )
    if result is None or result.score is None:
        return
    given, cleaned = result.parts.get("as_given", result.score), result.score
    line(t("learn.judge.scores", given=number(given, 0), cleaned=number(cleaned, 0)), tone="title")


def play() -> None:
    """The text, what the guard finds, the prompt, and the model's own answer."""
    example = opened()
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("judge")
        with st.container(border=True, gap=None):
            label(t("pair.source"))
            novel(example.source, lang="en" if example.lang == "ja" else "ja")
        text = typed(example)
    with right:
        guard(example, text)
        ask(example, text, prompt(example, text))


with lesson.framed("judge", PARTS, words=WORDS, beside=choose):
    play()
asking.ask_agreed()
