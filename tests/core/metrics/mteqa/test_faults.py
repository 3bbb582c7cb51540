"""Which step lost a contrast pair."""

from __future__ import annotations

import pytest

from core.metaeval.contrast_sets import ALL, ContrastPair, ContrastVerdict, faults
from core.metrics.mteqa.faults import differing, fault
from core.metrics.mteqa.metric import Asked, MteqaTrace

GOOD, BAD = "The GDP rose.", "The GNP rose."


def asked(given, text, verdict, question="What rose?"):
    start = text.find(given) if given else -1
    return Asked(
        question=question, asks="gap", kind="name", expected="GDP", start=0, end=3, given=given,
        given_start=start, given_end=start + len(given) if given else -1, fit=1.0, verdicts=(),
        decided="name", verdict=verdict, reason="same-name",
    )  # fmt: skip


def step(good, bad):
    traces = (MteqaTrace(asked=(good,), letters=9), MteqaTrace(asked=(bad,), letters=9))
    return fault(*traces, (GOOD, BAD))


def test_places_that_differ_are_found_on_both_sides():
    assert differing(GOOD, BAD) == ([(5, 6)], [(5, 6)])
    assert differing("ab", "abc") == ([(2, 3)], [(2, 3)])  # an insertion has a place on both sides


@pytest.mark.parametrize(
    ("good", "bad", "found"),
    [
        (
            asked("GDP", GOOD, 0.5),
            asked("GNP", BAD, 0.5),
            "comparison",
        ),  # both read it in vain
        (asked("rose", GOOD, 0.0), asked("GNP", BAD, 0.5), "answer"),  # the good one was read elsewhere
        (asked("", GOOD, 0.0), asked("", BAD, 0.0), "answer"),  # asked, and not found
        (asked("rose", GOOD, 1.0), asked("rose", BAD, 1.0), "question"),  # nothing asks about what differs
    ],
)
def test_the_step_at_fault_follows_from_what_was_read(good, bad, found):
    assert step(good, bad) == found


def test_faults_are_counted_by_group_over_lost_pairs_only():
    def verdict(phenomenon, good, bad, at_fault):
        pair = ContrastPair(reference="r", good="g", bad="b", phenomenon=phenomenon, line=2)
        return ContrastVerdict(pair=pair, good=good, bad=bad, fault=at_fault)

    found = faults(
        [
            verdict("Number(a)", 0.1, 0.2, "comparison"),
            verdict("Number(b)", 0.2, 0.2, "question"),
            verdict("Date", 0.3, 0.2, None),
        ]
    )
    assert found == {ALL: {"comparison": 1, "question": 1}, "Number": {"comparison": 1, "question": 1}}
