"""A language model behind any endpoint that speaks OpenAI's chat protocol, with a memory and a cap."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import replace
from typing import Any

from core.backends import Progress, silent
from core.backends.judge.judge_run import CAP, Cap, JudgeRun, Spending, prompt_tokens
from core.backends.judge.replies import read_reply
from core.backends.judge.settings import JudgeSettings
from core.errors import UnavailableError, YomikurabeError
from core.judging import FAILED, OK, SPENT, Call, CallStore, Estimate, Reply
from core.text.languages import well_formed

SEED = 7
AT_ONCE = 4
TIMEOUT = 60.0  # seconds for one reply
RETRIES = 4  # of the library's own, with back-off, on 429, 5xx and broken connections
KEPT = frozenset({OK, "unparsed", "refused", "cut", "empty"})
"""What is kept for good: what the model said. A failed call is asked again."""


class OpenAIJudge:
    """Asks with a JSON schema where the server takes one, else in plain text. Safe for threads.

    Equal calls are made once, also when two runs ask at the same time. timeout: seconds for one reply.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        store: CallStore,
        *,
        cap: Cap = CAP,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
        at_once: int = AT_ONCE,
    ) -> None:
        from openai import OpenAI

        self.name = settings.model
        self.prices = settings.prices
        self._client: Any = OpenAI(
            api_key=settings.key, base_url=settings.base_url, timeout=timeout, max_retries=retries
        )
        self._store = store
        self._cap = cap
        self.at_once = at_once
        self._schemas = True  # until the server says that it takes none
        self._lock = threading.Lock()
        self._running: dict[str, Future[Reply]] = {}

    def signature(self) -> str:
        """`gpt-x-seed7`: the model, and the seed that is sent with each call."""
        return f"{self.name}-seed{SEED}"

    def for_run(self) -> JudgeRun:
        """The same model, client and store, with a cap of its own."""
        return JudgeRun(self, self._cap)

    def estimate(self, calls: Sequence[Call]) -> Estimate:
        """See `Judge.estimate`."""
        return self.for_run().estimate(calls)

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        """See `Judge.ask`. An exception out of `progress` stops the run; what was answered is kept."""
        return self.for_run().ask(calls, progress=progress)

    def find(self, calls: Sequence[Call]) -> dict[str, Reply]:
        """The stored replies by the keys of their calls."""
        return self._store.find(list({self.key(call): None for call in calls}))

    def once(self, key: str, call: Call, spending: Spending) -> Reply:
        """Make a call, or wait for the one that another run is making."""
        with self._lock:
            other = self._running.get(key)
            if other is None:
                mine: Future[Reply] = Future()
                self._running[key] = mine
        if other is not None:
            with suppress(CancelledError):
                return replace(other.result(), cached=True)
            return self.once(key, call, spending)  # the other run was stopped
        try:
            kept = self._store.find([key]).get(key)  # another run may have finished just now
            reply = self._spend(call, spending) if kept is None else replace(kept, cached=True)
            if kept is None and reply.state in KEPT:
                self._store.keep(key, self.name, request_of(call), reply)
            mine.set_result(reply)
            return reply
        except YomikurabeError as error:
            spending.stop(error)  # here, before this thread can take the next call
            mine.set_exception(error)
            raise
        finally:
            mine.cancel()  # does nothing once it has a result
            with self._lock:
                del self._running[key]

    def _spend(self, call: Call, spending: Spending) -> Reply:
        if not spending.allows(prompt_tokens(call)):
            return Reply(text="", state=SPENT, problem="The run's cap of calls or tokens was reached.")
        started = time.perf_counter()
        reply = replace(self._reply(call), seconds=round(time.perf_counter() - started, 3))
        spending.add(reply.prompt_tokens + reply.completion_tokens)
        return reply

    def _reply(self, call: Call) -> Reply:
        import openai

        try:
            answer = self._complete(call)
        except openai.AuthenticationError as error:
            raise UnavailableError(
                "The language model's endpoint refused the key.", code="judge-key"
            ) from error
        except openai.NotFoundError as error:
            raise UnavailableError(f"The endpoint knows no model {self.name}.", code="judge-model") from error
        except openai.APITimeoutError:
            return Reply(text="", state=FAILED, problem="The language model did not answer in time.")
        except openai.APIConnectionError as error:
            raise UnavailableError(
                "The language model's endpoint cannot be reached.", code="judge-down"
            ) from error
        except openai.APIError as error:
            code = getattr(error, "status_code", None)
            return Reply(text="", state=FAILED, problem=f"The endpoint failed ({code or 'broken reply'}).")
        except (ValueError, TypeError, AttributeError, LookupError):
            return Reply(text="", state=FAILED, problem="The endpoint sent something that is no reply.")
        return answer

    def _complete(self, call: Call) -> Reply:
        import openai

        schema = call.schema if self._schemas else None
        try:
            raw = self._client.chat.completions.create(**self._arguments(call, schema))
        except openai.BadRequestError:
            if schema is None:
                raise
            self._schemas = False
            raw = self._client.chat.completions.create(**self._arguments(call, None))
        choice = raw.choices[0]
        reply = read_reply(
            choice.message.content or "",
            schema=call.schema,
            finish=choice.finish_reason,
            refusal=getattr(choice.message, "refusal", None),
        )
        usage = raw.usage
        return replace(
            reply,
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
        )

    def _arguments(self, call: Call, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        wanted = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema, "strict": True}}
        return {
            "model": self.name,
            "messages": [{"role": one.role, "content": well_formed(one.content)} for one in call.messages],
            "temperature": call.temperature,
            "max_tokens": call.max_tokens,
            "seed": SEED + call.sample,
            **({} if schema is None else {"response_format": wanted}),
        }

    def key(self, call: Call) -> str:
        """What makes a call one and the same: model, seed and everything that is sent."""
        content = json.dumps([self.name, SEED, request_of(call)], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def request_of(call: Call) -> dict[str, Any]:
    """Everything that is sent, ready for JSON: what a key is made of and a database keeps."""
    return {
        "messages": [[one.role, one.content] for one in call.messages],
        "schema": call.schema,
        "max_tokens": call.max_tokens,
        "temperature": call.temperature,
        "sample": call.sample,
    }
