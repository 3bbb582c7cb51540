"""A tiny random BERT behind the real encoder: what holds for it holds for every model."""

import json
import pickle
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.backends.encoder.cache import CachedEncoder
from core.backends.encoder.transformer import TransformerEncoder
from core.backends.encoder.windows import window_plan
from core.errors import OptionError
from core.metrics.bertscore.metric import score
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

TEXTS = [
    "吾輩は猫である。",
    "名前はまだ無い。",
    "a",
    "the cat, the cat",
    "日本語の小説を読む",
    "",
    "。" * 40,
    "猫" * 61,
]


@pytest.fixture(scope="module")
def encoder(tiny_bert):
    return TransformerEncoder(str(tiny_bert))


def same(first, second):
    return np.allclose(first.vectors, second.vectors, atol=1e-6, rtol=0)


def test_order_neighbours_and_batches_do_not_change_the_vectors(encoder, monkeypatch):
    alone = {text: encoder.encode([text], layer=2)[0] for text in TEXTS}
    for tokens_per_batch in (1, 64, 4096):
        monkeypatch.setattr(encoder, "tokens_per_batch", tokens_per_batch)
        for texts in (TEXTS, TEXTS[::-1], TEXTS * 2):
            for text, vectors in zip(texts, encoder.encode(texts, layer=2), strict=True):
                assert same(vectors, alone[text])


def test_a_cached_vector_is_the_vector(encoder):
    cached = CachedEncoder(encoder)
    first = cached.encode(TEXTS, layer=2)
    run = encoder.tokens_run
    again = cached.encode(TEXTS[::-1], layer=2)[::-1]
    assert all(one is other for one, other in zip(first, again, strict=True))
    assert encoder.tokens_run == run


def test_several_layers_come_from_one_reading_and_are_to_the_last_bit_those_of_each_layer(tiny_bert):
    fresh = TransformerEncoder(str(tiny_bert))
    together = fresh.encode_layers(TEXTS, layers=[3, 0, 2])
    run = fresh.tokens_run
    for layer, found in zip([3, 0, 2], together, strict=True):
        for one, alone in zip(found, fresh.encode(TEXTS, layer=layer), strict=True):
            assert np.array_equal(one.vectors, alone.vectors)
    assert fresh.tokens_run == 4 * run
    with pytest.raises(OptionError, match="has layers 0 to 3"):
        fresh.encode_layers(TEXTS, layers=[1, 4])


def test_a_model_that_ends_with_a_norm_is_read_once_for_each_layer(tiny_bert, monkeypatch):
    fresh = TransformerEncoder(str(tiny_bert))
    monkeypatch.setattr(fresh, "_same_cut", False)
    together = fresh.encode_layers(TEXTS, layers=[1, 2])
    assert np.array_equal(together[0][0].vectors, fresh.encode(TEXTS[:1], layer=1)[0].vectors)
    assert fresh.tokens_run > 2 * sum(map(len, TEXTS))


def test_the_cache_asks_only_for_the_layers_and_texts_that_it_lacks():
    inner = FakeEncoder({"<s>": (1, 0), "</s>": (0, 1), "a": (1, 1), "b": (1, 2)})
    cached = CachedEncoder(inner)
    cached.encode(["a"], layer=0)
    (low, high) = cached.encode_layers(["b", "a", "b"], layers=[0, 1])
    assert inner.calls == [["a"], ["b", "a"]]
    assert low[0] is low[2]
    assert high[1] is cached.encode(["a"], layer=1)[0]
    cached.encode_layers(["a", "b"], layers=[1, 0])
    assert len(inner.calls) == 2


def test_the_cache_asks_for_each_distinct_text_once_and_stays_within_its_bytes():
    inner = FakeEncoder({"<s>": (1, 0), "</s>": (0, 1), "a": (1, 1), "b": (1, 2)})
    cached = CachedEncoder(inner, max_bytes=3000)
    cached.encode(["a", "b", "a"], layer=1)
    assert inner.calls == [["a", "b"]]
    for count in range(20):
        cached.encode(["a " * count], layer=1)
        assert cached.nbytes <= 3000


def test_layers_and_long_modes_are_part_of_the_cache_key(encoder):
    cached = CachedEncoder(encoder)
    one, other = (cached.encode(["猫"], layer=layer)[0] for layer in (1, 2))
    assert not same(one, other)
    assert len(cached.encode(["猫" * 99], layer=1, long="truncate")[0].ids) == 64
    assert len(cached.encode(["猫" * 99], layer=1, long="window")[0].ids) == 101


def test_the_first_layers_give_what_all_layers_give(encoder):
    import torch

    ids = torch.from_numpy(encoder.ids(["吾輩は猫である。"])[0])[None]
    with torch.inference_mode():
        hidden = encoder._engine.model(input_ids=ids, output_hidden_states=True).hidden_states
    for layer in range(encoder.layers + 1):
        ours = encoder.encode(["吾輩は猫である。"], layer=layer)[0].vectors
        assert np.allclose(ours, hidden[layer][0].numpy(), atol=1e-6)


@pytest.mark.parametrize(
    "text", ["  吾輩\u3000は猫 ", "𠮷野の猫", "Ｃａｔｓ ２０２４", "が", "👩‍💻 cat", "猫\u2028犬\r\n鳥"]
)
def test_offsets_point_into_the_stored_text(encoder, text):
    for token in encoder.encode([text], layer=1)[0].tokens:
        if not token.special and token.text != "[UNK]":
            assert text[token.start : token.end].strip()
        assert 0 <= token.start <= token.end <= len(text)


def test_special_tokens_typed_by_a_person_are_text(encoder):
    tokens = encoder.encode(["猫 [SEP] [CLS] 犬"], layer=1)[0].tokens
    assert [token.text for token in tokens if token.special] == ["[CLS]", "[SEP]"]
    assert len(tokens) > 10


def test_an_unknown_token_typed_by_a_system_stays_one_token(encoder):
    tokens = encoder.encode(["a [UNK] b"], layer=1)[0].tokens
    assert [(token.text, token.special) for token in tokens[1:-1]] == [
        ("a", False),
        ("[UNK]", False),
        ("b", False),
    ]


def test_a_long_text_is_read_in_windows_and_loses_nothing(encoder):
    long = encoder.encode(["吾輩は猫である。" * 20], layer=2)[0]
    assert long.flags == ("windowed",)
    assert len(long.tokens) == 160 + 2
    assert np.isfinite(long.vectors).all()
    assert (long.lengths > 0).all()


def test_truncation_keeps_the_front_and_counts_the_lost_characters(encoder):
    text = "猫" * 70 + "犬"
    cut = encoder.encode([text], layer=2, long="truncate")[0]
    assert cut.flags == ("truncated",)
    assert cut.lost == 71 - 62
    assert same(cut, encoder.encode(["猫" * 62], layer=2)[0])


def test_different_tails_after_the_limit_change_a_windowed_score_but_not_a_truncated_one(encoder):
    pair = TextPair(reference="猫" * 62 + "山川町", hypothesis="猫" * 62 + "見聞書", lang="ja")
    truncated = score(pair, encoder=encoder, layer=3, long="truncate")
    windowed = score(pair, encoder=encoder, layer=3)
    assert truncated.score == pytest.approx(1)
    assert truncated.parts["lost_hypothesis"] == 3
    assert windowed.score < 0.999


@given(st.integers(1, 3000), st.integers(4, 510))
def test_windows_cover_every_token_once_and_overlap_by_a_quarter(tokens, room):
    plan = window_plan(tokens, room)
    assert [first for _, first, _ in plan] == [0, *(end for _, _, end in plan[:-1])]
    assert plan[-1][2] == tokens
    for start, first, end in plan:
        assert start <= first < end <= start + room
    for (left, _, _), (right, _, _) in pairwise(plan):
        assert left + room - right >= room // 4


@pytest.mark.parametrize("layer", [-1, 4, 99])
def test_a_layer_that_is_not_there_is_refused(encoder, layer):
    with pytest.raises(OptionError, match="tiny-bert has layers 0 to 3"):
        encoder.encode(["a"], layer=layer)


def test_a_folder_that_holds_no_model_is_refused_in_one_sentence(tmp_path):
    with pytest.raises(OptionError, match="cannot be loaded here; give a folder"):
        TransformerEncoder(str(tmp_path))


class Bomb:
    """What makes a file when it is unpickled."""

    def __init__(self, file):
        self.file = file

    def __reduce__(self):
        return Path.touch, (self.file,)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pytorch_model.bin", None),
        ("pytorch_model.bin", b"\x80\x02abc"),
        ("pytorch_model.bin", b"PK\x03\x04abc"),
        ("pytorch_model.bin", b""),
        ("model.safetensors", b"no tensors"),
        ("model.safetensors", b""),
        ("config.json", b'{"model_type": "bert", "hidden_size": "wide"}'),
        ("tokenizer.json", b"[]"),
    ],
    ids=["bomb", "pickle", "zip", "empty", "no-tensors", "empty-tensors", "config", "tokenizer"],
)
def test_files_that_are_no_model_are_refused_in_one_sentence_and_never_run(
    tiny_bert, tmp_path, name, content
):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    if name == "pytorch_model.bin":
        (folder / "model.safetensors").unlink()
    bomb = pickle.dumps(Bomb(tmp_path / "boom"), protocol=2)
    (folder / name).write_bytes(bomb if content is None else content)
    with pytest.raises(OptionError, match="cannot be loaded here; give a folder"):
        TransformerEncoder(str(folder))
    assert not (tmp_path / "boom").exists()


def test_a_model_with_code_of_its_own_is_refused_and_nobody_is_asked(tiny_bert, tmp_path, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("asked on the terminal"))
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text(f"open({str(tmp_path / 'boom')!r}, 'w')")
    with pytest.raises(OptionError, match="cannot be loaded here; give a folder"):
        TransformerEncoder(str(folder))
    assert not (tmp_path / "boom").exists()


def test_the_build_of_a_library_is_no_part_of_its_version(tiny_bert, monkeypatch):
    versions = {"torch": "2.13.0+cpu", "transformers": "5.24.0"}
    monkeypatch.setattr("core.backends.encoder.torch_engine.version", versions.__getitem__)
    again = TransformerEncoder(str(tiny_bert))
    assert again.libraries == {"unk": "apart", "torch": "2.13.0", "transformers": "5.24.0"}


def test_one_encoder_serves_many_threads(encoder):
    from concurrent.futures import ThreadPoolExecutor

    alone = {text: encoder.encode([text], layer=2)[0] for text in TEXTS}
    with ThreadPoolExecutor(8) as pool:
        for text, read in zip(
            TEXTS * 8, pool.map(lambda t: encoder.encode([t], layer=2)[0], TEXTS * 8), strict=True
        ):
            assert same(read, alone[text])
