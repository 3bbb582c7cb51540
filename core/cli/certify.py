"""`python -m core certify`: test whether scores depend on order, batch size, neighbours or caches.

A certificate that a number depends on the pair alone: not on order, batches, neighbours or memory.

The pairs are scored again and again, each time with empty memories and under another condition, and every
score is compared with that of the first run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import typer

from core.backends import Backends, Progress, silent
from core.backends.external import PREFIX
from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say, table
from core.cli.options import AsJson, Assignments, HypFile, Lang, MetricNames, RefFile, SrcFile, parse_settings
from core.errors import InputError, OptionError
from core.metrics import find_metric
from core.metrics.base import Scorer
from core.scoring import Request, score_prepared
from core.text.pair_files import PairFiles
from core.types import TextPair

TOLERANCE = 1e-6
"""By how much a score may differ, in the metric's own units."""
BATCHES = ("batches-1", "batches-7", "batches-64")
OTHER_FORMAT = "bfloat16"
CONDITIONS = ("again", "warm", "reversed", *BATCHES, "neighbours", OTHER_FORMAT)
"""again: once more from nothing. warm: with everything remembered. neighbours: other texts in the same call,
many of them as long as the pair's own, one very long, one empty. bfloat16: encoders in another format."""
LONG = 1500  # characters of the longest neighbour

Scores = list[list[float | None]]
Call = Sequence[TextPair]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """How far one condition moved one metric.

    largest: the largest absolute difference over the pairs that have both scores, None without such a pair;
    pair: its place, counted from 0, None where nothing moved. lost: pairs that have a score in one run only.
    holds: whether nothing moved by more than TOLERANCE; None where that is reported, not judged.
    """

    metric: str
    condition: str
    largest: float | None
    pair: int | None
    lost: int
    holds: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """changes: by metric, then condition. signatures: by metric; other: the same with OTHER_FORMAT's encoder.

    Without an encoder that has OTHER_FORMAT, other is empty and the condition is left out.
    """

    pairs: int
    changes: tuple[Deviation, ...]
    signatures: Mapping[str, str]
    other: Mapping[str, str]

    @property
    def holds(self) -> bool:
        """Whether every condition that is judged holds for every metric."""
        return all(change.holds is not False for change in self.changes)


def certify(
    pairs: Sequence[TextPair],
    requests: Sequence[Request],
    backends: Backends,
    *,
    progress: Progress = silent,
) -> Certificate:
    """Score the pairs under every condition. progress: (runs done, runs in all).

    Raises InputError without pairs or metrics, OptionError for metrics that ask a language model or are
    computed elsewhere: their numbers are not ours to vouch for.
    """
    if not pairs or not requests:
        raise InputError("Give at least one pair and one metric to certify.")
    for request in requests:
        _ours(request)
    conditions = CONDITIONS if backends.fresh is not None else CONDITIONS[:-1]
    total = len(conditions) + 1
    progress(0, total)
    first = backends.without_cache()
    before, signatures = _run(pairs, requests, first, [pairs])
    changes: list[Deviation] = []
    other: dict[str, str] = {}
    for done, condition in enumerate(conditions, 1):
        progress(done, total)
        after, signed = _under(condition, pairs, requests, backends, first)
        if condition == OTHER_FORMAT:
            other = signed
        changes += [
            _change(request.metric, condition, was, now)
            for request, was, now in zip(requests, before, after, strict=True)
        ]
    progress(total, total)
    order = [request.metric for request in requests]
    changes.sort(key=lambda change: order.index(change.metric))
    return Certificate(pairs=len(pairs), changes=tuple(changes), signatures=signatures, other=other)


def _ours(request: Request) -> None:
    spec = find_metric(request.metric)
    if request.metric.startswith(PREFIX) or "judge" in spec.needs or "llm" in request.settings.values():
        raise OptionError(
            "{metric} is not computed here alone, so nothing can be certified of it; "
            "choose metrics that ask no language model and no program from outside.",
            metric=request.metric,
        )


def _under(
    condition: str, pairs: Call, requests: Sequence[Request], backends: Backends, first: Backends
) -> tuple[Scores, dict[str, str]]:
    """The scores by metric, in the order of the pairs, and the signatures."""
    if condition == "warm":
        return _run(pairs, requests, first, [pairs])
    fresh = backends.without_cache(OTHER_FORMAT if condition == OTHER_FORMAT else None)
    keep = _PLACES.get(condition, _straight)
    return _run(pairs, requests, fresh, list(_calls(condition, pairs)), keep=keep)


def _calls(condition: str, pairs: Call) -> Iterator[Call]:
    """What is given to the metrics at once."""
    if condition == "reversed":
        yield pairs[::-1]
    elif condition == "neighbours":
        yield with_neighbours(pairs)
    elif condition in BATCHES:
        size = int(condition.removeprefix("batches-"))
        yield from (pairs[start : start + size] for start in range(0, len(pairs), size))
    else:
        yield pairs


def with_neighbours(pairs: Call) -> list[TextPair]:
    """The pairs at the odd places 1, 3, …; before, between and behind them other texts of all lengths."""
    lang = pairs[0].lang
    everything = " ".join(pair.reference for pair in pairs)
    long = (everything * (1 + LONG // max(1, len(everything))))[:LONG]
    odd = [("", "."), (long, "."), (".", long)]
    junk = [TextPair(reference=one, hypothesis=other, lang=lang) for one, other in odd]
    junk += [
        TextPair(reference=_turned(pair.hypothesis), hypothesis=_turned(pair.reference), lang=pair.lang)
        for pair in pairs[len(junk) - 1 :]
    ]
    found = [junk[0]]
    for place, pair in enumerate(pairs, 1):
        found += [pair, junk[min(place, len(junk) - 1)]]
    return found


def _turned(text: str) -> str:
    """Another text of the same letters: the second half, then the first."""
    return text[len(text) // 2 :] + text[: len(text) // 2]


def _straight(scores: Sequence[float | None]) -> list[float | None]:
    return list(scores)


_PLACES: Mapping[str, Callable[[Sequence[float | None]], list[float | None]]] = {
    "reversed": lambda scores: list(scores[::-1]),
    "neighbours": lambda scores: list(scores[1::2]),
}


def _run(
    pairs: Call,
    requests: Sequence[Request],
    backends: Backends,
    calls: Sequence[Call],
    *,
    keep: Callable[[Sequence[float | None]], list[float | None]] = _straight,
) -> tuple[Scores, dict[str, str]]:
    """Options are settled against the pairs, as in any run: what is counted over them stays the same."""
    prepared: list[Scorer[Any]] = [
        find_metric(one.metric).prepare(one.settings, backends, pairs) for one in requests
    ]
    rows = [
        [result.score for result in results] for call in calls for results in score_prepared(call, prepared)
    ]
    signatures = {one.metric: ready.signature for one, ready in zip(requests, prepared, strict=True)}
    return [keep(column) for column in zip(*rows, strict=True)], signatures


def _change(
    metric: str, condition: str, before: Sequence[float | None], after: Sequence[float | None]
) -> Deviation:
    moved = {
        place: abs(now - was)
        for place, (was, now) in enumerate(zip(before, after, strict=True))
        if was is not None and now is not None
    }
    lost = sum((was is None) != (now is None) for was, now in zip(before, after, strict=True))
    largest = max(moved.values(), default=None)
    where = next((place for place, amount in moved.items() if amount and amount == largest), None)
    holds = not lost and (largest is None or largest <= TOLERANCE)
    return Deviation(
        metric=metric,
        condition=condition,
        largest=largest,
        pair=where,
        lost=lost,
        holds=None if condition == OTHER_FORMAT else holds,
    )


VERDICTS = {True: "same", False: "NOT THE SAME", None: "not judged"}


@exit_on_error
def certificate(
    metric: MetricNames,
    ref: RefFile,
    hyp: HypFile,
    src: SrcFile = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    count: Annotated[int, typer.Option("--pairs", min=1, help="Use only the first N pairs.")] = 100,
    as_json: AsJson = False,
) -> None:
    """Test whether scores depend on anything but the pair.

    Changes the order, batch size, neighbours, caches and number format (bfloat16).

    Exit status 1: a score changed by more than 0.000001. bfloat16 is reported, not judged.
    """
    settings = parse_settings(metric, assignments)
    requests = [Request(name, options) for name, options in settings.items()]
    pairs = PairFiles(ref, hyp, src, lang)[:count]
    with progress_bar("certifying") as progress:
        results = certify(pairs, requests, load_backends(), progress=progress)
    with output(None) as file:
        file.write(as_object(results) if as_json else as_table(results))
    if not results.holds:
        say(f"A score depends on more than its pair: it changed by more than {TOLERANCE:g}.")
        raise typer.Exit(1)


def as_object(results: Certificate) -> str:
    """One line of JSON."""
    document = {"tolerance": TOLERANCE, "holds": results.holds, **asdict(results)}
    return f"{json.dumps(document, ensure_ascii=False)}\n"


def as_table(results: Certificate) -> str:
    """A row for each metric and condition, then the signatures."""
    rows = [("metric", "condition", "largest change", "segment", "verdict"), *map(_row, results.changes)]
    other = [line for name, line in results.other.items() if line != results.signatures[name]]
    signatures = "".join(f"{line}\n" for line in (*results.signatures.values(), *other))
    return f"{results.pairs} pairs\n{table(rows)}{signatures}"


def _row(change: Deviation) -> tuple[str, str, str, str, str]:
    largest = "–" if change.largest is None else f"{change.largest:.2g}"
    segment = "–" if change.pair is None else str(change.pair)
    lost = f"; {change.lost} scores only in one run" if change.lost else ""
    return change.metric, change.condition, largest, segment, f"{VERDICTS[change.holds]}{lost}"
