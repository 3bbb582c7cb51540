"""Many raters at three processes of the app behind nginx, one of which is killed in the middle.

    python -m benchmarks.load_processes --database URL [--raters 60] [--seconds 180] [--pace 5]

Runs `docs/deploy/nginx.conf` with a certificate of its own, on free ports and under a base path, in front of
three processes with one database, which is empty at the start. Half-way through, one process is killed; it is
started again after five seconds, as systemd does. A rater whose session ends opens the link again. Prints one
JSON line: scores that the page confirmed and that are stored once; those that were under way when the process
was killed; sessions that were opened again; and times as in `benchmarks.load_sessions`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Engine
from websockets.exceptions import WebSocketException

from benchmarks.load_client import Session, visit
from benchmarks.load_sessions import (
    ROOT,
    Server,
    Work,
    apart,
    check,
    free_port,
    percentiles,
    prepare,
    serving,
    timed,
)
from db.engine import make_engine, migrate

BASE = "/yomikurabe"
RESTART_SECONDS = 5
GONE = (OSError, WebSocketException, TimeoutError)
"""What a client meets when its process has ended."""


@dataclass
class Visitor:
    """A rater, and what became of their sessions. under_way: items whose score was not confirmed."""

    work: Work
    under_way: list[int] = field(default_factory=list)
    opened: int = 0


def configuration(folder: Path, ports: Sequence[int], door: int) -> Path:
    """`docs/deploy/nginx.conf` for these ports of the processes and of nginx itself, under the base path."""
    site = (ROOT / "docs" / "deploy" / "nginx.conf").read_text("utf-8")
    for usual, port in zip((8501, 8502, 8503), ports, strict=True):
        site = site.replace(f"127.0.0.1:{usual} ", f"127.0.0.1:{port} ")
        site = site.replace(f"127.0.0.1:{usual};", f"127.0.0.1:{port};")
    for old, new in {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl;": f"listen 127.0.0.1:{door} ssl;",
        "/etc/ssl/certs/rate.example.org.pem": str(folder / "site.pem"),
        "/etc/ssl/private/rate.example.org.key": str(folder / "site.key"),
        "rate.example.org": "localhost",
        "/var/log/nginx": str(folder),
        "location / {": f"location {BASE}/ {{",
    }.items():
        if old not in site:
            raise ValueError(f"docs/deploy/nginx.conf does not hold “{old}”")
        site = site.replace(old, new)
    (folder / "site.conf").write_text(site, "utf-8")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = "\n".join(f"    {kind}_temp_path {folder}/{kind};" for kind in kinds)
    whole = folder / "nginx.conf"
    whole.write_text(
        f"user root;\ndaemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\n"
        f"events {{ worker_connections 2048; }}\nhttp {{\n{kept}\n    include {folder}/site.conf;\n}}\n",
        "utf-8",
    )
    return whole


def certify(folder: Path) -> ssl.SSLContext:
    """Make a certificate for localhost; gives what trusts it."""
    about = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    files = ("-keyout", str(folder / "site.key"), "-out", str(folder / "site.pem"))
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *about, *files]
    subprocess.run(made, check=True, capture_output=True)
    return ssl.create_default_context(cafile=str(folder / "site.pem"))


@contextmanager
def proxy(folder: Path, ports: Sequence[int]) -> Iterator[tuple[str, ssl.SSLContext]]:
    """Nginx in front of these processes; gives its address and what trusts its certificate.

    Raises FileNotFoundError where nginx or openssl is not installed.
    """
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise FileNotFoundError("nginx is not installed (Debian: apt-get install nginx-light)")
    door = free_port()
    trusted = certify(folder)
    whole = configuration(folder, ports, door)
    process = subprocess.Popen([program, "-c", str(whole), "-p", str(folder)])
    try:
        time.sleep(1)
        yield f"https://localhost:{door}{BASE}", trusted
    finally:
        process.terminate()
        process.wait(20)


async def rate(address: str, trusted: ssl.SSLContext, one: Visitor, seconds: float, pace: float) -> None:
    """Score and go on until the time is over; open the link again whenever the session ends."""
    await asyncio.sleep(random.uniform(0, min(pace, seconds / 4)))
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            async with visit(address, one.work.token, trusted=trusted) as session:
                one.opened += 1
                await _session(session, one, until, pace)
                return
        except GONE:
            await asyncio.sleep(random.uniform(0.2, 1))


async def _session(session: Session, one: Visitor, until: float, pace: float) -> None:
    if session.find("begin"):
        await session.click("begin")
    while time.monotonic() < until and (field := session.find("score-")):
        await asyncio.sleep(random.uniform(0.4, 1.2) * pace)
        item, score, sent = int(field.removeprefix("score-")), float(random.randrange(101)), time.time()
        one.under_way.append(item)
        one.work.shown.append(await timed(session.enter(field, score)))
        one.under_way.pop()
        one.work.sent.append((item, score, sent))
        await asyncio.sleep(random.uniform(0.1, 0.3) * pace)
        one.work.next.append(await timed(session.click("next")))


def measure(url: str, raters: int, seconds: float, pace: float) -> dict[str, Any]:
    """The figures. Raises RuntimeError where a confirmed score is not stored once, for its own rater."""
    engine = make_engine(url)
    migrate(engine)
    visitors = [Visitor(work) for work in prepare(engine, raters, items=int(seconds / pace * 2) + 5)]
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        servers = [stack.enter_context(serving(url, folder, base=BASE)) for _ in range(3)]
        ports = [int(server.address.removesuffix(BASE).rpartition(":")[2]) for server in servers]
        address, trusted = stack.enter_context(proxy(folder, ports))

        async def everybody() -> None:
            killer = asyncio.create_task(_kill(servers[0], url, folder, ports[0], stack, seconds / 2))
            await asyncio.gather(*(rate(address, trusted, one, seconds, pace) for one in visitors))
            await killer

        apart(everybody())
        log = (folder / "yomikurabe.log").read_text("utf-8")
    return _figures(engine, visitors, log)


async def _kill(server: Server, url: str, folder: Path, port: int, stack: ExitStack, seconds: float) -> None:
    await asyncio.sleep(seconds)
    server.process.kill()
    await asyncio.to_thread(server.process.wait)
    await asyncio.sleep(RESTART_SECONDS)
    await asyncio.to_thread(stack.enter_context, serving(url, folder, port=port, base=BASE))


def _figures(engine: Engine, visitors: Sequence[Visitor], log: str) -> dict[str, Any]:
    works = [one.work for one in visitors]
    if any(work.token in log for work in works):
        raise RuntimeError("a personal link stands in the proxy's log")
    stored = check(engine, works)
    return {
        "raters": len(works),
        "confirmed_and_stored_once": len(stored),
        "under_way_at_the_kill": sum(len(one.under_way) for one in visitors),
        "sessions_opened_again": sum(one.opened - 1 for one in visitors),
        "stored_ms": percentiles(stored),
        "shown_ms": percentiles([one for work in works for one in work.shown]),
        "next_ms": percentiles([one for work in works for one in work.next]),
    }


def main() -> None:
    """Run from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--database", required=True, help="URL of an empty database that many may write to")
    options.add_argument("--raters", type=int, default=60)
    options.add_argument("--seconds", type=float, default=180)
    options.add_argument("--pace", type=float, default=5)
    given = options.parse_args()
    done = measure(given.database, given.raters, given.seconds, given.pace)
    sys.stdout.write(json.dumps(done) + "\n")


if __name__ == "__main__":
    main()
