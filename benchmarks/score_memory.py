"""Peak memory and speed of `python -m core score` for files of several sizes.

    python -m benchmarks.score_memory chrf 2000 20000 200000

The lines repeat the Japanese pairs of the test fixtures, each with its number in front, so that all lines are
distinct. A new process scores each size. The output is Markdown.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAIRS = ROOT / "tests" / "fixtures" / "pairs_ja.tsv"
MIB = 1 << 20


def write(folder: Path, count: int) -> tuple[Path, Path]:
    """Write files with `count` references and translations, one a line."""
    rows = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()[1:]]
    names = folder / f"{count}.ref", folder / f"{count}.hyp"
    for column, name in enumerate(names):
        with name.open("w", encoding="utf-8") as file:
            file.writelines(f"{number}、{rows[number % len(rows)][column]}\n" for number in range(count))
    return names


def row(folder: Path, metric: str, count: int) -> str:
    """Score `count` pairs; returns the row of the table."""
    ref, hyp = write(folder, count)
    out = folder / "out"
    command = [sys.executable, "-m", "core", "score", "--metric", metric, "--lang", "ja"]
    files = ["--ref", str(ref), "--hyp", str(hyp), "--out", str(out)]
    begun = time.perf_counter()
    running = subprocess.Popen([*command, *files], cwd=ROOT, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    if status:
        raise SystemExit(f"scoring {count} pairs ended with status {status}")
    seconds = time.perf_counter() - begun
    size = (ref.stat().st_size + hyp.stat().st_size) / MIB
    written = out.stat().st_size / MIB
    peak = used.ru_maxrss / 1024
    return f"| {metric}, {count:,} pairs | {size:.1f} | {written:.1f} | {peak:.0f} | {count / seconds:.0f} |"


def main() -> None:
    """Print a row for each size."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("metric")
    options.add_argument("counts", type=int, nargs="+", help="numbers of pairs")
    given = options.parse_args()
    sys.stdout.write("| | read, MiB | written, MiB | highest memory, MiB | pairs/s, start included |\n")
    sys.stdout.write("|---|---|---|---|---|\n")
    with tempfile.TemporaryDirectory() as folder:
        for count in given.counts:
            sys.stdout.write(row(Path(folder), given.metric, count) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
