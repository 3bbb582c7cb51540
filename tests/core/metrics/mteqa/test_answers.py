"""Answers by fit, with spans and vectors written by hand."""

import numpy as np

from core.metrics.mteqa.answer_spans import AnswerSpan
from core.metrics.mteqa.answers import MatchingSide, answers, fits


def span(kind, at, **more):
    return AnswerSpan(kind=kind, start=at, end=at + 1, words=(at, at + 1), head=at, **more)


def side(*spans, vectors, words=None):
    rows = np.array(vectors, np.float32)
    return MatchingSide(tuple(spans), rows, rows if words is None else np.array(words, np.float32))


EAST, NORTH = (1, 0), (0, 1)


def test_the_kind_outweighs_the_vector():
    """A number with a vector as good beats a thing: 1 + .3 + .1 + .1 against 1 + .1, less its distance."""
    reference = side(span("value", 0, label="number", role="other"), vectors=[EAST])
    offered = side(
        span("thing", 0, role="other"), span("value", 1, label="number", role="other"), vectors=[EAST, EAST]
    )
    (found,) = answers(reference, offered)
    assert found.span.kind == "value"


def test_each_answer_is_given_once_the_surest_first():
    reference = side(span("name", 0), span("name", 1), vectors=[EAST, (0.8, 0.6)])
    offered = side(span("name", 0), span("name", 1), vectors=[EAST, (0.9, 0.44)])
    assert [found.span.start for found in answers(reference, offered)] == [0, 1]


def test_what_belongs_to_a_partner_fits_better():
    reference = side(span("name", 0, governor=1), vectors=[EAST], words=[EAST, NORTH])
    offered = side(
        span("name", 0, governor=1), span("name", 0, governor=0), vectors=[EAST, EAST], words=[EAST, NORTH]
    )
    ours, other = fits(reference, offered)[0]
    assert ours - other > 0.09


def test_nothing_is_answered_where_nothing_fits():
    reference = side(span("value", 0), vectors=[EAST])
    (found,) = answers(reference, side(span("thing", 0, label="x", role="agent"), vectors=[NORTH]))
    assert found.span is None
    (none,) = answers(reference, side(vectors=np.zeros((0, 2))))
    assert (none.span, none.fit) == (None, 0.0)
