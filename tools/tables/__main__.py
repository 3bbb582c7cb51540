"""The tables of docs/results.md in Markdown: `python -m tools.tables TABLE …`."""

from __future__ import annotations

import typer

from core.cli.console import exit_on_error
from tools.tables.alignment import alignment
from tools.tables.assignment import assignment
from tools.tables.calibrated import calibration, vectors
from tools.tables.cast import cast_check
from tools.tables.documents import documents
from tools.tables.metrics import correlation, into_english, layers, mqm, similarity, systems
from tools.tables.names import names
from tools.tables.people import agreement
from tools.tables.pointing import points
from tools.tables.probes import contrast, hacks, roles
from tools.tables.settings import grid
from tools.tables.texts import edits, questions, readings

TABLES = {
    "People": (agreement, assignment, calibration, vectors),
    "Metrics against people": (layers, correlation, grid, systems, mqm, documents, points, similarity),
    "Into English": (into_english,),
    "Reactions of metrics": (contrast, names, roles, hacks),
    "Rules and readers": (edits, questions, readings),
    "Books": (alignment, cast_check),
}

app = typer.Typer(help="Print a table of docs/results.md.", no_args_is_help=True, add_completion=False)
for subject, tables in TABLES.items():
    for table in tables:
        app.command(rich_help_panel=subject)(exit_on_error(table))

if __name__ == "__main__":
    app(prog_name="python -m tools.tables")
