"""A settings grid on a campaign: its axes, the run with its bar, the heatmap and the table."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import streamlit as st

from core.charts import grid as charts
from core.grid.corpora import EMBEDDED, GridCorpora
from core.grid.run import (
    METRIC,
    MOST_CELLS,
    PAPER_A,
    Axis,
    CellResult,
    GridResult,
    Subject,
    cells,
    header,
    how_many,
    make_grid,
    record,
    with_preset,
)
from core.grid.store import own_store
from core.metaeval.correlation import COEFFICIENTS, MIN_POINTS
from core.metaeval.evaluation import Evaluation, turned
from core.metrics import find_metric
from core.metrics.base import Option
from core.metrics.bertscore.weights import SHIPPED_NAMES, shipped
from core.text.languages import base_lang
from db.queries import list_translations
from db.records import CampaignSummary
from pages.auth import session
from pages.debug.meta import nearer
from pages.ui import campaign_data, models, state
from pages.ui.text import line, metric_name, number, t, table
from pages.ui.widgets import (
    chart,
    download_csv,
    metric_choice,
    metrics,
    option_name,
    stoppable,
    switch,
    value_name,
)

USUAL_AXES = ("layer", "weight")
SEED = 20261128
USUAL_SEGMENTS = 30
_LLM = "llm"
_LOADED = ("encoder", "parser")
"""Options that name what is loaded: organisers choose it."""
_SUGGESTED = {
    "layer": ("3", "6", "7", "8", "9", "10", "11", "12"),
    "quantile": ("0.30", "0.40", "0.50", "0.60", "0.70"),
    "energy": ("1.0", "0.9", "0.8", "0.6"),
}
"""Values of options that take any text; of others the default is suggested."""
_AT_FIRST = {"layer": ("6", "9", "12"), "quantile": ("0.40", "0.70"), "energy": ("1.0", "0.8", "0.6")}
_RESULT = "grid-result"


def axes_form(lang: str) -> list[Axis]:
    """The axes that the reader chose; `metric` comes first. Empty while something is lacking."""
    usual = [name for name in metrics(offered=True, fast=True) if {*USUAL_AXES} <= {*_declared([name])}]
    chosen = metric_choice(t("systems.metric"), usual, key="grid-metrics")
    offered = _offered(chosen, lang)
    kept = st.session_state.get("grid-axes", USUAL_AXES)
    st.session_state["grid-axes"] = [name for name in kept if name in offered]
    names = st.multiselect(
        t("grid.axes"),
        list(offered),
        key="grid-axes",
        format_func=option_name,
        help=t("grid.axes_help"),
        placeholder=t("widget.choose"),
    )
    columns = st.columns(2, gap="medium")
    axes = [Axis(METRIC, tuple(chosen))]
    for index, name in enumerate(names):
        with columns[index % 2]:
            axes.append(Axis(name, tuple(_values_form(offered[name], lang))))
    return axes if all(axis.values for axis in axes) else []


def size(axes: Sequence[Axis], translations: int) -> bool:
    """Say how much that is; whether it can be started."""
    if not axes:
        line(t("grid.lacking"), tone="quiet")
        return False
    count = how_many(axes)
    line(t("grid.size", cells=f"{count:,}", n=f"{translations:,}"))
    if count > MOST_CELLS:
        line(t("grid.too_many", most=f"{MOST_CELLS:,}"), tone="quiet")
    return count <= MOST_CELLS


def _declared(names: Sequence[str]) -> dict[str, Option]:
    """Every option of any of the metrics, by name."""
    return {option.name: option for name in names for option in find_metric(name).options}


def _offered(names: Sequence[str], lang: str) -> dict[str, Option]:
    """The options that can be an axis: those with something to choose that asks no language model."""
    manages = session.viewer().manages
    return {
        name: option
        for name, option in _declared(names).items()
        if name != "model"
        and (manages or name not in _LOADED)
        and (_typed(option) or len(_choices(option, lang)) > 1)
    }


def _typed(option: Option) -> bool:
    """Whether any text is a value."""
    return not option.choices and option.name != "idf"


def _values_form(option: Option, lang: str) -> list[str]:
    """The values of an axis; numbers and names of models may be typed."""
    typed, offered = _typed(option), _choices(option, lang)
    chosen: list[str] = st.multiselect(
        option_name(option.name),
        offered,
        list(_AT_FIRST.get(option.name, offered)),
        key=f"grid-values-{option.name}-{lang}",
        format_func=lambda value: value_name(option.name, value),
        accept_new_options=typed,
        help=t("grid.typed_help") if typed else None,
        placeholder=t("widget.choose"),
    )
    return list(dict.fromkeys(value.strip() for value in chosen if value.strip()))


def _choices(option: Option, lang: str) -> list[str]:
    if option.name == "idf":
        return [*shipped(lang), "references"]
    choices = option.choices or _SUGGESTED.get(option.name, (option.default,))
    return [value for value in choices if value != _LLM]


def tab(campaign: CampaignSummary) -> None:
    """Everything: what to try, how large that is, the run, and what was computed so far."""
    line(t("grid.what"), tone="quiet")
    everything = campaign_data.evaluation_of(campaign, campaign_data.scale_choice("grid-scale"))
    rows = campaign_data.filtered(everything, key=f"grid-{campaign.id}").rows(everything)
    rated = everything.among(rows & np.isfinite(everything.people)).with_metrics(())
    if len(rated.people) < MIN_POINTS:
        line(t("meta.too_few", least=MIN_POINTS))
        return
    lang = base_lang(campaign.target_lang)
    preset = st.toggle(
        t("grid.preset"), key="grid-preset", help=t("grid.preset_help"), persist_state="session"
    )
    axes, fixed = with_preset(PAPER_A, _given_axes(lang)) if preset else (axes_form(lang), {})
    corpora = _corpora(axes)
    drawn = _drawn(campaign.id, rated)
    ready = size(axes, len(drawn.people))
    if st.button(t("grid.run"), key="grid-run", type="primary", disabled=not ready):
        _run((campaign.id, drawn), axes, fixed, corpora, _subject(campaign.id, drawn, lang))
    kept: tuple[int, Evaluation, GridResult] | None = st.session_state.get(_RESULT)
    if kept is None or kept[0] != campaign.id:
        line(t("grid.nothing_yet"), tone="quiet")
        return
    _, ran_on, result = kept
    _show(result)
    nearer.compare(campaign, ran_on, _columns(result), key="grid-nearer")


def _given_axes(lang: str) -> list[Axis]:
    """Under the preset: the encoders, which organisers may name, and the dictionaries of the language."""
    encoders: tuple[str, ...] = ()
    if session.viewer().manages:
        encoders = tuple(_values_form(_declared(["bertscore"])["encoder"], lang))
    return [Axis("encoder", encoders or (EMBEDDED,)), Axis("idf", shipped(lang) or ("references",))]


def _corpora(axes: Sequence[Axis]) -> GridCorpora:
    """Where the corpora of idf lie, asked of organisers once an encoder needs dictionaries of its own."""
    values = {axis.name: axis.values for axis in axes}
    own = [one for one in values.get("encoder", ()) if one != EMBEDDED]
    named = [one for one in values.get("idf", ()) if one in SHIPPED_NAMES]
    if not own or not named or not session.viewer().manages:
        return GridCorpora(paths={})
    line(t("grid.corpora"), tone="quiet")
    given = {
        name: st.text_input(value_name("idf", name), key=f"grid-corpus-{name}", persist_state="session")
        for name in named
    }
    return GridCorpora(paths={name: [Path(path.strip())] for name, path in given.items() if path.strip()})


def _drawn(campaign_id: int, rated: Evaluation) -> Evaluation:
    """The translations of as many segments as the reader wants, always the same ones."""
    segments = np.unique(rated.segment).tolist()
    usual = min(USUAL_SEGMENTS, len(segments))
    count = int(
        st.number_input(
            t("hacks.count"),
            1,
            len(segments),
            usual,
            help=t("grid.count_help"),
            key=f"grid-count-{campaign_id}",
        )
    )
    chosen = random.Random(SEED).sample(segments, count)  # nosec B311  # a drawing by seed
    return rated.among(np.isin(rated.segment, chosen))


def _subject(campaign_id: int, drawn: Evaluation, lang: str) -> Subject:
    texts = {text.id: text for text in list_translations(state.engine(), campaign_id)}
    pairs = [texts[number].pair(lang) for number in drawn.translation.tolist()]
    return Subject(pairs=pairs, table=drawn.table())


def _run(
    ran_on: tuple[int, Evaluation],
    axes: Sequence[Axis],
    fixed: Mapping[str, str],
    corpora: GridCorpora,
    subject: Subject,
) -> None:
    """Some translations at a time; what was scored is kept. ran_on: the campaign and the rows of it."""
    with stoppable("grid", kept=t("grid.stop_help")) as progress:
        every = corpora.cells(cells("bertscore", axes, fixed), models.backends(), progress=progress)
        run = make_grid(axes, every, subject, models.backends())
        store = own_store(subject.pairs)
        st.session_state[_RESULT] = (*ran_on, run.result(store))
        for _ in run.run(store, progress=progress):
            st.session_state[_RESULT] = (*ran_on, run.result(store))


def _show(result: GridResult) -> None:
    if result.done < result.pairs:
        line(t("grid.stopped", done=result.done, total=result.pairs))
    coefficient = switch(
        t("meta.coefficient"),
        COEFFICIENTS,
        "grid-coefficient",
        lambda name: t(f"meta.coefficient.{name}"),
        about=t("meta.coefficient_help"),
    )
    best = result.best(coefficient)
    if best is None:
        line(t("grid.no_value"))
    else:
        value = number(best.value(coefficient) or 0.0, 3)
        line(t("grid.best", cell=_called(result, best), value=value, n=best.n))
    words = charts.GridWords(
        hover=t("grid.hover", cell="{cell}", value="{value}", n="{n}"),
        none=t("missing.no-variance"),
        axes={axis.name: _axis(axis.name) for axis in result.axes},
        values={
            (axis.name, value): _value(axis.name, value) for axis in result.axes for value in axis.values
        },
    )
    figure = charts.heatmap(result, coefficient, words=words, palette=state.palette())
    chart(figure, "grid-heatmap", t("grid.heatmap_alt"), wide=True)
    line(t("grid.heatmap_what"), tone="quiet")
    _table(result)
    if best is not None:
        with st.expander(t("grid.signature")):
            st.code(best.signature, language=None, wrap_lines=True)


def _table(result: GridResult) -> None:
    heads = [
        *(_axis(axis.name) for axis in result.axes),
        *(t(f"meta.coefficient.{name}") for name in ("pearson", "kendall")),
        t("meta.column.n"),
    ]
    rows = [
        [*_values(result, cell), number(cell.pearson, 3), number(cell.kendall, 3), number(cell.n, 0)]
        for cell in result.cells
    ]
    table(heads, rows, numbers=frozenset(range(len(result.axes), len(heads))))
    records = [record(cell) for cell in result.cells]
    download_csv(header(result), records, "yomikurabe-grid.csv", key="grid-file")


def _columns(result: GridResult) -> list[nearer.NearColumn]:
    """The scores of every cell, higher is better."""
    return [
        nearer.NearColumn(
            _called(result, one),
            turned(one.scores, higher_is_better=find_metric(one.cell.request.metric).higher_is_better),
        )
        for one in result.cells
    ]


def _axis(name: str) -> str:
    return t("systems.metric") if name == METRIC else option_name(name)


def _value(name: str, value: str) -> str:
    return metric_name(value) if name == METRIC else value_name(name, value)


def _values(result: GridResult, cell: CellResult) -> list[str]:
    return [_value(axis.name, value) for axis, value in zip(result.axes, cell.cell.choice, strict=True)]


def _called(result: GridResult, cell: CellResult) -> str:
    """A cell in a sentence: a number says of what it is."""
    named = zip(result.axes, cell.cell.choice, _values(result, cell), strict=True)
    return " · ".join(
        shown
        if shown != value or axis.name == METRIC
        else t("grid.named_value", axis=_axis(axis.name), value=value)
        for axis, value, shown in named
    )
