"""The parts that lessons share: prefilled fields with one change at a click, and the question at the end."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.text.languages import guess_lang
from core.types import TextPair
from pages.ui.text import line, t
from pages.ui.widgets import switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Two prefilled texts. `before` becomes `after` in the first or the second at a click on the button.

    An empty `before` means that `after` is appended.
    """

    first: str
    second: str
    changes: int
    before: str
    after: str

    def changed(self, text: str) -> str:
        """The text with the change made, once."""
        return text.replace(self.before, self.after) if self.before else text + self.after


def choose(page: str, count: int) -> int:
    """Which of a lesson's examples to look at; each has a name of its own among the words."""
    return switch(
        t("learn.example"),
        range(count),
        f"lesson-{page}",
        lambda index: t(f"learn.{page}.example.{index}"),
    )


def fields(page: str, number: int, example: Example, captions: tuple[str, str]) -> TextPair:
    """The two texts as the reader left them, with buttons for the change and for the way back."""
    keys = [f"lesson-{page}-{number}-{place}" for place in (0, 1)]
    starts = (example.first, example.second)
    for column, caption, key, start in zip(st.columns(2, gap="medium"), captions, keys, starts, strict=True):
        st.session_state.setdefault(key, start)
        column.text_area(caption, key=key, height=110, persist_state="session")
    reference, hypothesis = (st.session_state[key] for key in keys)
    with st.container(horizontal=True, gap="small"):
        changed = example.changed(st.session_state[keys[example.changes]])
        st.button(
            t(f"learn.{page}.change", before=example.before, after=example.after.strip()),
            key=f"lesson-{page}-change",
            type="primary",
            on_click=_put,
            args=({keys[example.changes]: changed},),
        )
        st.button(
            t("learn.back"),
            key=f"lesson-{page}-back",
            on_click=_put,
            args=(dict(zip(keys, starts, strict=True)),),
        )
    return TextPair(reference=reference, hypothesis=hypothesis, lang=guess_lang([reference, hypothesis]))


def field(page: str, number: int, start: str, caption: str, *, limit: int) -> str:
    """One text as the reader left it, at most so many characters, with a button for the way back."""
    key = f"lesson-{page}-{number}"
    st.session_state.setdefault(key, start)
    st.text_area(caption, key=key, height=110, max_chars=limit, persist_state="session")
    st.button(t("learn.back"), key=f"lesson-{page}-back", on_click=_put, args=({key: start},))
    return str(st.session_state[key])


def _put(texts: dict[str, str]) -> None:
    st.session_state.update(texts)


def question(page: str) -> None:
    """What to think about, at the end."""
    with st.container(border=True, gap=None):
        line(t("learn.question"), tone="quiet")
        line(t(f"learn.{page}.question"))
