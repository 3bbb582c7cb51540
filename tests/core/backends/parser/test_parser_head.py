from types import SimpleNamespace

import numpy as np
import pytest

from core.backends.encoder.transformer import TransformerEncoder
from core.backends.parser.benepar import (
    PIECES_PER_WORD,
    ChartTrees,
    Head,
    HeadConfig,
    WordPieces,
    _special_tokens_as_before,
    load_head,
    new_parser,
    save_head,
    shipped_path,
)
from core.backends.parser.chart_head import HeadParser
from core.backends.parser.text_parser import TextParser, built_in_trees
from core.errors import FileError, UnavailableError
from core.types import Constituent, ParsedWord

WIDTH = 8


class LetterEncoder:
    """A token a letter; a vector is the letter's own, with a little of all others in the text."""

    name, fingerprint, max_tokens = "letters", "abcdef123456", 60

    def __init__(self):
        self.shapes = []

    def word_ids(self, words):
        return [[ord(letter) for letter in word] for word in words]

    def edge_ids(self):
        return [0], [1]

    def hidden_layers(self, ids, layers):
        assert ids.min() >= 0  # no padding
        self.shapes.append(ids.shape)
        own = np.sin(ids[..., None] * np.arange(1, WIDTH + 1)).astype(np.float32)
        return own + 0.1 * own.mean(1, keepdims=True)


def make_head():
    import torch

    torch.manual_seed(1)
    config = HeadConfig(
        lang="en",
        encoder="abcdef123456",
        layers=(1,),
        labels=("NP", "S::VP"),
        d_model=32,
        d_ff=16,
        d_label=8,
        max_words=10,
    )
    state = {name: value.numpy() for name, value in new_parser(config, WIDTH).state_dict().items()}
    return Head(config, np.zeros(WIDTH, np.float32), np.ones(WIDTH, np.float32), state)


def words(text):
    made, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        made.append(
            ParsedWord(text=word, start=at, end=at + len(word), lemma="", tag="", pos="", head=0, relation="")
        )
        at += len(word)
    return made


@pytest.fixture(scope="module")
def letters():
    encoder = LetterEncoder()
    return encoder, built_in_trees(HeadParser(make_head(), encoder), encoder, 10)


def test_a_head_is_the_same_after_its_file(tmp_path):
    made = make_head()
    save_head(made, tmp_path / "a")
    save_head(load_head(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    read = load_head(tmp_path / "a")
    assert read.config == made.config
    assert len(read.digest) == 8


def test_a_head_of_another_encoder_is_refused_with_both_fingerprints():
    encoder = LetterEncoder()
    encoder.fingerprint = "000000000000"
    with pytest.raises(UnavailableError, match=r"abcdef123456.*letters is 000000000000"):
        HeadParser(make_head(), encoder)


@pytest.mark.parametrize("content", [b"", b"not a head", b"\x80\x04K\x01."])
def test_a_file_that_is_no_head_is_refused(tmp_path, content):
    path = tmp_path / "parser"
    path.write_bytes(content)
    with pytest.raises(FileError, match="is not a parser head"):
        load_head(path)
    with pytest.raises(FileError, match="cannot be read"):
        load_head(tmp_path / "missing")


def test_a_word_is_its_last_piece_and_a_long_one_is_read_from_its_end():
    pieces = WordPieces(LetterEncoder())
    assert pieces(["ab", "c"], None) == {"input_ids": [0, 97, 98, 99, 1], "words_from_tokens": [0, 2, 3, 4]}
    assert len(pieces(["x" * 99], None)["input_ids"]) == PIECES_PER_WORD + 2


def test_no_padding_reaches_the_encoder_and_no_neighbour_changes_a_tree(letters):
    encoder, trees = letters
    sentences = [words(text) for text in ("a b c", "a bc de f", "x", "cab bac aa b a", "b c a")]
    together = trees.trees(sentences)
    assert together == [trees.trees([one])[0] for one in sentences]
    assert together == trees.trees(sentences[::-1])[::-1]
    assert all(rows * length > 0 for rows, length in encoder.shapes)


def test_constituents_are_nested_and_chains_taken_apart(letters):
    found, cut = letters[1].trees([words("a b c d e f")])[0]
    assert not cut
    assert found[0].parent == -1
    assert {"NP", "S", "VP"} >= {one.label for one in found}
    for place, one in enumerate(found):
        assert one.parent < place
        above = found[place - 1]
        if one.label == "VP" and above.label == "S":
            assert (one.start, one.end, one.parent) == (above.start, above.end, place - 1)


def test_a_long_sentence_is_cut_behind_its_last_mark_or_anywhere(letters):
    trees = letters[1]
    assert trees._cut(words("a b c d e f , g h i j k l")) == [(0, 7), (7, 13)]
    assert trees._cut(words("a " * 23)) == [(0, 10), (10, 20), (20, 23)]
    assert trees._cut(words("a b c d e , f g h i j")) != [(0, 11)]
    assert trees._cut(words("abcdefghijklmnopqrst " * 4)) == [(0, 2), (2, 4)]  # 58 pieces fit
    assert trees._cut(words("a b")) == [(0, 2)]
    found, cut = trees.trees([words("a " * 23)])[0]
    assert cut
    assert [one.end for one in found if one.parent == -1] == [10, 20, 23]


def test_benepars_spans_become_constituents():
    chart = SimpleNamespace(
        starts=np.array([0, 0, 1, 1, 2]), ends=np.array([3, 1, 3, 2, 3]), labels=np.array([2, 0, 2, 0, 1])
    )
    parser = SimpleNamespace(label_vocab={"": 0, "NP": 1, "S::VP": 2}, parse=lambda *_, **__: [chart])
    trees = ChartTrees(parser, costs=lambda some: [1] * len(some), max_words=9, max_pieces=9)
    assert trees.trees([words("a b c")])[0][0] == [
        Constituent("S", 0, 3, -1),
        Constituent("VP", 0, 3, 0),
        Constituent("S", 1, 3, 1),
        Constituent("VP", 1, 3, 2),
        Constituent("NP", 2, 3, 3),
    ]


@pytest.mark.slow
def test_several_layers_are_the_layers_side_by_side(tiny_bert):
    encoder = TransformerEncoder(str(tiny_bert))
    read = encoder.encode(["the cat"], layer=2)[0]
    hidden = encoder.hidden_layers(read.ids[None], [2, 0])
    assert hidden.shape == (1, len(read.ids), 64)
    assert np.allclose(hidden[0, :, :32], read.vectors, atol=1e-6)
    assert np.allclose(hidden[0, :, 32:], encoder.encode(["the cat"], layer=0)[0].vectors, atol=1e-6)
    before, after = encoder.edge_ids()
    pieces = encoder.word_ids(["the", "cat", "\x07", ""])
    assert [*before, *pieces[0], *pieces[1], *after] == read.ids.tolist()
    assert [len(one) for one in pieces] == [3, 3, 1, 1]


def test_a_benepar_model_of_the_users_is_read_from_its_file(tiny_bert, tmp_path):
    import torch
    from benepar.nkutil import HParams
    from benepar.parse_chart import ChartParser

    hparams = HParams(
        use_pretrained=True, pretrained_model=str(tiny_bert), use_chars_lstm=False, use_encoder=True,
        predict_tags=False, force_root_constituent=True, encoder_max_len=64, d_model=32, num_layers=1,
        num_heads=4, d_kv=8, d_ff=16, d_label_hidden=8, morpho_emb_dropout=0.0, attention_dropout=0.0,
        residual_dropout=0.0, relu_dropout=0.0,
    )  # fmt: skip
    with _special_tokens_as_before():
        made = ChartParser({"UNK": 0}, {"": 0, "S": 1, "NP": 2}, None, hparams)
    path = tmp_path / "mine.pt"
    torch.save({"config": made.config, "state_dict": made.state_dict()}, path)
    parser = TextParser(str(path), encoder=lambda: pytest.fail("needs no encoder of ours"))
    parse = parser.parse(["I saw a girl — “twice”."], lang="en", constituents=True)[0]
    assert parse.origin == "mine.pt"
    assert (parse.constituents[0].start, parse.constituents[0].end) == (0, len(parse.words))
    assert parser.signature("en", constituents=True).startswith("mine.pt-")
    long = parser.parse(["very " * 100], lang="en", constituents=True)[0]
    assert long.flags == ("cut-parse",)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_shipped_heads_are_small_and_know_their_language(lang):
    path = shipped_path(lang)
    assert path.stat().st_size < 6_000_000
    assert load_head(path).config.lang == lang
