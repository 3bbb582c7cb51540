"""Extractive answers by a tiny random model, and by logits that are written down."""

from __future__ import annotations

import numpy as np
import pytest
from tokenizers import Tokenizer, processors

from core.backends import Backends
from core.backends.answerer import LONGEST, TransformerAnswerer, _best
from core.backends.registry import load_backends
from core.errors import OptionError
from core.metrics import find_metric
from core.types import TextPair

QUESTION, TEXT = "who came?", "yesterday the old man came home, and he slept."


@pytest.fixture(scope="module")
def tiny_reader(tiny_bert, tmp_path_factory):
    """A folder with a random BERT that points at answers; 64 positions, one token per character."""
    import torch
    from transformers import BertConfig, BertForQuestionAnswering, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("reader") / "tiny-reader"
    backend = Tokenizer.from_file(str(tiny_bert / "tokenizer.json"))
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    torch.manual_seed(5)
    config = BertConfig.from_pretrained(tiny_bert)
    BertForQuestionAnswering(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def answerer(tiny_reader):
    return TransformerAnswerer(str(tiny_reader))


def point(answerer, start, end, *, empty=-9.0):
    """Let the model point at the characters from `start` to `end` of every text, by their letters' places."""
    import torch

    def logits(input_ids, **_):
        ids = input_ids[0].tolist()
        first = ids.index(3) + 1
        starts, ends = torch.full((1, len(ids)), -5.0), torch.full((1, len(ids)), -5.0)
        starts[0, first + start], ends[0, first + end] = 4.0, 4.0
        starts[0, 0] = ends[0, 0] = empty
        return type("Said", (), {"start_logits": starts, "end_logits": ends})

    return logits


def test_the_best_span_has_the_largest_sum_and_is_in_order_and_inside():
    start = np.array([9.0, 1.0, 0.0, 3.0, 0.0])
    end = np.array([9.0, 4.0, 2.0, 0.0, 1.0])
    inside = np.array([False, True, True, True, True])
    assert _best(start, end, inside) == (5.0, (1, 1))  # 1 + 4; 3 + 4 would end before it starts
    assert _best(start, end, np.zeros(5, bool)) == (-np.inf, None)


def test_an_answer_has_a_length_at_most():
    start, end = np.zeros(80), np.zeros(80)
    start[0], end[79], end[LONGEST - 1] = 5, 5, 3
    assert _best(start, end, np.ones(80, bool)) == (8.0, (0, LONGEST - 1))


def test_the_place_is_that_of_the_text_and_not_of_the_tokens(answerer, monkeypatch):
    monkeypatch.setattr(answerer, "_model", point(answerer, 0, 2))
    (place,) = answerer.answer([("who?", "  old man")])
    assert "  old man"[slice(*place)] == "old"


def test_a_model_may_say_that_there_is_no_answer(answerer, monkeypatch):
    monkeypatch.setattr(answerer, "_model", point(answerer, 0, 2, empty=4.5))
    assert answerer.answer([("who?", "old man")]) == [None]


def test_an_answer_does_not_depend_on_its_neighbours_and_lies_in_the_text(answerer):
    pairs = [(QUESTION, TEXT), ("what?", "the cat"), (QUESTION, TEXT * 6), ("x" * 500, TEXT)]
    together = answerer.answer(pairs)
    assert together == [answerer.answer([pair])[0] for pair in pairs]
    for place, (_, text) in zip(together, pairs, strict=True):
        assert place is None or 0 <= place[0] < place[1] <= len(text)


def test_a_blank_text_has_no_answer(answerer):
    assert answerer.answer([(QUESTION, " "), (QUESTION, "")]) == [None, None]


def test_what_cannot_answer_questions_is_refused(tiny_bert, tmp_path):
    with pytest.raises(OptionError, match="was not trained to answer questions"):
        TransformerAnswerer(str(tiny_bert))
    with pytest.raises(OptionError, match="cannot be loaded here"):
        TransformerAnswerer(str(tmp_path))


@pytest.mark.embedded
@pytest.mark.slow
def test_mteqa_takes_its_answers_from_the_model_and_says_so(backends: Backends, tiny_reader):
    ready = load_backends()
    pair = TextPair(reference="The old man saw three cats.", hypothesis="The man saw 3 cats.", lang="en")
    settings = {"answers": "reader", "reader": str(tiny_reader)}
    prepared = find_metric("mteqa").prepare(settings, ready, [pair])
    assert "|answers:reader|" in prepared.signature
    assert "|reader:tiny-reader@" in prepared.signature
    result = prepared.score(pair)
    places = ready.answerer(str(tiny_reader)).answer(
        [(one.question, pair.hypothesis) for one in result.trace.asked]
    )
    assert [(one.given_start, one.given_end) for one in result.trace.asked] == [
        place or (-1, -1) for place in places
    ]
    with pytest.raises(OptionError, match="answers=reader needs a model"):
        find_metric("mteqa").prepare({"answers": "reader"}, ready, [pair])
