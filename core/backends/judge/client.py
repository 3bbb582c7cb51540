"""A language model behind any endpoint that speaks OpenAI's chat protocol.

Replies are stored; a run has a cap on its cost, and failed calls are not retried.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from core.backends import Progress, silent
from core.backends.judge.replies import read_reply
from core.backends.judge.settings import JudgeSettings
from core.errors import UnavailableError, Wording, YomikurabeError
from core.text.languages import well_formed
from core.types import (
    FAILED,
    LETTERS_A_TOKEN,
    OK,
    SPENT,
    Call,
    CallStore,
    CostEstimate,
    Reply,
)


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that one run may spend: calls that are made, and tokens of prompts and replies together."""

    calls: int = 2000
    tokens: int = 2_000_000


CAP = Cap()
TICK = 0.2  # seconds between two signs of life, at each of which a run can be stopped


class JudgeRun:
    """A judge whose calls share one cap.

    Failed calls are not retried; after repeated failures no further calls are made.
    """

    def __init__(self, judge: OpenAIJudge, cap: Cap) -> None:
        self.name = judge.name
        self.prices = judge.prices
        self._judge = judge
        self._spending = Spending(cap)
        self._failed: dict[str, Reply] = {}

    def signature(self) -> str:
        """See `Judge.signature`."""
        return self._judge.signature()

    def for_run(self) -> JudgeRun:
        """Another run, with a fresh cap."""
        return self._judge.for_run()

    def limit(self, tokens: int) -> None:
        """See `Judge.limit`."""
        self._spending.limit(tokens)

    def estimate(self, calls: Sequence[Call]) -> CostEstimate:
        """See `Judge.estimate`."""
        known = self._known(calls)
        new = [call for key, call in self._by_key(calls).items() if key not in known]
        return CostEstimate(
            calls=len(calls),
            new=len(new),
            prompt_tokens=sum(prompt_tokens(call) for call in new),
            completion_tokens=sum(call.max_tokens for call in new),
        )

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        """See `Judge.ask`. An exception out of `progress` stops the run; what was answered is kept."""
        by_key = self._by_key(calls)
        found = self._known(calls)
        wanted = {key: call for key, call in by_key.items() if key not in found}
        progress(len(found), len(by_key))
        if wanted and self._spending.gone is not None:
            raise self._spending.gone
        pool = ThreadPoolExecutor(self._judge.at_once)
        waiting = {
            pool.submit(self._judge.once, key, call, self._spending): key for key, call in wanted.items()
        }
        try:
            while waiting:
                done, _ = wait(waiting, TICK, FIRST_COMPLETED)
                for future in done:
                    self._take(waiting.pop(future), future.result(), found)
                progress(len(found), len(by_key))
        finally:
            if waiting:  # stopped, or the endpoint is gone: nothing more is spent
                self._spending.stop()
            pool.shutdown(wait=False, cancel_futures=True)
        return [found[self._judge.key(call)] for call in calls]

    def _take(self, key: str, reply: Reply, found: dict[str, Reply]) -> None:
        found[key] = reply
        if reply.state in (FAILED, SPENT):
            self._failed[key] = reply

    def _known(self, calls: Sequence[Call]) -> dict[str, Reply]:
        kept = {key: replace(reply, cached=True) for key, reply in self._judge.find(calls).items()}
        failed = {key: self._failed[key] for key in self._by_key(calls) if key in self._failed}
        return {**failed, **kept}

    def _by_key(self, calls: Sequence[Call]) -> dict[str, Call]:
        return {self._judge.key(call): call for call in calls}


class Spending:
    """What a run has spent so far, against its cap. Safe for threads.

    gone: why the endpoint is not asked any more, if so.
    """

    def __init__(self, cap: Cap) -> None:
        self._cap = cap
        self._lock = threading.Lock()
        self._calls = self._tokens = 0
        self._most = cap.tokens
        self._stopped = False
        self.gone: YomikurabeError | None = None

    def allows(self, tokens: int) -> bool:
        """Whether one more call of so many tokens stays below the cap; if so they are set aside for it.

        Raises `gone` again.
        """
        with self._lock:
            if self.gone is not None:
                raise self.gone
            if self._stopped or self._calls >= self._cap.calls or self._tokens + tokens > self._most:
                return False
            self._calls += 1
            self._tokens += tokens
            return True

    def add(self, tokens: int, *, instead_of: int) -> None:
        """Tokens that the server counted, instead of those that were set aside for the call."""
        with self._lock:
            self._tokens += tokens - instead_of

    def limit(self, tokens: int) -> None:
        """Let no more than these tokens be spent from now on, and no more than the cap in all."""
        with self._lock:
            self._most = min(self._cap.tokens, self._tokens + tokens)

    def stop(self, gone: YomikurabeError | None = None) -> None:
        """Nothing more may be spent."""
        with self._lock:
            self._stopped = True
            self.gone = self.gone or gone


def prompt_tokens(call: Call) -> int:
    """Tokens of the prompt, rather too many: one for three letters, three for two wide characters.

    Tokenizers differ; a run stops where the server counts more than was said before.
    """
    text = "".join(one.content for one in call.messages)
    wide = sum(ord(char) > 0x2E7F for char in text)
    return wide + wide // 2 + (len(text) - wide) // LETTERS_A_TOKEN + 8 * len(call.messages)


def _most_tokens(call: Call) -> int:
    """Tokens of the prompt and of the longest reply."""
    return prompt_tokens(call) + call.max_tokens


SEED = 7
KEPT = frozenset({OK, "unparsed", "refused", "cut", "empty"})
"""What is kept for good: what the model said. A failed call is asked again."""


class OpenAIJudge:
    """Asks with a JSON schema where the server takes one, else in plain text. Safe for threads.

    Equal calls are made once, also when two runs ask at the same time.
    """

    def __init__(self, settings: JudgeSettings, store: CallStore, *, cap: Cap = CAP) -> None:
        from openai import OpenAI

        self.name = settings.model
        self.prices = settings.prices
        self._timeout = settings.timeout
        self._client: Any = OpenAI(
            api_key=settings.key,
            base_url=settings.base_url,
            timeout=self._timeout,
            max_retries=settings.retries,
        )
        self._store = store
        self._cap = cap
        self.at_once = settings.at_once
        self._schemas = True  # until the server says that it takes none
        self._lock = threading.Lock()
        self._running: dict[str, Future[Reply]] = {}

    def signature(self) -> str:
        """`gpt-x-seed7`: the model, and the seed that is sent with each call."""
        return f"{self.name}-seed{SEED}"

    def for_run(self) -> JudgeRun:
        """The same model, client and store, with a cap of its own."""
        return JudgeRun(self, self._cap)

    def limit(self, tokens: int) -> None:
        """Only a run has a limit."""

    def estimate(self, calls: Sequence[Call]) -> CostEstimate:
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
        aside = _most_tokens(call)
        if not spending.allows(aside):
            return Reply(
                text="", state=SPENT, problem=Wording("The run's cap of calls or tokens was reached.")
            )
        started = time.perf_counter()
        reply = replace(self._reply(call), seconds=round(time.perf_counter() - started, 3))
        spending.add(reply.prompt_tokens + reply.completion_tokens, instead_of=aside)
        return reply

    def _reply(self, call: Call) -> Reply:
        import openai

        try:
            answer = self._complete(call)
        except openai.AuthenticationError as error:
            raise UnavailableError(
                "The language model's endpoint refused the key (OPENAI_API_KEY).", code="judge-key"
            ) from error
        except openai.NotFoundError as error:
            raise UnavailableError(
                "The endpoint knows no model {name} (YOMIKURABE_MODEL).", code="judge-model", name=self.name
            ) from error
        except openai.APITimeoutError:
            late = Wording(
                "The language model did not answer within {seconds:g} s (YOMIKURABE_TIMEOUT).",
                seconds=self._timeout,
            )
            return Reply(text="", state=FAILED, problem=late)
        except openai.APIConnectionError as error:
            raise UnavailableError(
                "The language model's endpoint cannot be reached.", code="judge-down"
            ) from error
        except openai.APIError as error:
            code = getattr(error, "status_code", None)
            return Reply(
                text="",
                state=FAILED,
                problem=Wording("The endpoint failed ({code}).", code=code or Wording("broken reply")),
            )
        except (ValueError, TypeError, AttributeError, LookupError):
            return Reply(
                text="", state=FAILED, problem=Wording("The endpoint sent something that is no reply.")
            )
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
