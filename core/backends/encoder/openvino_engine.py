"""BERT's layers in OpenVINO, built from the weights of a folder: neither torch nor transformers is imported.

The graph is put together from `model.safetensors` in a fraction of a second, up to the highest layer that is
asked for, so that any layer comes from the one file. Of the large table of word vectors only the rows of
words that occur are read.

What it computes is BERT (Devlin et al., 2019) as transformers has it: post-norm layers, softmax attention
over the whole text, GELU.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.encoder.engines import Layers
from core.backends.environment import threads

WEIGHTS = "model.safetensors"
HINTS = {"float32": "f32", "bfloat16": "bf16"}
TOKENS_PER_BATCH = {"float32": 1024, "bfloat16": 2048}  # more does not fit a core's cache
PREFIXES = {"bert": "bert.", "roberta": "roberta.", "xlm-roberta": "roberta."}
GELU = {"gelu": "erf", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
SIZES = ("num_attention_heads", "num_hidden_layers", "hidden_size")
LAYER_PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
)
LARGEST_HEADER = 100_000_000  # of the format's own limit


def installed() -> bool:
    """Whether OpenVINO is here; it is not imported for this."""
    return find_spec("openvino") is not None


def fastest_precision() -> str:
    """`bfloat16` where this processor has instructions for it, else `auto`: it would be no faster."""
    if not installed():
        return "bfloat16"
    import openvino

    able = "BF16" in openvino.Core().get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    return "bfloat16" if able else "auto"


class Weights:
    """The float32 tensors of a safetensors file by name, mapped and not read.

    Raises ValueError and OSError for a damaged file; KeyError for tensors that are not there in float32.
    """

    def __init__(self, path: Path, prefix: str) -> None:
        with path.open("rb") as file:
            (size,) = struct.unpack("<Q", file.read(8).ljust(8, b"\0"))
            if size > LARGEST_HEADER:
                raise ValueError("no safetensors file")
            header: dict[str, Any] = json.loads(file.read(size))
        self._path, self._start = path, 8 + size
        known = {name: about for name, about in header.items() if name != "__metadata__"}
        own = any(name.startswith(prefix) for name in known)
        self._tensors = {
            _today(name.removeprefix(prefix) if own else name): one for name, one in known.items()
        }

    def __call__(self, name: str) -> NDArray[np.float32]:
        """The tensor of this name."""
        offset, shape = self._place(name)
        return np.memmap(self._path, np.dtype("<f4"), "c", offset, shape)  # OpenVINO takes nothing read-only

    def rows(self, name: str) -> Rows:
        """The rows of a matrix, read one by one: a mapped file would bring their neighbours with them."""
        offset, (_, width) = self._place(name)
        return Rows(self._path, offset, width)

    def _place(self, name: str) -> tuple[int, tuple[int, ...]]:
        about = self._tensors[name]
        if about["dtype"] != "F32":
            raise KeyError(name)
        return self._start + int(about["data_offsets"][0]), tuple(map(int, about["shape"]))


class Rows:
    """The rows of a float32 matrix in a file, `width` numbers each from `offset` on. For one thread."""

    def __init__(self, path: Path, offset: int, width: int) -> None:
        self._file = path.open("rb", buffering=0)
        self._offset, self._width = offset, width

    def __getitem__(self, places: NDArray[np.int64]) -> NDArray[np.float32]:
        """The rows at these places, of any shape -> (…, width)."""
        distinct, inverse = np.unique(places, return_inverse=True)
        table = np.empty((len(distinct), self._width), "<f4")
        for row, place in zip(table, distinct.tolist(), strict=True):
            self._file.seek(self._offset + place * row.nbytes)
            row[:] = np.frombuffer(self._file.read(row.nbytes), "<f4")
        return table[inverse.reshape(places.shape)]


def _today(name: str) -> str:
    """The first BERT models call the parts of a norm gamma and beta."""
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def can_run(folder: Path, config: Any) -> bool:
    """Whether the model is one of those that are built here, with all its weights in one file of float32."""
    kind = getattr(config, "model_type", "")
    usual = (
        kind in PREFIXES
        and all(hasattr(config, name) for name in SIZES)
        and (kind == "bert" or isinstance(getattr(config, "pad_token_id", None), int))
        and getattr(config, "hidden_act", "gelu") in GELU
        and getattr(config, "position_embedding_type", None) in (None, "absolute")
        and not getattr(config, "is_decoder", False)
    )
    if not usual or not installed() or not (folder / WEIGHTS).is_file():
        return False
    try:
        weights = Weights(folder / WEIGHTS, PREFIXES[kind])
        for name in _needed(int(config.num_hidden_layers)):
            weights(name)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return False
    return True


def _needed(layers: int) -> Iterator[str]:
    yield from (f"embeddings.{kind}_embeddings.weight" for kind in ("word", "position", "token_type"))
    norms = ["embeddings.LayerNorm"]
    norms += [f"encoder.layer.{number}.{part}" for number in range(layers) for part in LAYER_PARTS]
    yield from (f"{part}.{kind}" for part in norms for kind in ("weight", "bias"))


class OpenVinoEngine:
    """An encoder's layers on the processor. precision: `float32` or `bfloat16`, of the multiplications."""

    def __init__(self, folder: Path, config: Any, *, precision: str = "float32") -> None:
        self._weights = Weights(folder / WEIGHTS, PREFIXES[config.model_type])
        self._config, self._precision = config, precision
        self.tokens_per_batch = TOKENS_PER_BATCH[precision]
        self._requests: dict[tuple[int, ...], Any] = {}
        self.libraries = {"openvino": version("openvino").partition("-")[0]}
        offset = 0 if config.model_type == "bert" else int(config.pad_token_id) + 1
        self._words = self._weights.rows("embeddings.word_embeddings.weight")
        self._places = self._weights("embeddings.position_embeddings.weight")[offset:]
        self._kind = self._weights("embeddings.token_type_embeddings.weight")[0]

    def load(self, layers: Sequence[int] = ()) -> None:
        """Build the graph of these layers, unless it is there."""
        if layers:
            self._request(tuple(layers))

    def same_cut(self, ids: NDArray[np.int64]) -> bool:
        """Always: no norm comes after the last layer."""
        return True

    def forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        """See `Engine.forward`."""
        request = self._request(tuple(layers))
        summed = self._words[ids] + self._kind + self._places[: ids.shape[1]]
        request.infer({0: np.ascontiguousarray(summed, np.float32)}, share_inputs=True)
        return [np.array(request.get_output_tensor(place).data, np.float32) for place in range(len(layers))]

    def _request(self, layers: tuple[int, ...]) -> Any:
        if layers not in self._requests:
            import openvino

            hints: dict[str, Any] = {
                "INFERENCE_PRECISION_HINT": HINTS[self._precision],
                "NUM_STREAMS": 1,
                "ENABLE_CPU_PINNING": False,  # else two processes bind their threads to the same core
            }
            if count := threads():
                hints["INFERENCE_NUM_THREADS"] = count
            graph = _Graph(self._weights, self._config).model(layers)
            self._requests[layers] = openvino.Core().compile_model(graph, "CPU", hints).create_infer_request()
        return self._requests[layers]


class _Graph:
    """BERT after the lookup of its vectors, as an OpenVINO model."""

    def __init__(self, weights: Weights, config: Any) -> None:
        from openvino import opset13

        self._op, self._weights = opset13, weights
        self._heads, self._width = int(config.num_attention_heads), int(config.hidden_size)
        self._eps = float(getattr(config, "layer_norm_eps", 1e-12))
        self._gelu = GELU[getattr(config, "hidden_act", "gelu")]

    def model(self, layers: Sequence[int]) -> Any:
        """(batch, n, d) sums of word, place and kind -> (batch, n, d) for each of the layers."""
        import openvino

        given = self._op.parameter([-1, -1, self._width], np.float32)
        states = list(self._states(given, max(layers)))
        return openvino.Model([self._op.result(states[layer]) for layer in layers], [given])

    def _states(self, given: Any, top: int) -> Iterator[Any]:
        state = self._norm(given, "embeddings.LayerNorm")
        yield state
        for number in range(top):
            part = f"encoder.layer.{number}"
            read = self._attention(state, f"{part}.attention.self")
            state = self._norm(
                self._op.add(self._linear(read, f"{part}.attention.output.dense"), state),
                f"{part}.attention.output.LayerNorm",
            )
            wide = self._op.gelu(self._linear(state, f"{part}.intermediate.dense"), self._gelu)
            state = self._norm(
                self._op.add(self._linear(wide, f"{part}.output.dense"), state), f"{part}.output.LayerNorm"
            )
            yield state

    def _constant(self, name: str) -> Any:
        return self._op.constant(self._weights(name), shared_memory=True)

    def _linear(self, state: Any, name: str) -> Any:
        product = self._op.matmul(state, self._constant(f"{name}.weight"), False, True)
        return self._op.add(product, self._constant(f"{name}.bias"))

    def _norm(self, state: Any, name: str) -> Any:
        centred = self._op.mvn(state, self._op.constant([-1], np.int64), True, self._eps, "INSIDE_SQRT")
        scaled = self._op.multiply(centred, self._constant(f"{name}.weight"))
        return self._op.add(scaled, self._constant(f"{name}.bias"))

    def _attention(self, state: Any, name: str) -> Any:
        size = self._width // self._heads
        shape = self._op.constant([0, 0, self._heads, size], np.int64)
        turned = self._op.constant([0, 2, 1, 3], np.int64)
        queries, keys, values = (
            self._op.transpose(self._op.reshape(self._linear(state, f"{name}.{part}"), shape, True), turned)
            for part in ("query", "key", "value")
        )
        read = self._op.scaled_dot_product_attention(queries, keys, values, causal=False)
        joined = self._op.constant([0, 0, self._width], np.int64)
        return self._op.reshape(self._op.transpose(read, turned), joined, True)
