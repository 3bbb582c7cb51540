"""Scores of whole documents from what was found out of a whole text, and how they agree with people.

The metrics describe themselves in `core.metrics.documents`. Their traces are made here, from a cast list
(which forms are one name is decided over the whole novel), a voice ledger, or the counts of BlonDe: where
these are stored, no model is read.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends
from core.metaeval.evaluation import PEOPLE, Evaluation
from core.metrics.base import Settings
from core.metrics.documents import find_document_metric
from core.metrics.documents.base import DocumentResult
from core.metrics.documents.blonde import BlondeTrace
from core.metrics.documents.consistency import BOTH, NAMES, TERMS, ConsistencyTrace, NameSizes
from core.metrics.documents.voice import VoiceTrace
from core.novel.cast import TERM, CastList
from core.novel.discourse import Discourse
from core.novel.voice import SORTS, VoiceLedger
from core.stats.bootstrap import MIN_UNITS, moments, percentiles, resampled_r, resamples, weighted_r
from core.stats.estimate import Estimate, absent
from core.types import Trace

LEAST = 10
"""Pairs of a document and a system; with fewer there is no correlation."""

Cell = tuple[str, str]
"""A document and a system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NovelOutline:
    """What was analysed: the document of each segment, the names of the systems, and the models that read.

    made_by: as `models_of` gives it; empty where it is not known.
    """

    documents: Sequence[str]
    systems: Sequence[str]
    made_by: Mapping[str, str] = field(default_factory=dict)


def document_scores(
    name: str,
    analysis: Any,  # noqa: ANN401 - of the kind that the metric names
    outline: NovelOutline,
    settings: Settings = MappingProxyType({}),
) -> list[DocumentResult]:
    """The scores of a metric, one a document and system.

    analysis: a cast list, a voice ledger or what `discourse` gives, as the metric's `analysis` says.
    settings: options of the metric. Raises OptionError for an unknown metric, option or value.
    """
    metric = find_document_metric(name)
    settled = metric.settle(settings)
    signed = metric.signature(settled, outline.made_by)
    traces = _TRACES[metric.analysis](analysis, outline, settled)
    return [metric.result(*cell, trace, signed) for cell, trace in traces.items()]


def models_of(backends: Backends, lang: str) -> dict[str, str]:
    """The signatures of the models with which texts are read for an analysis; none of them is loaded."""
    return {
        "parser": backends.parser("auto").signature(lang, constituents=False),
        "reader": backends.reader("word").signature(lang, entities=True),
    }


def _of_names(every: CastList, outline: NovelOutline, settings: Settings) -> dict[Cell, ConsistencyTrace]:
    documents = outline.documents
    names = [one for one in every if settings["of"] in (BOTH, TERMS if one.kind == TERM else NAMES)]
    found: dict[Cell, list[NameSizes]] = {
        (document, system): [] for system in outline.systems for document in dict.fromkeys(documents)
    }
    for one in names:
        for system, told in one.systems.items():
            group = {form: place for place, forms in enumerate(told.groups) for form in forms}
            counts: dict[str, Counter[int]] = defaultdict(Counter)
            for form in told.renderings:
                for segment in form.segments:
                    counts[documents[segment]][group[form.form]] += 1
            for document, own in counts.items():
                sizes = tuple(sorted(own.values(), reverse=True))
                found[document, system].append(NameSizes(name=one.name, sizes=sizes))
    return {cell: ConsistencyTrace(names=tuple(own)) for cell, own in found.items()}


def _of_voices(analysis: VoiceLedger, outline: NovelOutline, settings: Settings) -> dict[Cell, VoiceTrace]:
    found: dict[Cell, VoiceTrace] = {}
    for system, told in analysis[1].items():
        broken = {one.place for one in told.breaks if settings["against"] in (BOTH, one.against)}
        by_document: dict[str, list[int]] = {document: [] for document in dict.fromkeys(outline.documents)}
        for place, one in enumerate(told.quotations):
            if any(one.form(sort) is not None for sort in SORTS):
                by_document[outline.documents[one.segment]].append(place)
        for document, own in by_document.items():
            found[document, system] = VoiceTrace(
                quotations=tuple(own), breaks=tuple(place for place in own if place in broken)
            )
    return found


def _of_discourse(analysis: Discourse, outline: NovelOutline, settings: Settings) -> dict[Cell, BlondeTrace]:
    return {
        (document, system): _with_options(trace, settings)
        for system in outline.systems
        for document, trace in analysis[system].items()
    }


def _with_options(trace: BlondeTrace, settings: Settings) -> BlondeTrace:
    return replace(trace, average=settings["average"], smoothing=settings.get("smoothing", trace.smoothing))


_TRACES: Mapping[str, Callable[[Any, NovelOutline, Settings], Mapping[Cell, Trace]]] = {
    "cast": _of_names,
    "voice": _of_voices,
    "discourse": _of_discourse,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """How a metric's document scores agree with the means of people's scores over the same documents."""

    name: str
    r: Estimate
    documents: int


def document_means(evaluation: Evaluation, column: str) -> dict[Cell, float]:
    """By document and system the mean of a column over the translations that people rated.

    Of a metric of which lower is better with its sign turned round.
    """
    documents = [evaluation.documents[one] for one in evaluation.document.tolist()]
    systems = [evaluation.systems[one] for one in evaluation.system.tolist()]
    return means_by_document(evaluation.upwards(column), documents, systems, evaluation.people)


def means_by_document(
    values: NDArray[np.float64], documents: Sequence[str], systems: Sequence[str], rated: NDArray[np.float64]
) -> dict[Cell, float]:
    """The mean of the known values of each document and system, over what people rated.

    values, rated: (n,), NaN for what is not known; documents, systems: of each of the n.
    """
    cells: dict[Cell, list[float]] = defaultdict(list)
    for row in np.flatnonzero(np.isfinite(values) & np.isfinite(rated)).tolist():
        cells[documents[row], systems[row]].append(float(values[row]))
    return {cell: math.fsum(own) / len(own) for cell, own in cells.items()}


def against_people(
    people: Mapping[Cell, float], columns: Mapping[str, Mapping[Cell, float]], *, seed: int = 0
) -> list[DocumentRow]:
    """Pearson's r of each column with people, over documents and systems; intervals over documents.

    people, columns: means or scores by document and system. A cell counts where both have a number.
    """
    return [_row(name, people, own, seed) for name, own in columns.items()]


def evaluated(
    evaluation: Evaluation, scores: Sequence[DocumentResult], *, seed: int = 0
) -> list[DocumentRow]:
    """The document metrics and the document means of all other metrics of an evaluation."""
    columns = by_cell(scores)
    columns |= {name: document_means(evaluation, name) for name in evaluation.metrics}
    return against_people(document_means(evaluation, PEOPLE), columns, seed=seed)


def by_cell(scores: Sequence[DocumentResult]) -> dict[str, dict[Cell, float]]:
    """The scores that there are, by metric, then by document and system."""
    found: dict[str, dict[Cell, float]] = {one.metric: {} for one in scores}
    for one in scores:
        if one.score is not None:
            found[one.metric][one.document, one.system] = one.score
    return found


def _row(name: str, people: Mapping[Cell, float], own: Mapping[Cell, float], seed: int) -> DocumentRow:
    cells = [cell for cell in people if cell in own]
    documents = list(dict.fromkeys(document for document, _ in cells))
    if len(cells) < LEAST:
        return DocumentRow(name=name, r=absent("few-items", len(cells)), documents=len(documents))
    x, y = (np.array([column[cell] for cell in cells]) for column in (people, own))
    unit = np.array([documents.index(document) for document, _ in cells], np.int64)
    sums = moments(x, y, unit, len(documents))
    value, known = weighted_r(sums.sum(axis=0))
    if not known:
        return DocumentRow(name=name, r=absent("no-variance", len(cells)), documents=len(documents))
    low, high = None, None
    if len(documents) >= MIN_UNITS:
        low, high = percentiles(resampled_r(sums, resamples(len(documents), seed=seed)))
    estimate = Estimate(value=float(value), n=len(cells), low=low, high=high)
    return DocumentRow(name=name, r=estimate, documents=len(documents))


def rows_of(scores: Sequence[DocumentResult]) -> Iterator[DocumentResult]:
    """The scores in the order of documents, then systems, then metrics."""
    order = {one.document: place for place, one in enumerate(reversed(scores))}
    yield from sorted(scores, key=lambda one: (-order[one.document], one.system, one.metric))
