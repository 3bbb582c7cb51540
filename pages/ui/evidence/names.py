"""The evidence of the reading penalty: rare tokens, readings with their edit script, the waterfall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from core.charts.attribution import WaterfallWords, penalty_waterfall
from core.metrics import find_metric
from core.metrics.base import Settings
from core.metrics.bertscore.metric import Side, SideName
from core.metrics.bertscore.weights import shipped
from core.metrics.reading import Meeting, ReadingSide, ReadingTrace
from core.text import html
from core.types import Result, TextPair
from pages.ui import metric_form, models, state
from pages.ui.evidence.keeping import keep_button
from pages.ui.evidence.tokens import SIDES, focus, token_table
from pages.ui.picker import Chosen
from pages.ui.text import NONE, flag_words, label, line, metric_name, number, plain, script, t
from pages.ui.widgets import chart, figures, option, option_help, option_name, options, texts

METRIC = "bertscore-reading"
SHARED = ("layer", "weight", "specials", "rescale")
"""Options that this metric has from BERTScore and that the page sets once for both; see `shared`."""
_SHOWN_MEETINGS = 12
_STEPS: dict[str, tuple[str, html.Underline]] = {
    "equal": ("=", "none"),
    "replace": ("≠", "wavy"),
    "insert": ("+", "double"),
    "delete": ("−", "dotted"),
}


def shared(page: Settings) -> dict[str, str]:
    """What the page's settings say to this metric: under `weight=idf` also whose frequencies they are."""
    return {name: page[name] for name in (*SHARED, *(("idf",) if page["weight"] == "idf" else ()))} | (
        metric_form.loaded_by(METRIC, page)
    )


def names(chosen: Chosen, page: Settings) -> None:
    """The whole tab. `page` are BERTScore's settings on this page."""
    given = _settings(chosen.pair.lang, weighted=page["weight"] == "idf") | shared(page)
    result = models.score(METRIC, chosen.pair, settings=given, context=chosen.context, stored=chosen.stored)
    trace = cast(ReadingTrace, result.trace)
    if trace.base.empty:
        line(t("pair.empty_side"))
        return
    summary(result)
    keep_button(chosen, [result], METRIC)
    marked(chosen.pair, trace)
    if "no-rare-token" in result.flags:
        line(t("names.none"))
        return
    for flag in trace.flags():
        line(f"{metric_name(METRIC)}: {flag_words(flag)}", tone="quiet")
    picture(trace, key="names-waterfall")
    st.subheader(t("names.readings"), anchor=False)
    legend(given["kana"])
    readings(trace, lang=chosen.pair.lang)
    line(t("names.choose_row"), tone="quiet")
    for column, side in zip(st.columns(2, gap="large"), SIDES, strict=True):
        with column:
            st.subheader(t(f"names.rare.{side}"), anchor=False)
            _rare_tokens(trace, side)


def legend(kana: str = "normal") -> None:
    """What the marks of an edit script say, and how readings are spelled."""
    line(f"{t('names.legend')} {t(f'names.spelled.{kana}')}", tone="quiet")


def _settings(lang: str, *, weighted: bool) -> dict[str, str]:
    """The tab's own options; under `weighted` the page says what rare words are counted over."""
    usual = next(declared.default for declared in find_metric(METRIC).options if declared.name == "quantile")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = options(METRIC, ("criterion", "unit", "mode", "reading", "kana"), "names")
        by_names_alone = chosen["criterion"] == "ner"
        if not weighted and (known := shipped(lang, chosen["unit"])):
            chosen["idf"] = option(METRIC, "idf", "names", choices=known, disabled=by_names_alone)
        quantile = st.slider(
            option_name("quantile", METRIC),
            0.05,
            0.95,
            float(usual),
            0.05,
            key="names-quantile",
            help=option_help("quantile", METRIC, usual=usual),
            width=320,
            disabled=by_names_alone,
            persist_state="session",
        )
    return {"quantile": f"{quantile:.2f}", **chosen}


def summary(result: Result[ReadingTrace]) -> None:
    """F before and after, and the two penalties."""
    shown = (
        (t("names.base"), "base_f1", None),
        (t("names.penalty_precision"), "penalty_precision", t("names.penalty_precision.help")),
        (t("names.penalty_recall"), "penalty_recall", t("names.penalty_recall.help")),
        (metric_name(METRIC), "f1", plain(result.signature)),
    )
    figures((caption, number(result.parts[part], 3), about) for caption, part, about in shown)


def marked(pair: TextPair, trace: ReadingTrace) -> None:
    """Both texts with their rare tokens marked: the more the readings differ, the stronger."""
    focused = focus(trace.base)
    sides = (
        (t("pair.reference"), pair.reference, trace.reference, trace.base.reference, focused.reference),
        (t("pair.translation"), pair.hypothesis, trace.hypothesis, trace.base.hypothesis, focused.hypothesis),
    )
    shown = [(caption, text, tints(own, side, index)) for caption, text, own, side, index in sides]
    texts(shown, lang=pair.lang, colour=state.palette().substitute)


def tints(own: ReadingSide, side: Side, focused: int | None) -> list[html.Tint]:
    """A tint per rare token: wavy where readings differ, solid where they agree, double where looked at."""
    return [
        html.Tint(
            start=token.start,
            end=token.end,
            strength=(0.25 + 0.75 * (1 - float(m))) if own.rare[index] else 0,
            title=f"{own.readings[index]} / {own.partner_readings[index]} · M {m:.2f}",
            underline="double" if index == focused else "solid" if m == 1 else "wavy",
        )
        for index, (token, m) in enumerate(zip(side.tokens, own.coefficients(), strict=True))
        if own.rare[index] or index == focused
    ]


def picture(trace: ReadingTrace, *, key: str) -> None:
    """The waterfall from base F to penalised F."""
    words = WaterfallWords(
        base=t("names.base"),
        precision=t("names.step.precision"),
        recall=t("names.step.recall"),
        penalised=metric_name(METRIC),
        value="F",
    )
    figure = penalty_waterfall(trace, words=words, palette=state.palette())
    chart(figure, key, t("names.waterfall_alt"))


def readings(trace: ReadingTrace, *, lang: str) -> None:
    """The readings that were compared, each pair once, with the steps that lead from one to the other."""
    heads = {"reference": t("pair.reference"), "hypothesis": t("pair.translation")}
    beside = trace.mode == "token"  # many short readings; else two long ones
    common = trace.mode == "rare"  # one comparison for both texts: the sides say the same
    sides = SIDES
    if common:
        sides = SIDES[:1] if trace.reference.meetings else SIDES[1:]
    places = st.columns(2, gap="large") if beside else [st.container() for _ in sides]
    for place, side in zip(places, sides, strict=True):
        other = "hypothesis" if side == "reference" else "reference"
        own: ReadingSide = getattr(trace, side)
        met = list({(meeting.own, meeting.other): meeting for meeting in own.meetings}.values())
        with place:
            label(t("names.from.both") if common else t(f"names.from.{side}"))
            for one in met[:_SHOWN_MEETINGS]:
                agreement = t("names.coefficient", m=number(one.coefficient, 2))
                script(_steps(one), lang=lang, heads=(heads[side], heads[other]), tail=agreement)
            if len(met) > _SHOWN_MEETINGS:
                line(t("names.more", n=len(met) - _SHOWN_MEETINGS), tone="quiet")
            if not met:
                line(t("names.none_here"), tone="quiet")


def _steps(meeting: Meeting) -> list[html.Step]:
    palette = state.palette()
    colours = {
        "equal": palette.match,
        "replace": palette.substitute,
        "insert": palette.insert,
        "delete": palette.delete,
    }
    return [
        html.Step(
            own=edit.own,
            other=edit.other,
            mark=_STEPS[edit.op][0],
            underline=_STEPS[edit.op][1],
            colour=colours[edit.op],
            title=t(f"names.edit.{edit.op}"),
        )
        for edit in meeting.edits
    ]


def _rare_tokens(trace: ReadingTrace, side: SideName) -> None:
    rows = [row for row in trace.evidence(side) if row.rare]
    if not rows:
        line(t("names.none_here"), tone="quiet")
        return
    columns: dict[str, Sequence[object]] = {
        t("pair.column.token"): [row.text.replace("▁", "␣") for row in rows],
        "M": [row.coefficient for row in rows],
        t("names.reading"): [row.reading for row in rows],
        t("names.partner_reading"): [row.partner_reading or NONE for row in rows],
        t("pair.column.partner"): [row.partner.replace("▁", "␣") or NONE for row in rows],
    }
    if rows[0].idf is not None:
        columns["idf"] = [row.idf for row in rows]
    indices = [row.place for row in rows]
    formats = {"idf": "%.2f", "M": "%.2f"}
    token_table(
        columns, key=f"names-rare-{side}", trace=trace.base, side=side, indices=indices, formats=formats
    )
