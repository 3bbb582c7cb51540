"""The models behind the metrics: loaded once per process, when a page first needs a score."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import streamlit as st

from core.backends import Backends, Encoder
from core.backends.registry import load_backends
from core.errors import YomikurabeError
from core.metrics import find_metric
from core.metrics.base import Scorer, Settings
from core.types import Result, TextPair
from db.campaigns.stored_results import NO_RESULTS, StoredResults
from db.queries import DatabaseCalls
from pages.ui import state
from pages.ui.text import error_sentence, t


@st.cache_resource(show_spinner=False)
def backends() -> Backends:
    """Real backends, shared by all sessions; nothing is loaded before it is asked for."""
    return load_backends(calls=DatabaseCalls(state.engine()))


WARM = "YOMIKURABE_WARM"
"""Environment variable: how many seconds after the first visit the encoder is loaded; 0 or unset: never."""


@st.cache_resource(show_spinner=False)
def warm_later() -> None:
    """Load the encoder and encode a text in the background, once per process, if `WARM` asks for it."""
    wait = os.environ.get(WARM, "0")
    if wait.isdecimal() and int(wait):
        threading.Thread(target=_warm, args=(int(wait), backends()), daemon=True).start()


_STATISTICS = ("core.report", "core.charts.raters")
"""What the first statistics of a process import: scipy and plotly take a second."""


def _warm(seconds: int, models: Backends) -> None:
    time.sleep(seconds)
    for name in _STATISTICS:
        import_module(name)
    encoder = models.encoder("embedded")
    encoder.encode(["読み比べ"], layer=encoder.default_layer)


def encoder(name: str = "embedded") -> Encoder:
    """An encoder, at first that of the pages, with a word on the screen while it loads."""
    with st.spinner(t("pair.loading")):
        return backends().encoder(name)


def score(
    metric: str,
    pair: TextPair,
    *,
    settings: Settings | None = None,
    context: Sequence[TextPair] = (),
    stored: StoredResults = NO_RESULTS,
) -> Result[Any]:
    """Score one pair, with a word on the screen while a model loads.

    context: the pairs whose references are counted under `weight=idf`; without it, the pair alone. stored:
    the pair's results in the database; one with the same signature is taken, and no model is loaded.
    """
    with st.spinner(t("pair.working")):
        scorer = prepare(metric, pair, settings=settings, context=context)
        return stored.find(metric, scorer.signature) or scorer.score(pair)


def prepare(
    metric: str, pair: TextPair, *, settings: Settings | None = None, context: Sequence[TextPair] = ()
) -> Scorer[Any]:
    """A metric with its options settled, to score a pair and variants of it."""
    return find_metric(metric).prepare(settings or {}, backends(), context or [pair])


def attempt(
    metric: str,
    pair: TextPair,
    *,
    settings: Settings | None = None,
    context: Sequence[TextPair] = (),
    stored: StoredResults = NO_RESULTS,
) -> Result[Any]:
    """`score`, but where a metric cannot serve this pair the reason stands in `missing`.

    So that a language without a dictionary takes nothing but that number from the page.
    """
    try:
        return score(metric, pair, settings=settings, context=context, stored=stored)
    except YomikurabeError as error:
        return Result(metric=metric, score=None, signature="", missing=error_sentence(error))
