"""The metrics whose scores a campaign has: means of systems, agreement with people, and the sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.errors import YomikurabeError
from core.metaeval.correlation import MIN_POINTS
from core.metaeval.evaluation import PEOPLE, Evaluation, known
from core.metaeval.leaderboard import system_board
from core.metrics import find_metric
from core.metrics.base import Metric
from core.papers import NOVELS, Paper
from core.report.blocks import Block, Listing, Section, Sentences, Table
from core.report.content import Report
from core.report.formatting import digits_of
from core.stats.correlation import is_flat, pearson
from core.text.locale import Speaker
from core.text.numbers import number


def metrics(given: Report, say: Speaker) -> Section | None:
    """None where no metric has a score."""
    found = given.evaluation
    if found is None or not found.metrics:
        return None
    blocks: list[Block] = [
        Sentences(text=say.t("report.metrics_what"), tone="quiet"),
        _means(found, given, say),
        _agreement(found, say),
        Sentences(text=say.t("report.papers")),
        Listing(lines=tuple(_origins(found, say))),
    ]
    return Section(title=say.t("report.metrics"), blocks=blocks)


def _means(found: Evaluation, given: Report, say: Speaker) -> Table:
    """The systems under people and every metric: means over translations."""
    names = found.columns
    rows = [
        (row.system, *(number(row.means[name].mean, _digits(name, found, given)) for name in names))
        for row in system_board(found)
    ]
    header = (say.t("agreement.column.system"), *(_title(name, found, say) for name in names))
    numbers = frozenset(range(1, len(header)))
    caption = say.t("report.caption.metric_means")
    return Table(name="metric-means", caption=caption, header=header, rows=rows, numbers=numbers)


def _agreement(found: Evaluation, say: Speaker) -> Table:
    """Pearson's r of each metric with people over the translations that both scored, and its signature."""
    rows = []
    for name in found.metrics:
        people, scores = found.people, found.upwards(name)
        both = known(people, scores)
        enough = int(both.sum()) >= MIN_POINTS and not is_flat(people[both]) and not is_flat(scores[both])
        r = pearson(people[both], scores[both]) if enough else None
        rows.append((_name(name, found, say), number(r), f"{int(both.sum()):,}", found.signatures[name]))
    words = ("metric", "r", "n", "signature")
    header = tuple(say.t(f"report.metrics.column.{word}") for word in words)
    caption = say.t("report.caption.metric_r")
    return Table(name="metric-r", caption=caption, header=header, rows=rows, numbers=frozenset({1, 2}))


def _digits(name: str, found: Evaluation, given: Report) -> int:
    if name == PEOPLE:
        return digits_of(given.method)
    metric = _metric(name, found)
    return 3 if metric is None else metric.digits


def _title(name: str, found: Evaluation, say: Speaker) -> str:
    return f"{_name(name, found, say)} {'↓' if name in found.lower else '↑'}"


def column_title(name: str, given: Report, say: Speaker) -> str:
    """A metric's column as a reader of this report knows it."""
    return name if given.evaluation is None else _name(name, given.evaluation, say)


def _name(name: str, found: Evaluation, say: Speaker) -> str:
    """A column as a reader knows it: what several signatures of one metric differ in stays behind it."""
    if name == PEOPLE:
        return say.t("systems.people")
    key = _key(name, found)
    return say.words_or(f"metric.{key}", key) + name.removeprefix(key)


def _key(name: str, found: Evaluation) -> str:
    """The metric's own name, which its signature begins with."""
    return found.signatures[name].partition("|")[0] if name in found.signatures else name


def _metric(name: str, found: Evaluation) -> Metric[Any] | None:
    """None for a metric that is not known here, such as one from outside."""
    try:
        return find_metric(_key(name, found))
    except YomikurabeError:
        return None


def _origins(found: Evaluation, say: Speaker) -> Iterator[str]:
    """A line for each source: the metrics that come from it, and what it is."""
    papers: dict[Paper, list[str]] = {}
    others: dict[str, list[str]] = {}
    for name in dict.fromkeys(_key(name, found) for name in found.metrics):
        shown, metric = say.words_or(f"metric.{name}", name), _metric(name, found)
        if metric is not None and metric.source is not None:
            papers.setdefault(metric.source, []).append(shown)
        else:
            origin = say.t("report.papers.outside") if metric is None else metric.paper
            others.setdefault(origin, []).append(shown)
    for paper, names in papers.items():
        yield say.t("report.papers.line", metrics=", ".join(names), paper=_cited(paper, say))
    for origin, names in others.items():
        yield say.t("report.papers.line", metrics=", ".join(names), paper=origin)


def _cited(paper: Paper, say: Speaker) -> str:
    if paper is NOVELS:
        return say.t("report.papers.novels")
    return f"{', '.join(paper.authors)}: {paper.title}. {paper.where}."
