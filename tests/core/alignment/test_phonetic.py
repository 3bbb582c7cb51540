"""Names and borrowed words that are read alike in Japanese and in Latin letters are evidence for a bead."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from core.alignment.align import align_sides
from core.alignment.phonetic import EXPECTED, WEIGHT, Readings, phonetic_matches, read_words, with_matches
from core.alignment.sides import encode_side
from tests.support.two_languages import backends, sentences, translated


@pytest.fixture(scope="module")
def reader(backends):
    return backends.reader("word")


def readings(*sentences, japanese):
    return Readings(japanese, tuple(frozenset(one.split()) for one in sentences))


JAPANESE = readings("genji homs", "watson", "genji monogatari", japanese=True)
LATIN = readings("genji tale", "watsons", "homz", japanese=False)


def test_names_are_read_alike_in_both_writings(reader):
    japanese = read_words(["ワトソンは夢浮橋を読んだ。"], reader)
    latin = read_words(["Watson read Yume no Ukihashi."], reader)
    assert japanese.japanese
    assert not latin.japanese
    assert {"watson", "ukihasi"} <= japanese.words[0] & latin.words[0]


def test_a_word_in_hiragana_is_compared_with_nothing(reader):
    assert read_words(["とてもたくさんあった。"], reader).words == (frozenset(),)


def test_words_that_are_nearly_alike_are_phonetic_matches():
    matches = phonetic_matches(JAPANESE, LATIN)
    assert matches is not None
    found = {
        LATIN.words[n]: matches.found[row].tolist()
        for n, row in zip(matches.sentences, matches.rows, strict=True)
    }
    assert found == {
        frozenset({"genji", "tale"}): [True, False, True],
        frozenset({"watsons"}): [False, True, False],  # 1 - 1 / 13 = .92
    }  # homs and homz: 1 - 2 / 8 = .75 is too little


def test_two_texts_in_one_writing_have_no_phonetic_matches():
    assert phonetic_matches(JAPANESE, JAPANESE) is None
    assert phonetic_matches(LATIN, LATIN) is None
    assert phonetic_matches(None, LATIN) is None


def test_a_match_adds_more_where_matches_are_rare():
    matches = phonetic_matches(JAPANESE, readings("monogatari", japanese=False))
    gains = with_matches({(1, 1): np.zeros((3, 1), np.float32)}, matches, (0, 3), (0, 1))
    chance = 1.5 / 4  # of three sentences one has it, with half a one more on each side
    without = WEIGHT * log((1 - EXPECTED) / (1 - chance))
    assert gains[1, 1][:, 0] == pytest.approx([without, without, WEIGHT * log(EXPECTED / chance)])


def test_a_match_in_a_longer_stretch_adds_less():
    matches = phonetic_matches(JAPANESE, readings("monogatari", japanese=False))
    gains = with_matches({(2, 1): np.zeros((2, 1), np.float32)}, matches, (0, 3), (0, 1))
    chance = 1 - (1 - 1.5 / 4) ** 2
    assert gains[2, 1][1, 0] == pytest.approx(WEIGHT * log(EXPECTED / chance))


def test_the_sides_may_stand_the_other_way_round():
    values = {(a, b): np.zeros((4 - a, 4 - b), np.float32) for a in (1, 2) for b in (1, 2)}
    turned = {(b, a): one.T for (a, b), one in values.items()}
    straight = with_matches(values, phonetic_matches(JAPANESE, LATIN), (0, 3), (0, 3))
    back = with_matches(turned, phonetic_matches(LATIN, JAPANESE), (0, 3), (0, 3))
    for (a, b), one in straight.items():
        assert one == pytest.approx(back[b, a].T)


def test_a_bead_is_surer_with_a_name_on_both_sides_and_less_sure_with_it_elsewhere():
    texts = sentences(40)
    left, right = (encode_side(one, backends()) for one in (texts, translated(texts)))

    def having(side, japanese, place):
        words = tuple(frozenset({"genji"} if n == place else ()) for n in range(40))
        return replace(side, readings=Readings(japanese, words))

    def confidence(named):
        """Of the bead of sentence 20, whose translation has the name."""
        beads = align_sides(having(left, True, named), having(right, False, 20))
        return next(bead.confidence for bead in beads if bead.left == (20,))

    plain = next(bead.confidence for bead in align_sides(left, right) if bead.left == (20,))
    assert confidence(3) < plain < confidence(20)
