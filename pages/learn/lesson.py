"""The parts that lessons share: their frame, the prepared examples, before and after, and the answers.

The example, the texts as a reader changed them and the settings stand in the address, so that a link or a
reload shows the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import streamlit as st

from core.metrics import digits_of
from core.text.languages import guess_lang
from core.types import Result, TextPair
from pages.auth import session
from pages.learn import verdict
from pages.learn.examples import Effect, Example
from pages.ui import address, glossary, state
from pages.ui.text import NONE, flag_words, line, metric_name, missing_reason, number, projected, t, table
from pages.ui.widgets import switch

TEXT_LIMIT = 600
"""Characters of a text that a reader types."""

HEIGHT = 76
"""Pixels of such a field."""


def ordered(examples: Sequence[Example]) -> list[Example]:
    """The examples in the reader's language first."""
    return sorted(examples, key=lambda one: one.lang != state.language())


def texts(page: str, examples: Sequence[Example]) -> tuple[address.Parameter, ...]:
    """The parts of a lesson's address that tell the open example, and what its reader made of the texts."""
    names = [one.name for one in examples]
    return (
        address.choice("example", _key(page), names),
        *(_text(page, examples, place) for place in (0, 1)),
    )


PROJECTOR = address.Parameter(
    name="projector",
    current=lambda: "1" if state.projector() else None,
    restore=lambda value: state.set_projector(value == "1"),
)
"""The part of an address that shows a lesson as it is to be projected."""


def _text(page: str, examples: Sequence[Example], place: int) -> address.Parameter:
    """A text of the open example, where it is another than the example begins with."""

    def start() -> tuple[str, str]:
        chosen = opened(page, examples)
        return _text_key(page, chosen, place), _starts(chosen)[place]

    def current() -> str | None:
        key, usual = start()
        text = st.session_state.get(key, usual)
        return None if text == usual else str(text)

    def restore(value: str | None) -> None:
        key, usual = start()
        st.session_state[key] = usual if value is None else value[:TEXT_LIMIT]

    return address.Parameter(name=("reference", "translation")[place], current=current, restore=restore)


def opened(page: str, examples: Sequence[Example]) -> Example:
    """The example that is open: the one chosen, else the first in the reader's language."""
    name = st.session_state.get(_key(page))
    return next((one for one in examples if one.name == name), ordered(examples)[0])


def _key(page: str) -> str:
    return f"lesson-{page}"


def _text_key(page: str, example: Example, place: int) -> str:
    return f"lesson-{page}-{example.name}-{place}"


def _starts(example: Example) -> tuple[str, str]:
    return example.reference, example.before


@contextmanager
def framed(
    page: str,
    parts: Sequence[address.Parameter],
    *,
    words: Sequence[str] = (),
    beside: Callable[[], None] | None = None,
    asks: bool = True,
) -> Iterator[None]:
    """The head of a lesson with its buttons, what is drawn within, and the question with its answer.

    words: of the glossary, that this lesson uses. beside: draws the choice of an example beside the buttons.
    asks: whether the page has a question and an answer of its own.
    """
    st.header(t(f"page.{page}"), anchor=False)
    asked = address.read(parts)
    if state.projector():
        projected()
    with st.container(horizontal=True, vertical_alignment="bottom", key="lesson-bar"):
        if beside is not None:
            beside()
        glossary.button(words)
        address.copy_link(parts)
        st.toggle(t("lesson.projector"), key=state.PROJECTOR, help=t("lesson.projector_help"))
    yield
    if asks and not state.projector():
        question(page)
    address.settle(asked)


def choose(page: str, examples: Sequence[Example]) -> None:
    """The examples by name; those in the reader's language come first."""
    switch(
        t("learn.example"),
        [one.name for one in ordered(examples)],
        _key(page),
        lambda one: t(f"learn.{page}.example.{one}"),
        hidden=True,
    )


def intro(page: str) -> None:
    """What the problem is, and the idea; not before a class that looks at the numbers."""
    if not state.projector():
        with st.container(gap="small"):
            for part in ("problem", "idea"):
                line(t(f"learn.{page}.{part}"))


def fields(page: str, example: Example, captions: tuple[str, str]) -> tuple[TextPair, Effect | None]:
    """The two texts as the reader left them, with buttons for the prepared change and for the way back.

    Gives the pair, and what its change did to the meaning: None where the reader changed something else.
    """
    starts, changed = _starts(example), example.changed()
    ends = (changed.reference, changed.hypothesis)
    keys = [_text_key(page, example, place) for place in (0, 1)]
    if tuple(st.session_state.get(key, start) for key, start in zip(keys, starts, strict=True)) == starts:
        line(t(f"learn.{page}.meaning.{example.name}"), tone="quiet")
    else:
        line(t("lesson.was", reference=starts[0], translation=starts[1]), tone="quiet")
    for caption, key, start in zip(captions, keys, starts, strict=True):
        st.session_state.setdefault(key, start)
        st.text_area(caption, key=key, height=HEIGHT, max_chars=TEXT_LIMIT, persist_state="session")
    reference, hypothesis = (str(st.session_state[key]) for key in keys)
    here = (reference, hypothesis)
    with st.container(horizontal=True, gap="small"):
        st.button(
            t(f"learn.{page}.change.{example.name}"),
            key=f"lesson-{page}-change",
            type="primary",
            disabled=here == ends,
            on_click=_put,
            args=(dict(zip(keys, ends, strict=True)),),
        )
        st.button(
            t("learn.back"),
            key=f"lesson-{page}-back",
            disabled=here == starts,
            on_click=_put,
            args=(dict(zip(keys, starts, strict=True)),),
        )
    lang = example.lang if here in (starts, ends) else guess_lang([reference, hypothesis])
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang=lang)
    return pair, example.effect if here == ends else None


def field(page: str, name: str, start: str, caption: str, *, limit: int) -> str:
    """One text as the reader left it, at most so many characters, with a button for the way back."""
    key = f"lesson-{page}-{name}"
    st.session_state.setdefault(key, start)
    st.text_area(caption, key=key, height=110, max_chars=limit, persist_state="session")
    st.button(
        t("learn.back"),
        key=f"lesson-{page}-back",
        disabled=st.session_state[key] == start,
        on_click=_put,
        args=({key: start},),
    )
    return str(st.session_state[key])


def _put(texts: dict[str, str]) -> None:
    st.session_state.update(texts)


Results = Mapping[str, Result[Any]]


def movement(
    before: Results, after: Results, effect: Effect | None, *, moved: bool, hint: bool = True
) -> None:
    """Each metric before and after with its arrow, then the verdict in a sentence.

    moved: whether the texts are others than at the beginning; without it, one column of numbers. hint: say
    then how to change them.
    """
    if not moved:
        rows = [(metric_name(name), _shown(name, result)) for name, result in before.items()]
        table((t("lesson.metric"), t("lesson.now")), rows, numbers=frozenset({1}))
        if hint and not state.projector():
            line(t("lesson.hint"), tone="quiet")
        return
    found = {one.metric: one for one in verdict.changes(before, after)}
    rows_moved = [_row(name, before[name], after[name], found.get(name)) for name in before]
    header = [t(f"lesson.{name}") for name in ("metric", "before", "after", "change")]
    table(header, rows_moved, numbers=frozenset({1, 2, 3}))
    moves = list(found.values())
    line(verdict.sentence(moves, effect), tone="title")
    told = verdict.finding(moves, effect)
    if told:
        line(told)


def notes(results: Results) -> None:
    """Why a number is missing, and what a metric flags of these texts."""
    for name, result in results.items():
        if result.score is None:
            line(f"{metric_name(name)}: {missing_reason(result)}", tone="quiet")
        for flag in result.flags:
            line(f"{metric_name(name)}: {flag_words(flag)}", tone="quiet")


def _row(name: str, first: Result[Any], last: Result[Any], change: verdict.Change | None) -> tuple[str, ...]:
    arrow = (
        NONE
        if change is None
        else f"{verdict.ARROWS[change.direction]} {number(change.amount, change.digits, signed=True)}"
    )
    return (metric_name(name), _shown(name, first), f"→ {_shown(name, last)}", arrow)


def _shown(name: str, result: Result[Any]) -> str:
    return number(result.score, digits_of(name))


def question(page: str) -> None:
    """What to think about, at the end, and the answer for those who teach."""
    with st.container(border=True, gap=None):
        line(t("learn.question"), tone="quiet")
        line(t(f"learn.{page}.question"))
    if session.viewer().sees_scores:
        with st.expander(t("learn.answer"), icon=":material/key:"):
            line(t(f"learn.{page}.answer"))
