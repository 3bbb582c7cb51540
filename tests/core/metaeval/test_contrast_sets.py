"""Contrast sets: reading them, and how often a metric prefers the good translation."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import FileError
from core.metaeval.contrast_sets import (
    ALL,
    SUZUKI,
    ContrastPair,
    ContrastVerdict,
    Counts,
    failures,
    phenomena,
    read_contrast_set,
)

HEADER = "phenomenon\tref\tgood\tbad"


@pytest.fixture
def written(tmp_path):
    def write(*lines):
        path = tmp_path / "set.tsv"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return path

    return write


def verdict(phenomenon, good, bad, *, line=2, higher=True):
    pair = ContrastPair(reference="r", good="g", bad="b", phenomenon=phenomenon, line=line)
    return ContrastVerdict(pair=pair, good=good, bad=bad, higher_is_better=higher)


def test_columns_are_found_by_their_names_and_quotes_are_text(written):
    (pair,) = read_contrast_set(
        written("src\tbad\tgood\tref\tphenomenon", '原\t"bad\tgood"\tref\tNumber(Same)')
    )
    assert (pair.reference, pair.good, pair.bad, pair.source) == ("ref", 'good"', '"bad', "原")
    assert (pair.group, pair.line) == ("Number", 2)
    assert [one.hypothesis for one in pair.texts("en")] == ['good"', '"bad']


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["ref\tgood"], "line 1.*lacks the columns bad, phenomenon"),
        ([HEADER, "n\tr\tg"], "line 2.*3 cells where its header has 4"),
        ([HEADER, "n\tr\tg\tb", "n\t \tg\tb"], "line 3.*empty ref"),
        ([HEADER, "n\tr\tsame\tsame"], "line 2.*same text"),
        ([HEADER], "holds no pairs"),
        ([""], "lacks the columns"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_sentence_with_its_line(written, lines, words):
    with pytest.raises(FileError, match=words):
        read_contrast_set(written(*lines))


def test_a_line_that_is_no_pair_is_left_out_where_that_is_asked(written):
    left_out = []
    pairs = read_contrast_set(written(HEADER, "n\tr\tsame\tsame", "n\tr\tg\tb", "n\tr\tg"), left_out)
    assert [pair.line for pair in pairs] == [3]
    assert [error.line for error in left_out] == [2, 4]


def test_tau_counts_every_pair_that_is_not_strictly_right_against_the_metric():
    found = [
        verdict("Number(a)", 0.9, 0.1),
        verdict("Number(a)", 0.9, 0.2),
        verdict("Number(b)", 0.1, 0.9),
        verdict("Date", 0.5, 0.5),
        verdict("Date", None, 0.5),
    ]
    rows = {one.name: one for one in phenomena({"m": found})}
    assert list(rows) == [ALL, "Number", "Number(a)", "Number(b)", "Date"]
    assert [one.n for one in rows.values()] == [5, 3, 2, 1, 2]
    whole = rows[ALL].counts["m"]
    assert (whole.right, whole.wrong, whole.equal, whole.missing) == (2, 1, 1, 1)
    assert whole.tau == pytest.approx(-1 / 5)  # (2 - (1 + 1 + 1)) / 5
    assert rows["Number"].counts["m"].tau == pytest.approx(1 / 3)  # (2 - 1) / 3
    assert rows["Date"].counts["m"].tau == -1  # a tie and a missing score
    assert Counts().tau is None


def test_the_phenomena_of_the_paper_have_a_row_of_their_own_beside_all():
    found = [
        verdict("Number(Swapped Number)", 0.9, 0.1),
        verdict("Unit Format", 0.1, 0.9),
        verdict("Time & Date", 0.9, 0.1),
        verdict("Affirmation/Negation", 0.5, 0.5),
        verdict("Named Entity & Terminology", 0.1, 0.9),
    ]
    whole, papers = phenomena({"m": found})[:2]
    assert (whole.name, whole.n, whole.counts["m"].tau) == (ALL, 5, pytest.approx(-1 / 5))  # 2 of 5
    assert (papers.name, papers.n) == (SUZUKI, 3)
    assert papers.counts["m"].tau == pytest.approx(1 / 3)  # 2 of 3


def test_a_set_without_other_phenomena_or_with_none_of_the_papers_has_no_such_row():
    for names in (("Number", "Time & Date"), ("Unit Format", "Affirmation/Negation")):
        rows = phenomena({"m": [verdict(name, 0.9, 0.1) for name in names]})
        assert [one.name for one in rows] == [ALL, *names]


def test_the_tau_of_the_paper_comes_out_of_its_counts():
    # Suzuki et al., table 5: SentBLEU -.735 on 355 number pairs is 47 wins and 308 others
    assert Counts(right=47, wrong=150, equal=150, missing=8).tau == pytest.approx(-0.735, abs=5e-4)


def test_of_a_metric_that_counts_errors_the_lower_score_is_the_better_one():
    assert verdict("n", 1.0, 5.0, higher=False).outcome == "right"
    assert verdict("n", 5.0, 1.0, higher=False).outcome == "wrong"


def test_lost_pairs_come_with_the_largest_gap_first_then_ties_then_missing_scores():
    found = [
        verdict("n", None, 0.5, line=1),
        verdict("n", 0.5, 0.6, line=2),
        verdict("n", 0.1, 0.9, line=3),
        verdict("n", 0.9, 0.1, line=4),
        verdict("n", 0.5, 0.5, line=5),
    ]
    assert [one.pair.line for one in failures(found)] == [3, 2, 5, 1]


def test_the_set_that_comes_with_the_program_can_be_read():
    pairs = read_contrast_set(Path("assets/demo/contrast.ja.tsv"))
    assert len(pairs) == 60
    assert {one.phenomenon for one in pairs} == {"number", "date", "counter", "name"}
