"""Many raters in real sessions at once: the app's answer times, what it stores, and its memory.

    python -m benchmarks.load_sessions --raters 20 --seconds 120 [--pace 10] [--database URL]

Starts the app on a free port, with a new SQLite file or with the empty database of --database. Each rater
opens a personal link, reads the guideline and scores the items: a number into the field, then `next`, one
item in PACE seconds on average. Prints one JSON line: the number of scores that were stored once; the 50th,
95th and 99th percentile, in milliseconds, of the time from sending a score to the time stamp in the database
(`stored_ms`), to the redrawn page (`shown_ms`), and from `next` to the next item (`next_ms`); the server's
memory; and the processor time per score (both redraws, and the start of the sessions).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Awaitable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from sqlalchemy import Engine

from benchmarks.load_client import visit
from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.queries import history, look, new_link, open_link, save_profile

ROOT = Path(__file__).parents[1]
TEXT = "The ferry left at dawn and nobody was on the quay. "
START_SECONDS = 90


@dataclass
class Work:
    """What one rater did: (item, score, when sent), and the milliseconds of the answers."""

    rater: int
    token: str
    sent: list[tuple[int, float, float]] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    next: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Server:
    """A running app."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    def memory(self) -> float:
        """Resident memory in MB, whole; NaN where the system does not tell."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        except OSError:
            return float("nan")
        return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) // 1024

    def processor(self) -> float:
        """Seconds of processor time so far; NaN where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            return float("nan")
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prepare(engine: Engine, raters: int, items: int) -> list[Work]:
    """Make a campaign of `items` items, and a personal link for each rater, with consent given."""
    segments = tuple(SegmentRow("d", n, f"{TEXT * 4}{n}", source=f"{TEXT * 4}{n}") for n in range(items))
    outputs = tuple(OutputRow(row.key, "a", f"{TEXT * 4}translated {row.position}") for row in segments)
    bundle = Bundle(
        name="load", langs=("en", "ja"), systems=(SystemRow("a"),), segments=segments, outputs=outputs
    )
    campaign = load_bundle(engine, bundle, "load").campaign_id
    open_link(engine, new_link(engine, OPERATOR, role="organiser"))  # now the app opens by link only
    made = []
    for number in range(raters):
        token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name=f"rater {number}")
        rater = look(engine, token).rater_id or 0
        viewer = Viewer(role="rater", rater_id=rater)
        save_profile(engine, viewer, rater, native_language="ja", level="", consent=True)
        made.append(Work(rater, token))
    return made


def free_port() -> int:
    """A port of this machine at which nobody answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(url: str, folder: Path, *, port: int = 0, base: str = "") -> Iterator[Server]:
    """The app, warm, on a port of this machine (0: a free one); its log is a file in `folder`.

    base: the path under which it is reached, such as `/yomikurabe`.
    """
    port = port or free_port()
    log = folder / f"server-{port}.log"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address", "127.0.0.1"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--server.port", str(port), "--server.baseUrlPath", base],
            cwd=ROOT,
            env={**os.environ, "YOMIKURABE_DB": url},
            stdout=output,
            stderr=output,
        )
    try:
        server = Server(f"http://127.0.0.1:{port}{base}", process, log)
        wait_for(f"{server.address}/_stcore/script-health-check", process)
        yield server
    finally:
        process.terminate()
        process.wait(20)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Until the app has answered. Raises RuntimeError when it ends or takes too long."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=START_SECONDS).read()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError("the app did not start; its log says why")


async def rate(address: str, work: Work, seconds: float, pace: float) -> None:
    """One rater's session: score, next, score, next, until the time is over or no item is left."""
    await asyncio.sleep(random.uniform(0, min(pace, seconds / 4)))
    until = time.monotonic() + seconds
    async with visit(address, work.token) as session:
        if session.find("begin"):
            await session.click("begin")
        while time.monotonic() < until and (field := session.find("score-")):
            await asyncio.sleep(random.uniform(0.4, 1.2) * pace)
            score = float(random.randrange(101))
            work.sent.append((int(field.removeprefix("score-")), score, time.time()))
            work.shown.append(await timed(session.enter(field, score)))
            await asyncio.sleep(random.uniform(0.1, 0.3) * pace)
            work.next.append(await timed(session.click("next")))


async def timed(answer: Awaitable[None]) -> float:
    """Milliseconds until it is done."""
    started = time.perf_counter()
    await answer
    return 1000 * (time.perf_counter() - started)


def check(engine: Engine, works: list[Work]) -> list[float]:
    """The milliseconds until each score that was sent was stored.

    Raises RuntimeError for a score that is not stored, or more than once, or with another number.
    """
    took = []
    for work in works:
        for item, score, when in work.sent:
            events = history(engine, item, work.rater)
            if [event.score for event in events] != [score]:
                raise RuntimeError(f"item {item}: sent {score}, stored {[event.score for event in events]}")
            took.append(1000 * (events[0].rated_at.timestamp() - when))
    return took


Result = TypeVar("Result")


def apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread of its own: this thread may have an event loop (Playwright's has one)."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def measure(server: Server, engine: Engine, works: list[Work], seconds: float, pace: float) -> dict[str, Any]:
    """Run all raters at once; returns the figures. Raises RuntimeError where a score is not stored once."""

    async def everybody() -> None:
        await asyncio.gather(*(rate(server.address, work, seconds, pace) for work in works))

    before, idle = server.memory(), server.processor()
    apart(everybody())
    after, used = server.memory(), server.processor() - idle
    stored = check(engine, works)
    return {
        "raters": len(works),
        "seconds": seconds,
        "stored_once": len(stored),
        "stored_ms": percentiles(stored),
        "shown_ms": percentiles([one for work in works for one in work.shown]),
        "next_ms": percentiles([one for work in works for one in work.next]),
        "processor_ms_per_score": round(1000 * used / len(stored)),
        "memory_mb": {"start": before, "end": after},
    }


def percentiles(values: list[float]) -> dict[str, int]:
    """The 50th, 95th and 99th percentile and the longest."""
    cuts = quantiles(values, n=100, method="inclusive")
    found = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "longest": max(values)}
    return {name: round(value) for name, value in found.items()}


def main() -> None:
    """Run from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--raters", type=int, default=20)
    options.add_argument("--seconds", type=float, default=120)
    options.add_argument("--pace", type=float, default=10)
    options.add_argument("--database", help="URL of an empty database; default: a new SQLite file")
    given = options.parse_args()
    with TemporaryDirectory() as folder:
        url = given.database or f"sqlite:///{Path(folder) / 'load.sqlite'}"
        engine = make_engine(url)
        migrate(engine)
        works = prepare(engine, given.raters, items=int(given.seconds / given.pace * 2) + 5)
        with serving(url, Path(folder)) as server:
            done = measure(server, engine, works, given.seconds, given.pace)
    sys.stdout.write(json.dumps(done) + "\n")


if __name__ == "__main__":
    main()
