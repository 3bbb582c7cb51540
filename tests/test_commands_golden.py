"""Commands do not change what they say unnoticed: help, output, sentences and exit status, as stored.

A change that is meant is stored by `python -m tests.golden`, and the difference is read.
"""

from __future__ import annotations

import pytest

from tests.golden import commands
from tests.golden.command_lines import CORE, DB, SCRIPTS

ENCODED = {"core-idf"}
"""Scripts that load the embedded encoder."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=[pytest.mark.embedded] if one in ENCODED else []) for one in SCRIPTS],
)
def test_a_command_says_what_it_did(name):
    assert commands.transcript(name) == (commands.STORED / f"{name}.txt").read_text("utf-8")


def test_every_command_has_its_help_and_a_run_and_no_text_is_left_over():
    runs = {f"core-{one}" for one in CORE} | {f"db-{one}" for one in DB}
    helps = {f"{one}-help" for one in (*runs, "core", "db")}
    assert helps | runs == SCRIPTS.keys()
    assert {one.stem for one in commands.STORED.glob("*.txt")} == SCRIPTS.keys()


@pytest.mark.parametrize(("program", "known"), [("core", CORE), ("db", DB)])
def test_no_command_is_forgotten(program, known):
    told = (commands.STORED / f"{program}-help.txt").read_text("utf-8")
    rows = told.partition("─ Commands ─")[2].splitlines()[1:]
    names = {row[2:].split()[0] for row in rows if row.startswith("│ ") and row[2] != " "}
    assert names == set(known)
