"""The table on scores of whole documents against the means of people's scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

from typer import Option

from core.backends import Backends
from core.metaeval.evaluation import turned
from core.metrics import find_metric
from core.metrics.documents import DOCUMENT_METRICS
from core.novel.cast import cast
from core.novel.discourse import discourse
from core.novel.documents import (
    Cell,
    NovelOutline,
    against_people,
    by_cell,
    document_scores,
    models_of,
)
from core.novel.voice import voices
from core.raters.ratings import Rating, normalise
from core.stats.estimate import Estimate
from core.types import TextPair
from tools.tables.inputs import (
    DataSet,
    Metrics,
    MetricScores,
    Row,
    Seed,
    request_of,
    rows_by_segment,
    rows_of,
)
from tools.tables.markdown import interval, print_header, print_row, print_signatures

Reference = Annotated[str, Option(help="Reference: refA or another column of the outputs.")]
Domain = Annotated[str | None, Option(help="Only documents of this domain.")]

Scales = Mapping[str, Mapping[tuple[str, str], float]]
"""By scale, the score of each segment and system."""

ANALYSES = {"cast": cast, "voice": voices, "discourse": discourse}


@dataclass(frozen=True, slots=True)
class RatedTexts:
    """Rated segments in the order of the texts, and people's scores.

    systems: a translation of each segment, empty where there is none. people: by name of the scale, the
    score of each segment and system.
    """

    lang: str
    segments: Sequence[Row]
    references: Sequence[str]
    systems: Mapping[str, Sequence[str]]
    people: Scales

    @property
    def documents(self) -> list[str]:
        """The document of each segment."""
        return [row["doc_id"] for row in self.segments]


def documents(
    data: DataSet,
    metrics: Metrics,
    reference: Reference = "refA",
    domain: Domain = None,
    seed: Seed = 20261130,
) -> None:
    """Print how scores of documents agree with the means of people's scores over the same documents.

    The metrics of documents of the language, and the document means of the named ones; over documents and
    systems, and within documents (both sides less the document's mean over systems). Intervals by 1,000
    bootstrap samples of documents. data: wmt24-enja or wmt23-zhen-mqm.
    """
    wmt23 = (data / "human_seg.tsv.gz").exists()
    texts = (_of_wmt23 if wmt23 else _of_wmt24)(data, reference, domain)
    scores = MetricScores()
    columns = _document_columns(texts, scores)
    columns |= {one: _means(texts, _of_pairs(texts, one, scores)) for one in metrics}
    cells = sum(len(one) for one in texts.systems.values())
    print(
        f"{len(set(texts.documents))} documents, {len(texts.segments)} segments, "
        f"{len(texts.systems)} systems, {cells} texts\n"
    )
    scales = list(texts.people)
    heads = [head for scale in scales for head in (f"r, {scale}", f"within documents, {scale}")]
    print_header(["metric", *heads, "n", "documents"])
    for name, column in columns.items():
        told = []
        for scale in scales:
            people = _means(texts, texts.people[scale])
            (row,) = against_people(people, {name: column}, seed=seed)
            (inside,) = against_people(_centred(people, column), {name: _centred(column, people)}, seed=seed)
            told += [_between(row.r), _between(inside.r)]
        print_row(name, *told, row.r.n, row.documents)
    print_signatures(scores.signatures, seed)


def _between(r: Estimate) -> str:
    return f"{r.value:.3f} ({interval(r.low, r.high)})" if r.value is not None else "–"


def _centred(own: Mapping[Cell, float], other: Mapping[Cell, float]) -> dict[Cell, float]:
    """Each value less its document's mean over the systems that both columns have."""
    by_document: dict[str, list[float]] = defaultdict(list)
    for cell in own.keys() & other.keys():
        by_document[cell[0]].append(own[cell])
    return {cell: value - fmean(by_document[cell[0]]) for cell, value in own.items() if cell in other}


def _document_columns(texts: RatedTexts, scores: MetricScores) -> dict[str, Mapping[Cell, float]]:
    """The scores of every metric of documents of the language; their signatures go into `scores`."""
    backends: Backends = scores.backends
    outline = NovelOutline(
        documents=texts.documents, systems=list(texts.systems), made_by=models_of(backends, texts.lang)
    )
    able = {name: one for name, one in DOCUMENT_METRICS.items() if texts.lang in one.languages}
    found: dict[str, Any] = {}
    columns: dict[str, Mapping[Cell, float]] = {}
    for name, metric in able.items():
        kind = metric.analysis
        if kind not in found:
            given = {} if kind == "cast" else {"documents": texts.documents}
            find: Any = ANALYSES[kind]
            found[kind] = find(texts.references, texts.systems, backends, lang=texts.lang, **given)
        results = document_scores(name, found[kind], outline)
        scores.signatures[name] = results[0].signature
        columns |= by_cell(results)
    return columns


def _of_pairs(texts: RatedTexts, described: str, scores: MetricScores) -> dict[tuple[str, str], float]:
    """A metric's score of each segment and system, higher is better."""
    keys = [
        (place, row["seg_id"], system) for system in texts.systems for place, row in enumerate(texts.segments)
    ]
    pairs = [
        TextPair(reference=texts.references[n], hypothesis=texts.systems[system][n], lang=texts.lang)
        for n, _, system in keys
    ]
    higher = find_metric(request_of(described).metric).higher_is_better
    values = turned(scores.of(described, pairs), higher_is_better=higher)
    return {(key, system): float(value) for (_, key, system), value in zip(keys, values, strict=True)}


def _means(texts: RatedTexts, scores: Mapping[tuple[str, str], float]) -> dict[Cell, float]:
    """The mean of each document and system over what people rated."""
    rated = next(iter(texts.people.values()))
    cells: dict[Cell, list[float]] = defaultdict(list)
    for row in texts.segments:
        for system in texts.systems:
            key = row["seg_id"], system
            if key in rated and key in scores:
                cells[row["doc_id"], system].append(scores[key])
    return {cell: fmean(own) for cell, own in cells.items()}


def _rated(data: Path, lang: str, reference: str, domain: str | None, people: Scales) -> RatedTexts:
    outputs = rows_by_segment(data / "outputs.tsv.gz")
    rated = {key for key, _ in next(iter(people.values()))}
    segments = [
        row
        for row in rows_of(data / "segments.tsv.gz")
        if row["seg_id"] in rated and domain in (None, row["domain"])
    ]
    systems = sorted({system for _, system in next(iter(people.values()))} - {reference})
    given = [{**row, **outputs[row["seg_id"]]} for row in segments]
    return RatedTexts(
        lang=lang,
        segments=segments,
        references=[row[reference] for row in given],
        systems={one: [row[one] or "" for row in given] for one in systems if one in given[0]},
        people=people,
    )


def _of_wmt23(data: Path, reference: str, domain: str | None) -> RatedTexts:
    human = rows_of(data / "human_seg.tsv.gz")
    people = {"MQM": {(row["seg_id"], row["system"]): float(row["mqm"]) for row in human}}
    return _rated(data, "en", reference, domain, people)


def _of_wmt24(data: Path, reference: str, domain: str | None) -> RatedTexts:
    """Official ESA scores, raw and z by rater; the mean where two raters scored a translation."""
    rows = [row for row in rows_of(data / "ratings.tsv.gz") if row["kind"] == "ok"]
    ratings = [Rating(row["annotator"], place, float(row["score"])) for place, row in enumerate(rows)]
    z = {one.item: one.score for one in normalise(ratings, method="z").ratings}
    scales: dict[str, dict[tuple[str, str], list[float]]] = {
        "ESA": defaultdict(list),
        "ESA z": defaultdict(list),
    }
    for place, row in enumerate(rows):
        key = row["seg_id"], row["system"]
        scales["ESA"][key].append(float(row["score"]))
        scales["ESA z"][key].append(z.get(place, 0.0))
    people = {name: {key: fmean(own) for key, own in one.items()} for name, one in scales.items()}
    return _rated(data, "ja", reference, domain, people)
