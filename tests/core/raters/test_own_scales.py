"""Scales of a campaign's own: their grid, the mapping to 0-100, and one sentence for each fault."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, RatingError
from core.raters.own_scales import (
    OwnScale,
    ScaleAnchor,
    anchor_lines,
    as_points,
    check_answers,
    check_scales,
    on_grid,
    parse_anchors,
    parse_scales,
    scales_from_json,
    scales_to_json,
    unanswered,
)

SEVEN = OwnScale(name="fluency", en="Fluency", low=1, high=7)
TENTHS = OwnScale(name="tenths", en="Tenths", low=-0.2, high=0.4, step=0.1, needed=False)


@st.composite
def scales(draw):
    """A scale in tenths, with as many steps as it says, and anchors at some of its values."""
    low = draw(st.integers(-500, 500))
    step, count = draw(st.integers(1, 50)), draw(st.integers(1, 60))
    whole = OwnScale(name="made", en="Made", low=low / 10, high=(low + step * count) / 10, step=step / 10)
    places = draw(st.sets(st.sampled_from(whole.places), max_size=5))
    words = st.text("abc 語|".replace("|", ""), min_size=1, max_size=8).map(str.strip).filter(bool)
    anchors = tuple(ScaleAnchor(value=one, en=draw(words), ja=draw(words)) for one in sorted(places))
    return OwnScale(
        name="made", en="Made", low=whole.low, high=whole.high, step=whole.step, anchors=anchors
    ), count


@given(scales())
def test_a_scale_has_one_place_more_than_steps_and_its_ends_are_0_and_100(made):
    scale, count = made
    check_scales([scale])
    assert len(scale.places) == count + 1
    points = [as_points(scale, place) for place in scale.places]
    assert (points[0], points[-1]) == (0, 100)
    assert points == pytest.approx([100 * at / count for at in range(count + 1)])
    assert all(on_grid(scale, place) for place in scale.places)
    assert not on_grid(scale, scale.low + scale.step / 3)
    assert not on_grid(scale, scale.high + scale.step)


@given(scales())
def test_a_scale_comes_back_from_json_and_its_anchors_from_lines(made):
    scale, _ = made
    assert scales_from_json(json.loads(json.dumps(scales_to_json([scale])))) == (scale,)
    assert parse_anchors(anchor_lines(scale.anchors)) == scale.anchors


def test_the_middle_of_seven_is_50_and_the_second_is_a_sixth():
    assert as_points(SEVEN, 4) == 50
    assert as_points(SEVEN, 2) == pytest.approx(100 / 6)
    assert TENTHS.places == (-0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4)
    assert as_points(TENTHS, 0.1) == 50


def test_answers_are_kept_in_the_order_of_the_scales_and_open_ones_left_out():
    both = (SEVEN, TENTHS)
    assert list(check_answers(both, {"tenths": 0.3, "fluency": 7}, complete=True).items()) == [
        ("fluency", 7.0),
        ("tenths", 0.3),
    ]
    assert check_answers(both, {"fluency": 7, "tenths": None}, complete=True) == {"fluency": 7}
    assert check_answers(both, {}, complete=False) == {}
    assert unanswered(both, {}) == [SEVEN]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"fluency": 7.5}, "7.5 is not on the scale “fluency”, 1 to 7 in steps of 1"),
        ({"fluency": 8}, "8 is not on the scale “fluency”"),
        ({"fluency": True}, "True is not on the scale “fluency”"),
        ({"fluency": float("nan")}, "nan is not on the scale"),
        ({"fluency": "4"}, "'4' is not on the scale"),
        ({"grace": 4}, "no scale “grace”"),
        ({}, "“fluency” has no answer yet"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_in_one_sentence(answers, said):
    with pytest.raises(RatingError, match=said) as refused:
        check_answers((SEVEN,), answers, complete=True)
    assert refused.value.message.count(".") <= 2


FAULTS = [
    ({"step": 4}, "The step 4 of the scale “fluency” does not divide the range from 1 to 7"),
    ({"step": 0}, "The step 0 .* does not divide"),
    ({"low": 7}, "must be below the highest"),
    ({"high": 2_000_000}, "another kind"),
    ({"high": float("nan")}, "another kind"),
    ({"high": 3000}, "more than 1,001 values; take a wider step"),
    (
        {"anchors": [{"value": 9, "en": "perfect"}]},
        "The anchor 9 of the scale “fluency” is none of its values",
    ),
    ({"anchors": [{"value": 1.5, "en": "so so"}]}, "The anchor 1.5 .* is none of its values"),
    ({"anchors": [{"value": 1, "en": "bad"}, {"value": 1, "ja": "悪い"}]}, "two anchors at one value"),
    ({"anchors": [{"value": 1}]}, "The anchor 1 .* has no words"),
    ({"anchors": [{"words": "bad"}]}, "An anchor of scale 1 is not an object"),
    ({"anchors": "bad"}, "anchors of scale 1 are not a list"),
    ({"en": " "}, "has no label"),
    ({"en": "x" * 101}, "more than 100 characters"),
    ({"en": "two\nlines"}, "a line break"),
    ({"name": "Fluency"}, "lower-case letters"),
    ({"name": "score"}, "not be “score”"),
    ({"needed": 1}, "“needed” of scale 1 has a value of another kind"),
    ({"colour": "red"}, "fields out of name, en, ja"),
]


@pytest.mark.parametrize(("change", "said"), FAULTS)
def test_each_fault_of_a_scale_has_one_clear_sentence(change, said):
    row = {"name": "fluency", "en": "Fluency", "low": 1, "high": 7, **change}
    with pytest.raises(InputError, match=said):
        scales_from_json([row])


def test_double_names_too_many_scales_and_broken_json_are_refused():
    row = {"name": "a", "ja": "甲"}
    with pytest.raises(InputError, match="Two scales are called “a”"):
        scales_from_json([row, row])
    with pytest.raises(InputError, match="There are 9 scales and 8 are allowed"):
        scales_from_json([{**row, "name": f"a{n}"} for n in range(9)])
    with pytest.raises(InputError, match=r"not valid JSON \(line 2\)"):
        parse_scales('[\n{"name": }]')
    with pytest.raises(InputError, match="Scales are a list"):
        parse_scales('{"name": "a"}')


def test_lines_of_anchors_may_have_the_wide_bar_and_say_what_is_wrong_with_them():
    assert parse_anchors("1｜悪い\n\n5 | good | 良い") == (
        ScaleAnchor(value=1, en="悪い"),
        ScaleAnchor(value=5, en="good", ja="良い"),
    )
    with pytest.raises(InputError, match="Line 2 of the anchors begins with “low”"):
        parse_anchors("1 | bad\nlow | good")
    with pytest.raises(InputError, match=r"Line 1 has 4 cells between “\|”; write 2 to 3"):
        parse_anchors("1 | a | b | c")
