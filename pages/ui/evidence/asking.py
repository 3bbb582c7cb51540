"""Scores for which a language model is asked: what it costs, a yes, a bar with a way out, and then the score.

Nothing is spent before the reader has said so; replies that are there already are taken without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.backends import Judge
from core.errors import UnavailableError
from core.metrics.base import Scorer, Settings
from core.scoring import ask_ahead, estimate
from core.types import Result, Said, TextPair
from pages.ui import metric_form, models
from pages.ui.picker import Chosen
from pages.ui.text import NONE, line, show_error, t
from pages.ui.widgets import stoppable

_AGREED = "asking-agreed"
"""What the reader has said yes to and nobody was asked yet: metric, pair, settings, key."""
_REFUSED = "asking-refused"
"""Key and error of a model that could not be asked, for the place where the reader said yes."""
_LAST = "asking-last"
"""The last result with a reply that failed: such replies are not stored, but the reader has to see them."""


def scored(
    metric: str, chosen: Chosen, settings: Settings, *, key: str, embedded: Callable[[], None]
) -> Result[Any] | None:
    """The stored result, or a new one once every reply is there; before that None, with cost and a button.

    embedded: a callback that takes the reader to what works without a language model.
    """
    pair = chosen.pair
    try:
        refused = st.session_state.pop(_REFUSED, None)
        if refused is not None and refused[0] == key:
            raise refused[1]
        with st.spinner(t("pair.working")):
            scorer = models.prepare(metric, pair, settings=settings)
            if (stored := chosen.stored.find(metric, scorer.signature)) is not None:
                return stored
            if scorer.asks is None:
                return scorer.score(pair)
            cost = estimate(scorer.asks, [pair])
            if not cost.new:
                return scorer.score(pair)
        if metric_form.ready([(scorer.asks.judge, cost)], key=key):
            st.session_state[_AGREED] = (metric, pair, settings, key)
            st.rerun()  # to `ask_agreed`
        return _failed_before(scorer, pair)
    except UnavailableError as error:
        show_error(error)
        st.button(t("asking.embedded"), key=f"{key}-embedded", on_click=embedded)
        return None


def ask_agreed() -> None:
    """Ask what the reader has agreed to, then draw the page again. For the end of a page that uses `scored`.

    Not within a fragment, in which a click stops nothing.
    """
    metric, pair, settings, key = st.session_state.pop(_AGREED, (None, None, None, None))
    if metric is None:
        return
    try:
        scorer = models.prepare(metric, pair, settings=settings)
        if scorer.asks is not None:
            with stoppable(key, "", _replies_done, kept=t("asking.stop_help")) as progress:
                ask_ahead(scorer.asks, [pair], progress=progress)
            st.session_state[_LAST] = (scorer.signature, pair, scorer.score(pair))
    except UnavailableError as error:
        st.session_state[_REFUSED] = (key, error)
    st.rerun()


def _replies_done(done: int, total: int) -> str:
    return t("asking.progress", done=done, total=total)


def heard(said: Sequence[Said], read: Sequence[bool], parts: Mapping[str, float]) -> None:
    """What it cost, and every reply as it came, one click away. read: whether each could be used."""
    prompts, replies = parts["prompt_tokens"], parts["completion_tokens"]
    words = t("asking.spent", prompts=f"{prompts:,.0f}", replies=f"{replies:,.0f}")
    line(" ".join([words, *metric_form.money(_default_judge(), prompts, replies)]), tone="quiet")
    with st.expander(t("asking.replies", n=len(said))):
        for index, (reply, usable) in enumerate(zip(said, read, strict=True), 1):
            state = t("asking.read") if usable else t("asking.unread")
            line(t(f"asking.reply.{reply.step}", number=index, state=state), tone="quiet")
            st.code(reply.text or reply.problem or NONE, language=None, wrap_lines=True)


def _failed_before(scorer: Scorer[Any], pair: TextPair) -> Result[Any] | None:
    """The result of this very question in which a reply failed, so that the reason stays on the page."""
    signature, asked, result = st.session_state.get(_LAST) or (None, None, None)
    return result if (signature, asked) == (scorer.signature, pair) else None


def _default_judge() -> Judge | None:
    """The judge that is set up now, for its prices; the replies may be older than the settings."""
    try:
        return models.backends().judge("default")
    except UnavailableError:
        return None
