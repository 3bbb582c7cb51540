"""Several references of a segment: BLEU, chrF and TER as sacreBLEU, other metrics the best or the mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

import core
from core.codec import decode_trace, encode_trace, pack_trace
from core.errors import InputError, OptionError
from core.metrics import find_metric
from core.metrics.edit_rate import score_ter
from core.metrics.references import ReferencesTrace, shown_trace
from core.metrics.surface import score_bleu, score_chrf
from core.scoring import Request, score_pairs
from core.types import TextPair

TEXT = st.text(alphabet="ab .,Aé猫犬", max_size=14)
TEXTS = st.lists(TEXT, min_size=1, max_size=3)


def pair_of(hypothesis, references):
    first, *more = references
    return TextPair(reference=first, hypothesis=hypothesis, more_references=tuple(more))


@given(TEXT, TEXTS, st.sampled_from(["exp", "floor", "add-k", "none"]), st.booleans())
def test_bleu_of_several_references_is_sacrebleus(hypothesis, references, smooth, lowercase):
    theirs = BLEU(smooth_method=smooth, lowercase=lowercase, effective_order=True)
    ours = score_bleu(pair_of(hypothesis, references), smooth=smooth, lowercase=lowercase)
    expected = theirs.sentence_score(hypothesis.strip(), [one.strip() for one in references]).score
    assert ours.score == pytest.approx(expected, abs=1e-9)


@given(TEXT, TEXTS, st.sampled_from([0, 1, 2]), st.booleans())
def test_chrf_with_words_of_several_references_is_sacrebleus(hypothesis, references, order, lowercase):
    theirs = CHRF(word_order=order, lowercase=lowercase)
    ours = score_chrf(pair_of(hypothesis, references), word_order=order, lowercase=lowercase)
    assert ours.score == pytest.approx(theirs.sentence_score(hypothesis, references).score, abs=1e-9)


@given(TEXT, TEXTS, st.booleans(), st.booleans(), st.booleans())
def test_ter_of_several_references_is_sacrebleus(hypothesis, references, normalize, punctuation, lowercase):
    theirs = TER(
        normalized=normalize,
        no_punct=not punctuation,
        asian_support=True,
        case_sensitive=not lowercase,
    )
    ours = score_ter(
        pair_of(hypothesis, references), normalize=normalize, punctuation=punctuation, lowercase=lowercase
    )
    assert ours.score == pytest.approx(theirs.sentence_score(hypothesis, references).score, abs=1e-9)


HYPOTHESES = ["the cat sat on a mat .", "Dogs bark", "it rained all night"]
REFERENCES = [
    ["the cat sat on the mat .", "a cat sat on a mat ."],
    ["The dog barks", "dogs bark loudly"],
    ["it rained", "rain fell the whole night"],
]


@pytest.mark.parametrize(
    ("metric", "theirs"), [("bleu", BLEU()), ("chrf", CHRF()), ("ter", TER())], ids=["bleu", "chrf", "ter"]
)
def test_the_corpus_score_over_several_references_is_sacrebleus(metric, theirs):
    found = core.score(REFERENCES, HYPOTHESES, metric, lang="en")
    columns = [list(column) for column in zip(*REFERENCES, strict=True)]
    assert found.corpus == pytest.approx(theirs.corpus_score(HYPOTHESES, columns).score, abs=1e-9)
    assert "|refs:2|" in found.signature


def test_options_of_the_corpus_score_are_those_of_its_segments():
    found = core.score(REFERENCES, HYPOTHESES, "bleu", lang="en", smooth="floor", lowercase="yes")
    columns = [list(column) for column in zip(*REFERENCES, strict=True)]
    theirs = BLEU(smooth_method="floor", lowercase=True).corpus_score(HYPOTHESES, columns)
    assert found.corpus == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.embedded
def test_other_metrics_take_the_best_reference_or_the_mean(backends):
    pair = pair_of("猫は見た。", ["犬が吠えた。", "猫が見た。"])
    alone = [
        next(score_pairs([pair_of(pair.hypothesis, [one])], [Request("bertscore")], backends))[0]
        for one in pair.references
    ]
    best, mean = (
        next(score_pairs([pair], [Request("bertscore", given)], backends))[0]
        for given in ({}, {"references": "mean"})
    )
    assert best.score == pytest.approx(max(one.score for one in alone))
    assert mean.score == pytest.approx(sum(one.score for one in alone) / 2)
    assert best.signature.startswith("bertscore|refs:2:max|")
    assert mean.signature.startswith("bertscore|refs:2:mean|")
    assert shown_trace(best.trace).parts() == alone[1].trace.parts()


@pytest.mark.embedded
def test_the_score_is_computed_again_from_the_stored_traces_of_all_references(backends):
    pair = pair_of("猫は見た。", ["犬が吠えた。", "猫が見た。"])
    result = next(score_pairs([pair], [Request("sentence-cosine")], backends))[0]
    for stored in (encode_trace(result.trace), pack_trace(result.trace)):
        again = decode_trace(stored)
        assert isinstance(again, ReferencesTrace)
        assert again.parts()["cosine"] == pytest.approx(result.score, abs=1e-6)


def test_a_rule_that_is_not_known_ends_in_a_sentence(backends):
    pairs = [pair_of("a", ["b", "c"])]
    with pytest.raises(OptionError, match=r"bertscore.references=least is not possible; choose max or mean"):
        find_metric("bertscore").prepare({"references": "least"}, backends, pairs)
    with pytest.raises(OptionError, match="bleu has no option references"):
        find_metric("bleu").prepare({"references": "mean"}, backends, pairs)


def test_a_list_of_references_without_a_text_ends_in_a_sentence():
    with pytest.raises(InputError, match="is an empty list"):
        core.score([[]], ["a"], "chrf")
