"""Before a language model is asked: what is still unknown, what it would cost, and asking for it all at once.

A metric needs no second description of its calls. Its score is rehearsed with a judge that gives the replies
which are there and stops at the first calls that are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.backends import Judge, Progress, silent
from core.judging import Call, Estimate, Plan, Reply
from core.metrics.base import Asking
from core.types import TextPair

STAGES = 4
"""How often calls may follow from replies: questions, answers, marks, and one to see that nothing is left."""


def plan(asking: Asking, pair: TextPair) -> Plan:
    """What scoring this pair still has to ask; empty where every reply is there. Nothing is asked."""
    try:
        asking.score(pair, _Rehearsal(asking.judge))
    except _UnaskedError as unasked:
        return Plan(now=unasked.calls, later=tuple(asking.later(pair, unasked.calls)))
    return Plan()


def estimate(asking: Asking, pairs: Sequence[TextPair]) -> Estimate:
    """What scoring these pairs would cost at most; `new` is 0 where every reply is there."""
    plans = [plan(asking, pair) for pair in pairs]
    return asking.judge.estimate([call for one in plans for call in (*one.now, *one.later)])


def ask_ahead(asking: Asking, pairs: Sequence[TextPair], *, progress: Progress = silent) -> None:
    """Make every call that scoring these pairs needs, as many at once as the judge allows.

    progress counts the calls of each stage; an exception out of it stops the run, and what was answered is
    kept. Raises UnavailableError where nobody answers.
    """
    for _ in range(STAGES):
        calls = [call for pair in pairs for call in plan(asking, pair).now]
        if not calls:
            return
        asking.judge.ask(calls, progress=progress)


def dollars(judge: Judge, prompt_tokens: float, completion_tokens: float) -> float | None:
    """What so many tokens cost; None where the prices are not known."""
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
    """A judge that gives the replies which are there and asks nobody."""

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

    def estimate(self, calls: Sequence[Call]) -> Estimate:
        return self.judge.estimate(calls)

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        if self.judge.estimate(calls).new:
            raise _UnaskedError(calls)
        return self.judge.ask(calls, progress=progress)
