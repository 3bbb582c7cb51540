"""Ask the small language model of `make test-llm` what the lesson on judges asks, and store its replies.

    PYTHONPATH=. python tools/lesson_judge.py [URL]

URL: of a server that has the model already; without one it is started here, which needs
requirements-llm.txt. Run it after a change of the lesson's texts or of a prompt (five minutes). What comes
back is stored as it came, a reply without a number, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.backends.judge.client import OpenAIJudge
from core.backends.judge.settings import JudgeSettings
from core.backends.judge.store import FileCalls
from core.backends.registry import load_backends
from core.metrics import find_metric
from core.types import Result, TextPair
from pages.learn.examples import FLATTERIES, JUDGE, JUDGE_METRIC, JUDGE_PROMPTS, judge_settings
from pages.learn.stored import JUDGE_FILE, lines

SECONDS = 300.0
"""For one reply, on a slow machine."""


def results(url: str, folder: Path) -> Iterator[tuple[TextPair, Result[Any]]]:
    """The judgement of every text of the lesson under every prompt."""
    settings = JudgeSettings(model=JUDGE, key="none", base_url=url, timeout=SECONDS, retries=0, at_once=1)
    judge = OpenAIJudge(settings, FileCalls(folder / "calls.jsonl"))
    backends = replace(load_backends(), judge=lambda name: judge)
    for words in JUDGE_PROMPTS.values():
        for one in FLATTERIES:
            for pair in one.pairs():
                scorer = find_metric(JUDGE_METRIC).prepare(judge_settings(words), backends, [pair])
                print(scorer.signature, pair.hypothesis, flush=True)
                yield pair, scorer.score(pair)


def main() -> None:
    """Write the file."""
    with TemporaryDirectory() as name:
        folder, server = Path(name), None
        if len(sys.argv) > 1:
            url = sys.argv[1]
        else:
            from tests.support.llm_server import start

            server, url = start(folder)
        found = list(results(url, folder))
        del server
    JUDGE_FILE.write_text(lines(found), "utf-8")
    print(f"{len(found)} judgements in {JUDGE_FILE.name}, {JUDGE_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
