"""The running app, over real sessions: what is stored, what is refused, and what its log does not hold."""

from __future__ import annotations

import asyncio
import http.client
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Engine

from benchmarks.load_client import visit
from benchmarks.load_sessions import TEXT, Server, Work, apart, measure, prepare, serving
from core.assets import ROOT
from core.text.files import LIMIT_BYTES
from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import add_account

KEY, PASSWORD = "sk-kept-to-itself-1A", "kept-to-itself-2B"
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Rated:
    """An app in which four raters have been at work for ten seconds."""

    server: Server
    works: list[Work]
    figures: dict[str, object]

    def log(self) -> str:
        return self.server.log.read_text("utf-8")


def engine_in(folder: Path) -> Engine:
    engine = make_engine(f"sqlite:///{folder / 'load.sqlite'}")
    migrate(engine)
    return engine


@pytest.fixture(scope="module")
def rated(tmp_path_factory) -> Iterator[Rated]:
    folder = tmp_path_factory.mktemp("sessions")
    engine = engine_in(folder)
    works = prepare(engine, 4, items=40)
    add_account(engine, OPERATOR, login="teacher", password=PASSWORD, role="teacher")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", KEY)
        with serving(str(engine.url), folder) as server:
            yield Rated(server, works, measure(server, engine, works, seconds=10, pace=1))


@pytest.mark.slow
def test_every_score_that_was_sent_is_stored_once(rated):
    assert [len(work.sent) >= 2 for work in rated.works] == [True] * 4
    assert rated.figures["stored_once"] == sum(len(work.sent) for work in rated.works)
    assert rated.figures["stored_ms"]["longest"] < 10_000


async def log_in(address: str, password: str) -> bool:
    """Whether the door opens."""
    async with visit(address) as session:
        session.fill("door-login", "teacher")
        session.fill("door-password", password)
        await session.click("enter")
        return session.find("door-login") is None


@pytest.mark.slow
def test_the_log_of_the_app_holds_no_secret_and_no_text(rated):
    assert not apart(log_in(rated.server.address, f"not-{PASSWORD}"))
    assert apart(log_in(rated.server.address, PASSWORD))
    log = rated.log()
    assert "You can now view your Streamlit app" in log
    secrets = [KEY, PASSWORD, TEXT.strip(), "ferry", "rater 0", *(work.token for work in rated.works)]
    assert [secret for secret in secrets if secret in log] == []
    assert "Traceback" not in log


async def offer(address: str, size: int) -> int:
    """The server's answer to an upload of so many bytes, of which none is sent."""
    async with visit(address) as session:
        return await asyncio.to_thread(announce, address, f"/_stcore/upload_file/{session.id}/one", size)


def announce(address: str, path: str, size: int) -> int:
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
    connection.request("GET", "/_stcore/health")
    first = connection.getresponse()
    first.read()
    cookie = (first.getheader("Set-Cookie") or "").partition(";")[0]
    connection.putrequest("PUT", path)
    connection.putheader("Cookie", cookie)
    connection.putheader("X-Xsrftoken", cookie.partition("=")[2].strip('"'))
    connection.putheader("Content-Type", "multipart/form-data; boundary=x")
    connection.putheader("Content-Length", str(size))
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.slow
def test_an_upload_above_the_limit_is_refused_before_any_of_it_is_read(rated):
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    most = settings["server"]["maxUploadSize"]
    assert most == 50  # several are held in memory; what is larger comes packed, or by `python -m db import`
    assert most * 1_000_000 < LIMIT_BYTES
    assert apart(offer(rated.server.address, most * MEGABYTE + 1)) == 413  # too large


def knock(address: str, host: str) -> int:
    """The server's answer to a browser that was led to it by this name."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=20)
    connection.putrequest("GET", "/_stcore/stream", skip_host=True)
    for name, value in (
        ("Host", host),
        ("Origin", f"http://{host}"),
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ):
        connection.putheader(name, value)
    connection.endheaders()
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.slow
def test_a_session_is_opened_by_a_name_of_this_machine_only(rated):
    port = rated.server.address.rpartition(":")[2]
    assert knock(rated.server.address, f"localhost:{port}") == 101
    assert knock(rated.server.address, f"evil.example:{port}") == 403


async def load(address: str, tokens: list[str], times: int) -> None:
    """Open the app so many times, by one link after the other, and close it again."""
    for number in range(times):
        async with visit(address, tokens[number % len(tokens)]):
            pass


@pytest.mark.heavy
@pytest.mark.timeout(1800)
def test_the_memory_does_not_grow_with_page_loads(tmp_path, capsys):
    """From the 100th page load to the 600th: a session that was closed is forgotten."""
    engine = engine_in(tmp_path)
    tokens = [work.token for work in prepare(engine, 10, items=40)]
    with serving(str(engine.url), tmp_path) as server:
        apart(load(server.address, tokens, 100))
        before = server.memory()
        apart(load(server.address, tokens, 500))
        after = server.memory()
    with capsys.disabled():
        sys.stdout.write(f"memory after 100 page loads {before:.0f} MB, after 600 {after:.0f} MB\n")
    assert after - before < 50


@pytest.mark.heavy
@pytest.mark.timeout(900)
def test_twenty_raters_for_two_minutes(tmp_path, capsys):
    engine = engine_in(tmp_path)
    works = prepare(engine, 20, items=80)
    with serving(str(engine.url), tmp_path) as server:
        figures = measure(server, engine, works, seconds=120, pace=10)
    with capsys.disabled():
        sys.stdout.write(f"{figures}\n")
    assert figures["stored_once"] > 20 * 5
    assert figures["stored_ms"]["p95"] < 10_000
    assert figures["memory_mb"]["end"] < 2_000
