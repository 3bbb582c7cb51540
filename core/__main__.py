"""Entry point of `python -m core`; the commands are in `core.cli`, each imported when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from core import __version__
from core.cli.lazy_commands import lazy_group

COMMANDS = {
    "hack": "core.cli.hack:hack",
    "meta": "core.cli.meta:meta",
    "certify": "core.cli.certify:certificate",
    "rank": "core.cli.rank:rank",
    "score": "core.cli.score:score",
    "contrast": "core.cli.contrast:contrast",
    "compare": "core.cli.compare:compare",
    "agreement": "core.cli.agreement:agreement",
    "grid": "core.cli.grid:grid",
    "list": "core.cli.list_metrics:list_metrics",
    "explain": "core.cli.explain:explain",
    "idf": "core.cli.idf:idf_app",
    "calibrate": "core.cli.calibrate:calibrate_app",
    "align": "core.cli.align:align",
    "cast": "core.cli.cast:cast_list",
    "voice": "core.cli.voice:voice",
    "documents": "core.cli.documents:documents",
    "translate": "core.cli.translate:translate_file",
}
"""Where each command is, in the order of the help text."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"yomikurabe {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=lazy_group(COMMANDS),
    help="Score translations and explain the scores.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=_version)
    ] = False,
) -> None:
    """Score translations and explain the scores."""


if __name__ == "__main__":
    app()
