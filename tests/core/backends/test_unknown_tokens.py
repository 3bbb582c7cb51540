"""Characters that the encoder does not know: variants first, then only their like."""

from __future__ import annotations

import numpy as np
import pytest

from core.codec import decode_trace, encode_trace
from core.metrics.bertscore.matching import apart, match
from core.metrics.bertscore.metric import visible
from core.scoring import Request, score_pairs
from core.text.japanese import other_forms
from core.types import TextPair, Token, TokenVectors

pytestmark = pytest.mark.embedded


def scored(backends, reference, hypothesis, metric="bertscore"):
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang="ja")
    return next(iter(score_pairs([pair], [Request(metric)], backends)))[0]


@pytest.mark.parametrize("metric", ["bertscore", "subspace", "bertscore-reading"])
def test_two_different_unknown_characters_are_not_the_same_word(backends, metric):
    result = scored(backends, "鱚が来た。", "檣が来た。", metric)
    assert result.score < 0.95
    assert "unknown-token" in result.flags


@pytest.mark.parametrize("metric", ["bertscore", "subspace", "bertscore-reading"])
def test_unknown_tokens_are_counted_and_marked_in_the_trace(backends, metric):
    result = scored(backends, "檣と鱚が来た。", "鱚が来た。", metric)
    assert (result.parts["unknown_reference"], result.parts["unknown_hypothesis"]) == (2, 1)
    again = decode_trace(encode_trace(result.trace))
    side = (again.base if metric == "bertscore-reading" else again).reference
    assert [visible(token) for token in side.tokens if token.unknown] == ["檣†", "鱚†"]
    assert "unknown_reference" not in scored(backends, "猫が来た。", "犬が来た。", metric).parts


@pytest.mark.parametrize("metric", ["bertscore", "subspace"])
def test_the_same_unknown_character_meets_itself(backends, metric):
    result = scored(backends, "檣が折れた。", "檣が折れた。", metric)
    assert result.score == pytest.approx(1, abs=1e-5)
    assert "unknown-token" in result.flags


@pytest.mark.parametrize(("old", "new"), [("澁谷へ行く。", "渋谷へ行く。"), ("鴎が来た。", "鷗が来た。")])
def test_a_variant_that_the_encoder_knows_is_read_in_its_place(backends, old, new):
    result = scored(backends, old, new)
    assert result.score == pytest.approx(1, abs=1e-5)
    assert "unknown-token" not in result.flags


def test_offsets_are_those_of_the_stored_text(backends):
    encoder = backends.encoder("embedded")
    (read,) = encoder.encode(["檣と鱚"], layer=encoder.default_layer)
    assert {read.tokens[place].start: char for place, char in read.unknown.items()} == {0: "檣", 2: "鱚"}


def test_other_forms_are_the_common_form_then_its_variants():
    assert other_forms("澁")[0] == "渋"
    assert "鷗" in other_forms("鴎")
    assert other_forms("猫") == ()


def test_unknown_tokens_have_nothing_in_common_with_others_by_hand():
    similarity = np.array([[1.0, 0.9, 0.8], [0.9, 1.0, 0.7], [0.8, 0.7, 1.0]], np.float32)
    apart(similarity, {0: "檣", 1: "鱚"}, {0: "鱚", 2: "駈"})
    by_hand = np.array([[0, 0, 0], [0.9, 0, 0], [0, 0.7, 0]], np.float32)
    assert np.array_equal(similarity, by_hand)


def test_blocks_of_long_texts_keep_unknown_tokens_apart(monkeypatch):
    rng = np.random.default_rng(1)
    tokens = tuple(Token(str(n), n, n + 1) for n in range(7))
    ids, vectors = np.arange(7), rng.normal(size=(7, 5)).astype(np.float32)
    first = TokenVectors(tokens, ids, vectors, unknown={1: "檣", 5: "鱚"})
    second = TokenVectors(tokens, ids, vectors[::-1].copy(), unknown={2: "鱚"})
    whole = match(first, second)
    monkeypatch.setattr("core.metrics.bertscore.matching.KEPT_CELLS", 10)
    monkeypatch.setattr("core.metrics.bertscore.matching.BLOCK_ROWS", 2)
    parts = match(first, second)
    assert parts.similarity is None
    assert np.array_equal(whole.rows.partner, parts.rows.partner)
    assert np.array_equal(whole.columns.cosine, parts.columns.cosine)
