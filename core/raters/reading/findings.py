"""What a reading study says: every figure with its interval, as a value, and as rows for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.raters.coding import CodingFindings, coding_rows
from core.raters.reading.choices import KINDS
from core.raters.reading.close import CloseFindings, close_rows
from core.raters.reading.highlights import (
    MarkOverlap,
    MarkRate,
    MarkStrip,
    ReaderMean,
    ReadingSpeed,
    ReadVersion,
    mark_rates,
    mark_strips,
    mean_over_readers,
    overlaps,
    reading_speeds,
)
from core.raters.reading.preferences import (
    FEW_READERS,
    MetricPick,
    PairPreference,
    ReaderChoice,
    ShareEstimate,
    StrengthModel,
    guessed_right,
    metric_picks,
    pair_preferences,
    prefers_guess,
    read_first,
    strength_model,
)
from core.raters.reading.scales import ScaleAnswer, ScaleModel, scale_models
from core.text.workbook import neutral


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleMean:
    """The answers to one question with a scale, of one version: their mean over readers."""

    version: str
    question: str
    mean: ReaderMean


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFindings:
    """All figures of one or more books that were read.

    readers: who has read at least one version to its end. finished: who answered the last questions. few:
    whether these are fewer than `FEW_READERS`. unit: of lengths, `words` or `characters`. strips: of one
    book only. close: of the close reading, if there is one. coding: of readers' words that people coded by
    hand, once all coders have finished.
    """

    books: tuple[str, ...]
    readers: int
    finished: int
    few: bool
    unit: str
    seed: int
    preferences: tuple[PairPreference, ...]
    model: StrengthModel
    first: ShareEstimate
    right: ShareEstimate
    guess: ShareEstimate
    metrics: tuple[MetricPick, ...]
    marks: tuple[MarkRate, ...]
    overlaps: tuple[MarkOverlap, ...]
    strips: tuple[MarkStrip, ...]
    speeds: tuple[ReadingSpeed, ...]
    scales: tuple[ScaleMean, ...]
    answers: tuple[ScaleModel, ...]
    close: CloseFindings | None = None
    coding: CodingFindings | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyData:
    """What the figures are computed from.

    human: the human version by book, for books that have one. pooled: of each metric the score of each
    version of each book, higher is better. answers: to all questions
    with a scale.
    """

    books: tuple[str, ...]
    choices: tuple[ReaderChoice, ...]
    read: tuple[ReadVersion, ...]
    human: Mapping[str, str]
    pooled: Mapping[str, Mapping[tuple[str, str], float]]
    answers: tuple[ScaleAnswer, ...]
    unit: str


def findings(data: StudyData, *, seed: int = 0) -> StudyFindings:
    """Compute all figures. seed: of the shifts of highlights."""
    finished = len({one.reader for one in data.choices})
    return StudyFindings(
        books=data.books,
        readers=len({one.reader for one in data.read}),
        finished=finished,
        few=finished < FEW_READERS,
        unit=data.unit,
        seed=seed,
        preferences=pair_preferences(data.choices),
        model=strength_model(data.choices),
        first=read_first(data.choices),
        right=guessed_right(data.choices, data.human),
        guess=prefers_guess(data.choices),
        metrics=metric_picks(data.choices, data.pooled),
        marks=mark_rates(data.read, KINDS),
        overlaps=overlaps(data.read, KINDS, seed=seed),
        strips=mark_strips(data.read, KINDS) if len(data.books) == 1 else (),
        speeds=reading_speeds(data.read),
        scales=_means(data.answers),
        answers=scale_models(data.answers),
    )


def _means(answers: Sequence[ScaleAnswer]) -> tuple[ScaleMean, ...]:
    """By question and version, each in the order of the answers."""
    own: dict[tuple[str, str], list[float]] = {}
    for one in answers:
        own.setdefault((one.question, one.version), []).append(one.value)
    return tuple(
        ScaleMean(version=version, question=question, mean=mean_over_readers(values))
        for (question, version), values in own.items()
    )


FIGURE_COLUMNS = ("figure", "of", "and", "n", "hits", "value", "low", "high", "p", "chance", "missing")


def figure_rows(found: StudyFindings) -> list[dict[str, Any]]:
    """One row a figure, unrounded, with the keys `FIGURE_COLUMNS`; None where a figure has none of it."""
    return [{name: row.get(name) for name in FIGURE_COLUMNS} for row in _rows(found)]


def _rows(found: StudyFindings) -> Iterator[dict[str, Any]]:
    for one in found.preferences:
        about = {"of": one.first, "and": one.second}
        yield _share("preferred", one.share) | about
        yield {"figure": "no_difference", "n": one.share.n + one.ties, "hits": one.ties} | about
        for margin, count in sorted(one.margins.items()):
            yield {"figure": f"margin_{margin}", "n": one.share.n, "hits": count} | about
    for strength in found.model.strengths:
        yield {
            "figure": "strength",
            "of": strength.version,
            "n": strength.comparisons,
            "hits": strength.wins,
            "value": strength.value,
            "low": strength.low,
            "high": strength.high,
            "missing": found.model.missing,
        }
    model = found.model
    yield {
        "figure": "order_effect",
        "n": model.n,
        "value": model.first,
        "low": model.first_low,
        "high": model.first_high,
        "missing": model.missing,
    }
    yield _share("read_first", found.first)
    yield _share("guessed_right", found.right)
    yield _share("prefers_guess", found.guess)
    for pick in found.metrics:
        yield _share("metric_picks", pick.share) | {"of": pick.metric}
    yield from _reading_rows(found)
    if found.close is not None:
        yield from close_rows(found.close)
    if found.coding is not None:
        yield from coding_rows(found.coding)


def _reading_rows(found: StudyFindings) -> Iterator[dict[str, Any]]:
    for rate in found.marks:
        yield _over_readers("highlights_per_1000", rate.rate) | {
            "of": rate.version,
            "and": rate.kind,
            "hits": rate.count,
        }
    for one in found.overlaps:
        yield {
            "figure": "overlap",
            "of": f"{one.version} · {one.book}" if len(found.books) > 1 else one.version,
            "and": one.kind,
            "n": one.readers,
            "value": one.dice,
            "p": one.p,
            "chance": one.expected,
            "missing": "few-readers" if one.dice is None else None,
        }
    for speed in found.speeds:
        yield _over_readers(f"{found.unit}_a_minute", speed.speed) | {"of": speed.version}
        yield _over_readers("minutes_away", speed.away) | {"of": speed.version}
    for scale in found.scales:
        yield _over_readers("scale", scale.mean) | {"of": scale.version, "and": scale.question}
    for model in found.answers:
        yield from _answer_rows(model)


def _answer_rows(model: ScaleModel) -> Iterator[dict[str, Any]]:
    """The figures of a question's model, whose names end in the question's."""
    about = {"n": model.n, "missing": model.missing}
    if model.missing is not None:
        yield {"figure": f"difference_{model.question}"} | about
        return
    for one in model.differences:
        own = {"figure": f"difference_{model.question}", "of": one.first, "and": one.second}
        yield own | about | asdict(one.effect)
    if model.later is not None:
        yield {"figure": f"later_{model.question}"} | about | asdict(model.later)
    spreads = {"readers": model.reader_sd, "books": model.book_sd, "residual": model.residual_sd}
    for name, value in spreads.items():
        if value is not None:
            yield {"figure": f"sd_{name}_{model.question}", "value": value} | about


def _share(name: str, share: ShareEstimate) -> dict[str, Any]:
    return {"figure": name, "missing": None if share.n else "none", **asdict(share)}


def _over_readers(name: str, mean: ReaderMean) -> dict[str, Any]:
    return {"figure": name, **asdict(mean)}


def findings_json(found: StudyFindings) -> str:
    """All figures with what they rest on, as a JSON document."""
    about = {
        "books": list(found.books),
        "readers": found.readers,
        "finished": found.finished,
        "few_readers": found.few,
        "unit": found.unit,
        "seed": found.seed,
        "figures": figure_rows(found),
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def findings_csv(found: StudyFindings) -> str:
    """All figures as a table with the header `FIGURE_COLUMNS`; an empty cell where there is nothing."""
    return table_csv(FIGURE_COLUMNS, figure_rows(found))


def table_csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV with a header; None is an empty cell. No cell is a formula for a spreadsheet."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([neutral(row[name]) if isinstance(row[name], str) else row[name] for name in columns])
    return buffer.getvalue()
