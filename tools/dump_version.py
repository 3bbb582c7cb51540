"""Dump a database of an earlier version as SQL, with a few rows in every table, for the migration tests.

    python tools/dump_version.py REVISION FILE

The migrations up to REVISION make the tables. Before you add a migration, dump the version before it:
`python tools/dump_version.py 0003 tests/fixtures/db/versions/0003.sql`. The rows are in `rows.json` beside
the dumps; a table without rows is an error.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from alembic import command  # noqa: E402 - the path is set first
from alembic.config import Config  # noqa: E402

from db.engine import MIGRATIONS, make_engine  # noqa: E402

ROWS = ROOT / "tests" / "fixtures" / "db" / "versions" / "rows.json"


def make(file: Path, revision: str) -> None:
    """Make a database of this version with rows in every table."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = make_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        names = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for table, rows in json.loads(ROWS.read_text("utf-8")).items():
            if table in names:
                fill(connection, table, rows)
        empty = [name for name in names if not connection.execute(f"SELECT 1 FROM {name}").fetchone()]
        if empty:
            raise SystemExit(f"{ROWS.name} has no rows for {', '.join(empty)}.")
        connection.commit()


def fill(connection: sqlite3.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    """Insert the rows of a table; columns that this version does not have are left out."""
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    for row in rows:
        known = {name: value for name, value in row.items() if name in columns}
        places = ", ".join("?" * len(known))
        connection.execute(f"INSERT INTO {table} ({', '.join(known)}) VALUES ({places})", [*known.values()])


def main() -> None:
    """Write the dump."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("revision", help="such as 0003")
    options.add_argument("file", type=Path)
    given = options.parse_args()
    with TemporaryDirectory() as folder:
        database = Path(folder) / "old.sqlite"
        make(database, given.revision)
        with closing(sqlite3.connect(database)) as connection:
            given.file.write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
