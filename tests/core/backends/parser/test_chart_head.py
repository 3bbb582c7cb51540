"""The shipped heads in numpy, beside benepar's own ChartParser and beside all trees of short sentences."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.backends.parser.benepar import WordPieces, load_head, new_parser, shipped_path
from core.backends.parser.chart_head import HeadParser, _trees
from core.backends.parser.text_parser import TextParser
from tests.core.backends.parser.test_parser_head import LetterEncoder, make_head, words


class Oracle:
    """Benepar's ChartParser with the weights of a head; a sentence at a time."""

    def __init__(self, head, encoder):
        import torch

        self.head, self.encoder, self.pieces = head, encoder, WordPieces(encoder)
        self.parser = new_parser(head.config, len(head.mean))
        state = {name: torch.from_numpy(value.astype(np.float32)) for name, value in head.state.items()}
        self.parser.load_state_dict(state)
        self.parser.eval()

    def chart(self, sentence):
        import torch

        read = self.pieces(sentence, None)
        ids = np.array([read["input_ids"]])
        hidden = (self.encoder.hidden_layers(ids, self.head.config.layers) - self.head.mean) / self.head.std
        self.parser.pretrained_model = lambda *_, **__: SimpleNamespace(
            last_hidden_state=torch.from_numpy(np.asarray(hidden, np.float32))
        )
        ends = torch.tensor([[*read["words_from_tokens"][:-1], ids.shape[1] - 1]])
        batch = {
            "input_ids": torch.from_numpy(ids),
            "words_from_tokens": ends,
            "attention_mask": torch.ones(ids.shape, dtype=torch.bool),
            "valid_token_mask": torch.ones(ends.shape, dtype=torch.bool),
        }
        with torch.no_grad():
            scores, _ = self.parser(batch)
            charts = self.parser.decoder.charts_from_pytorch_scores_batched(
                scores, torch.tensor([len(sentence)])
            )
        out = self.parser.decoder.compressed_output_from_chart(charts[0])
        return [
            row
            for row in zip(out.starts.tolist(), out.ends.tolist(), out.labels.tolist(), strict=True)
            if row[2]
        ]


def spans(chart):
    return list(zip(chart.starts.tolist(), chart.ends.tolist(), chart.labels.tolist(), strict=True))


def parsed(parser, sentences):
    return [spans(one) for one in parser.parse([SimpleNamespace(words=one) for one in sentences])]


SENTENCES = ["a b c", "a bc de f", "x", "cab bac aa b a", "b c a", "a b", "ab cd ef gh ij kl mn op qr st"]


def test_trees_are_those_of_benepar_with_the_same_weights():
    head, encoder = make_head(), LetterEncoder()
    sentences = [one.split() for one in SENTENCES]
    oracle = Oracle(head, encoder)
    assert parsed(HeadParser(head, encoder), sentences) == [oracle.chart(one) for one in sentences]


@pytest.mark.embedded
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_the_shipped_heads_give_benepars_trees_for_real_sentences(
    lang, backends, japanese_pairs, english_pairs
):
    from core.backends.encoder.transformer import TransformerEncoder

    head, encoder = load_head(shipped_path(lang)), TransformerEncoder("embedded")
    texts = [pair.reference for pair in {"ja": japanese_pairs, "en": english_pairs}[lang][:25]]
    read = backends.parser("dependency").parse(texts, lang=lang, constituents=False)
    sentences = []
    for one in read:
        ends = [*one.sentences[1:], len(one.words)]
        cut = [one.words[start:end] for start, end in zip(one.sentences, ends, strict=True)]
        sentences += [[word.text for word in some] for some in cut if len(some) <= head.config.max_words]
    assert len(sentences) >= 25
    oracle = Oracle(head, encoder)
    assert parsed(HeadParser(head, encoder), sentences) == [oracle.chart(one) for one in sentences]


def all_trees(start, end):
    """Every way to split a span in two, down to single words."""
    if end - start == 1:
        yield [(start, end)]
    for middle in range(start + 1, end):
        for left in all_trees(start, middle):
            yield from ([(start, end), *left, *right] for right in all_trees(middle, end))


@given(st.integers(1, 6), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_the_decoder_finds_the_tree_with_the_highest_sum(size, batch, seed):
    scores = np.random.default_rng(seed).normal(size=(batch, size, size, 4)).astype(np.float32)
    scores[..., 0] = 0
    for chart, own in zip(_trees(scores.copy()), scores, strict=True):

        def worth(span, own=own):
            values = own[span[0], span[1] - 1]
            return float(values[1:].max() if span == (0, size) else values.max())

        best = max(sum(map(worth, tree)) for tree in all_trees(0, size))
        found = spans(chart)
        assert sum(float(own[start, end - 1, label]) for start, end, label in found) == pytest.approx(best)
        assert found[0][:2] == (0, size)
        assert found == sorted(found, key=lambda one: (one[0], -one[1]))


class Counting:
    """A pipeline of dependencies that counts the texts it reads."""

    def __init__(self, pipelines):
        self.pipelines, self.read_texts = pipelines, []

    def __getattr__(self, name):
        return getattr(self.pipelines, name)

    def read(self, texts, name, lang):
        self.read_texts += texts
        return self.pipelines.read(texts, name, lang)


def test_a_text_is_read_once_for_dependencies_and_constituents():
    from core.backends.parser.spacy_pipelines import Pipelines

    counting = Counting(Pipelines())
    parser = TextParser("dependency", encoder=lambda: pytest.fail("needs no encoder"), pipelines=counting)
    texts = ["The cat sat.", "A dog ran."]
    dependencies = parser.parse(texts, lang="en", constituents=False)
    phrases = parser.parse([*texts, "It rains."], lang="en", constituents=True)
    assert counting.read_texts == [*texts, "It rains."]
    assert [one.words for one in phrases[:2]] == [one.words for one in dependencies]
    assert all(one.constituents for one in phrases)
    parser.parse(["It rains."], lang="en", constituents=False)
    assert len(counting.read_texts) == 3
    assert parser.parse(texts, lang="en", constituents=False) == dependencies


def test_no_sentence_gives_no_tree():
    assert HeadParser(make_head(), LetterEncoder()).parse([]) == []
    assert words("") == []
