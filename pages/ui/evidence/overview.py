"""A pair under the lens: its texts with every token tinted, and the row of numbers above the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, cast

import streamlit as st

from core.metrics import digits_of, find_metric
from core.metrics.bertscore.baseline import known_baseline
from core.metrics.bertscore.metric import BertScoreTrace, Side
from core.metrics.bertscore.weights import shipped
from core.text.html import Tint
from core.types import Result
from db.queries import ratings_of_translation
from pages.auth import session
from pages.ui import models, state
from pages.ui.picker import Chosen
from pages.ui.text import flag_words, label, line, novel, number, plain, t, tinted


@dataclass(frozen=True, slots=True)
class Focus:
    """The token that the reader looks at: its place on each side, None where there is none."""

    reference: int | None = None
    hypothesis: int | None = None


def settings(chosen: Chosen) -> dict[str, str]:
    """BERTScore's settings as widgets; every number and picture of the page follows them.

    `idf` is always among them: what the weights are counted over, and nothing unless `weight` is `idf`.
    """
    encoder = models.encoder()
    offered = dictionaries(chosen)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        layer = st.number_input(
            t("pair.layer"),
            min_value=0,
            max_value=encoder.layers,
            value=encoder.default_layer,
            key="pair-layer",
            width=130,
            help=t("pair.layer_help", layers=encoder.layers, default=encoder.default_layer),
            persist_state="session",
        )
        weight = _option("weight")
        weighted = weight == "idf"
        idf = counted_over(offered, t("pair.option.idf"), key="pair-idf") if weighted else offered[0]
        others = {name: _option(name) for name in ("specials", "rescale")}
    return {"layer": str(layer), "weight": weight, "idf": idf, **others}


def _option(name: str) -> str:
    """One of BERTScore's options with a few choices."""
    (choices,) = [option.choices for option in find_metric("bertscore").options if option.name == name]
    value = st.segmented_control(
        t(f"pair.option.{name}"),
        choices,
        default=choices[0],
        required=True,
        key=f"pair-{name}",
        format_func=lambda value: t(f"pair.option.{name}.{value}"),
        help=t(f"pair.option.{name}.help"),
        persist_state="session",
    )
    return cast(str, value)


def dictionaries(chosen: Chosen) -> tuple[str, ...]:
    """What can be counted over for this pair: novels first, its campaign's references last."""
    found = shipped(chosen.pair.lang)
    return (*found, "references") if chosen.context or not found else found


def counted_over(names: Sequence[str], caption: str, *, key: str, disabled: bool = False) -> str:
    """A choice among dictionaries where there is one to make; it starts with the first."""
    if len(names) < 2:
        return names[0]
    chosen = st.segmented_control(
        caption,
        names,
        default=names[0],
        required=True,
        key=f"{key}-{'-'.join(names)}",  # another language has other choices
        format_func=lambda name: t(f"pair.option.idf.{name}"),
        help=t("pair.option.idf.help"),
        disabled=disabled,
        persist_state="session",
    )
    return cast(str, chosen)


def numbers(chosen: Chosen, results: Mapping[str, Result[Any]]) -> None:
    """People first, then every metric, each with what made it one hover away."""
    with st.container(horizontal=True, gap="small"):
        _people(chosen)
        for name, result in results.items():
            shown = "–" if result.score is None else number(result.score, digits_of(name))
            about = plain(result.missing or result.signature)
            st.metric(t(f"metric.{name}"), shown, help=about, width="content")
            if name == "bertscore":
                for part in ("precision", "recall"):
                    st.metric(t(f"pair.part.{part}"), number(result.parts[part], 3), width="content")
    for flag in dict.fromkeys(flag for result in results.values() for flag in result.flags):
        flagged = [t(f"metric.{name}") for name, result in results.items() if flag in result.flags]
        line(f"{' · '.join(flagged)}: {flag_words(flag)}", tone="quiet")


def _people(chosen: Chosen) -> None:
    rows = (
        []
        if chosen.translation_id is None
        else ratings_of_translation(state.engine(), session.viewer(), chosen.translation_id)
    )
    if rows:
        scores = ", ".join(f"{plain(row.rater)} {row.score:g}" for row in rows[:12])
        mean = number(fmean(row.score for row in rows), 1)
        st.metric(t("pair.people", n=len(rows)), mean, help=scores, width="content")
    else:
        st.metric(t("pair.people", n=0), "–", help=t("pair.no_people"), width="content")


def baseline_line(chosen: Chosen, layer: int) -> None:
    """What unrelated texts score, so that a high number can be read."""
    baseline = known_baseline(models.encoder(), layer, chosen.pair.lang)
    if baseline is None:
        line(t("pair.no_baseline"), tone="quiet")
        return
    values = {name: number(getattr(baseline, name), 3) for name in ("f1", "low", "high")}
    line(t("pair.baseline", pairs=baseline.pairs, **values), tone="quiet")


def texts(chosen: Chosen, trace: BertScoreTrace | None, focus: Focus) -> None:
    """Both texts side by side, each token tinted by the cosine of its best match."""
    pair = chosen.pair
    if trace is not None and trace.empty:  # nothing met anything
        trace = None
    sides = (
        (t("pair.reference"), pair.reference, None if trace is None else trace.reference, focus.reference),
        (
            t("pair.translation"),
            pair.hypothesis,
            None if trace is None else trace.hypothesis,
            focus.hypothesis,
        ),
    )
    for column, (caption, text, side, place) in zip(st.columns(2, gap="medium"), sides, strict=True):
        with column.container(border=True, height="stretch", gap=None):
            label(caption)
            if side is None or not text.strip():
                novel(text, lang=pair.lang)
            else:
                tinted(text, tints(side, place), lang=pair.lang, colour=state.palette().match)
    if pair.source and pair.source.strip():
        with st.expander(t("pair.source")):
            novel(pair.source, lang=chosen.source_lang)


def tints(side: Side, place: int | None) -> list[Tint]:
    """A tint per token that covers text: the weakest match of the sentence is clear, cosine 1 is full."""
    counted = [
        float(cosine) for cosine, token in zip(side.cosine, side.tokens, strict=True) if not token.special
    ]
    low = min(counted, default=0.0)
    found: list[Tint] = []
    end = 0
    for index, (token, cosine) in enumerate(zip(side.tokens, side.cosine, strict=True)):
        start = max(token.start, end)
        if token.special or start >= token.end:
            continue
        strength = (float(cosine) - low) / (1 - low) if low < 1 else 1.0
        end = token.end
        underline = "double" if index == place else "none"
        found.append(
            Tint(start=start, end=end, strength=strength, title=f"{cosine:.3f}", underline=underline)
        )
    return found
