"""What is said to a language model and what comes back: small frozen values for a trace and a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

LETTERS_A_TOKEN = 4
"""How many letters of a Latin text make a token, roughly: for estimates before anything is asked."""

OK, UNPARSED, REFUSED, CUT, EMPTY, FAILED, SPENT = (
    "ok", "unparsed", "refused", "cut", "empty", "failed", "spent",
)  # fmt: skip
"""States of a reply: only `ok` may become a number. `spent`: the run's cap was reached, nothing was asked."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. role: `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is asked of a judge. Two with the same content are one call.

    schema: the JSON schema that the reply should follow, None for plain text. max_tokens: of the reply.
    sample: which of several independent replies to the same messages (0 the first): repeated sampling.
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 1024
    temperature: float = 0.0
    sample: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back.

    text: the raw reply, empty where there is none. parsed: the JSON object that it holds, None where no
    schema was given or none could be read. state: one of the words above. problem: why it is not `ok`, one
    sentence. prompt_tokens, completion_tokens: as the server counts them. cached: nothing was asked now.
    """

    text: str
    state: str
    parsed: Any = None
    problem: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A reply as a trace keeps it. step: what was asked for, such as `questions` or `mqm`."""

    step: str
    text: str
    state: str
    problem: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


def said(step: str, reply: Reply) -> Said:
    """A reply as a trace keeps it."""
    return Said(
        step=step,
        text=reply.text,
        state=reply.state,
        problem=reply.problem,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cached=reply.cached,
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a score still has to ask.

    now: calls that can be made at once. later: stand-ins for calls that depend on a reply, at most so many
    and so long; they are for an estimate and are never made.
    """

    now: tuple[Call, ...] = ()
    later: tuple[Call, ...] = ()


class CallStore(Protocol):
    """Where calls are kept for good, so that a re-run costs nothing and can be replayed offline."""

    def find(self, keys: Sequence[str]) -> dict[str, Reply]:
        """The kept replies among these keys."""
        ...

    def keep(self, key: str, model: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Keep a reply; safe from several threads."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run would cost at most, before anything is spent.

    calls: how many in all; new: those without a stored reply. prompt_tokens: of the new ones, counted
    roughly (a token per four letters or per Japanese character); completion_tokens: the most they may give.
    """

    calls: int
    new: int
    prompt_tokens: int
    completion_tokens: int
