"""The database: where it is, how it is opened, and the one way to read and to write.

Writers of one SQLite file queue for a lock, first come, first served. SQLite by itself lets a writer wait
longer after every try, so that under load some wait for seconds while others overtake. The lock is a file
beside the database; it holds between processes and threads, and the system releases it when a process dies.
Where there is no such lock (Windows, a read-only folder), SQLite's own waiting is used.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import platformdirs
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event
from sqlalchemy import Engine as Engine  # for pages, which import no SQLAlchemy
from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    NoSuchModuleError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry

from core.errors import InputError, UnavailableError, Wording

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def turn(file: str, seconds: float) -> Iterator[None]:
    """Wait for this writer's turn, for `seconds` at most; then the block runs in any case."""
    place = _Place(file)
    try:
        place.wait(seconds)
        yield
    finally:
        place.leave()


class _Place:
    """One writer's place in the queue. A descriptor of its own each, so threads exclude each other too."""

    def __init__(self, file: str) -> None:
        self._lock = threading.Lock()
        self._blocked = False
        self._descriptor: int | None = None
        if fcntl is not None:
            with suppress(OSError):
                self._descriptor = os.open(f"{file}-queue", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def wait(self, seconds: float) -> None:
        if self._descriptor is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._blocked = True  # already: the thread may start late, and the descriptor is its own now
            waiting = threading.Thread(target=self._block, args=(self._descriptor,), daemon=True)
            waiting.start()  # the system's own waiting has no time limit, a thread's has
            waiting.join(seconds)
        except OSError:
            return

    def leave(self) -> None:
        """Give the turn to the next; a place that is still waiting gives it on when it comes."""
        with self._lock:
            if self._descriptor is not None:
                descriptor, self._descriptor = self._descriptor, None
                if not self._blocked:
                    os.close(descriptor)

    def _block(self, descriptor: int) -> None:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        with self._lock:
            self._blocked = False
            if self._descriptor is None:  # gave up meanwhile
                os.close(descriptor)


class _File:
    """The SQLite file of an engine: made for its owner alone, and the same file for as long as it is open.

    A file that was deleted, or exchanged for another one, still takes what is written through the connections
    that were opened before, and loses it.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._identity: tuple[int, int] | None = None

    def make(self, *_: object) -> None:
        """Before a connection is opened. What SQLite puts beside the file has the file's rights."""
        self.check()
        with suppress(OSError):  # it is there already, or SQLite says why it cannot be made
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))

    def opened(self, *_: object) -> None:
        """After a connection is opened."""
        self._identity = self._identity or self._found()

    def closed(self, *_: object) -> None:
        """After all connections are closed: the next one may open another file."""
        self._identity = None

    def check(self) -> None:
        """Raise UnavailableError where the path does not lead to the file that was opened."""
        if self._identity is not None and self._found() != self._identity:
            raise UnavailableError(
                "The database file was deleted or exchanged while it was open, so nothing was stored; "
                "put it back, or start the program again."
            )

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def check_write(self, connection: Connection) -> None:
        """`check`, where this transaction writes: when it begins, and again before it is committed."""
        if connection.get_execution_options().get(_WRITE, False):
            self.check()

    def watch(self, engine: Engine) -> None:
        """Look at every connection and every transaction of the engine."""
        event.listen(engine, "do_connect", self.make)
        event.listen(engine, "connect", self.opened)
        event.listen(engine, "engine_disposed", self.closed)
        event.listen(engine, "begin", self.check_write)
        event.listen(engine, "commit", self.check_write)


MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10
"""How long a writer waits for another one."""

_WRITE = "yomikurabe_write"
_PLACE = 0x796F6D69
"""The number of the lock for which PostgreSQL's writers queue up: “yomi”."""
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


def database_url() -> str:
    """`YOMIKURABE_DB` (any SQLAlchemy URL), else a SQLite file in the user's data folder, which is made."""
    url = os.environ.get("YOMIKURABE_DB", "").strip()
    if url:
        return url
    folder = platformdirs.user_data_path("yomikurabe")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(PermissionError):  # somebody else's folder
            folder.chmod(0o700)  # databases of earlier versions can be read by everybody who gets in here
    except OSError as error:
        raise UnavailableError(
            "The folder {folder} cannot be made ({reason}); set YOMIKURABE_DB to another place.",
            folder=folder,
            reason=error.strerror,
        ) from error
    return f"sqlite:///{folder / 'yomikurabe.sqlite'}"


def make_engine(url: str) -> Engine:
    """An engine for this URL; nothing is opened yet. Raises InputError for a URL that makes no sense.

    No error of this engine holds what people wrote: the values are left out, and PostgreSQL's details.
    """
    pool: dict[str, Any] = {}
    if not url.startswith("sqlite"):  # there a writer holds a connection while it waits
        pool = {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 20, "pool_timeout": BUSY_SECONDS}
    try:
        engine = create_engine(url, json_serializer=_to_json, hide_parameters=True, **pool)
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise InputError(
            "YOMIKURABE_DB is not a database URL; write it like sqlite:////home/me/scores.sqlite."
        ) from None  # the cause may quote a piece of the password
    except ModuleNotFoundError as error:
        raise UnavailableError(
            "YOMIKURABE_DB needs the Python package {package}; install it with pip.", package=error.name
        ) from error
    if engine.dialect.name == "sqlite":
        if (file := _file_of(engine)) is not None:
            _File(file).watch(engine)
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "begin", _begin_postgresql)
        event.listen(engine, "handle_error", _first_line_only)
    return engine


@contextmanager
def read_session(engine: Engine) -> Iterator[Session]:
    """One consistent look at the database. Raises UnavailableError when it cannot be read."""
    with _translate_db_errors(engine, Wording("read")), Session(engine) as session, session.begin():
        if engine.dialect.name == "postgresql":
            session.connection().exec_driver_sql(_SNAPSHOT)
        yield session


@contextmanager
def write_session(engine: Engine) -> Iterator[Session]:
    """One transaction, committed at the end of the block, or undone whole when the block raises.

    On SQLite and PostgreSQL writers queue up where the block begins: what it reads stays true until its end.
    Raises UnavailableError if it cannot, InputError for a text that cannot be stored.
    """
    write_engine = engine.execution_options(**{_WRITE: True})
    with (
        _translate_db_errors(engine, Wording("written")),
        _turn(engine),
        Session(write_engine) as session,
        session.begin(),
    ):
        session.connection()  # take the place in the queue now
        yield session


def migrate(engine: Engine) -> None:
    """Bring the database to the form that this code knows; safe when several processes start at once.

    Raises UnavailableError for a database newer than the code and for one that cannot be opened.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    script = ScriptDirectory.from_config(config)
    head = script.get_current_head()
    try:
        with engine.connect() as connection:
            if _revision(connection, script) == head:
                return
        with engine.execution_options(**{_WRITE: True}).begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")  # does nothing where another process has done it meanwhile
    except DatabaseError as error:
        raise UnavailableError(
            "The database cannot be opened ({reason}); check YOMIKURABE_DB and the rights to its folder.",
            reason=_reason(engine, error),
        ) from error


def _revision(connection: Connection, script: ScriptDirectory) -> str | None:
    """The database's revision, None if empty. Raises UnavailableError if this code does not know it."""
    revision = MigrationContext.configure(connection).get_current_revision()
    known = {entry.revision for entry in script.walk_revisions()}
    if revision is not None and revision not in known:
        raise UnavailableError(
            "The database is from a newer Yomikurabe (revision {revision}); update the program to open it.",
            revision=revision,
        )
    return revision


def _turn(engine: Engine) -> AbstractContextManager[None]:
    """A place in the queue of the file's writers; elsewhere the database has its own."""
    file = _file_of(engine)
    return nullcontext() if file is None else turn(file, BUSY_SECONDS)


def _file_of(engine: Engine) -> str | None:
    """The path of an engine's SQLite file; None where there is none."""
    file = engine.url.database
    return file if engine.dialect.name == "sqlite" and file and file != ":memory:" else None


@contextmanager
def _translate_db_errors(engine: Engine, verb: Wording) -> Iterator[None]:
    """Turn the driver's trouble (locked, full, read-only, damaged, not migrated) into one sentence."""
    try:
        yield
    except (IntegrityError, ProgrammingError):
        raise  # the caller's to judge
    except (DataError, UnicodeEncodeError) as error:
        raise InputError(
            "A value holds something that the database cannot store, so nothing was changed; type it again."
        ) from error
    except (DatabaseError, NoConnectionError) as error:
        reason = _reason(engine, error)
        raise UnavailableError(
            "The database cannot be {verb} now ({reason}), so nothing was changed; try again.",
            verb=verb,
            reason=reason,
        ) from error


def _reason(engine: Engine, error: SQLAlchemyError) -> str:
    """What the driver says, in its first line, without the password."""
    said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    password = engine.url.password
    return said.replace(str(password), "…") if password else said


def _configure_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Every connection: foreign keys checked, writers wait, a commit is on the disk before it returns."""
    connection.isolation_level = None  # the driver begins nothing by itself; _begin_sqlite does
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={BUSY_SECONDS * 1000}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A write transaction queues at once; turning a read lock into a write lock later would fail instead."""
    writes = connection.get_execution_options().get(_WRITE, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    """Writers queue up as they do on SQLite: no two take the same revision, place or share."""
    if connection.get_execution_options().get(_WRITE, False):
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_PLACE})")


def _first_line_only(context: ExceptionContext) -> None:
    """The further lines of PostgreSQL's errors quote the row."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None:
            error.args = tuple(str(said).partition("\n")[0] for said in error.args)


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def ready_engine() -> Engine:
    """The database of `YOMIKURABE_DB`, brought up to date."""
    engine = make_engine(database_url())
    migrate(engine)
    return engine
