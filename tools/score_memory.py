"""What `python -m core score` takes for files of several sizes: memory at its highest, and pairs a second.

    python tools/score_memory.py chrf 2000 20000 200000

The lines are the Japanese pairs of the tests' fixtures again and again, each with its number in front, so
that all are distinct. Each size is scored by a process of its own. Markdown.
"""

from __future__ import annotations

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
    """So many references and translations, a line each."""
    rows = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()[1:]]
    names = folder / f"{count}.ref", folder / f"{count}.hyp"
    for column, name in enumerate(names):
        with name.open("w", encoding="utf-8") as file:
            file.writelines(f"{number}、{rows[number % len(rows)][column]}\n" for number in range(count))
    return names


def row(folder: Path, metric: str, count: int) -> str:
    """A row of the table."""
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
    print("| | read, MiB | written, MiB | highest memory, MiB | pairs/s, start included |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for count in map(int, sys.argv[2:]):
            print(row(Path(folder), sys.argv[1], count), flush=True)


if __name__ == "__main__":
    main()
