"""Metrics of whole documents, one score a document and system, and how they agree with people.

`consistency` is the mean consistency of the names and terms that a system renders twice or more in the
document, weighted by their renderings; which forms are one name is decided over the whole novel. `voice` is
the share of the quotations of the document, among those with a form that is looked at, that break no voice.
Both are computed from their traces, which are made from a cast list and a voice ledger: where these are
stored, no model is read. Neither sees what a single sentence says.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import Wording
from core.metaeval.evaluation import PEOPLE, Evaluation
from core.novel.cast import CastName, consistency_of
from core.novel.voice import SORTS, Voices
from core.stats.bootstrap import MIN_UNITS, moments, percentiles, resampled_r, resamples, weighted_r
from core.stats.estimate import Estimate, absent
from core.types import Trace

LEAST = 10
"""Pairs of a document and a system; with fewer there is no correlation."""

Cell = tuple[str, str]
"""A document and a system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameSizes:
    """How often each rendering of a name stands in the document; forms that are the same name are one."""

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyTrace:
    """The names that a system renders in a document."""

    names: tuple[NameSizes, ...]

    def parts(self) -> dict[str, float]:
        """`consistency` in [0, 1], absent where no name is rendered twice; `names` and `renderings`."""
        often = [(sum(one.sizes), consistency_of(one.sizes)) for one in self.names]
        counted = [(size, value) for size, value in often if size > 1 and value is not None]
        parts = {"names": float(len(self.names)), "renderings": float(sum(size for size, _ in often))}
        total = sum(size for size, _ in counted)
        return parts | (
            {"consistency": math.fsum(size * value for size, value in counted) / total} if total else {}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceTrace:
    """The quotations of a document that have a first person or a politeness, and those that break a voice.

    Both are places among the quotations of the system's whole text.
    """

    quotations: tuple[int, ...]
    breaks: tuple[int, ...]

    def parts(self) -> dict[str, float]:
        """`voice` in [0, 1], absent without quotations; `quotations` and `breaks`."""
        quotations, breaks = len(self.quotations), len(self.breaks)
        parts = {"quotations": float(quotations), "breaks": float(breaks)}
        return parts | ({"voice": 1 - breaks / quotations} if quotations else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentResult:
    """A score in [0, 1], or None with the reason in `missing`. trace: what it was computed from."""

    metric: str
    document: str
    system: str
    score: float | None
    parts: Mapping[str, float]
    trace: Trace
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentMetric:
    """A metric of documents. analysis: what it is made of, `cast` or `voice` (`db.campaigns.novel`).

    traces: from the analysis and the document of each segment, by document and system.
    """

    name: str
    summary: str
    analysis: str
    missing: Wording
    traces: Callable[[Any, Sequence[str]], Mapping[Cell, Trace]]

    def scores(self, analysis: object, documents: Sequence[str]) -> list[DocumentResult]:
        """A score for each document and system. documents: of each segment of the analysed texts."""
        found = []
        for (document, system), trace in self.traces(analysis, documents).items():
            parts = trace.parts()
            score = parts.get(self.name)
            found.append(
                DocumentResult(
                    metric=self.name,
                    document=document,
                    system=system,
                    score=score,
                    parts=parts,
                    trace=trace,
                    missing=self.missing if score is None else None,
                )
            )
        return found


def _of_names(names: Sequence[CastName], documents: Sequence[str]) -> dict[Cell, Trace]:
    systems = list(names[0].systems) if names else []
    found: dict[Cell, list[NameSizes]] = {
        (document, system): [] for system in systems for document in dict.fromkeys(documents)
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


def _of_voices(analysis: tuple[Voices, Mapping[str, Voices]], documents: Sequence[str]) -> dict[Cell, Trace]:
    found: dict[Cell, Trace] = {}
    for system, told in analysis[1].items():
        broken = {one.place for one in told.breaks}
        by_document: dict[str, list[int]] = {document: [] for document in dict.fromkeys(documents)}
        for place, one in enumerate(told.quotations):
            if any(one.form(sort) is not None for sort in SORTS):
                by_document[documents[one.segment]].append(place)
        for document, own in by_document.items():
            found[document, system] = VoiceTrace(
                quotations=tuple(own), breaks=tuple(place for place in own if place in broken)
            )
    return found


DOCUMENT_METRICS: dict[str, DocumentMetric] = {
    one.name: one
    for one in (
        DocumentMetric(
            name="consistency",
            summary="names and terms keep one rendering throughout a document",
            analysis="cast",
            missing=Wording("No name is rendered twice in this document."),
            traces=_of_names,
        ),
        DocumentMetric(
            name="voice",
            summary="quotations keep their speaker's and the reference's first person and politeness",
            analysis="voice",
            missing=Wording("No quotation of this document has a first person or a politeness."),
            traces=_of_voices,
        ),
    )
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
    values, rated = evaluation.upwards(column), np.isfinite(evaluation.people)
    sums: dict[Cell, list[float]] = defaultdict(list)
    for row in np.flatnonzero(rated & np.isfinite(values)):
        cell = evaluation.documents[evaluation.document[row]], evaluation.systems[evaluation.system[row]]
        sums[cell].append(float(values[row]))
    return {cell: math.fsum(own) / len(own) for cell, own in sums.items()}


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
