"""Which step of MTEQA lost a contrast pair, as in the error analysis of Suzuki et al. (table 6).

Their four causes are the data, the questions, the answers and the comparison. From two traces the last three
can be told by where the two translations differ; that the data are at fault only a person can say.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from core.metrics.mteqa.metric import Asked, MteqaTrace

Fault = Literal["question", "answer", "comparison"]
FAULTS: tuple[Fault, ...] = ("question", "answer", "comparison")
Places = Sequence[tuple[int, int]]


def fault(good: MteqaTrace, bad: MteqaTrace, texts: tuple[str, str]) -> Fault:
    """The step by which the good translation did not win. texts: the good and the bad translation.

    `comparison`: a question was answered from what differs in both translations, and the verdicts do not
    prefer the good answer. `answer`: it was answered from what differs in one translation only, or nothing
    was answered from it and a question has no answer. `question`: no question leads to what differs.
    """
    ours, theirs = differing(*texts)
    unanswered = False
    found: Fault | None = None
    for one, other in zip(good.asked, bad.asked, strict=True):
        touched = (_within(one, ours), _within(other, theirs))
        if all(touched) and one.verdict <= other.verdict:
            return "comparison"
        if any(touched) and one.verdict <= other.verdict:
            found = "answer"
        unanswered |= one.given_start < 0
    return found or ("answer" if unanswered else "question")


def differing(good: str, bad: str) -> tuple[Places, Places]:
    """Where two texts differ: half-open places in each, at least one character wide."""
    steps = SequenceMatcher(None, good, bad, autojunk=False).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    return (
        [(first, max(last, first + 1)) for _, first, last, _, _ in changed],
        [(first, max(last, first + 1)) for _, _, _, first, last in changed],
    )


def _within(asked: Asked, places: Places) -> bool:
    """Whether a given answer has a character that differs."""
    return any(asked.given_start < last and first < asked.given_end for first, last in places)
