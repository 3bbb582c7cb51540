"""The tables of docs/results.md in Markdown: `python -m tools.tables TABLE …`."""

from __future__ import annotations

from collections.abc import Callable

import typer

from core.cli.console import exit_on_error
from tools.tables.calibrated import calibration
from tools.tables.metrics import correlation, into_english, layers, similarity, systems
from tools.tables.people import agreement
from tools.tables.probes import contrast, hacks, roles
from tools.tables.settings import grid
from tools.tables.texts import edits, questions, readings

TABLES: dict[str, Callable[..., None]] = {
    "layers": layers,
    "agreement": agreement,
    "correlation": correlation,
    "grid": grid,
    "similarity": similarity,
    "readings": readings,
    "roles": roles,
    "systems": systems,
    "into-english": into_english,
    "contrast": contrast,
    "edits": edits,
    "questions": questions,
    "hacks": hacks,
    "calibration": calibration,
}

app = typer.Typer(help="Print a table of docs/results.md.", no_args_is_help=True, add_completion=False)
for name, print_table in TABLES.items():
    app.command(name)(exit_on_error(print_table))

if __name__ == "__main__":
    app(prog_name="python -m tools.tables")
