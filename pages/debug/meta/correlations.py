"""Whether metrics agree with people: on segments, on systems, and which of them is closer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import streamlit as st

from core.charts import metaeval as charts
from core.metaeval.ceiling import LEAST, ceiling
from core.metaeval.correlation import COEFFICIENTS, GROUPINGS, MIN_POINTS, Coefficient, Grouping, correlate
from core.metaeval.evaluation import PEOPLE, Evaluation
from core.metaeval.leaderboard import system_board
from core.metaeval.significance import Contrast
from core.metaeval.summary import MetaSummary, MetricSummary, summarise
from core.raters.ratings import Method, normalise
from core.stats.estimate import Estimate
from db.records import CampaignSummary
from pages.debug.meta import nearer
from pages.ui import state
from pages.ui.campaign_data import column_choice, column_name, judgements_of
from pages.ui.text import NONE, interval, line, number, t, table
from pages.ui.widgets import chart, download_csv, switch

SYSTEMS = "systems"
TESTS = ("permutation", "williams", SYSTEMS)
BY = ("domain", "document", "system")
MOST_COLUMNS = 40
T = TypeVar("T")


def figures(evaluation: Evaluation) -> MetaSummary:
    """Everything about this selection, with the coefficient that the reader chose."""
    with st.container(horizontal=True, gap="large"):
        coefficients = {name: t(f"meta.coefficient.{name}") for name in COEFFICIENTS}
        coefficient = _choice(
            "meta-coefficient", t("meta.coefficient"), coefficients, t("meta.coefficient_help")
        )
        groupings = {name: t(f"meta.grouping.{name}") for name in GROUPINGS}
        grouping = _choice("meta-grouping", t("meta.grouping"), groupings, t("meta.grouping_help"))
    with st.spinner(t("statistics.working")):
        return _summary(evaluation, coefficient, grouping)


@st.cache_resource(show_spinner=False, max_entries=8, hash_funcs={Evaluation: lambda one: _key(one)})
def _summary(evaluation: Evaluation, coefficient: Coefficient, grouping: Grouping) -> MetaSummary:
    return summarise(evaluation.table(), coefficient, grouping)


def _key(evaluation: Evaluation) -> tuple[object, ...]:
    """What the figures depend on."""
    numbers = (evaluation.translation, evaluation.people, *evaluation.metrics.values())
    return (*evaluation.signatures.values(), *(one.tobytes() for one in numbers))


def segments(summary: MetaSummary) -> None:
    """The picture of r with its intervals, and the table of everything on segments."""
    words = charts.IntervalWords(
        axis=t("meta.axis"), hover=t("meta.hover", low="{low}", high="{high}", n="{n}"), names=_names(summary)
    )
    figure = charts.intervals(
        [metric.interval for metric in summary.metrics], words=words, palette=state.palette()
    )
    chart(figure, "meta-intervals", t("meta.intervals_alt"))
    basis = summary.basis
    counts = {name: number(getattr(basis, name), 0) for name in ("translations", "segments", "documents")}
    line(t("meta.basis", **counts, mean=number(basis.mean, 1), sd=number(basis.sd, 1)))
    chosen = f"{t(f'meta.coefficient.{summary.coefficient}')} ({t(f'meta.grouping.{summary.grouping}')})"
    within, others = ([t(f"meta.column.{name}") for name in names] for names in (_WITHIN, _SEGMENT))
    heads = [t("systems.metric"), *within, chosen, *others]
    rows = [_segment_row(metric) for metric in summary.metrics]
    table(heads, rows, numbers=frozenset(range(1, len(heads))))
    line(t("meta.segments_what"), tone="quiet")
    download_csv(heads, rows, "yomikurabe-meta-segments.csv", key="meta-file-segments")


def one_more_rater(campaign: CampaignSummary, evaluation: Evaluation, method: Method) -> None:
    """What one more rater reaches on the same translations, and how many raters each metric is worth."""
    scores: dict[object, list[float]] = defaultdict(list)
    for one in normalise(judgements_of(campaign).scores, method=method).ratings:
        scores[one.item].append(one.score)
    found = ceiling(evaluation.table(), [scores[number] for number in evaluation.translation.tolist()])
    if found is None:
        line(t("meta.ceiling_too_few", least=LEAST))
        return
    heads = [t("systems.metric"), *(t(f"meta.column.{name}") for name in _CEILING)]
    rows = [
        (t("meta.one_rater"), *_between(found.one_rater, 3), number(found.one_rater.n, 0), "1", NONE),
        *(
            (column_name(name), *_between(one.r, 3), number(one.r.n, 0), *_between(one.raters, 2))
            for name, one in found.metrics.items()
        ),
    ]
    table(heads, rows, numbers=frozenset(range(1, len(heads))))
    line(t("meta.ceiling_what", others=number(found.others, 1)), tone="quiet")
    download_csv(heads, rows, "yomikurabe-meta-raters.csv", key="meta-file-raters")


_CEILING = ("r_others", "between", "n", "raters", "between")


def _between(one: Estimate, digits: int) -> tuple[str, str]:
    return number(one.value, digits), interval(one.low, one.high, digits)


_WITHIN = ("in_segments", "in_documents", "document_range")
_SEGMENT = ("n", "groups", "accuracy", "epsilon", "kendall_like")


def _segment_row(summary: MetricSummary) -> tuple[str, ...]:
    return (
        column_name(summary.metric),
        number(summary.in_segments.value, 3),
        number(summary.in_documents.value, 3),
        interval(summary.in_documents.lowest, summary.in_documents.highest),
        number(summary.segment.value, 3),
        str(summary.segment.n),
        str(summary.segment.groups),
        number(summary.accuracy.value, 3),
        f"{summary.accuracy.epsilon:.3g}",
        number(summary.kendall_like.value, 3),
    )


def systems(summary: MetaSummary, evaluation: Evaluation, method: Method) -> None:
    """The table of everything on systems, who stands apart, and the picture of one metric."""
    heads = [t("systems.metric"), *(t(f"meta.column.{name}") for name in _SYSTEM)]
    rows = [_system_row(one) for one in summary.metrics]
    table(heads, rows, numbers=frozenset(range(1, len(heads))))
    line(t("meta.systems_what"), tone="quiet")
    outliers = dict.fromkeys(name for one in summary.metrics for name in one.systems.outliers)
    if outliers:
        line(t("meta.outliers", systems=", ".join(outliers)))
    download_csv(heads, rows, "yomikurabe-meta-systems.csv", key="meta-file-systems")
    metric = column_choice(t("systems.metric"), evaluation.metrics, key="meta-systems-metric")
    words = charts.ScatterWords(x=column_name(PEOPLE), y=column_name(metric))
    figure = charts.systems(system_board(evaluation), PEOPLE, metric, words=words, palette=state.palette())
    chart(figure, "meta-systems", t("systems.scatter_alt"))


_SYSTEM = ("systems", "pearson", "between", "spearman", "kendall", "pearson_inside", "pairs", "soft")


def _system_row(summary: MetricSummary) -> tuple[str, ...]:
    level = summary.systems
    more = (level.spearman, level.kendall, level.pearson_inside, level.accuracy, level.soft)
    return (
        column_name(summary.metric),
        str(level.systems),
        number(level.pearson, 3),
        interval(level.low, level.high, 3),
        *(number(value, 3) for value in more),
    )


def closer(campaign: CampaignSummary, found: MetaSummary, evaluation: Evaluation) -> None:
    """Which metric is closer to people than which: over all translations, and translation by translation."""
    if len(found.metrics) < 2:
        line(t("meta.two_metrics"))
        return
    tests = {one: t(f"meta.test.{one}") for one in TESTS}
    test = _choice("meta-test", t("ranking.test"), tests, t("meta.test_help"))
    words = _matrix_words(found, t("meta.closer_hover", row="{row}", column="{column}", value="{value}"))
    names = [summary.metric for summary in found.metrics]
    figure = charts.better(names, _tests(found, test), test=test, words=words, palette=state.palette())
    chart(figure, "meta-closer", t("meta.closer_alt"), wide=True)
    line(t("meta.closer_what"), tone="quiet")
    columns = [nearer.NearColumn(column_name(name), evaluation.upwards(name)) for name in names]
    nearer.compare(campaign, evaluation, columns, key="meta-nearer")


def _tests(found: MetaSummary, test: str) -> Sequence[Contrast]:
    """Every two metrics; under `systems` the p of PERM-BOTH is that over systems."""
    if test != SYSTEMS:
        return found.contrasts
    p = found.system_permutation
    return [replace(one, permutation=p[one.first, one.second]) for one in found.contrasts]


def partial(summary: MetaSummary) -> None:
    """What metrics share that people do not explain (Chousa and Hirao, figure 3)."""
    if len(summary.metrics) < 2:
        line(t("meta.two_metrics"))
        return
    names = [metric.metric for metric in summary.metrics]
    words = _matrix_words(summary, t("meta.partial_hover", row="{row}", column="{column}", value="{value}"))
    figure = charts.correlations(names, names, summary.partial.r, words=words, palette=state.palette())
    chart(figure, "meta-partial", t("meta.partial_alt"), wide=True)
    line(t("meta.partial_what"), tone="quiet")
    shared = summary.partial.n
    line(t("meta.partial_n", least=int(shared.min()), most=int(shared.max())), tone="quiet")


def parts(evaluation: Evaluation, coefficient: Coefficient) -> None:
    """The coefficient within each domain, document or system."""
    by = _choice("meta-by", t("meta.by"), {one: t(f"meta.by.{one}") for one in BY}, t("meta.by_help"))
    groups = {"domain": evaluation.domain, "document": evaluation.document, "system": evaluation.system}[by]
    names = {"domain": evaluation.domains, "document": evaluation.documents, "system": evaluation.systems}[by]
    rated = np.isfinite(evaluation.people)
    sizes = {one: int((rated & (groups == one)).sum()) for one in np.unique(groups).tolist()}
    shown = [one for one, size in sizes.items() if size >= MIN_POINTS][:MOST_COLUMNS]
    if not shown:
        line(t("meta.no_parts"))
        return
    values = np.full((len(shown), len(evaluation.metrics)), np.nan)
    for row, group in enumerate(shown):
        part = evaluation.among(groups == group).table()
        for column, metric in enumerate(evaluation.metrics):
            value = correlate(part, metric, coefficient).value
            values[row, column] = np.nan if value is None else value
    keys = [f"part-{one}" for one in shown]
    labels = {key: f"{names[one] or NONE} · {sizes[one]}" for key, one in zip(keys, shown, strict=True)}
    words = charts.MetricMatrixWords(
        hover=t("meta.parts_hover", row="{row}", column="{column}", value="{value}"),
        none=t("missing.no-variance"),
        names={name: column_name(name) for name in evaluation.metrics} | labels,
    )
    figure = charts.correlations(keys, list(evaluation.metrics), values, words=words, palette=state.palette())
    chart(figure, f"meta-parts-{by}", t("meta.parts_alt"), wide=True)
    line(t("meta.parts_what", shown=len(shown), all=len(sizes), least=MIN_POINTS), tone="quiet")


def _choice(key: str, caption: str, names: Mapping[T, str], about: str) -> T:
    """One of these, at first the first; names: what each is called on the screen."""
    return switch(caption, list(names), key, names.__getitem__, about=about)


def _matrix_words(summary: MetaSummary, hover: str) -> charts.MetricMatrixWords:
    return charts.MetricMatrixWords(hover=hover, none=t("missing.no-variance"), names=_names(summary))


def _names(summary: MetaSummary) -> Mapping[str, str]:
    return {metric.metric: column_name(metric.metric) for metric in summary.metrics}
