"""Campaigns from books: documents are chapters, segments are units, and the texts say where they are from."""

from __future__ import annotations

import pytest

from core.errors import InputError, OptionError
from db.campaigns.books import UnitChoice, align_set, campaign_of, read_books
from tests.support.two_languages import backends, sentences, translated


@pytest.fixture(scope="module")
def words():
    return backends()


CHAPTERS = [sentences(12, seed=n) for n in range(3)]


def backwards(text):
    return " ".join(reversed(text.split()))


def write(path, chapters):
    parts = []
    for number, texts in enumerate(chapters, 1):
        parts.append(f"CHAPTER {number}")
        parts += texts
    path.write_text("\n\n".join(parts), "utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    target = [translated(texts) for texts in CHAPTERS]
    other = [[backwards(one) for one in texts] for texts in target]
    other[1][3:5] = [f"{other[1][3]} {other[1][4]}"]
    return (
        write(tmp_path / "original.txt", CHAPTERS),
        write(tmp_path / "reference.txt", target),
        write(tmp_path / "other.txt", [*other[1:], other[0]]),
    )


def test_chapters_become_documents_and_units_segments(files, words):
    original, reference, other = files
    made = align_set(read_books(original, reference, {"other": other}), words)
    bundle = campaign_of(made, "Doors", UnitChoice(kind="sentence"))
    assert [system.name for system in bundle.systems] == ["other"]
    assert {row.document for row in bundle.segments} == {"CHAPTER 1", "CHAPTER 2", "CHAPTER 3"}
    texts = {row.key: row.text for row in bundle.outputs}
    second = [row for row in bundle.segments if row.document == "CHAPTER 2"]
    assert [row.position for row in second] == list(range(11))
    assert second[3].source == f"{CHAPTERS[1][3]}\n{CHAPTERS[1][4]}"
    assert texts["CHAPTER 2", 3] == " ".join(map(backwards, translated(CHAPTERS[1][3:5])))
    assert texts["CHAPTER 1", 0] == backwards(translated(CHAPTERS[0])[0])  # the last chapter of its file
    assert second[0].external_id == "2.13-13"


def test_omissions_and_additions_are_marked_for_raters_where_that_is_wanted(tmp_path, words):
    target = [translated(texts) for texts in CHAPTERS]
    other = [[backwards(one) for one in texts] for texts in target]
    del other[0][5]
    added = backwards(translated(sentences(1, seed=99))[0])
    other[1].insert(5, added)
    files = [write(tmp_path / f"{n}.txt", one) for n, one in enumerate((CHAPTERS, target, other))]
    made = align_set(read_books(files[0], files[1], {"other": files[2]}), words)
    bundle = campaign_of(made, "Doors", UnitChoice(kind="passage", characters=400, marks=True))
    assert bundle.meta.protocol == "esa"
    marks = {(row.key, span.category, span.missing) for row in bundle.prefills for span in row.spans}
    assert {(key[0], category, missing) for key, category, missing in marks} >= {
        ("CHAPTER 1", "accuracy/omission", True)
    }
    (omitted,) = [span for row in bundle.prefills for span in row.spans if span.missing]
    assert omitted.note == target[0][5]
    texts = {(row.key, row.system): row.text for row in bundle.outputs}
    shown = [
        texts[row.key, row.system][span.start : span.end]
        for row in bundle.prefills
        for span in row.spans
        if not span.missing
    ]
    assert shown == [added]
    assert campaign_of(made, "Doors", UnitChoice(kind="passage")).prefills == ()


def test_chosen_chapters_are_those_of_the_original(files, words):
    original, reference, other = files
    made = align_set(read_books(original, reference, {"other": other}), words)
    bundle = campaign_of(made, "Doors", UnitChoice(kind="paragraph", chapters=(2,)))
    assert {row.document for row in bundle.segments} == {"CHAPTER 3"}
    assert len(bundle.segments) == 12


def test_a_sample_and_the_files_are_told_in_both_languages(files, words):
    original, reference, other = files
    made = align_set(read_books(original, reference, {"other": other}), words)
    bundle = campaign_of(made, "Doors", UnitChoice(kind="sentence", per_chapter=2, apart=3, seed=7))
    assert len(bundle.segments) == 6
    assert bundle.meta.seed == 7
    assert bundle.meta.credits_en == (
        "Texts: original: “original” (original.txt); reference: “reference” (reference.txt); "
        "other: “other” (other.txt)."
    )
    assert "「original.txt」" in bundle.meta.credits_ja
    assert "at least 3 apart, with seed 7" in bundle.meta.description_en
    assert "シード 7" in bundle.meta.description_ja


def test_without_a_reference_all_are_aligned_with_the_original(files, words):
    original, _, other = files
    bundle = campaign_of(align_set(read_books(original, None, {"other": other}), words), "D", UnitChoice())
    assert bundle.segments[0].reference == ""
    assert bundle.segments[0].source == CHAPTERS[0][0]


def test_without_translations_the_reference_is_rated(files, words):
    original, reference, _ = files
    bundle = campaign_of(align_set(read_books(original, reference, {}), words), "D", UnitChoice())
    assert [(system.name, system.is_reference) for system in bundle.systems] == [("refA", True)]
    assert bundle.outputs[0].text == bundle.segments[0].reference


@pytest.mark.slow
def test_the_wrong_book_and_the_same_book_twice_are_refused_unless_forced(files, words, tmp_path):
    original, reference, _ = files
    wrong = write(tmp_path / "wrong.txt", [sentences(12, seed=n + 50, language="b") for n in range(3)])
    with pytest.raises(InputError, match=r"Hardly anything in “wrong.txt” matches “reference.txt” \(\d+% of"):
        align_set(read_books(original, reference, {"other": wrong}), words)
    with pytest.raises(InputError, match=r"“reference.txt” has the same text as “reference.txt”"):
        align_set(read_books(original, reference, {"other": reference}), words)
    assert align_set(read_books(original, reference, {"other": wrong}), words, force=True)


def test_books_that_are_missing_are_asked_for(files):
    with pytest.raises(OptionError, match=r"Give an original or a reference\."):
        read_books(None, None, {"other": files[2]})
    with pytest.raises(OptionError, match="There is nothing to compare"):
        read_books(files[0], None, {})
