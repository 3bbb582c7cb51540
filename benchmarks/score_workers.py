"""Speed of `python -m core score` in one process and over one or two workers of Ray.

    python -m benchmarks.score_workers bertscore 4000 12000

Each way scores two files, so that the start is left out: pairs a second are those of the difference. One
thread a process. The driver's CPU seconds are those of the process that reads, orders and writes. Needs
`requirements-ray.txt`. The output is Markdown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.score_memory import ROOT, write

WAYS = {
    "one process": [],
    "one worker": ["--engine", "ray", "--workers", "1"],
    "two workers": ["--engine", "ray", "--workers", "2"],
}


def run(folder: Path, metric: str, count: int, way: Sequence[str]) -> tuple[float, float]:
    """Seconds by the clock, and of the processor in the process itself, for `count` pairs."""
    ref, hyp = write(folder, count)
    command = [sys.executable, "-m", "core", "score", "--metric", metric, "--lang", "ja", *way]
    files = ["--ref", str(ref), "--hyp", str(hyp), "--out", str(folder / "out")]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    begun = time.perf_counter()
    running = subprocess.Popen([*command, *files], cwd=ROOT, stderr=subprocess.DEVNULL, env=one_thread)
    _, status, used = os.wait4(running.pid, 0)
    if status:
        raise SystemExit(f"scoring {count} pairs ended with status {status}")
    return time.perf_counter() - begun, used.ru_utime + used.ru_stime


def main() -> None:
    """Print a row for each way."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("metric")
    options.add_argument("counts", type=int, nargs=2, help="numbers of pairs, the smaller one first")
    given = options.parse_args()
    less, more = given.counts
    sys.stdout.write("| | start, s | pairs/s | against one process | driver, ms of CPU a pair |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    first = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, way in WAYS.items():
            (short, short_cpu), (long, long_cpu) = (
                run(Path(folder), given.metric, count, way) for count in (less, more)
            )
            speed = (more - less) / (long - short)
            first = first or speed
            start, driver = short - less / speed, 1000 * (long_cpu - short_cpu) / (more - less)
            sys.stdout.write(f"| {name} | {start:.1f} | {speed:.1f} | {speed / first:.2f} | {driver:.2f} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
