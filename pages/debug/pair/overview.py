"""Above the evidence of a pair: its settings, the row of numbers, and both texts with tinted tokens."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

import streamlit as st

from core.metrics import digits_of
from core.metrics.bertscore.baseline import known_baseline
from core.metrics.bertscore.metric import BertScoreTrace
from core.metrics.bertscore.weights import shipped
from core.types import Result
from db.queries.evaluation import ratings_of_translation
from pages.auth import session
from pages.ui import metric_form, models, state
from pages.ui.evidence import tokens
from pages.ui.picker import Chosen
from pages.ui.text import flag_words, in_words, line, metric_name, novel, number, plain, t
from pages.ui.widgets import option, option_name


def settings(chosen: Chosen) -> dict[str, str]:
    """BERTScore's settings as widgets; every number and picture of the page follows them.

    `idf` is always among them: what the weights are counted over, and nothing unless `weight` is `idf`.
    `encoder` and `parser` are among them where another one than the built-in is chosen.
    """
    loaded = metric_form.models_to_load("pair")
    encoder = models.encoder(loaded.get("encoder", "embedded"))
    if st.session_state.get("pair-layer", 0) > encoder.layers:
        st.session_state["pair-layer"] = encoder.default_layer
    offered = dictionaries(chosen)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        layer = st.number_input(
            option_name("layer"),
            min_value=0,
            max_value=encoder.layers,
            value=encoder.default_layer,
            key="pair-layer",
            width=130,
            help=t("pair.layer_help", layers=encoder.layers, default=encoder.default_layer),
            persist_state="session",
        )
        weight = option("bertscore", "weight", "pair")
        idf = option("bertscore", "idf", "pair", choices=offered) if weight == "idf" else offered[0]
        others = {name: option("bertscore", name, "pair") for name in ("specials", "rescale")}
    return {"layer": str(layer), "weight": weight, "idf": idf, **others, **loaded}


def dictionaries(chosen: Chosen) -> tuple[str, ...]:
    """What can be counted over for this pair: novels first, its campaign's references last."""
    known = shipped(chosen.pair.lang)
    return (*known, "references") if chosen.context or not known else known


def numbers(chosen: Chosen, results: Mapping[str, Result[Any]]) -> None:
    """People first, then every metric, each with its signature one hover away."""
    with st.container(horizontal=True, gap="small"):
        _people(chosen)
        for name, result in results.items():
            about = plain(in_words(result.missing) if result.missing else result.signature)
            st.metric(metric_name(name), number(result.score, digits_of(name)), help=about, width="content")
            if name == "bertscore":
                for part in ("precision", "recall"):
                    st.metric(t(f"pair.part.{part}"), number(result.parts.get(part), 3), width="content")
    for flag in dict.fromkeys(flag for result in results.values() for flag in result.flags):
        flagged = [metric_name(name) for name, result in results.items() if flag in result.flags]
        line(f"{' · '.join(flagged)}: {flag_words(flag)}", tone="quiet")


def _people(chosen: Chosen) -> None:
    rows = (
        []
        if chosen.translation is None
        else ratings_of_translation(state.engine(), session.viewer(), chosen.translation.id)
    )
    mean = number(fmean(row.score for row in rows) if rows else None, 1)
    scores = ", ".join(f"{plain(row.rater)} {row.score:g}" for row in rows[:12])
    st.metric(t("pair.people", n=len(rows)), mean, help=scores or t("pair.no_people"), width="content")


def baseline_line(chosen: Chosen, settings: Mapping[str, str]) -> None:
    """What unrelated texts score, so that a high number can be read."""
    encoder = models.encoder(settings.get("encoder", "embedded"))
    baseline = known_baseline(encoder, int(settings["layer"]), chosen.pair.lang)
    if baseline is None:
        line(t("pair.no_baseline"), tone="quiet")
        return
    values = {name: number(getattr(baseline, name), 3) for name in ("f1", "low", "high")}
    line(t("pair.baseline", pairs=baseline.pairs, **values), tone="quiet")


def passages(chosen: Chosen, trace: BertScoreTrace) -> None:
    """Both texts with tinted tokens; the source folded in."""
    pair = chosen.pair
    tokens.both_texts(pair, trace)
    if pair.source and pair.source.strip():
        with st.expander(t("pair.source")):
            novel(pair.source, lang=chosen.source_lang)
