"""Texts in two made-up languages come together as they were made."""

from __future__ import annotations

import pytest

from core.alignment.align import align_sentences
from core.alignment.beads import Bead
from core.alignment.books import align_books, book_sentences, line_sentences
from tests.support.two_languages import backends, book, sentences, translated


@pytest.fixture(scope="module")
def words():
    return backends()


def pairs(beads):
    return [(bead.left, bead.right) for bead in beads]


def test_equal_numbers_of_sentences_come_one_by_one(words):
    left = sentences(80)
    beads = align_sentences(left, translated(left), words)
    assert pairs(beads) == [((n,), (n,)) for n in range(80)]
    assert sum(bead.confidence for bead in beads) > 0.7 * 80


def test_merged_dropped_and_foreign_sentences_are_found(words):
    left = sentences(60)
    right = translated(left)
    right[10:12] = [f"{right[10]} {right[11]}"]  # 10 and 11 are one: 2-1
    del right[19]  # the translation of 20 is missing: 1-0
    right.insert(30, sentences(1, seed=99, language="b")[0])  # a sentence of its own: 0-1
    first, second = right[39].split()[:6], right[39].split()[6:]
    right[39:40] = [" ".join(first), " ".join(second)]  # 40 is two: 1-2
    found = pairs(align_sentences(left, right, words))
    for bead in [((10, 11), (10,)), ((20,), ()), ((), (30,)), ((40,), (39, 40)), ((59,), (59,))]:
        assert bead in found
    assert sorted(n for bead in found for n in bead[0]) == list(range(60))
    assert sorted(n for bead in found for n in bead[1]) == list(range(60))


def test_a_translation_that_leaves_out_half_keeps_the_rest_together(words):
    left = sentences(260)
    kept = [*range(70), *range(190, 260)]
    right = translated([left[n] for n in kept])
    found = set(pairs(align_sentences(left, right, words)))
    assert sum(((n,), (place,)) in found for place, n in enumerate(kept)) >= 137
    assert sum(((n,), ()) in found for n in range(70, 190)) >= 117


@pytest.mark.slow
def test_long_texts_are_cut_at_sure_places_and_lose_nothing(words):
    left = sentences(450)
    found = pairs(align_sentences(left, translated(left), words))
    assert found == [((n,), (n,)) for n in range(450)]


def test_without_sentences_on_a_side_all_others_are_left_out(words):
    assert align_sentences(["a1", "a2"], [], words) == [Bead((0,), (), 1.0), Bead((1,), (), 1.0)]
    assert align_sentences([], ["a1"], words) == [Bead((), (0,), 1.0)]


def test_one_sentence_on_each_side_is_a_bead(words):
    assert pairs(align_sentences(["a1 a2 a3 a4"], ["b1 b2 b3 b4"], words)) == [((0,), (0,))]


def test_what_was_encoded_is_not_encoded_again(words, tmp_path):
    left = sentences(20)
    once = align_sentences(left, translated(left), words, kept=tmp_path)
    calls = len(words.encoder("embedded").calls)
    assert align_sentences(left, translated(left), words, kept=tmp_path) == once
    assert len(words.encoder("embedded").calls) == calls
    for file in tmp_path.iterdir():
        file.write_bytes(b"damaged")
    assert align_sentences(left, translated(left), words, kept=tmp_path) == once


def test_progress_reaches_its_end(words):
    left = sentences(20)
    seen = []
    align_sentences(left, translated(left), words, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (60, 60)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


CHAPTERS = [sentences(40, seed=n) for n in range(5)]


@pytest.mark.slow
def test_chapters_in_another_order_find_each_other_and_missing_ones_are_left_out(words):
    left = book(CHAPTERS)
    right = book([translated(CHAPTERS[n]) for n in (3, 0, 4, 1)])
    aligned = align_books(book_sentences(left), book_sentences(right), words)
    together = {(group.left, group.right) for group in aligned.groups}
    assert together == {((0,), (1,)), ((1,), (3,)), ((2,), ()), ((3,), (0,)), ((4,), (2,))}
    found = set(pairs(aligned.beads))
    assert ((0,), (40,)) in found  # chapter 0 is the second on the right
    assert all(((n,), ()) in found for n in range(80, 120))
    assert 0.6 < aligned.found < 320 / 360


def test_a_chapter_that_is_divided_goes_with_both_parts(words):
    right = book([translated(CHAPTERS[0]), translated(CHAPTERS[1])[:20], translated(CHAPTERS[1])[20:]])
    aligned = align_books(book_sentences(book(CHAPTERS[:2])), book_sentences(right), words)
    assert [(group.left, group.right) for group in aligned.groups] == [((0,), (0,)), ((1,), (1, 2))]
    assert pairs(aligned.beads) == [((n,), (n,)) for n in range(80)]


@pytest.mark.slow
def test_the_wrong_book_and_the_same_book_are_told_by_their_figures(words):
    left = line_sentences(sentences(200))
    wrong = align_books(left, line_sentences(sentences(200, seed=7, language="b")), words)
    assert wrong.found < 0.1
    assert wrong.equal == 0
    same = align_books(left, left, words)
    assert same.equal == 1
    assert same.found > 0.8
