"""A settings grid on a campaign: the form, the run with its bar, the heatmap and the table.

What metrics' options and their values are called on the screen; values without a word stay as they are.

What a settings grid is asked for: metrics, axes with their values, and how many segments.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.charts import grid as charts
from core.grid.run import (
    METRIC,
    MOST_CELLS,
    Axis,
    CellResult,
    GridResult,
    Subject,
    cells,
    how_many,
    make_grid,
)
from core.grid.show import header, record
from core.grid.store import own_store
from core.metaeval.correlation import COEFFICIENTS, MIN_POINTS
from core.metaeval.evaluation import Evaluation
from core.metrics import METRICS, find_metric
from core.metrics.bertscore.weights import shipped
from core.text.languages import base_lang
from core.types import TextPair
from db.queries import list_translations
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import campaign_data, models, state
from pages.ui.download import csv_bytes
from pages.ui.text import line, number, t, table

_OF_NAMES = ("criterion", "kana", "mode", "quantile", "reading")
_OF_SUBSPACES = ("energy", "specials", "window")


def option_name(option: str) -> str:
    """An option, such as `weight`, for a reader. KeyError for one that no page offers."""
    if option in _OF_NAMES:
        return t(f"names.option.{option}")
    if option in _OF_SUBSPACES:
        return t(f"subspace.option.{option}")
    if option == "filter":
        return t("structure.option.filter")
    return t("questions.compare") if option == "compare" else t(f"grid.axis.{option}")


def value_name(option: str, value: str) -> str:
    """A value of an option for a reader: `novel` is “novels”; a number or a name is itself."""
    try:
        return _worded(option, value)
    except KeyError:
        return value


def _worded(option: str, value: str) -> str:
    if value == "help":  # typed by somebody: it is no value of anything
        raise KeyError(value)
    if option == "metric":
        return t(f"metric.{value}")
    if option in _OF_NAMES:
        return t(f"names.option.{option}.{value}")
    if option in _OF_SUBSPACES:
        return t(f"subspace.option.{option}.{value}")
    if option == "filter":
        return t(f"structure.option.filter.{value}")
    return t(f"questions.compare.{value}") if option == "compare" else t(f"grid.value.{option}.{value}")


USUAL_METRICS = ("bertscore", "bertscore-reading")
USUAL_AXES = ("layer", "weight")
OFFERED = (
    "layer", "weight", "idf", "quantile", "mode", "criterion", "reading", "kana", "energy", "window",
    "specials", "rescale", "long", "filter", "subtree_weight", "preterminals", "compare", "tokenize",
    "encoder",
)  # fmt: skip
_ASKING = ("gemba-mqm", "gemba-da")
_LLM = "llm"
_SUGGESTED = {
    "layer": ("3", "6", "7", "8", "9", "10", "11", "12"),
    "quantile": ("0.30", "0.40", "0.50", "0.60", "0.70"),
    "energy": ("1.0", "0.9", "0.8", "0.6"),
    "encoder": ("embedded",),
}
_AT_FIRST = {"layer": ("6", "9", "12"), "quantile": ("0.40", "0.70"), "energy": ("1.0", "0.8", "0.6")}


def asked(lang: str) -> list[Axis]:
    """The axes that the reader chose; `metric` comes first. Empty while something is lacking."""
    metrics = st.multiselect(
        t("systems.metric"), [name for name in METRICS if name not in _ASKING], list(USUAL_METRICS),
        key="grid-metrics", format_func=lambda name: t(f"metric.{name}"),
    )  # fmt: skip
    offered = _offered(metrics)
    chosen = st.session_state.get("grid-axes", USUAL_AXES)
    st.session_state["grid-axes"] = [one for one in chosen if one in offered]
    names = st.multiselect(
        t("grid.axes"), offered, key="grid-axes", format_func=option_name, help=t("grid.axes_help")
    )
    places = st.columns(2, gap="medium")
    axes = [Axis(METRIC, tuple(metrics))]
    for position, name in enumerate(names):
        with places[position % 2]:
            axes.append(Axis(name, tuple(_value_choice(name, metrics, lang))))
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


def _offered(metrics: Sequence[str]) -> list[str]:
    """Options of any of the metrics; which model is loaded is an organiser's to say."""
    own = {option.name for metric in metrics for option in find_metric(metric).options}
    return [name for name in OFFERED if name in own and (name != "encoder" or session.viewer().manages)]


def _value_choice(name: str, metrics: Sequence[str], lang: str) -> list[str]:
    """The values of an axis; numbers and names of models may be typed."""
    typed = name in _SUGGESTED
    offered = list(_SUGGESTED[name]) if typed else _choices(name, metrics, lang)
    chosen: list[str] = st.multiselect(
        option_name(name), offered, list(_AT_FIRST.get(name, offered)), key=f"grid-values-{name}-{lang}",
        format_func=lambda value: value_name(name, value), accept_new_options=typed,
        help=t("grid.typed_help") if typed else None,
    )  # fmt: skip
    return list(dict.fromkeys(value.strip() for value in chosen if value.strip()))


def _choices(name: str, metrics: Sequence[str], lang: str) -> list[str]:
    if name == "idf":
        return [*shipped(lang), "references"]
    options = (option for metric in metrics for option in find_metric(metric).options)
    found = next(option for option in options if option.name == name)
    return [value for value in found.choices if value != _LLM]


SEED = 20261128
USUAL_SEGMENTS = 30
_FOUND = "grid-found"
_QUIET_CHART = {"displayModeBar": False}


def tab(campaign: CampaignSummary) -> None:
    """Everything: what to try, how large that is, the run, and what was found so far."""
    line(t("grid.what"), tone="quiet")
    everything = campaign_data.read(campaign, campaign_data.scale_choice("grid-scale"))
    rows = campaign_data.chosen(everything, key=f"grid-{campaign.id}").rows(everything)
    rated = everything.among(rows & np.isfinite(everything.people)).with_metrics(())
    if len(rated.people) < MIN_POINTS:
        line(t("meta.too_few", least=MIN_POINTS))
        return
    lang = base_lang(campaign.target_lang)
    axes = asked(lang)
    drawn = _drawn(campaign.id, rated)
    ready = size(axes, len(drawn.people))
    if st.button(t("grid.run"), key="grid-run", type="primary", disabled=not ready):
        _run(campaign.id, axes, _subject(campaign.id, drawn, lang))
    found: tuple[int, GridResult] | None = st.session_state.get(_FOUND)
    if found is None or found[0] != campaign.id:
        line(t("grid.nothing_yet"), tone="quiet")
        return
    _show(found[1])


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
    texts = {one.id: one for one in list_translations(state.engine(), campaign_id)}
    chosen = [texts[key] for key in drawn.translation.tolist()]
    pairs = [
        TextPair(reference=one.reference, hypothesis=one.text, source=one.source, lang=lang) for one in chosen
    ]
    return Subject(pairs=pairs, table=drawn.table())


def _run(campaign_id: int, axes: list[Axis], subject: Subject) -> None:
    """Some translations at a time, with a bar and a way to stop; what was scored is kept, also for later."""
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=t("score.preparing"))
        st.button(t("asking.stop"), key="grid-stop", help=t("grid.stop_help"))

        def show(done: int, total: int) -> None:
            bar.progress(done / max(total, 1), text=t("score.progress", done=done, total=total))

        made = make_grid(axes, cells(axes[0].values[0], axes), subject, models.backends())
        store = own_store(subject.pairs)
        st.session_state[_FOUND] = (campaign_id, made.result(store))
        for _ in made.run(store, progress=show):
            st.session_state[_FOUND] = (campaign_id, made.result(store))
    place.empty()


def _show(found: GridResult) -> None:
    if found.done < found.pairs:
        line(t("grid.stopped", done=found.done, total=found.pairs))
    coefficient = st.segmented_control(
        t("meta.coefficient"), COEFFICIENTS, default=COEFFICIENTS[0], required=True, key="grid-coefficient",
        format_func=lambda name: t(f"meta.coefficient.{name}"), help=t("meta.coefficient_help"),
        persist_state="session",
    )  # fmt: skip
    best = found.best(coefficient)
    if best is None:
        line(t("grid.no_value"))
    else:
        shown = number(best.value(coefficient) or 0.0, 3)
        line(t("grid.best", cell=_called(found, best), value=shown, n=best.n))
    words = charts.GridWords(
        hover=t("grid.hover", cell="{cell}", value="{value}", n="{n}"),
        none=t("missing.no-variance"),
        axes={axis.name: _axis(axis.name) for axis in found.axes},
        values={(axis.name, one): value_name(axis.name, one) for axis in found.axes for one in axis.values},
    )
    figure = charts.heatmap(found, coefficient, words=words, palette=state.palette())
    st.plotly_chart(figure, key="grid-heatmap", config=_QUIET_CHART, alt=t("grid.heatmap_alt"))
    line(t("grid.heatmap_what"), tone="quiet")
    _table(found)
    if best is not None:
        with st.expander(t("grid.signature")):
            st.code(best.signature, language=None, wrap_lines=True)


def _table(found: GridResult) -> None:
    heads = [
        *(_axis(axis.name) for axis in found.axes),
        *(t(f"meta.coefficient.{name}") for name in ("pearson", "kendall")),
        t("meta.column.n"),
    ]
    rows = [
        [*_values(found, one), _number(one.pearson), _number(one.kendall), str(one.n)] for one in found.cells
    ]
    table(heads, rows, numbers=frozenset(range(len(found.axes), len(heads))))
    st.download_button(
        t("agreement.download"), csv_bytes(header(found), [record(one) for one in found.cells]),
        file_name="yomikurabe-grid.csv", mime="text/csv", icon=":material/download:", on_click="ignore",
        key="grid-file",
    )  # fmt: skip


def _axis(name: str) -> str:
    return t("systems.metric") if name == METRIC else option_name(name)


def _values(found: GridResult, one: CellResult) -> list[str]:
    return [value_name(axis.name, value) for axis, value in zip(found.axes, one.cell.choice, strict=True)]


def _called(found: GridResult, one: CellResult) -> str:
    """A cell in a sentence: a number says of what it is."""
    named = zip(found.axes, one.cell.choice, _values(found, one), strict=True)
    return " · ".join(
        shown
        if shown != value or axis.name == METRIC
        else t("grid.named_value", axis=_axis(axis.name), value=value)
        for axis, value, shown in named
    )


def _number(value: float | None) -> str:
    return "–" if value is None else number(value, 3)
