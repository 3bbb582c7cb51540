"""Scoring many pairs with many metrics, and what language models will be asked and cost.

Options are settled once, each distinct text is encoded and parsed once, results come in order.

The calls of a judged metric are found by rehearsal: its score is computed with a judge that returns the
stored replies and stops at the first calls without one, so no metric describes its calls a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from core.backends import Backends, Judge, Progress, between, forwards, silent
from core.errors import UnavailableError
from core.metrics import find_metric
from core.metrics.base import JudgeRequest, Scorer
from core.metrics.fetched import Fetched, fetch
from core.metrics.references import apart
from core.types import Call, CostEstimate, Plan, Reply, Result, TextPair

STAGES = 5
"""How often calls may follow: questions twice, answers, marks, and one to see that nothing is left."""


def plan(asking: JudgeRequest, pair: TextPair) -> Plan:
    """What scoring this pair still has to ask; empty where every reply is there. Nothing is asked.

    pair: with one reference.
    """
    try:
        asking.score(pair, _Rehearsal(asking.judge))
    except _UnaskedError as unasked:
        return Plan(now=unasked.calls, later=tuple(asking.later(pair, unasked.calls)))
    return Plan()


def estimate(asking: JudgeRequest, pairs: Sequence[TextPair]) -> CostEstimate:
    """What scoring these pairs would cost at most; `new` is 0 where every reply is there."""
    plans = [plan(asking, one) for pair in pairs for one in apart(pair)]
    return asking.judge.estimate([call for one in plans for call in (*one.now, *one.later)])


def new_costs(scorers: Iterable[Scorer[Any]], pairs: Sequence[TextPair]) -> list[tuple[Judge, CostEstimate]]:
    """What scoring these pairs would cost at most, for each scorer whose replies are not all stored."""
    asked = [scorer.asks for scorer in scorers if scorer.asks is not None]
    costs = [(request.judge, estimate(request, pairs)) for request in asked]
    return [(judge, cost) for judge, cost in costs if cost.new]


def ask_ahead(asking: JudgeRequest, pairs: Sequence[TextPair], *, progress: Progress = silent) -> None:
    """Make every call that scoring these pairs needs, as many at once as the judge allows.

    progress counts the calls of each stage; an exception out of it stops the run, and what was answered is
    kept. Raises UnavailableError where the endpoint does not answer.
    """
    for _ in range(STAGES):
        calls = [call for pair in pairs for one in apart(pair) for call in plan(asking, one).now]
        if not calls:
            return
        asking.judge.ask(calls, progress=progress)


def dollars(judge: Judge, prompt_tokens: float, completion_tokens: float) -> float | None:
    """Dollars for a number of tokens; None where the prices are not known."""
    if judge.prices is None:
        return None
    prompts, replies = judge.prices
    return (prompts * prompt_tokens + replies * completion_tokens) / 1e6


class _UnaskedError(Exception):
    """A rehearsal came to calls without a reply."""

    def __init__(self, calls: Sequence[Call]) -> None:
        super().__init__("not asked yet")
        self.calls = tuple(calls)


@dataclass(frozen=True, slots=True)
class _Rehearsal:
    """A judge that returns stored replies and makes no calls."""

    judge: Judge

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def prices(self) -> tuple[float, float] | None:
        return self.judge.prices

    def for_run(self) -> Judge:
        return self

    def signature(self) -> str:
        return self.judge.signature()

    def limit(self, tokens: int) -> None:
        self.judge.limit(tokens)

    def estimate(self, calls: Sequence[Call]) -> CostEstimate:
        return self.judge.estimate(calls)

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        if self.judge.estimate(calls).new:
            raise _UnaskedError(calls)
        return self.judge.ask(calls, progress=progress)


PAIRS_AT_ONCE = 128  # what a stopped run loses at most; texts of a length are read together, so not fewer
PARSED_AT_ONCE = 32  # where texts are parsed, which takes long
CHARACTERS_AT_ONCE = 200_000  # of references and hypotheses: what bounds the vectors held at a time


@dataclass(frozen=True, slots=True)
class Request:
    """A metric by name, and its options as the command line spells them."""

    metric: str
    settings: Mapping[str, str] = field(default_factory=dict)


def score_pairs(
    pairs: Sequence[TextPair],
    requests: Sequence[Request],
    backends: Backends,
    *,
    progress: Progress = silent,
) -> Iterator[list[Result[Any]]]:
    """Yield for each pair, in order, one result per request.

    Texts are read some hundred pairs at a time, so memory does not grow with the list; stop whenever you
    like, what was yielded stays yours. Wrong options raise OptionError before anything is read.
    """
    prepared = [
        find_metric(request.metric).prepare(request.settings, backends, pairs) for request in requests
    ]
    return score_prepared(pairs, prepared, progress=progress)


def score_prepared(
    pairs: Sequence[TextPair],
    prepared: Sequence[Scorer[Any]],
    *,
    progress: Progress = silent,
    start: int = 0,
) -> Iterator[list[Result[Any]]]:
    """As `score_pairs`, with metrics whose options were settled before, perhaps against more pairs.

    start: how many pairs to leave out at the beginning, which were scored before. progress: called with
    (done, total) pairs, also while texts are read, in proportion; a pair is finished when it is yielded.
    """
    progress(start, len(pairs))
    done = 0
    most = PARSED_AT_ONCE if any(one.parses for one in prepared) else PAIRS_AT_ONCE
    for chunk in in_chunks(pairs, most):
        wanted = chunk[max(0, start - done) :]
        done += len(chunk)
        if wanted:
            part = between(forwards(progress), done - len(wanted), done, len(pairs))
            fetched = _fetch(wanted, prepared, part)
            columns = [scorer.score_many(wanted, fetched) for scorer in prepared]
            for _ in wanted:
                yield [next(column) for column in columns]
            progress(done, len(pairs))


def in_chunks(pairs: Iterable[TextPair], most: int = PAIRS_AT_ONCE) -> Iterator[list[TextPair]]:
    """The pairs, as many at a time as are read ahead: what is in memory at once."""
    chunk: list[TextPair] = []
    characters = 0
    for pair in pairs:
        chunk.append(pair)
        characters += sum(map(len, pair.references)) + len(pair.hypothesis)
        if len(chunk) == most or characters >= CHARACTERS_AT_ONCE:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _fetch(pairs: Sequence[TextPair], scorers: Sequence[Scorer[Any]], progress: Progress) -> Fetched:
    """Everything that the scorers need for these pairs. Replies are stored by the judge.

    progress: called with (done, total) stages; the texts are one, each judged metric another.
    """
    asked = [one.asks for one in scorers if one.asks]
    stages = 1 + len(asked)
    fetched = fetch(
        [one for pair in pairs for one in apart(pair)],
        [one.encodes for one in scorers if one.encodes],
        [one.parses for one in scorers if one.parses],
        progress=between(progress, 0, len(pairs), stages * len(pairs)),
    )
    for stage, request in enumerate(asked, 1):
        part = between(progress, stage * len(pairs), (stage + 1) * len(pairs), stages * len(pairs))
        with suppress(UnavailableError):  # the metric gives the reason
            ask_ahead(request, pairs, progress=part)
    return fetched
