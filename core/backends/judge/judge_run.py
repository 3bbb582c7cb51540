"""One run of a language model: what it may spend, what it has spent, and what failed in it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.backends import Progress, silent
from core.errors import YomikurabeError
from core.judging import FAILED, LETTERS_A_TOKEN, SPENT, Call, Estimate, Reply

if TYPE_CHECKING:
    from core.backends.judge.client import OpenAIJudge


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that one run may spend: calls that are made, and tokens of prompts and replies together."""

    calls: int = 2000
    tokens: int = 2_000_000


CAP = Cap()
TICK = 0.2  # seconds between two signs of life, at each of which a run can be stopped


class JudgeRun:
    """A judge whose calls share one cap. What failed is not asked again, nor anything once nobody answers."""

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

    def estimate(self, calls: Sequence[Call]) -> Estimate:
        """See `Judge.estimate`."""
        known = self._known(calls)
        new = [call for key, call in self._by_key(calls).items() if key not in known]
        return Estimate(
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

    gone: why nobody answers any more, if so.
    """

    def __init__(self, cap: Cap) -> None:
        self._cap = cap
        self._lock = threading.Lock()
        self._calls = self._tokens = 0
        self._stopped = False
        self.gone: YomikurabeError | None = None

    def allows(self, tokens: int) -> bool:
        """Whether one more call with so long a prompt stays below the cap; if so it counts as made.

        Raises `gone` again.
        """
        with self._lock:
            if self.gone is not None:
                raise self.gone
            if self._stopped or self._calls >= self._cap.calls or self._tokens + tokens > self._cap.tokens:
                return False
            self._calls += 1
            return True

    def add(self, tokens: int) -> None:
        """Tokens that the server counted."""
        with self._lock:
            self._tokens += tokens

    def stop(self, gone: YomikurabeError | None = None) -> None:
        """Nothing more may be spent."""
        with self._lock:
            self._stopped = True
            self.gone = self.gone or gone


def prompt_tokens(call: Call) -> int:
    """Tokens of the prompt, roughly: one for four letters, one for each character of another script."""
    text = "".join(one.content for one in call.messages)
    wide = sum(ord(char) > 0x2E7F for char in text)
    return wide + (len(text) - wide) // LETTERS_A_TOKEN + 4 * len(call.messages)
