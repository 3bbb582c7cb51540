"""Traces to JSON and back, with a format version; the score can be computed again from the decoded trace.

A trace is a frozen dataclass whose fields are numbers, strings, tokens, other dataclasses, tuples of these,
or numpy arrays. Arrays become nested lists with enough digits to restore the same float32 or float64.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any

import numpy as np

from core.errors import InputError
from core.metrics import TRACES
from core.types import Result, Trace

FORMAT = 1
Json = Any


def encode_trace(trace: Trace) -> dict[str, Json]:
    """A JSON-ready dict `{"trace": class name, "format": 1, "data": …}`."""
    return {"trace": type(trace).__name__, "format": FORMAT, "data": _encode(trace)}


def decode_trace(document: Mapping[str, Json]) -> Trace:
    """The trace that `encode_trace` was given; InputError for an unknown class or a newer format."""
    name, version = document.get("trace"), document.get("format")
    if name not in TRACES or version != FORMAT:
        raise InputError(
            "A stored trace ({name}, format {version}) is not known to this version; update Yomikurabe.",
            name=name,
            version=version,
        )
    trace: Trace = _decode(TRACES[name], document["data"])
    return trace


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


def _encode(value: object) -> Json:
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _encode(item) for key, item in value.items()}
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
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), value)
    if origin is not None and issubclass(origin, Mapping):
        return {key: _decode(typing.get_args(kind)[1], item) for key, item in value.items()}
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{name: _decode(hints[name], item) for name, item in value.items()})  # type: ignore[operator]
    return value


def _decode_tuple(arms: tuple[Any, ...], value: list[Json]) -> tuple[Any, ...]:
    if len(arms) == 2 and arms[1] is Ellipsis:
        return tuple(_decode(arms[0], item) for item in value)
    return tuple(_decode(arm, item) for arm, item in zip(arms, value, strict=True))
