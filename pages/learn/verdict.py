"""What a change did to the numbers, as a sentence that is built from these numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.metrics import digits_of, find_metric
from core.types import Result
from pages.learn.examples import Effect
from pages.ui import state
from pages.ui.text import metric_name, number, t

ARROWS = {1: "▲", -1: "▼", 0: "＝"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A metric's score before and after, on the metric's own scale, higher is better."""

    metric: str
    before: float
    after: float

    @property
    def digits(self) -> int:
        """Decimals in which the metric is shown."""
        return digits_of(self.metric)

    @property
    def amount(self) -> float:
        """The difference of the two numbers as they are shown, so that a reader can subtract them."""
        return round(round(self.after, self.digits) - round(self.before, self.digits), self.digits)

    @property
    def direction(self) -> int:
        """1 for a score that rose, −1 for one that fell, 0 for one that is shown as the same."""
        return (self.amount > 0) - (self.amount < 0)

    @property
    def better(self) -> int:
        """1 where the metric calls the translation better than before, −1 worse, 0 the same."""
        return self.direction if find_metric(self.metric).higher_is_better else -self.direction


def changes(before: Mapping[str, Result[Any]], after: Mapping[str, Result[Any]]) -> list[Change]:
    """The metrics that have both scores, in their order."""
    return [
        Change(metric=name, before=first.score, after=last.score)
        for name, first in before.items()
        if first.score is not None and (last := after[name]).score is not None
    ]


def sentence(moved: Sequence[Change], effect: Effect | None) -> str:
    """The verdict: “The meaning is broken; BLEU rose by 2.6, BERTScore F by 0.015; MTEQA fell by 0.200”.

    effect: None for a change whose effect on the meaning nobody has said.
    """
    parts = [] if effect is None else [t(f"verdict.effect.{effect}")]
    for direction, verb in ((1, "rose"), (-1, "fell")):
        named = [one for one in moved if one.direction == direction]
        if named:
            parts.append(_moved(named, verb))
    still = [metric_in_sentence(one.metric) for one in moved if one.direction == 0]
    if still:
        parts.append(t("verdict.still", metrics=t("verdict.and").join(still)))
    return t("verdict.joint").join(parts) + t("verdict.end") if parts else ""


def metric_in_sentence(metric: str) -> str:
    """The metric's name as a sentence has it: in Japanese a blank follows letters of another script."""
    name = metric_name(metric)
    return f"{name} " if state.language() == "ja" and name.isascii() else name


def _moved(named: Sequence[Change], verb: str) -> str:
    first, *others = [(metric_in_sentence(one.metric), number(abs(one.amount), one.digits)) for one in named]
    more = "".join(t("verdict.more", metric=metric, amount=amount) for metric, amount in others)
    return t(f"verdict.{verb}", metric=first[0], amount=first[1], more=more)


def finding(moved: Sequence[Change], effect: Effect | None) -> str:
    """How many metrics went against the reader's judgement; empty where nobody has said that judgement."""
    if effect is None or not moved:
        return ""
    wrong = {"broken": 1, "repaired": -1, "kept": -1}[effect]
    against = sum(one.better == wrong for one in moved)
    if against:
        return t(f"finding.{effect}", n=against, total=len(moved))
    if effect != "kept" and all(one.better == -wrong for one in moved):
        return t("finding.right", total=len(moved))
    return ""
