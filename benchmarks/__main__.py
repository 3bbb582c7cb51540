"""`make bench`: speed and memory as one JSON line on standard output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.figures import run_bench
from core.cli.console import exit_on_error, say


@exit_on_error
def bench(
    data: Annotated[
        list[Path] | None, typer.Option("--data", help="TSV with columns reference and hypothesis.")
    ] = None,
    lines: Annotated[int, typer.Option("--lines", help="Distinct lines for the memory figure.")] = 20_000,
) -> None:
    """Measure speed and memory; one JSON line on standard output."""
    sys.stdout.write(json.dumps(run_bench(data or [], lines=lines, say=say)) + "\n")


if __name__ == "__main__":
    typer.run(bench)
