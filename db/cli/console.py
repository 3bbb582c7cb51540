"""Sentences for the person at the terminal."""

from __future__ import annotations

import typer


def say(sentence: str) -> None:
    """On standard error: standard output stays free for data."""
    typer.echo(sentence, err=True)
