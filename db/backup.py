"""A copy of the SQLite database, taken while others go on writing."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine

from core.errors import InputError, UnavailableError
from db.campaigns.export import new_file


def backup(engine: Engine, path: Path) -> None:
    """Copy the whole database into the new file `path`, with SQLite's online backup.

    Raises InputError for a database that is not a SQLite file, FileError when `path` exists or cannot be
    written, UnavailableError when the database cannot be read.
    """
    source = engine.url.database
    if engine.dialect.name != "sqlite" or not source or source == ":memory:":
        raise InputError("Only a SQLite file can be backed up here; use your database's own backup program.")
    if not Path(source).is_file():
        raise InputError(f"There is no database at {source} yet; nothing was copied.")
    with new_file(path) as draft:
        try:
            _copy(Path(source), draft)
        except sqlite3.Error as error:
            raise UnavailableError(f"The database at {source} cannot be copied ({error}).") from error


def _copy(source: Path, target: Path) -> None:
    with closing(sqlite3.connect(source, timeout=10)) as reader, closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE")  # one file, complete in itself
