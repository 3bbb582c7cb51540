"""Units for raters: no bead is cut, no speech is cut, and samples come again with their seed."""

from __future__ import annotations

from itertools import pairwise

from core.alignment.beads import Bead
from core.alignment.books import book_sentences, unit_text
from core.alignment.units import rated_units, sample_units
from core.text.books.book import Block, Book, Chapter, RubyReading


def story(*chapters):
    return book_sentences(
        Book(
            form="text",
            title="",
            author="",
            lang="ja",
            chapters=tuple(
                Chapter(title="", blocks=tuple(Block(text=text) for text in texts)) for texts in chapters
            ),
        )
    )


PIVOT = story(["雨だ。風だ。", "「来た。誰だ。」"], ["春だ。"])
"""Sentences 0 雨だ。 1 風だ。 2 「来た。 3 誰だ。」 4 春だ。"""


def test_the_cases_have_the_sentences_that_they_are_meant_to_have():
    assert [one.text for one in PIVOT] == ["雨だ。", "風だ。", "「来た。", "誰だ。」", "春だ。"]


def beads(*sides, edge=1.0):
    return [Bead(left, right, 0.9, edge) for left, right in sides]


def test_a_unit_ends_where_every_alignment_can_be_cut():
    one = beads(((0,), (0,)), ((1, 2), (1,)), ((3,), (2,)), ((4,), (3,)))
    other = beads(((0,), (0, 1)), ((1,), ()), ((2,), (2,)), ((3,), (3,)), ((), (4,)), ((4,), (5,)))
    units = rated_units(PIVOT, [one, other], kind="sentence")
    assert [unit.pivot for unit in units] == [(0,), (1, 2), (3,), (4,)]
    assert [unit.others for unit in units] == [((0,), (0, 1)), ((1,), (2,)), ((2,), (3, 4)), ((3,), (5,))]
    assert [unit.added for unit in units] == [(0, 0), (0, 0), (0, 1), (0, 0)]
    assert [(unit.chapter, unit.place) for unit in units] == [(0, 0), (0, 1), (0, 2), (1, 0)]


def test_a_paragraph_that_a_bead_crosses_goes_with_the_next_one():
    straight = beads(*(((n,), (n,)) for n in range(5)))
    assert [u.pivot for u in rated_units(PIVOT, [straight], kind="paragraph")] == [(0, 1), (2, 3), (4,)]
    across = beads(((0,), (0,)), ((1, 2), (1,)), ((3,), (2,)), ((4,), (3,)))
    assert [u.pivot for u in rated_units(PIVOT, [across], kind="paragraph")] == [(0, 1, 2, 3), (4,)]


def test_a_bead_across_two_chapters_is_one_unit_of_the_first():
    across = beads(((0,), (0,)), ((1,), (1,)), ((2,), (2,)), ((3, 4), (3,)))
    units = rated_units(PIVOT, [across], kind="sentence")
    assert [(unit.chapter, unit.pivot) for unit in units] == [(0, (0,)), (0, (1,)), (0, (2,)), (0, (3, 4))]


def test_a_passage_has_its_characters_and_never_ends_within_speech():
    pivot = story(["「一二三。四五六。七八九。」", "あいう。"])
    straight = beads(*(((n,), (n,)) for n in range(4)))
    assert [u.pivot for u in rated_units(pivot, [straight], kind="passage", characters=2)] == [
        (0, 1, 2),
        (3,),
    ]
    assert [u.pivot for u in rated_units(pivot, [straight], kind="passage", characters=99)] == [(0, 1, 2, 3)]


def test_the_confidence_of_a_unit_is_that_of_its_end():
    units = rated_units(PIVOT, [beads(((0, 1), (0,)), edge=0.4) + beads(((2, 3), (1,)), ((4,), (2,)))])
    assert [unit.confidence for unit in units] == [0.4, 1.0, 1.0]


def test_a_sample_keeps_its_distance_and_comes_again():
    pivot = story(["雨だ。"] * 30, ["風だ。"] * 3)
    units = rated_units(pivot, [beads(*(((n,), (n,)) for n in range(33)))], kind="sentence")
    drawn = sample_units(units, 5, apart=3, seed=4)
    assert drawn == sample_units(units, 5, apart=3, seed=4) != sample_units(units, 5, apart=3, seed=5)
    first = [unit.place for unit in drawn if unit.chapter == 0]
    assert len(first) == 5
    assert all(b - a > 3 for a, b in pairwise(first))
    assert len([unit for unit in drawn if unit.chapter == 1]) == 1


def test_a_text_stands_as_in_its_book_with_a_line_for_each_paragraph():
    blocks = (Block(text="One two.  Three four.", readings=(RubyReading(0, 3, "wan"),)), Block(text="Five."))
    found = book_sentences(
        Book(form="text", title="", author="", lang="en", chapters=(Chapter(title="", blocks=blocks),))
    )
    assert unit_text(found, (0, 1, 2)) == "One two.  Three four.\nFive."
    assert unit_text(found, (1, 2)) == "Three four.\nFive."
    assert unit_text(found, (0,), ruby=True) == "｜One《wan》 two."
    assert unit_text(found, ()) == ""
