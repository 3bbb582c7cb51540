"""The hack lab for a campaign: every edit under every metric, ranks and the mean rank, and who is fooled."""

from __future__ import annotations

import random
from collections.abc import Sequence

import streamlit as st

from core.charts import attribution as charts
from core.hacks import EDITS
from core.hacks.mean_rank import Standings
from core.hacks.robustness import Lab, LabSegment, LabTable, Variant, plan_lab, tables_of_plan, variants
from core.metrics import digits_of
from core.scoring import Request
from core.text.languages import base_lang
from db.queries import get_campaign, list_segments, list_systems, list_translations
from pages.debug.hacks.pair import LANGS
from pages.ui import metric_form, models, picker, state
from pages.ui.text import NONE, interval, line, metric_name, number, t, table
from pages.ui.widgets import chart, download_csv, metrics, signatures, stoppable

USUAL = (
    "maru-7",
    "tail-8",
    "concat",
    "professional",
    "copy-source",
    "reference-twice",
    "repeat",
    "random-tokens",
    "drop-last-sentence",
    "swap-names",
    "flip-negation",
    "change-number",
)
SEED = 20261128
_TABLE = "hack-lab-table"
_ASKED = "hack-lab-asked"
"""The campaign and the run that were asked for and are not agreed to yet."""


def lab() -> None:
    """What to try, the run with its bar, and what was found so far."""
    chosen = picker.choose_campaign("hacks")
    if chosen is None:
        return
    campaign = get_campaign(state.engine(), chosen.id)
    lang = base_lang(campaign.target_lang)
    if lang not in LANGS:
        line(t("hacks.language"))
        return
    segments = _segments(chosen.id, lang)
    if not segments:
        line(t("hacks.no_segments"))
        return
    asked = _asked(chosen.id, segments)
    if st.button(t("hacks.run"), key="hack-lab-run", type="primary", disabled=not asked[0].requests):
        st.session_state[_ASKED] = (chosen.id, *asked)
    if st.session_state.get(_ASKED) == (chosen.id, *asked):
        _begin(chosen.id, segments, *asked)
    last = _last_table()
    if last is None or last[0] != chosen.id:
        line(t("hacks.nothing_yet"), tone="quiet")
        return
    _, wanted, result = last
    done = len(result.made)
    if done < wanted:
        line(t("hacks.stopped", done=done, total=wanted))
    _scores(result)
    _ranks(result)
    _fooled(result)
    signatures(result.signatures.values())


def _segments(campaign_id: int, lang: str) -> list[LabSegment]:
    """The segments that every system but the reference has translated."""
    outputs: dict[int, dict[str, str]] = {}
    for translation in list_translations(state.engine(), campaign_id):
        if not translation.is_reference:
            outputs.setdefault(translation.segment_id, {})[translation.system] = translation.text
    systems = {name for texts in outputs.values() for name in texts}
    return [
        LabSegment(reference=segment.reference, source=segment.source, lang=lang, outputs=outputs[segment.id])
        for segment in list_segments(state.engine(), campaign_id)
        if outputs.get(segment.id, {}).keys() == systems
    ]


def _asked(campaign_id: int, segments: Sequence[LabSegment]) -> tuple[Lab, int]:
    """The form: what to run, over how many segments."""
    systems = [system.name for system in list_systems(state.engine(), campaign_id) if not system.is_reference]
    with st.container(border=True):
        left, right = st.columns(2, gap="medium")
        victims = left.multiselect(t("hacks.victims"), systems, systems[-1:], help=t("hacks.victims_help"))
        usual = min(10, len(segments))
        count = int(right.number_input(t("hacks.count"), 1, len(segments), usual, help=t("hacks.count_help")))
        edits = st.multiselect(
            t("hacks.edits"),
            list(EDITS),
            list(USUAL),
            format_func=lambda name: t(f"hacks.edit.{name}"),
            placeholder=t("widget.choose"),
        )
        usual_metrics = metrics(offered=True, fast=True)
        chosen = metric_form.choose(t("hacks.metrics"), usual_metrics, key=f"hack-lab-metrics-{campaign_id}")
    requests = tuple(Request(name, settings) for name, settings in chosen.items())
    return Lab(variants=variants(systems, victims, edits), requests=requests, seed=SEED), count


def _begin(campaign_id: int, segments: Sequence[LabSegment], lab: Lab, count: int) -> None:
    """Make the texts and say what a language model would cost; once that is agreed to, run."""
    drawn = sorted(random.Random(SEED).sample(range(len(segments)), count))  # nosec B311  # a drawing by seed
    with st.spinner(t("hacks.preparing")):
        plan = plan_lab([segments[index] for index in drawn], lab, models.backends())
        costs = plan.costs()
    if not metric_form.ready(costs, key="hack-lab"):
        return
    st.session_state.pop(_ASKED, None)
    with stoppable("hack", t("hacks.preparing"), _segments_done, kept=t("hacks.stop_help")) as progress:
        for result in tables_of_plan(plan):
            st.session_state[_TABLE] = (campaign_id, count, result)
            progress(len(result.made), count)


def _last_table() -> tuple[int, int, LabTable] | None:
    """The last table of this session: of which campaign, and of how many segments it was to be."""
    last: tuple[int, int, LabTable] | None = st.session_state.get(_TABLE)
    return last


def _segments_done(done: int, total: int) -> str:
    return t("hacks.progress", done=done, total=total)


def _scores(result: LabTable) -> None:
    st.subheader(t("hacks.table9"), anchor=False)
    line(t("hacks.table9_what", segments=len(result.made)), tone="quiet")
    header = [t("hacks.variant"), t("hacks.changed"), *map(metric_name, result.metrics)]
    rows = []
    for variant in result.variants:
        cells = [result.cell(variant, metric) for metric in result.metrics]
        shown = [
            _cell(one.score, one.difference, digits_of(metric))
            for metric, one in zip(result.metrics, cells, strict=True)
        ]
        rows.append([_name(variant), str(result.changed(variant)) if variant.edits else "", *shown])
    table(header, rows, numbers=frozenset(range(1, len(header))))
    columns = ("variant", "segments changed", *result.metrics)
    download_csv(columns, _numbers(result), "yomikurabe-hacks.csv")


def _numbers(result: LabTable) -> list[list[object]]:
    return [
        [
            variant.name,
            result.changed(variant),
            *(result.cell(variant, metric).score for metric in result.metrics),
        ]
        for variant in result.variants
    ]


def _ranks(result: LabTable) -> None:
    st.subheader(t("hacks.table10"), anchor=False)
    line(t("hacks.table10_what"), tone="quiet")
    standings = result.standings()
    if not standings.systems:
        line(t("hacks.no_ranks"))
        return
    names = {variant.name: _name(variant) for variant in result.variants}
    without = list(result.without_each_metric().values())
    header = [
        t("hacks.variant"),
        *map(metric_name, standings.metrics),
        t("hacks.mean_rank"),
        t("hacks.without_one"),
    ]
    rows = [
        [
            names[row.system],
            *(f"{row.ranks[metric]:g}" for metric in standings.metrics),
            number(row.mean_rank, 2),
            _range(row.system, without),
        ]
        for row in standings.systems
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    for metric in standings.left_out:
        line(t("hacks.left_out", metric=metric_name(metric)), tone="quiet")


def _range(system: str, without: Sequence[Standings]) -> str:
    """The lowest and the highest mean rank without one of the metrics."""
    ranks = [row.mean_rank for one in without for row in one.systems if row.system == system]
    return interval(min(ranks), max(ranks), 2) if ranks else NONE


def _fooled(result: LabTable) -> None:
    rows = [one for one in result.weaknesses() if one.n]
    if not rows:
        return
    st.subheader(t("hacks.fooled"), anchor=False)
    line(t("hacks.fooled_what"), tone="quiet")
    words = charts.WeaknessWords(
        hover=t("hacks.fooled_hover", share="{share}", n="{n}"),
        no_verdict=t("hacks.no_verdict"),
        metrics={name: metric_name(name) for name in result.metrics},
        edits=_edit_names(result.variants),
    )
    figure = charts.weaknesses(rows, words=words, palette=state.palette())
    chart(figure, "hack-fooled", t("hacks.fooled_alt"))


def _edit_names(rows: Sequence[Variant]) -> dict[str, str]:
    return {"+".join(row.edits): " + ".join(t(f"hacks.edit.{name}") for name in row.edits) for row in rows}


def _name(variant: Variant) -> str:
    return " + ".join((variant.system, *(t(f"hacks.edit.{name}") for name in variant.edits)))


def _cell(score: float | None, difference: float | None, digits: int) -> str:
    if score is None or difference is None:
        return number(score, digits)
    return f"{number(score, digits)} ({number(difference, digits, signed=True)})"
