"""The engines of an encoder: equal numbers in float32, what falls back, and batches that are too large."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from core.assets import ROOT
from core.backends import Compute
from core.backends.encoder.openvino_engine import OpenVinoEngine, can_run, fastest_precision
from core.backends.encoder.torch_engine import TorchEngine, find_device
from core.backends.encoder.transformer import EMBEDDED, TransformerEncoder
from core.errors import OptionError
from core.scoring import Request, score_pairs
from core.signature import differences

TEXTS = ["吾輩は猫である。", "a", "the cat, the cat", "", "。" * 40, "猫" * 99]
_PROCESSORS = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
OPENVINO, TORCH = Compute(engine="openvino"), Compute(engine="torch")


@pytest.fixture(scope="module")
def tiny_xlmr(tiny_bert, tmp_path_factory):
    """A random XLM-R with BERT's tokenizer: its places begin after the padding's number."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    folder = tmp_path_factory.mktemp("encoder") / "tiny-xlmr"
    shutil.copytree(tiny_bert, folder)
    words = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    torch.manual_seed(2)
    config = XLMRobertaConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=70,
        type_vocab_size=1,
        pad_token_id=0,
        layer_norm_eps=1e-5,
    )
    XLMRobertaModel(config).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("model", ["tiny_bert", "tiny_xlmr"])
def test_openvino_gives_the_vectors_that_torch_gives_at_every_layer(model, request):
    folder = str(request.getfixturevalue(model))
    ours, theirs = (TransformerEncoder(folder, compute=one) for one in (OPENVINO, TORCH))
    assert list(ours.libraries) == ["unk", "openvino"]
    assert list(theirs.libraries) == ["unk", "transformers", "torch"]
    assert (ours.name, ours.fingerprint, ours.layers) == (theirs.name, theirs.fingerprint, theirs.layers)
    assert ours.max_tokens == theirs.max_tokens
    layers = list(range(ours.layers + 1))
    for one, other in zip(
        ours.encode_layers(TEXTS, layers=layers), theirs.encode_layers(TEXTS, layers=layers), strict=True
    ):
        for mine, its in zip(one, other, strict=True):
            assert np.allclose(mine.vectors, its.vectors, atol=2e-6, rtol=0)
            assert mine.tokens == its.tokens


def test_order_neighbours_and_batches_do_not_change_what_openvino_gives(tiny_bert):
    encoder = TransformerEncoder(str(tiny_bert), compute=OPENVINO)
    alone = {text: encoder.encode([text], layer=2)[0].vectors for text in TEXTS}
    for tokens in (1, 64, 4096):
        encoder.tokens_per_batch = tokens
        for texts in (TEXTS, TEXTS[::-1], TEXTS * 2):
            for text, read in zip(texts, encoder.encode(texts, layer=2), strict=True):
                assert np.allclose(read.vectors, alone[text], atol=1e-6, rtol=0)


@pytest.mark.embedded
@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bertscore", "sentence-cosine"])
def test_both_engines_agree_on_five_hundred_pairs(backends, japanese_pairs, english_pairs, metric):
    pairs = [*japanese_pairs[:250], *english_pairs[:250]]
    requests = [Request(metric, {"engine": one}) for one in ("openvino", "torch")]
    for ours, theirs in score_pairs(pairs, requests, backends):
        assert ours.score == pytest.approx(theirs.score, abs=1e-5)
        assert differences(ours.signature, theirs.signature)


@pytest.mark.embedded
@pytest.mark.slow
def test_bfloat16_moves_a_score_by_less_than_the_cards_say(backends, japanese_pairs, english_pairs):
    requests = [Request("bertscore", {"precision": one}) for one in ("float32", "bfloat16")]
    for exact, fast in score_pairs([*japanese_pairs[:50], *english_pairs[:50]], requests, backends):
        assert fast.score == pytest.approx(exact.score, abs=0.002)
        assert "enc:embedded@" in exact.signature
        assert "enc:embedded-bfloat16@" in fast.signature


SCRIPT = """
import sys
metric = sys.argv[1]
from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.types import TextPair
pair = TextPair(reference="猫がいた。", hypothesis="猫がいる。", lang="ja")
((result,),) = score_pairs([pair], [Request(metric)], load_backends())
print(round(result.score, 3), sorted({"torch", "transformers"} & set(sys.modules)))
"""


@pytest.mark.embedded
@pytest.mark.parametrize(
    "metric",
    ["bertscore", *(pytest.param(one, marks=pytest.mark.slow) for one in ("structure-con", "mteqa"))],
)
def test_a_run_with_the_embedded_encoder_imports_neither_torch_nor_transformers(metric):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, metric], cwd=ROOT, capture_output=True, text=True, check=True
    )
    score, modules = done.stdout.split(maxsplit=1)
    assert 0.5 < float(score) <= 1
    assert modules.strip() == "[]"


def changed(folder, **config):
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | config))


@pytest.mark.parametrize("fault", ["activation", "kind", "half", "no weights", "not here"])
def test_what_openvino_cannot_run_torch_runs_and_says_so(tiny_bert, tmp_path, monkeypatch, fault):
    import torch
    from transformers import BertModel

    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    if fault == "activation":
        changed(folder, hidden_act="silu")
    elif fault == "kind":
        changed(folder, position_embedding_type="relative_key", hidden_act="relu")
    elif fault == "half":
        BertModel.from_pretrained(folder).to(torch.float16).save_pretrained(folder)
    elif fault == "no weights":
        model = BertModel.from_pretrained(folder)
        (folder / "model.safetensors").unlink()
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    else:
        monkeypatch.setattr("core.backends.encoder.openvino_engine.installed", lambda: False)
    said: list[str] = []
    encoder = TransformerEncoder(str(folder), compute=OPENVINO, say=said.append)
    assert said[0] == f"OpenVINO cannot run {folder}; torch does."
    assert "torch" in encoder.libraries
    assert "openvino" not in encoder.libraries


@pytest.mark.parametrize("content", [b"", b"no tensors", b"\xff" * 40, b"\x02\0\0\0\0\0\0\0[]", None])
def test_damaged_weights_are_none_that_openvino_can_run(tiny_bert, tmp_path, content):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    config = SimpleNamespace(**json.loads((folder / "config.json").read_text("utf-8")))
    assert can_run(folder, config)
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert not can_run(folder, config)


class SmallDevice:
    """An engine whose memory holds eight tokens; a token's vector is its number in every layer."""

    libraries: dict[str, str] = {}  # noqa: RUF012
    tokens_per_batch = 1000

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def load(self, layers=()) -> None:
        """There is nothing to load."""

    def same_cut(self, ids):
        return True

    def forward(self, ids, layers):
        self.sizes.append(ids.size)
        if ids.size > 8:
            raise MemoryError("small")
        return [np.repeat(ids[:, :, None], 2, axis=2).astype(np.float32) for _ in layers]


def test_a_batch_that_is_too_large_for_the_device_is_halved_and_stays_so(tiny_bert, monkeypatch):
    encoder, device = TransformerEncoder(str(tiny_bert)), SmallDevice()
    monkeypatch.setattr(encoder, "_engine", device)
    encoder.tokens_per_batch = device.tokens_per_batch
    texts = [
        "猫犬",
        "犬猫",
        "a b",
        "b a",
        "猫猫",
        "犬犬",
        "a a",
        "b b",
    ]
    read = encoder.encode(texts, layer=1)
    for one in read:
        assert one.vectors[:, 0].tolist() == one.ids.tolist()
    assert device.sizes == [32, 16, 8, 8, 16, 8, 8]
    encoder.encode(texts, layer=1)
    assert device.sizes[7:] == [8, 8, 8, 8]
    assert encoder.tokens_run == 64


def test_one_text_that_is_too_large_for_the_device_is_an_error(tiny_bert, monkeypatch):
    encoder = TransformerEncoder(str(tiny_bert))
    monkeypatch.setattr(encoder, "_engine", SmallDevice())
    with pytest.raises(MemoryError):
        encoder.encode(["猫" * 20], layer=1)


def test_torchs_error_of_memory_is_understood(tiny_bert, monkeypatch):
    import torch

    engine = TorchEngine(str(tiny_bert))

    def full(**_):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(engine, "model", full)
    with pytest.raises(MemoryError, match="cpu"):
        engine.forward(np.array([[2, 3]]), [1])


def test_a_device_that_is_not_here_is_refused_and_auto_takes_a_card_where_there_is_one(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert find_device("auto") == find_device("cpu") == "cpu"
    with pytest.raises(OptionError, match="device=cuda: there is none here; choose device=cpu"):
        find_device("cuda")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert find_device("auto") == find_device("cuda") == "cuda"


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        (Compute(engine="onnx"), "engine=onnx is not possible; choose auto or openvino or torch"),
        (Compute(device="tpu"), "device=tpu is not possible; choose auto or cpu or cuda or mps"),
        (Compute(engine="openvino", device="cuda"), "engine=openvino runs on the processor"),
    ],
)
def test_a_computation_that_is_not_offered_is_refused(tiny_bert, compute, said):
    with pytest.raises(OptionError, match=said):
        TransformerEncoder(str(tiny_bert), compute=compute)


def test_the_first_berts_names_of_norms_are_understood(tiny_bert, tmp_path):
    from safetensors.numpy import load_file, save_file

    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    tensors = load_file(folder / "model.safetensors")
    for new, was in old.items():
        tensors = {f"{name.replace(new, was)}": value for name, value in tensors.items()}
    tensors = {f"bert.{name}": value for name, value in tensors.items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    ours = TransformerEncoder(str(folder), compute=OPENVINO).encode(TEXTS, layer=3)
    theirs = TransformerEncoder(str(tiny_bert)).encode(TEXTS, layer=3)
    for one, other in zip(ours, theirs, strict=True):
        assert np.allclose(one.vectors, other.vectors, atol=2e-6, rtol=0)


@pytest.mark.parametrize(("abilities", "format_"), [(["FP32", "BF16"], "bfloat16"), (["FP32"], "auto")])
def test_the_fastest_format_is_one_that_the_processor_has(monkeypatch, abilities, format_):
    import openvino

    class Core:
        def get_property(self, device, name):
            assert (device, name) == ("CPU", "OPTIMIZATION_CAPABILITIES")
            return abilities

    monkeypatch.setattr(openvino, "Core", Core)
    assert fastest_precision() == format_


def test_each_layers_graph_is_built_once(tiny_bert):
    config = SimpleNamespace(**json.loads((tiny_bert / "config.json").read_text("utf-8")))
    engine = OpenVinoEngine(tiny_bert, config)
    ids = np.array([[2, 5, 3]])
    first = engine.forward(ids, [2])[0]
    assert np.array_equal(engine.forward(ids, [2])[0], first)
    assert [one.shape for one in engine.forward(ids, [0, 3])] == [(1, 3, 32)] * 2
    assert list(engine._requests) == [(2,), (0, 3)]


@pytest.mark.embedded
@pytest.mark.skipif(len(_PROCESSORS) < 2, reason="needs two processors and Linux")
def test_the_thread_is_bound_to_no_processor_so_that_two_processes_can_share_the_machine(backends):
    encoder = backends.without_cache().encoder(EMBEDDED)
    encoder.encode(["warm"], layer=9)
    us, seen, done = threading.get_native_id(), set(), threading.Event()

    def look():
        while not done.is_set():
            seen.add(frozenset(os.sched_getaffinity(us)))

    looking = threading.Thread(target=look)
    looking.start()
    encoder.encode([f"{number} cats sat on the mat." for number in range(40)], layer=9)
    done.set()
    looking.join()
    assert seen == {frozenset(_PROCESSORS)}
