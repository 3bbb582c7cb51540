"""A PostgreSQL server of the tests' own: in a temporary folder, on a free loopback port, then removed."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

USER = "yomikurabe"
PASSWORD = "kept-to-itself-9Q"
SETTINGS = {
    "fsync": "off",
    "listen_addresses": "127.0.0.1",
    "max_connections": "60",
    "shared_buffers": "32MB",
}


class NoPostgres(Exception):
    """There is no server program here, or it does not start; the message says so in one sentence."""


@contextmanager
def cluster() -> Iterator[str]:
    """A running server; gives its address up to the name of a database. Raises NoPostgres."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="yomikurabe-postgres-"))
    data = folder / "data"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-t", "30"]
    end = subprocess.Popen(
        [
            "sh",
            "-c",
            'cat; "$@"; rm -rf "$0"',
            str(folder),
            *_as_server([*control, "-m", "immediate", "stop"]),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # waits until the tests close its input, or are killed: then, too, nothing stays behind
    try:
        _make(programs, folder, data)
        port = _free_port()
        settings = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
        _run([*control, "-o", f"-p {port} -k {folder} {settings}", "-l", f"{folder}/log", "start"], folder)
        yield f"postgresql+psycopg://{USER}:{PASSWORD}@127.0.0.1:{port}"
    finally:
        end.communicate(timeout=60)


def command(url: str, statement: str) -> None:
    """One statement of the tests themselves, outside any transaction; it waits for nobody."""
    server = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with server.connect() as connection:
        connection.execute(text("SET lock_timeout = '10s'"))
        connection.execute(text(statement))


def _programs() -> Path:
    """The folder with initdb, pg_ctl and postgres: on the PATH, else the newest where Debian keeps them."""
    on_path = shutil.which("initdb")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    for folder in [*([Path(on_path).resolve().parent] if on_path else []), *reversed(debian)]:
        if all((folder / name).exists() for name in ("initdb", "pg_ctl", "postgres")):
            return folder
    raise NoPostgres("no PostgreSQL server on this machine: `make postgres` installs one where it may")


def _make(programs: Path, folder: Path, data: Path) -> None:
    secret = folder / "password"
    secret.write_text(PASSWORD, encoding="utf-8")
    if os.geteuid() == 0:
        try:
            account = pwd.getpwnam("postgres")
        except KeyError as error:
            raise NoPostgres("PostgreSQL does not run as root, and there is no user `postgres`") from error
        for path in (folder, secret):
            os.chown(path, account.pw_uid, account.pw_gid)
    access = ["-U", USER, "--auth=scram-sha-256", f"--pwfile={secret}"]
    texts = ["--encoding=UTF8", "--locale=C"]
    _run([str(programs / "initdb"), "-D", str(data), "--no-sync", *access, *texts], folder)


def _run(command: list[str], folder: Path) -> None:
    with (folder / "output").open("ab") as output:  # no pipe: the server would hold it open
        done = subprocess.run(_as_server(command), cwd=folder, stdout=output, stderr=output, timeout=60)
    if done.returncode != 0:
        program = Path(command[0]).name
        raise NoPostgres(f"PostgreSQL does not start here ({program} ended with {done.returncode})")


def _as_server(command: list[str]) -> list[str]:
    """The command as a user that the server may run as: anybody but root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
