"""Chunks of a close reading: where a text is cut, and which version stands left."""

from __future__ import annotations

from collections import Counter

import pytest

from core.errors import RatingError
from core.raters.reading.choices import ReadingChoices
from core.raters.reading.chunks import cut_chunks, next_sides, size_of_chunks, usual_size
from core.raters.reading.told import EndReached, MarkMade, PageRead, coded, sided


def test_a_text_is_cut_at_the_ends_of_segments_nearest_to_equal_parts():
    # 1,000 words at about 300 are three chunks; the ends at 350 and 650 are nearest to 333 and 667
    assert cut_chunks([300, 50, 300, 50, 300], ["a"] * 5, 300) == ((0, 2), (2, 3), (3, 5))


def test_a_chunk_never_crosses_a_chapter_and_a_short_chapter_is_one():
    # 200 are one and a third of 150, so one chunk; 300 are two
    found = cut_chunks([100, 100, 20, 200, 100], ["a", "a", "b", "c", "c"], 150)
    assert found == ((0, 2), (2, 3), (3, 4), (4, 5))
    assert cut_chunks([100, 100], ["a", "b"], 1000) == ((0, 1), (1, 2))


def test_a_segment_is_never_cut_and_all_are_in_some_chunk():
    lengths = [700, 3, 5, 8, 700, 1]
    found = cut_chunks(lengths, ["a"] * 6, 100)
    assert [one for first, last in found for one in range(first, last)] == list(range(6))
    assert all(last > first for first, last in found)


def test_segments_without_a_text_make_no_chunk():
    assert cut_chunks([0, 0], ["a", "a"], 100) == ()
    assert cut_chunks([0, 200, 0], ["a", "b", "c"], 100) == ((1, 2),)


def test_the_usual_chunk_has_300_words_or_600_characters():
    assert (usual_size("en"), usual_size("ja-JP"), usual_size("zh")) == (300, 600, 600)
    assert size_of_chunks(ReadingChoices(), "reading", "en") is None
    assert size_of_chunks(ReadingChoices(), "chunks", "ja") == 600
    assert size_of_chunks(ReadingChoices(chunks=450), "reading", "ja") == 450


@pytest.mark.parametrize("chunks", [8, 9])
def test_each_version_stands_left_in_half_of_the_chunks_of_a_reader_and_alternates_over_readers(chunks):
    given = []
    for _ in range(4):
        sides = next_sides(given, [0, 1], chunks, seed=3)
        lefts = Counter(left for left, _ in sides)
        assert abs(lefts[0] - lefts[1]) == chunks % 2
        given.append(dict(enumerate(sides)))
    for chunk in range(chunks):
        assert Counter(own[chunk][0] for own in given) == {0: 2, 1: 2}


def test_of_three_versions_each_two_meet_equally_often_within_a_reader_and_in_a_chunk():
    given = []
    for _ in range(3):
        sides = next_sides(given, [0, 1, 2], 6, seed=5)
        assert Counter(tuple(sorted(one)) for one in sides) == {(0, 1): 2, (0, 2): 2, (1, 2): 2}
        given.append(dict(enumerate(sides)))
    for chunk in range(6):
        assert {tuple(sorted(own[chunk])) for own in given} == {(0, 1), (0, 2), (1, 2)}


def test_the_same_seed_gives_the_same_sides_and_another_one_others():
    assert next_sides([], [0, 1], 20, seed=1) == next_sides([], [0, 1], 20, seed=1)
    assert next_sides([], [0, 1], 20, seed=1) != next_sides([], [0, 1], 20, seed=2)


def test_what_the_screen_tells_has_a_side():
    made = MarkMade(mark="a", segment=coded(21, 1), start=0, end=2, kind="pleases", reason="")
    visit = PageRead(mark="v", segment=coded(20, 0), start=0, last=coded(22, 0), end=3, active=1.0, away=0.0)
    mark, page, end = sided([made, visit, EndReached(mark="e")])
    assert (mark.side, mark.told.segment, mark.places) == (1, 21, (21,))
    assert (page.side, page.places, end.side) == (0, (20, 22), None)
    across = PageRead(mark="v", segment=coded(20, 0), start=0, last=coded(22, 1), end=3, active=1.0, away=0.0)
    with pytest.raises(RatingError):
        sided([across])
