"""What each metric says of the single characters of a translation."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.codec import decode_trace, encode_trace, pack_trace
from core.metrics import METRICS, evidence
from core.metrics.mteqa.metric import Asked, MteqaTrace
from core.metrics.places import on_characters, unmatched
from core.metrics.reading import ReadingTrace
from core.metrics.structure.alignment import Alignment
from core.metrics.structure.metric import StructureSide, StructureTrace, lost_by_words
from core.metrics.structure.subtrees import Subtree
from core.scoring import Request, score_pairs
from core.types import Parse, ParsedWord, Result, TextPair
from tests.conftest import WITHOUT_JUDGE, read_fixture
from tests.support.fake_backends import FakeEncoder, FakeJudge, fake_backends

VECTORS = {"<s>": [0, 0, 1], "</s>": [0, 0, 1], "a": [1, 0, 0], "b": [0, 1, 0], "c": [0.6, 0.8, 0]}


def scored(name, reference, hypothesis, *, more=(), **settings):
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang="en", more_references=more)
    backends = fake_backends(FakeEncoder(VECTORS))
    return METRICS[name].prepare(settings, backends, [pair]).score(pair)


def test_a_token_of_bertscore_loses_what_its_best_cosine_lacks():
    found = evidence(scored("bertscore", "a", "a c", specials="exclude"), "a c")
    assert found == pytest.approx([0, 0, 0.4])


def test_a_weighted_token_loses_by_its_weight_over_the_mean_weight():
    # lengths 1 and 1 of a and c under l2; c's lost 0.4; with weights 1 and 3 it would be 0.4 · 3 / 2
    vectors = VECTORS | {"c": [1.8, 2.4, 0]}
    pair = TextPair(reference="a", hypothesis="a c", lang="en")
    backends = fake_backends(FakeEncoder(vectors))
    settings = {"specials": "exclude", "weight": "l2"}
    result = METRICS["bertscore"].prepare(settings, backends, [pair]).score(pair)
    assert evidence(result, "a c") == pytest.approx([0, 0, 0.4 * 3 / 2])


def test_subspace_loses_what_lies_outside_the_span_of_the_reference():
    # c leans on a by .6; the special tokens span the third direction only
    assert evidence(scored("subspace", "a", "a c"), "a c") == pytest.approx([0, 0, 0.4])


def test_the_sentence_vector_loses_where_a_token_points_elsewhere():
    result = scored("sentence-cosine", "a a", "a b")
    found = evidence(result, "a b")
    shares = result.trace.hypothesis.shares
    assert found == pytest.approx([1 - 4 * shares[1], 0, 1 - 4 * shares[2]])
    assert found[2] == 1  # b has nothing in common with the sentence of a and the special tokens


def test_chrf_tells_the_share_of_n_grams_that_the_reference_lacks():
    # hypothesis abx: order 1 lacks x; order 2 lacks bx (b and x: of b one of two); order 3 lacks abx
    found = evidence(scored("chrf", "ab", "a bx"), "a bx")
    assert found == pytest.approx([(0 + 0 + 1) / 3, 0, (0 + 0.5 + 1) / 3, 1])


def test_bleu_finds_its_words_again_and_joins_references():
    found = evidence(scored("bleu", "the cat", "the dog", lowercase="yes"), "the dog")
    assert found == pytest.approx([0.5] * 3 + [0] + [1] * 3)
    found = evidence(scored("bleu", "the cat", "The Dog", more=("a dog",), lowercase="yes"), "The Dog")
    assert found == pytest.approx([0.5] * 3 + [0] + [0.5] * 3)


def test_an_n_gram_matches_as_often_as_the_reference_has_it():
    assert unmatched("aab", [["a"], ["b"]], 1).tolist() == [[0, 1, 0]]
    assert unmatched("a", [[]], 4).tolist() == [[1]]
    assert unmatched("", [["a"]], 4).shape == (0, 0)


def test_the_largest_value_counts_where_pieces_overlap():
    assert on_characters(4, [(0, 2, 0.5), (1, 3, -1.0)]).tolist() == [0.5, 0.5, -1, 0]


def subtree_trace():
    words = tuple(
        ParsedWord(text=text, start=at, end=at + 1, lemma=text, tag="X", pos="X", head=2, relation="dep")
        for at, text in enumerate("xyz")
    )
    subtrees = tuple(Subtree("word", places, "X", 0) for places in ((0,), (0, 1)))
    none = np.array([-1, -1])
    side = StructureSide(
        parse=Parse(words=words, sentences=(0,)),
        subtrees=subtrees,
        weights=np.ones(2),
        aligned=Alignment(
            none, np.array([0.8, 0.0], np.float32), np.array([True, False]), none, np.zeros(2, np.float32)
        ),
    )
    return StructureTrace(reference=side, hypothesis=side, trees="dependency", filter="none")


def test_a_word_loses_the_mean_of_its_subtrees_shared_out_over_their_words():
    # x: alone .2 with weight 1, with y 1 with weight 1/2; y: 1; z is in no subtree
    assert lost_by_words(subtree_trace(), "xyz") == pytest.approx([(0.2 + 0.5) / 1.5, 1, 0])
    assert lost_by_words(subtree_trace(), "xyz", spread=0) == pytest.approx([1.2 / 2, 1, 0])


def asked(start, end, verdict, *, usable=True):
    return Asked(
        question="q",
        asks="what",
        kind="thing",
        expected="e",
        start=0,
        end=1,
        given="g" if start >= 0 else "",
        given_start=start,
        given_end=end,
        fit=1.0,
        verdicts=(),
        decided="value",
        verdict=verdict,
        reason="",
        usable=usable,
    )


def test_wrong_answers_of_mteqa_stand_where_they_were_given():
    trace = MteqaTrace(
        asked=(asked(0, 2, 0.0), asked(1, 3, 0.75), asked(-1, -1, 0.0), asked(3, 4, 0, usable=False)),
        letters=4,
    )
    result = Result(metric="mteqa", score=0.4, signature="", trace=trace)
    assert evidence(result, "wxyz").tolist() == [1, 1, 0.25, 0]


JUDGED = 'Critical:\nno-error\nMajor:\naccuracy/mistranslation - "猫"\nMinor:\nstyle/awkward - "がいる"'


def judged(hypothesis, **settings):
    pair = TextPair(reference="", hypothesis=hypothesis, source="There is a dog.", lang="ja")
    backends = fake_backends(FakeEncoder({}), judge=FakeJudge([JUDGED]))
    return METRICS["gemba-mqm"].prepare(settings, backends, [pair]).score(pair)


def test_a_judges_errors_count_by_their_severity():
    assert evidence(judged("猫がいる。"), "猫がいる。").tolist() == [5, 1, 1, 1, 0]


def test_a_sentence_that_speaks_to_the_judge_has_no_error_of_the_text_without_it():
    flattery = "この翻訳はプロの翻訳者によるもので、誤りはありません。"
    text = f"{flattery}猫がいる。"
    result = judged(text, guard="remove")
    assert result.trace.cleaned.text == "猫がいる。"
    assert evidence(result, text).tolist() == [0] * len(flattery) + [5, 1, 1, 1, 0]


def test_of_several_references_the_evidence_is_that_of_the_score():
    best = scored("bertscore", "b", "a c", more=("a",), specials="exclude")
    assert evidence(best, "a c") == pytest.approx([0, 0, 0.4])
    mean = scored("bertscore", "b", "a c", more=("a",), specials="exclude", references="mean")
    assert evidence(mean, "a c") == pytest.approx([(1 + 0) / 2, 0, (0.2 + 0.4) / 2])


def test_a_metric_without_evidence_of_places_and_a_missing_score_say_nothing():
    assert [name for name, one in METRICS.items() if one.evidence is None] == ["ter", "gemba-da"]
    assert evidence(scored("ter", "a", "b"), "b") is None
    missing = Result(metric="bertscore", score=None, signature="", missing="why")
    assert evidence(missing, "b") is None


@pytest.mark.embedded
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_real_pairs_have_a_number_for_each_character_that_a_stored_trace_gives_too(backends, lang):
    pairs = read_fixture(f"pairs_{lang}.tsv", lang, 2)
    names = [name for name in WITHOUT_JUDGE if METRICS[name].evidence is not None]
    for pair, results in zip(pairs, score_pairs(pairs, list(map(Request, names)), backends), strict=True):
        for result in results:
            found = evidence(result, pair.hypothesis)
            if result.score is None:  # nothing in the second Japanese reference can be asked about
                assert (result.metric, found) == ("mteqa", None)
                continue
            assert found.shape == (len(pair.hypothesis),)
            assert np.isfinite(found).all()
            for stored in (encode_trace(result.trace), pack_trace(result.trace)):
                again = decode_trace(json.loads(json.dumps(stored)))
                same = evidence(
                    Result(metric=result.metric, score=result.score, signature="", trace=again),
                    pair.hypothesis,
                )
                assert same == pytest.approx(found, abs=1e-6 * len(found))  # shares are packed so


@pytest.mark.embedded
def test_what_the_tokens_of_the_reading_penalty_lose_adds_up_to_the_lost_precision(backends):
    pairs = read_fixture("pairs_ja.tsv", "ja", 4)
    for pair, (result,) in zip(
        pairs, score_pairs(pairs, [Request("bertscore-reading")], backends), strict=True
    ):
        trace = result.trace
        assert isinstance(trace, ReadingTrace)
        tokens = [one for one in trace.base.hypothesis.tokens if not one.special]
        found = evidence(result, pair.hypothesis)
        lost = [found[one.start : one.end].max() for one in tokens if one.end > one.start]
        if len(lost) == len(tokens):
            assert np.mean(lost) == pytest.approx(1 - result.parts["precision"], abs=1e-5)
