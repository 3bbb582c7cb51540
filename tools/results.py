"""Run the commands of docs/results.md again on a folder of data: `make results DATA=folder`.

    python tools/results.py DATA --out results [--list] [--only layers,names] [--check]

DATA has one folder per data set, with the names in the document's commands. Each table's output is written to
OUT/NAME.md, with its commands, seed, time and versions, and a comparison of its rows with the document. A
finished table runs again only after a change of its commands or data, so a stopped run continues where it
stopped. Tables that write into the project run only when --only names them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import core
from tools.results_document import DOCUMENT, ROOT, TABLES, Table, commands, compared, papers

CAMPAIGN = "campaign"
"""The table that fills the database; tables that need it have it in `after`."""

LIBRARIES = ("torch", "transformers", "numpy", "scipy", "sacrebleu")
DONE, CHANGED, TO_DO, LACKING, ON_REQUEST = "done", "changed", "to do", "no data", "only when named"


@dataclass(frozen=True, slots=True)
class Place:
    """data: the data sets. out: the results; its folder `work` is kept between runs."""

    data: Path
    out: Path

    def page(self, table: Table) -> Path:
        """The output of a table."""
        return self.out / f"{table.name}.md"

    def note(self, table: Table) -> Path:
        """Fingerprint and seconds of the run that made it."""
        return self.out / "work" / f"{table.name}.json"

    @property
    def database(self) -> Path:
        """A separate database, so that no other one changes."""
        return self.out / "work" / "results.sqlite"


def fingerprint(place: Place, table: Table, lines: Sequence[str]) -> str:
    """A hash of the commands, of the data that they need, and of the program's version."""
    found = hashlib.sha256(repr((core.__version__, list(lines), table.seed)).encode())
    for need in table.needs:
        for path in sorted(one for one in (place.data / need).rglob("*") if one.is_file()):
            found.update(path.relative_to(place.data).as_posix().encode())
            with path.open("rb") as file:
                found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()[:16]


def noted(place: Place, table: Table) -> dict[str, Any]:
    """The note of the last complete run; empty without one, or if its output was deleted."""
    try:
        found: dict[str, Any] = json.loads(place.note(table).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    made = [place.page(table), *([place.database] if table.name == CAMPAIGN else [])]
    return found if all(path.exists() for path in made) else {}


def state(place: Place, table: Table, lines: Sequence[str], *, named: bool) -> str:
    """One of the five states above."""
    if any(not (place.data / need).is_dir() for need in table.needs):
        return LACKING
    known = noted(place, table)
    if known:
        return DONE if known["fingerprint"] == fingerprint(place, table, lines) else CHANGED
    return ON_REQUEST if table.changes and not named else TO_DO


def arguments_of(line: str, place: Place, table: Table) -> tuple[dict[str, str], list[str]]:
    """A command of the document for this machine: its environment variables, and its words."""
    folder = place.out / "work" / table.name
    filled = {
        "DATA": str(place.data),
        "TREEBANKS": str(place.data / "treebanks"),
        "FOLDER": str(folder),
        "sqlite:////tmp/load.sqlite": f"sqlite:///{folder.with_suffix('.sqlite')}",
    }
    words = shlex.split(line)
    environment = {}
    while words and "=" in words[0] and not words[0].startswith("-"):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if words[:2] == ["make", "bench"]:
        words[:2] = ["python", "-m", "benchmarks"]
    words[0] = sys.executable
    return environment, [_filled(word, filled) for word in words]


def _filled(word: str, filled: Mapping[str, str]) -> str:
    first, slash, rest = word.partition("/")
    if word in filled:
        return filled[word]
    return f"{filled[first]}{slash}{rest}" if first in filled else word


def run(place: Place, table: Table, lines: Sequence[str]) -> int:
    """Run a table's commands in order and store their output; returns the first status that is not 0."""
    (place.out / "work").mkdir(parents=True, exist_ok=True)
    if table.name == CAMPAIGN:
        place.database.unlink(missing_ok=True)
    begun, printed = time.monotonic(), []
    for line in lines:
        extra, words = arguments_of(line, place, table)
        ours = {"PYTHONPATH": str(ROOT), "YOMIKURABE_DB": f"sqlite:///{place.database}"}
        environment = os.environ | ours | extra
        done = subprocess.run(
            words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False
        )
        printed.append(done.stdout)
        if done.returncode:
            place.page(table).with_suffix(".failed").write_text("\n".join(printed), "utf-8")
            return done.returncode
    seconds = time.monotonic() - begun
    place.page(table).with_suffix(".failed").unlink(missing_ok=True)
    place.page(table).write_text(page(table, lines, printed, seconds), "utf-8")
    known = {"fingerprint": fingerprint(place, table, lines), "seconds": round(seconds, 1)}
    place.note(table).write_text(json.dumps(known), "utf-8")
    return 0


def page(table: Table, lines: Sequence[str], printed: Sequence[str], seconds: float) -> str:
    """The content of a table's file."""
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    seed = "no random draws" if table.seed is None else f"seed {table.seed}"
    output, document = "\n".join(printed), DOCUMENT.read_text("utf-8")
    return (
        f"# {table.name}\n\n```sh\n" + "\n".join(lines) + f"\n```\n\n{output}\n"
        f"\n{seconds / 60:.1f} minutes; {seed}; Yomikurabe {core.__version__}, {versions}, Python "
        f"{platform.python_version()}.\n\n{compared(output, document)}\n{papers(lines, document)}"
    )


def chosen(only: str | None) -> list[Table]:
    """The tables in --only and the tables that they need; else all. SystemExit for another name."""
    if only is None:
        return list(TABLES)
    by_name = {table.name: table for table in TABLES}
    wanted = dict.fromkeys(name for name in only.split(",") if name)
    unknown = [name for name in wanted if name not in by_name]
    if unknown or not wanted:
        raise SystemExit(f"There is no table {', '.join(unknown) or only}; choose among {', '.join(by_name)}")
    needed = {by_name[name].after for name in wanted}
    return [table for table in TABLES if table.name in wanted or table.name in needed]


def main(given: Sequence[str] | None = None) -> int:
    """List the tables, or run those that are due; 1 if a table failed, 130 if the run was stopped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("results"))
    parser.add_argument("--list", action="store_true", help="list the state of each table")
    parser.add_argument("--only", help="tables, separated by commas")
    parser.add_argument("--check", action="store_true", help="compare finished tables with docs/results.md")
    asked = parser.parse_args(given)
    if not asked.data.is_dir():
        raise SystemExit(f"{asked.data} is no folder; give the folder of the data sets")
    place = Place(asked.data.resolve(), asked.out.resolve())
    document = DOCUMENT.read_text("utf-8")
    tables = [(table, commands(table, document)) for table in chosen(asked.only)]
    states = {one.name: state(place, one, lines, named=asked.only is not None) for one, lines in tables}
    if asked.list or asked.check:
        for table, _ in tables:
            print(told(place, table, states[table.name], document if asked.check else None))
        return 0
    return run_all(place, [one for one in tables if states[one[0].name] in (TO_DO, CHANGED)], states)


def told(place: Place, table: Table, now: str, document: str | None) -> str:
    """A line about a table; with the document also a comparison of its rows."""
    known = noted(place, table)
    minutes = f"{known['seconds'] / 60:.1f} min" if known else f"about {table.minutes:g} min"
    why = {LACKING: f" ({', '.join(table.needs)})", ON_REQUEST: f" (writes {table.changes})"}.get(now, "")
    line = f"{table.name:<16} {now + why:<40} {minutes}"
    if document is None or not known:
        return line
    return f"{line}\n    {compared(place.page(table).read_text('utf-8'), document)}"


def run_all(place: Place, work: Sequence[tuple[Table, list[str]]], states: Mapping[str, str]) -> int:
    """Run the tables; print the time of each and the time that is left."""
    for name, why in states.items():
        if why == LACKING:
            print(f"{name}: skipped, its data are missing")
    left, failed = sum(table.minutes for table, _ in work), []
    for number, (table, lines) in enumerate(work, 1):
        print(
            f"{number} of {len(work)}: {table.name}, about {table.minutes:g} min; about {left:g} left",
            flush=True,
        )
        begun = time.monotonic()
        try:
            status = run(place, table, lines)
        except KeyboardInterrupt:
            print(f"Stopped in {table.name}; finished tables are kept; the same command continues.")
            return 130
        left -= table.minutes
        failed += [table.name] if status else []
        outcome = f"failed with status {status}" if status else f"done: {place.page(table)}"
        print(f"    {outcome}, {(time.monotonic() - begun) / 60:.1f} min", flush=True)
    if failed:
        print(f"Failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
