"""Traces to JSON and back, with a format version; the score can be computed again from the decoded trace.

A trace is a frozen dataclass whose fields are numbers, strings, tokens, other dataclasses, tuples of these,
or numpy arrays. Arrays become nested lists with enough digits to restore the same float32 or float64.

A packed trace is the same JSON, compressed, and without what is only shown (`core.types.shown`): fields from
which no score is computed have fewer decimals. The score can still be computed again, to the last digit.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import types
import typing
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from core.errors import InputError
from core.metrics import TRACES
from core.text.files import LIMIT_BYTES
from core.types import DECIMALS, NAMED, WITHOUT, Result, Trace

FORMAT, PACKED = 1, 2
Json = Any


def encode_trace(trace: Trace) -> dict[str, Json]:
    """A JSON-ready dict `{"trace": class name, "format": 1, "data": …}`."""
    return {"trace": type(trace).__name__, "format": FORMAT, "data": _encode(trace)}


def pack_trace(trace: Trace) -> dict[str, Json]:
    """A JSON-ready dict `{"trace": class name, "format": 2, "packed": …}`, for a database.

    `packed`: the data as JSON, compressed by zlib, in base64. Its parts are those of `trace`.
    """
    return {"trace": type(trace).__name__, "format": PACKED, "packed": _packed(_encode(trace, packed=True))}


def decode_trace(document: Mapping[str, Json]) -> Trace:
    """The trace that `encode_trace` or `pack_trace` was given.

    Raises InputError for an unknown class, a newer format, and data that are damaged or another version's.
    """
    name, version = document.get("trace"), document.get("format")
    if name not in TRACES or version not in (FORMAT, PACKED):
        raise InputError(
            "A stored trace ({name}, format {version}) is not known to this version; update Yomikurabe.",
            name=name,
            version=version,
        )
    try:
        data = document["data"] if version == FORMAT else _unpacked(document["packed"])
        trace: Trace = _decode(TRACES[name], data)
    except (ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
        raise InputError("A stored trace ({name}) cannot be read; compute it again.", name=name) from error
    return trace


def pack(found: object) -> str:
    """Dataclasses, in tuples or mappings by name or alone, as compressed text."""
    return _packed(_encode(found))


def unpack(kind: Any, packed: str) -> Any:  # noqa: ANN401 - an instance of kind
    """What `pack` was given. kind: its type, such as `tuple[CastName, ...]`.

    Raises InputError for a text that is damaged or another version's.
    """
    try:
        return _decode(kind, _unpacked(packed))
    except (ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
        raise InputError("A stored analysis cannot be read; compute it again.") from error


def _packed(data: Json) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(packed: str) -> Json:
    """Raises ValueError for what is damaged, incomplete or too much: a few bytes can hold gigabytes."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(base64.b64decode(packed, validate=True), LIMIT_BYTES)
    if not unpacking.eof:
        raise ValueError("incomplete, or larger than the limit")
    return json.loads(data)


def encode_result(result: Result[Any], *, with_trace: bool = False) -> dict[str, Json]:
    """The line that the command line writes for a result, without its segment number."""
    line: dict[str, Json] = {
        "metric": result.metric,
        "score": result.score,
        "parts": dict(result.parts),
        "signature": result.signature,
        "flags": list(result.flags),
    }
    if result.missing is not None:
        line["missing"] = result.missing
    if with_trace and result.trace is not None:
        line["trace"] = encode_trace(result.trace)
    return line


def _encode(value: object, *, packed: bool = False) -> Json:
    """packed: with what a field's metadata say of packed traces."""
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _encode_named(getattr(value, field.name), packed=packed)
            if NAMED in field.metadata
            else _encode(
                _reduced(getattr(value, field.name), field.metadata if packed else {}), packed=packed
            )
            for field in dataclasses.fields(value)
        }
    if isinstance(value, tuple | list):
        return [_encode(item, packed=packed) for item in value]
    if isinstance(value, Mapping):
        return {key: _encode(item, packed=packed) for key, item in value.items()}
    return value


def _encode_named(traces: Sequence[Trace], *, packed: bool) -> Json:
    """Traces of any metric with the names of their classes."""
    return [{"trace": type(one).__name__, "data": _encode(one, packed=packed)} for one in traces]


def _reduced(value: Any, about: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any field's value
    """What a packed trace keeps of a field's value. about: the field's metadata."""
    if value is not None and DECIMALS in about:
        return np.round(value, about[DECIMALS])
    if WITHOUT in about:
        return dataclasses.replace(value, **dict.fromkeys(about[WITHOUT]))
    return value


def _encode_array(array: np.ndarray[Any, Any]) -> dict[str, Json]:
    """float32 is written with the shortest decimal that is that float32 again, not with float64's tail."""
    if array.dtype == np.float32:
        values = [float(text) for text in array.reshape(-1).astype("U32").tolist()]
    else:
        values = array.reshape(-1).tolist()
    return {"dtype": str(array.dtype), "shape": list(array.shape), "values": values}


def _decode(kind: Any, value: Json) -> Any:  # noqa: ANN401 - the field's own type
    if value is None:
        return None
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        (inner,) = [arm for arm in typing.get_args(kind) if arm is not type(None)]
        return _decode(inner, value)
    if origin is np.ndarray or kind is np.ndarray:
        return np.asarray(value["values"], value["dtype"]).reshape(value["shape"])
    if origin is typing.Literal:
        if value not in typing.get_args(kind):
            raise ValueError(f"{value!r} is not among {typing.get_args(kind)}")
        return value
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), value)
    if origin is not None and issubclass(origin, Mapping):
        return {key: _decode(typing.get_args(kind)[1], item) for key, item in value.items()}
    if kind is Trace:
        return _decode(TRACES[value["trace"]], value["data"])
    if dataclasses.is_dataclass(kind):
        hints = _hints(kind)  # type: ignore[arg-type]  # a class, no instance
        return kind(**{name: _decode(hints[name], item) for name, item in value.items()})  # type: ignore[operator]
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _decode_tuple(arms: tuple[Any, ...], value: list[Json]) -> tuple[Any, ...]:
    if len(arms) == 2 and arms[1] is Ellipsis:
        return tuple(_decode(arms[0], item) for item in value)
    return tuple(_decode(arm, item) for arm, item in zip(arms, value, strict=True))
