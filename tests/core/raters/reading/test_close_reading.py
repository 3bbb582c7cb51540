"""What a close reading says, by hand and against the library krippendorff."""

from __future__ import annotations

import random

import krippendorff
import numpy as np
import pytest

from core.raters.reading.close import (
    ChunkChoice,
    CloseData,
    chunk_agreement,
    chunk_picks,
    chunks_with_whole,
    close_findings,
    close_preferences,
    close_rows,
    left_over_right,
    nominal_alpha,
    part_preferences,
)
from core.raters.reading.findings import FIGURE_COLUMNS
from core.raters.reading.preferences import ReaderChoice


def choice(reader, chunk, preferred, left="a", right="b", book="x", margin=None):
    return ChunkChoice(
        reader=reader, book=book, chunk=chunk, left=left, right=right, preferred=preferred, margin=margin
    )


CHOICES = (
    choice("r", 0, "a", margin=1),
    choice("r", 1, "a", "b", "a", margin=2),
    choice("r", 2, "b", margin=2),
    choice("r", 3, None),
    choice("s", 0, "a", "b", "a", margin=3),
    choice("s", 1, "b", margin=3),
    choice("s", 2, "b", "b", "a", margin=1),
    choice("s", 3, "a", margin=1),
)
"""r prefers a, a, b and neither; s prefers a, b, b and a. a won 4 of 7."""


def test_preferences_are_pooled_by_hand():
    (one,) = close_preferences(CHOICES)
    assert (one.first, one.second, one.share.hits, one.share.n, one.ties) == ("a", "b", 4, 7, 1)
    # 95 % of Clopper and Pearson for 4 of 7: 0.184 to 0.901 (their tables)
    assert one.share.low == pytest.approx(0.184, abs=5e-4)
    assert one.share.high == pytest.approx(0.901, abs=5e-4)
    assert one.readers.value == pytest.approx((2 / 3 + 2 / 4) / 2)
    assert one.margins == {1: 3, 2: 2, 3: 2}


def test_each_chunk_and_each_reader_has_a_share_of_its_own():
    chunks = part_preferences(CHOICES, lambda one: (one.book, one.chunk))
    assert [(one.chunk, one.share.hits, one.share.n, one.ties) for one in chunks] == [
        (0, 2, 2, 0),
        (1, 1, 2, 0),
        (2, 0, 2, 0),
        (3, 1, 1, 1),
    ]
    readers = part_preferences(CHOICES, lambda one: (one.reader, None))
    assert [(one.of, one.share.hits, one.share.n) for one in readers] == [("r", 2, 3), ("s", 2, 4)]
    assert readers[0].share.p == 1.0  # 2 of 3 against one half: all of 0, 1, 2, 3 are as likely or less


def test_the_side_is_counted_by_hand():
    # what stood left won in chunk 0 of r and in 2 and 3 of s
    found = left_over_right(CHOICES)
    assert (found.hits, found.n) == (3, 7)


def test_alpha_of_nominal_choices_is_krippendorffs_and_its_interval_holds_it():
    rng = random.Random(4)
    units = [[rng.choice(["a", "a", "b", None]) for _ in range(rng.randint(2, 4))] for _ in range(30)]
    table = np.full((4, 30), np.nan)
    for place, own in enumerate(units):
        for row, value in enumerate(own):
            table[row, place] = {"a": 0, "b": 1, None: 2}[value]
    found = nominal_alpha(units, seed=1)
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.low <= found.value <= found.high


def test_alpha_of_two_readers_by_hand():
    # a a, a b, b b, a none: of n = 8 (4 a, 3 b, 1 none) 4 ordered pairs differ, D = 64 - 16 - 9 - 1 = 38
    found = chunk_agreement(CHOICES)
    assert found.alpha.value == pytest.approx(1 - 7 * 4 / 38)
    assert (found.alpha.n, found.readers, found.alpha.low) == (4, 2, None)
    assert (found.same.value, found.same.n) == (0.5, 4)
    assert found.chance == pytest.approx((4 * 3 + 3 * 2) / (8 * 7))


def test_without_a_second_reader_or_without_variation_there_is_no_alpha_but_a_reason():
    alone = chunk_agreement(CHOICES[:4])
    assert (alone.alpha.value, alone.alpha.missing, alone.same.value) == (None, "one-rater", None)
    assert nominal_alpha([["a", "a"], ["a", "a"]]).missing == "no-variance"


def test_chunks_go_with_the_whole_by_hand():
    whole = (
        ReaderChoice(reader="r", book="x", order=("a", "b"), preferred="a"),
        ReaderChoice(reader="s", book="x", order=("b", "a"), preferred="b"),
        ReaderChoice(reader="t", book="x", order=("b", "a"), preferred="b"),
    )
    same, kept = chunks_with_whole(CHOICES, whole)
    assert (same.hits, same.n, same.chance) == (
        1,
        1,
        0.5,
    )  # r: a in 2 of 3; s has two and two; t has no chunk
    assert (kept.n, kept.value) == (2, pytest.approx((2 / 3 + 1 / 2) / 2))


def test_a_metric_and_length_pick_by_hand():
    scores = {
        "length": {("x", n, v): 10.0 if v == "b" else 5.0 for n in range(4) for v in "ab"},
        "good": {("x", 0, "a"): 2.0, ("x", 0, "b"): 1.0, ("x", 1, "a"): 1.0, ("x", 1, "b"): 1.0}
        | {("x", 2, "a"): 0.0, ("x", 2, "b"): 3.0},
    }
    length, good = chunk_picks(CHOICES, scores)
    assert (length.share.hits, length.share.n, length.even, length.missing) == (3, 7, 0, 0)
    # chunk 0: both took a, chunk 1: even twice, chunk 2: both took b, chunk 3: no score
    assert (good.share.hits, good.share.n, good.even, good.missing) == (4, 4, 2, 1)
    assert good.low is None  # three chunks are too few for the bootstrap
    # on the four choices that both decide, length is right in chunk 2 alone
    assert (good.over_length.value, good.over_length.n) == (0.5, 4)


def test_the_interval_of_a_metric_is_over_chunks_not_over_choices():
    choices = [choice(f"r{n}", c, "a" if c % 2 else "b") for c in range(10) for n in range(20)]
    scores = {"m": {("x", c, v): float(v == "a") for c in range(10) for v in "ab"}}
    (found,) = chunk_picks(choices, scores, seed=2)
    assert (found.share.hits, found.share.n) == (100, 200)
    assert found.share.high - found.share.low < 0.15  # as if 200 choices were independent
    assert found.high - found.low > 0.4  # ten chunks, in each of which all readers agree


def test_every_figure_has_a_row_with_known_columns_and_shares_have_their_ends():
    found = close_findings(CloseData(choices=CHOICES, finished=2, scores={"length": {}}))
    assert (found.readers, found.finished, found.few, found.choices) == (2, 2, True, 8)
    rows = {(row["figure"], row.get("of")): row for row in close_rows(found)}
    assert all(set(row) <= set(FIGURE_COLUMNS) for row in rows.values())
    assert (rows["left_side", None]["hits"], rows["left_side", None]["n"]) == (3, 7)
    assert rows["chunk_preferred", "x · 4"]["hits"] == 1
    assert rows["chunk_alpha", None]["value"] == pytest.approx(1 - 28 / 38)
    assert rows["chunk_metric_picks", "length"]["missing"] == "none"
