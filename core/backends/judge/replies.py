"""What a language model replied: whether it is whole, follows its schema, and answers at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from core.errors import Wording
from core.types import CUT, EMPTY, OK, REFUSED, UNPARSED, Reply

REFUSALS = (
    "i can't",
    "i cannot",
    "i can not",
    "i'm sorry",
    "i am sorry",
    "i'm unable",
    "as an ai",
    "i won't",
    "申し訳ありません",
    "申し訳ございません",
    "お答えできません",
    "対応できません",
    "できかねます",
)


def read_reply(
    text: str, *, schema: Mapping[str, Any] | None, finish: str | None = "stop", refusal: str | None = None
) -> Reply:
    """A reply with its state: `ok` only where the text is whole and, with a schema, follows it."""
    if refusal or (not _objects(text) and text.strip().lower().startswith(REFUSALS)):
        return Reply(
            text=text or refusal or "", state=REFUSED, problem=Wording("The model refused to answer.")
        )
    if not text.strip():
        return Reply(text=text, state=EMPTY, problem=Wording("The model answered nothing."))
    if finish == "length":
        return Reply(text=text, state=CUT, problem=Wording("The reply was cut off at its limit of tokens."))
    if finish == "content_filter":
        return Reply(text=text, state=REFUSED, problem=Wording("The endpoint filtered the reply."))
    if schema is None:
        return Reply(text=text, state=OK)
    faults = [Wording("holds no JSON object")]
    for found in _objects(text):
        fault = _fault(found, schema)
        if fault is None:
            return Reply(text=text, state=OK, parsed=found)
        faults.append(fault)
    return Reply(text=text, state=UNPARSED, problem=Wording("The reply {fault}.", fault=faults[-1]))


def _objects(text: str) -> list[Any]:
    """The JSON objects in a text, fenced or among prose, those that begin first first."""
    return list(_decoded(text))


def _decoded(text: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        yield value
        at = text.find("{", end)


def _fault(value: object, schema: Mapping[str, Any]) -> Wording | None:
    """How a value departs from a JSON schema, without quoting the value; None where it follows it."""
    from jsonschema import Draft202012Validator

    error = next(iter(Draft202012Validator(schema).iter_errors(value)), None)
    if error is None:
        return None
    where = ".".join(map(str, error.absolute_path)) or Wording("its top")
    return Wording("does not follow the schema ({rule} at {where})", rule=error.validator, where=where)
