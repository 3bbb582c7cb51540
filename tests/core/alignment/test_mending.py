"""Changes of beads by hand, worked out by hand; and what is aligned again between confirmed beads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.align import align_some
from core.alignment.beads import Bead
from core.alignment.mending import Mended, realign
from core.alignment.sides import encode_side
from core.errors import InputError
from tests.support.two_languages import backends, sentences, translated

THREE = Mended((Bead((0,), (0,), 0.9), Bead((1, 2), (1,), 0.4), Bead((3,), (2, 3), 0.7)))


def shown(mended):
    return [(bead.left, bead.right) for bead in mended.beads]


def test_unconfirmed_beads_are_listed_from_the_lowest_confidence():
    assert THREE.doubtful() == [1, 2, 0]
    assert THREE.confirm(1).doubtful() == [2, 0]
    assert THREE.confirm(1).beads[1].confidence == 1


def test_a_bead_is_joined_with_the_next_one():
    merged = THREE.merge(0)
    assert shown(merged) == [((0, 1, 2), (0, 1)), ((3,), (2, 3))]
    assert merged.is_confirmed(0)
    assert not merged.is_confirmed(1)


def test_a_bead_is_cut_in_two():
    assert shown(THREE.split(1, 1, 1)) == [((0,), (0,)), ((1,), (1,)), ((2,), ()), ((3,), (2, 3))]
    assert shown(THREE.split(1, 1, 0))[1:3] == [((1,), ()), ((2,), (1,))]


def test_the_boundary_to_the_next_bead_is_moved_on_one_side():
    assert shown(THREE.move(1, "right", 1))[1:] == [((1, 2), (1, 2)), ((3,), (3,))]
    assert shown(THREE.move(1, "left", -1))[1:] == [((1,), (1,)), ((2, 3), (2, 3))]
    emptied = Mended((Bead((0,), (), 1), Bead((1,), (0,), 1))).move(0, "left", -1)
    assert shown(emptied) == [((0, 1), (0,))]


def test_sentences_that_do_not_belong_together_are_omitted_and_added():
    assert shown(THREE.part(1))[1:3] == [((1, 2), ()), ((), (1,))]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda: THREE.merge(2), "the last bead"),
        (lambda: THREE.split(0, 1, 1), "Nothing is left on one side"),
        (lambda: THREE.move(1, "right", 3), "no further sentence"),
        (lambda: Mended((Bead((0,), (4,), 1), Bead((1,), (0,), 1))).merge(0), "another chapter"),
    ],
)
def test_a_change_that_cannot_be_made_is_told(change, sentence):
    with pytest.raises(InputError, match=sentence):
        change()


@given(st.lists(st.tuples(st.sampled_from(["merge", "split", "move", "part", "confirm"]), st.integers(0, 9))))
def test_after_any_changes_every_sentence_is_in_exactly_one_bead(changes):
    mended = THREE
    for what, place in changes:
        place %= len(mended.beads)
        try:
            if what == "split":
                mended = mended.split(place, 1, 0)
            elif what == "move":
                mended = mended.move(place, "left", 1)
            else:
                mended = getattr(mended, what)(place)
        except InputError:
            continue
    assert [number for bead in mended.beads for number in bead.left] == [0, 1, 2, 3]
    assert [number for bead in mended.beads for number in bead.right] == [0, 1, 2, 3]


def test_sentences_between_confirmed_beads_are_aligned_again():
    """A wrong bead at the beginning shifts all others; mended, it lets the rest come right."""
    texts = sentences(12)
    words = backends()
    left, right = (encode_side(one, words) for one in (texts, translated(texts)))
    shifted = [Bead((n,), (n + 1,), 0.5) for n in range(11)]
    shifted = [Bead((0,), (0, 1), 0.5), *shifted[1:], Bead((11,), (), 0.5)]
    mended = Mended(tuple(shifted)).move(0, "right", -1)
    assert shown(mended)[:2] == [((0,), (0,)), ((1,), (1, 2))]
    assert [mended.is_confirmed(0), mended.is_confirmed(1)] == [True, False]
    found = realign(mended, left, right, lambda _: 0)
    assert shown(found) == [((n,), (n,)) for n in range(12)]
    assert found.beads[0] == Bead((0,), (0,), 1.0)


def test_chapters_without_a_confirmed_bead_are_not_aligned_again():
    beads = tuple(Bead((n,), (n,), 0.5) for n in range(6))
    mended = Mended(beads).confirm(0)
    assert list(mended.open_runs(lambda number: number // 3)) == [range(1, 3)]


def test_some_sentences_are_aligned_by_their_numbers_in_the_whole():
    texts = sentences(8)
    words = backends()
    left, right = (encode_side(one, words) for one in (texts, translated(texts)))
    beads = align_some(left, right, [3, 4, 5], [3, 4, 5])
    assert [(bead.left, bead.right) for bead in beads] == [((n,), (n,)) for n in (3, 4, 5)]
    assert align_some(left, right, [1], []) == [Bead((1,), (), 1.0)]
