import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF

from core.metrics.surface import score_bleu, score_chrf
from core.types import TextPair

REFERENCE = "吾輩は猫である。名前はまだ無い。"
HYPOTHESIS = "私は猫です。名前はまだありません。"


def japanese(hypothesis, reference=REFERENCE):
    return TextPair(reference=reference, hypothesis=hypothesis, lang="ja")


@pytest.mark.parametrize(
    ("tokenize", "expected"), [("auto", 26.20), ("char", 37.71), ("intl", 19.00), ("13a", 0.00)]
)
def test_bleu_of_the_cat_is_the_published_number_under_each_tokenizer(tokenize, expected):
    assert score_bleu(japanese(HYPOTHESIS), tokenize=tokenize).score == pytest.approx(expected, abs=0.005)


def test_a_tokenizer_that_cannot_cut_japanese_is_flagged():
    assert score_bleu(japanese(HYPOTHESIS), tokenize="13a").flags == ("tokenizer-unsuited",)
    assert score_bleu(japanese(HYPOTHESIS)).flags == ()


@pytest.mark.parametrize(
    ("hypothesis", "bleu", "chrf"),
    [
        (HYPOTHESIS, 26.20, 32.87),
        (HYPOTHESIS + "。" * 7, 15.66, 29.99),
        (REFERENCE * 2, 46.09, 80.72),
        ("I am a cat. As yet I have no name.", 0.0, 0.0),
    ],
)
def test_hacked_translations_score_what_was_measured_by_hand(hypothesis, bleu, chrf):
    assert score_bleu(japanese(hypothesis)).score == pytest.approx(bleu, abs=0.005)
    assert score_chrf(japanese(hypothesis)).score == pytest.approx(chrf, abs=0.005)


def test_both_equal_sacrebleu_on_real_pairs(japanese_pairs, english_pairs):
    for pairs, tokenize in ((japanese_pairs[:80], "ja-mecab"), (english_pairs[:80], "13a")):
        bleu, chrf = BLEU(tokenize=tokenize, effective_order=True), CHRF()
        for pair in pairs:
            theirs = bleu.sentence_score(pair.hypothesis, [pair.reference]).score
            assert score_bleu(pair).score == pytest.approx(theirs, abs=1e-9)
            theirs = chrf.sentence_score(pair.hypothesis, [pair.reference]).score
            assert score_chrf(pair).score == pytest.approx(theirs, abs=1e-9)


@given(st.text(max_size=30), st.text(max_size=30))
def test_chrf_equals_sacrebleu_on_any_text(reference, hypothesis):
    theirs = CHRF().sentence_score(hypothesis, [reference]).score
    ours = score_chrf(TextPair(reference=reference, hypothesis=hypothesis)).score
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("score", [score_bleu, score_chrf])
def test_empty_texts_score_zero_with_flags(score):
    result = score(TextPair(reference="\u3000", hypothesis=""))
    assert (result.score, result.flags) == (0.0, ("empty-reference", "empty-hypothesis"))


@pytest.mark.parametrize("word", ["猫", "cat"])
def test_one_equal_word_scores_a_hundred(word):
    for score in (score_bleu, score_chrf):
        assert score(TextPair(reference=word, hypothesis=word, lang="ja")).score == pytest.approx(100)
