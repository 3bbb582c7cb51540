"""What is said to a language model: the prompts of `assets/prompts`, with people's texts fenced as data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from core.assets import ASSETS
from core.text.languages import well_formed
from core.types import Message

PROMPTS = ASSETS / "prompts"


@cache
def prompts(name: str) -> Mapping[str, Any]:
    """The prompts of a metric."""
    found: Mapping[str, Any] = json.loads((PROMPTS / f"{name}.json").read_text("utf-8"))
    return found


def prompt_fingerprint(name: str) -> str:
    """Eight characters that change with any word of the prompts: part of a signature."""
    return hashlib.sha256((PROMPTS / f"{name}.json").read_bytes()).hexdigest()[:8]


def fence(*texts: str) -> str:
    """A word that stands in none of the texts, the same for the same texts: calls can be repeated.

    What is between two lines with it is data, whatever it says.
    """
    salt = 0
    while True:
        digest = hashlib.sha256(json.dumps([salt, *texts]).encode("utf-8", "surrogatepass")).hexdigest()
        word = f"TEXT-{digest[:12]}"
        if not any(word in text for text in texts):
            return word
        salt += 1


def fenced(*texts: str) -> str:
    """Each text between two lines that hold one fence for all of them."""
    readable = [well_formed(text) for text in texts]
    word = fence(*readable)
    return "\n".join(f"{word}\n{text}\n{word}" for text in readable)


def conversation(system: str, shots: Sequence[tuple[str, object]], asked: str) -> tuple[Message, ...]:
    """A system line, worked examples as turns, and what is asked now."""
    turns = [
        message
        for said, reply in shots
        for message in (
            Message("user", said),
            Message("assistant", reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)),
        )
    ]
    return (Message("system", system), *turns, Message("user", asked))
