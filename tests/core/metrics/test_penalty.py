import math

import numpy as np
import pytest

from core.backends import Word
from core.metrics.idf import Idf
from core.metrics.reading import Rarity, ReadingEdit, coefficient, meet, rare_tokens, set_readings, word_spans
from core.types import Token


def test_the_edit_script_spells_both_readings_out():
    meeting = meet("さいとう", "おざき")
    assert "".join(edit.own for edit in meeting.edits) == "さいとう"
    assert "".join(edit.other for edit in meeting.edits) == "おざき"
    assert meeting.coefficient == 0
    assert meet("たなか", "たなべ").edits == (
        ReadingEdit("equal", "たな", "たな"),
        ReadingEdit("replace", "か", "べ"),
    )
    assert coefficient("たなか", "たなべ") == pytest.approx(2 / 3)
    assert coefficient("さいとう", "さとう") == pytest.approx(3 / 4)


@pytest.mark.parametrize(("own", "other", "expected"), [("", "", 1), ("さ", "", 0), ("", "さ", 0)])
def test_an_empty_reading_agrees_with_an_empty_one_only(own, other, expected):
    assert meet(own, other).coefficient == expected


def test_a_partner_counts_once_for_each_own_word():
    own = [Word("甲", 0, 1, "こう"), Word("乙", 1, 2, "おつ")]
    other = [Word("丙", 0, 1, "へい"), Word("丙", 1, 2, "へい")]
    shared_by_pieces = [((0,), (0,)), ((0,), (1,))]
    assert set_readings(shared_by_pieces, own, other) == ("こう", "へい")
    shared_by_words = [((0,), (0,)), ((1,), (0,))]
    assert set_readings(shared_by_words, own, other) == ("こうおつ", "へいへい")


def test_a_rare_token_exceeds_the_threshold_and_one_of_every_document_never_does():
    words = [Word("a", 0, 1, "a"), Word("b", 2, 3, "b"), Word("c", 4, 5, "c")]
    spans = word_spans([Token("a", 0, 1), Token("b", 2, 3), Token("c", 4, 5)], words)
    idf = Idf(name="x", documents=3, frequencies={0: 3, 1: 1})
    ids = np.array([0, 1, 2])
    for threshold, expected in ((0, [0, 1, 1]), (math.log(2) - 1e-9, [0, 1, 1]), (math.log(2), [0, 0, 1])):
        rarity = Rarity(idf=idf, threshold=threshold)
        assert rare_tokens(ids, spans, words, rarity)[0].tolist() == expected


def test_tokens_find_their_words_by_the_characters_they_cover():
    words = [Word("斎藤", 0, 2, "さいとう"), Word("さん", 2, 4, "さん"), Word("は", 5, 6, "は")]
    tokens = [
        Token("<s>", 0, 0, True), Token("▁", 0, 0), Token("斎", 0, 1), Token("藤さ", 1, 3), Token("ん", 3, 4),
        Token(" ", 4, 5), Token("は", 5, 6), Token("</s>", 0, 0, True),
    ]  # fmt: skip
    counts = [last - first for first, last in word_spans(tokens, words)]
    assert counts == [0, 0, 1, 2, 1, 0, 1, 0]
    assert word_spans(tokens, words)[3].tolist() == [0, 2]
