"""Whether a rater passes a campaign's hidden checks, as crowd platforms ask when the work is done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from core.raters.assignment import DEGRADED, REFERENCE, REPEAT, TARGET
from core.raters.rules import Rules

_ROUNDING = 1e-9  # 0.7 of 10 is 7


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedItem:
    """An item that a rater has finished. item, segment: as in `Rating`; score: None for a skip."""

    kind: str
    item: Hashable
    segment: Hashable
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckCount:
    """Of a rater's `checks` check items `counted` can be judged, and `passed` of these are right."""

    checks: int
    counted: int
    passed: int

    def reaches(self, share: float) -> bool:
        """Whether at least this share (0 to 1) is right.

        True without checks; False where there are some and none can be judged.
        """
        if not self.checks:
            return True
        return self.counted > 0 and self.passed / self.counted >= share - _ROUNDING


def count_checks(items: Sequence[JudgedItem], rules: Rules) -> CheckCount:
    """The check items of one rater. A kind whose rule is switched off is no check here.

    A damaged text is right if it has less than its original or is skipped; a repeat if it is no further from
    its original than `repeat_error`; a reference if at least `reference_share` of the outputs for its segment
    have less (equal scores count half). Where the original, or each output, is skipped nothing can be judged;
    a rater who skips everything passes nothing.
    """
    originals = {one.item: one.score for one in items if one.kind == TARGET}
    outputs: dict[Hashable, list[float | None]] = defaultdict(list)
    for one in items:
        if one.kind == TARGET:
            outputs[one.segment].append(one.score)
    checks = [one for one in items if _is_check(one, originals, outputs, rules)]
    verdicts = [_verdict(one, originals, outputs, rules) for one in checks]
    return CheckCount(
        checks=len(verdicts), counted=sum(one is not None for one in verdicts), passed=verdicts.count(True)
    )


def _is_check(
    one: JudgedItem,
    originals: Mapping[Hashable, float | None],
    outputs: Mapping[Hashable, Sequence[float | None]],
    rules: Rules,
) -> bool:
    """Whether it counts as a check: its rule is on, and the rater has something to compare it with."""
    if one.kind == REFERENCE:
        return rules.reference_share is not None and one.segment in outputs
    on = {DEGRADED: rules.degraded_p, REPEAT: rules.repeat_error}.get(one.kind) is not None
    return on and one.item in originals


def _verdict(
    one: JudgedItem,
    originals: Mapping[Hashable, float | None],
    outputs: Mapping[Hashable, Sequence[float | None]],
    rules: Rules,
) -> bool | None:
    """Whether a check is right; None where its counterpart has no score."""
    if one.kind == REFERENCE:
        below = [score for score in outputs[one.segment] if score is not None]
        if not below or rules.reference_share is None:
            return None
        if one.score is None:
            return False
        share = fmean(1.0 if one.score > other else 0.5 if one.score == other else 0.0 for other in below)
        return share >= rules.reference_share
    original = originals[one.item]
    if original is None:
        return None
    if one.kind == DEGRADED:
        return one.score is None or one.score < original
    return one.score is not None and abs(one.score - original) <= (rules.repeat_error or 0.0)
