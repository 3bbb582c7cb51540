"""Marks that were filled in: where they lie in a damaged text, and what a rater changed of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.raters.prefilled import SpanChanges, carried, fitting, span_changes
from core.raters.protocols import PROTOCOLS, MarkedSpan


def span(start, end, severity="minor", **more):
    return MarkedSpan(start, end, severity, **more)


def counts(given, final):
    changes: SpanChanges = span_changes(given, final)
    return changes.kept, changes.changed, changes.removed, changes.added


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([span(0, 2)], [span(0, 2)], (1, 0, 0, 0)),
        ([span(0, 2)], [span(0, 2, note="why")], (1, 0, 0, 0)),  # a note says more and changes nothing
        ([span(0, 2)], [span(0, 2, "major")], (0, 1, 0, 0)),
        ([span(0, 2)], [span(1, 4)], (0, 1, 0, 0)),
        ([span(0, 2)], [span(2, 4)], (0, 0, 1, 1)),  # beside each other is not the same place
        ([span(0, 2), span(5, 6)], [], (0, 0, 2, 0)),
        ([], [span(0, 2)], (0, 0, 0, 1)),
        ([span(0, 9), span(3, 4)], [span(3, 4)], (1, 0, 1, 0)),
        ([span(0, 2)], [span(0, 2, side="source")], (0, 0, 1, 1)),
        ([span(0, 2)], [span(0, 1), span(1, 2)], (0, 1, 0, 1)),
    ],
)
def test_each_mark_is_kept_changed_removed_or_added_once(before, after, expected):
    assert counts(before, after) == expected


places = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 5), st.sampled_from(["minor", "major"])), max_size=6
)


@given(places, places)
def test_no_mark_is_counted_twice_or_lost(before, after):
    given_, final = ([span(at, at + size, kind) for at, size, kind in one] for one in (before, after))
    kept, changed, removed, added = counts(given_, final)
    assert (kept + changed + removed, kept + changed + added) == (len(given_), len(final))


def test_marks_before_and_after_a_damaged_stretch_move_with_the_text_and_those_that_touch_it_go():
    before, after = "He saw two cats here.", "He saw seventeen cats here."
    marks = [span(0, 2), span(7, 10), span(11, 15), span(3, 8), span(0, 0, missing=True)]
    moved = carried(marks, before, after)
    assert moved == (span(0, 2), span(17, 21), span(0, 0, missing=True))
    assert after[17:21] == "cats"


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_a_carried_mark_holds_the_same_characters(before, after):
    marks = [span(start, start + 1) for start in range(len(before))]
    for one in carried(marks, before, after):
        assert 0 <= one.start < one.end <= len(after)
        assert after[one.start : one.end] in before


def test_a_protocol_takes_the_gravest_severity_it_has_and_only_its_own_categories():
    marks = [span(0, 1, "critical", category="accuracy/mistranslation"), span(1, 2, "minor", category="x")]
    assert fitting(marks, PROTOCOLS["esa"]) == (span(0, 1, "major"), span(1, 2, "minor"))
    assert [one.category for one in fitting(marks, PROTOCOLS["mqm"])] == ["accuracy/mistranslation", ""]
