"""The smallest change that carries a translation over a border."""

from __future__ import annotations

from itertools import count

import pytest

from core.errors import InputError
from core.hacks import EditInput
from core.hacks.base import Replacement, rewritten
from core.hacks.flip import CLAUSE, MOST_STEPS, PIECE, WORD, flip, moves_of
from core.hacks.robustness import reader
from core.metrics import METRICS
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, fake_backends


def scorers(pair, *names):
    backends = fake_backends(FakeEncoder({}))
    return {name: METRICS[name].prepare({}, backends, [pair]) for name in names}


def search(reference, text, other=None, *, metric="chrf", more=("bleu",), **options):
    pair = TextPair(reference=reference, hypothesis=text, lang="en")
    given = EditInput(text=text, lang="en", other=other, reference=reference)
    return flip(pair, given, scorers(pair, metric, *more), metric=metric, **options)


def told(moves, kind):
    return [(one.note, one.size) for one in moves if one.kind == kind]


def test_moves_are_words_clauses_pieces_and_edits_the_smallest_first():
    text = "He saw 3 cats, then ran."
    moves = moves_of(EditInput(text=text, lang="en", other="He saw two old cats, then slept."))
    assert told(moves, WORD)[:2] == [("3 → ∅", 2), ("He → ∅", 3)]
    assert told(moves, CLAUSE) == [("then ran. → ∅", 10), ("He saw 3 cats, → ∅", 14)]
    assert told(moves, PIECE) == [("ran. → slept.", 5), ("3 → two old", 7)]
    assert "change-number" in {one.kind for one in moves}
    assert [one.size for one in moves] == sorted(one.size for one in moves)


def test_words_of_japanese_are_those_of_mecab_and_need_no_blanks():
    moves = moves_of(EditInput(text="猫がいる。", lang="ja", other="犬がいる。"))
    assert [one.change.new for one in moves if one.kind == PIECE] == ["犬"]
    assert ("猫 → ∅", 1) in told(moves, WORD)


def test_a_word_that_the_other_translation_has_more_comes_with_its_blank():
    (piece,) = (
        one for one in moves_of(EditInput(text="a cat", lang="en", other="a big cat")) if one.kind == PIECE
    )
    assert "a cat"[: piece.change.start] + piece.change.new + "a cat"[piece.change.end :] == "a big cat"


def test_one_wrong_number_can_put_a_good_translation_behind():
    reference, good, bad = "He saw 30 cats.", "He saw 30 cats.", "He saw 30 big cats."
    found = search(reference, good, bad)
    assert found.reached
    assert found.steps[0].scores["chrf"] == 100
    assert found.target < 100
    assert found.steps[-1].scores["chrf"] < found.target == found.other["chrf"]
    assert (found.stopped, found.size) == (False, found.steps[-1].size)
    # every step has its scores under every metric
    assert all(step.scores.keys() == {"chrf", "bleu"} for step in found.steps)
    # no smaller single move crosses the border
    sizes = {one.size for one in moves_of(EditInput(text=good, lang="en", other=bad))}
    assert found.size <= min(sizes) + 2


def test_a_worse_translation_takes_pieces_of_the_better_one_to_get_ahead():
    reference = "The small cat slept on the mat all day."
    found = search(reference, "The small dog ran on a mat all day.", "The little cat slept on the mat.")
    assert found.reached
    assert found.steps[-1].scores["chrf"] > found.target
    assert [(step.kind, step.note, step.size) for step in found.steps[1:]] == [(PIECE, "dog → cat", 3)]
    assert found.steps[-1].text == "The small cat ran on a mat all day."
    assert (found.steps[-1].start, found.steps[-1].end, found.steps[-1].now) == (10, 13, (10, 13))


def test_moves_without_which_the_border_is_crossed_are_left_out():
    text = "one two three four five six"
    found = search(text, text, target=60.0)
    assert found.reached
    scorer = scorers(TextPair(reference="", hypothesis="", lang="en"), "chrf")["chrf"]
    last = found.steps[-1]
    changes = [Replacement(step.start, step.end, last.text[slice(*step.now)]) for step in found.steps[1:]]
    assert len(changes) == 2
    assert rewritten(text, changes).text == last.text
    for left in changes:
        # without one of its moves the score is still on the side where it began
        longer = rewritten(text, [one for one in changes if one is not left]).text
        pair = TextPair(reference=text, hypothesis=longer, lang="en")
        assert scorer.score(pair).score >= 60.0 > last.scores["chrf"]


def test_a_border_out_of_reach_gives_the_nearest_change():
    found = search("a b c d", "x b c d", target=100.0)
    assert not found.reached
    assert found.steps[-1].scores["chrf"] >= found.steps[0].scores["chrf"]
    assert len(found.steps) <= MOST_STEPS + 1


def test_when_the_time_is_up_the_best_so_far_is_the_result():
    clock = count(0, 9).__next__  # nine seconds pass between two looks
    text = "one two three four five six seven eight nine ten eleven twelve"
    found = search(text, text, target=10.0, clock=clock)
    assert found.stopped
    assert not found.reached
    assert found.tried < len(moves_of(EditInput(text=text, lang="en")))
    assert len(found.steps) > 1


def test_without_a_border_or_a_difference_a_sentence_says_so():
    with pytest.raises(InputError, match="no border to cross"):
        search("a", "b")
    with pytest.raises(InputError, match="already that of the border"):
        search("a", "b", "b")


@pytest.mark.embedded
def test_the_edits_that_read_grammar_and_names_are_among_the_moves(backends):
    text = "斎藤は十二人の弟子をつれて京都に行ったが、帰ってこなかった。"
    (given,) = reader({"parser", "reader"}, backends)([EditInput(text=text, lang="ja")])
    kinds = {one.kind for one in moves_of(given)}
    assert {"flip-negation", "swap-names", "change-number", "change-honorific"} <= kinds
    pair = TextPair(reference=text, hypothesis=text, lang="ja")
    metrics = {name: METRICS[name].prepare({}, backends, [pair]) for name in ("bertscore", "bleu")}
    found = flip(pair, given, metrics, metric="bertscore", target=0.97)
    assert found.reached
    assert found.size <= 4
