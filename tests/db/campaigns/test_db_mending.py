"""Stored corrections of an alignment: read again for the same texts; a damaged file is ignored."""

from __future__ import annotations

import pytest

from core.alignment.books import align_books, book_sentences
from db.campaigns.books import AlignedSet, BookSet
from db.campaigns.mending import begin_mending, keep_mending, with_mending
from tests.support.two_languages import backends, book, sentences, translated


@pytest.fixture(scope="module")
def made():
    texts = sentences(6)
    original, reference = book([texts]), book([translated(texts)])
    files = {"original": "a.txt", "reference": "b.txt"}
    books = BookSet(original=original, reference=reference, systems={}, files=files)
    pivot = book_sentences(reference)
    aligned = align_books(pivot, book_sentences(original), backends())
    return AlignedSet(books=books, pivot=pivot, aligned={"original": aligned})


def merged(made, folder):
    fresh = begin_mending(made, "original", folder)
    return fresh.then(fresh.mended.merge(0), "merge", ((0,), (0,)), 7)


def test_stored_corrections_come_back_whole_for_the_same_texts(made, tmp_path):
    mending = merged(made, tmp_path)
    keep_mending(made, "original", mending, tmp_path)
    assert begin_mending(made, "original", tmp_path) == mending
    assert len(with_mending(made, "original", mending).aligned["original"].beads) == 5


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 9}', '{"format": 1, "beads": [[0]]}'])
def test_a_damaged_file_gives_the_aligners_beads(made, tmp_path, damage):
    keep_mending(made, "original", merged(made, tmp_path), tmp_path)
    (file,) = tmp_path.glob("mended-*.json")
    file.write_text(damage, "utf-8")
    found = begin_mending(made, "original", tmp_path)
    assert found.mended.beads == made.aligned["original"].beads
    assert found.steps == ()
