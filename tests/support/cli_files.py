"""What the tests of the core's command line share: files to score, and a way to run a command."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from core.__main__ import app

REFERENCES = ["吾輩は猫である。", "名前はまだ無い。", "the cat"]
HYPOTHESES = ["私は猫です。", "", "the cat"]


def run(*arguments: object) -> tuple[int, str, str]:
    """Run a command in this process: (exit status, standard output, standard error)."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


def write(path: Path, lines: list[str], encoding: str = "utf-8", end: str = "\n") -> Path:
    """A text file of these lines, each with its end."""
    path.write_bytes("".join(line + end for line in lines).encode(encoding))
    return path
