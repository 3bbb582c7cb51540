"""A real server on a free port, and the system's Chromium. Without one these tests are skipped and say so."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.assets import ROOT
from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
from tests.support.judge_server import ChatServer

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None:
                reason = "no Chromium on this machine: `make browser` installs one where it may"
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass(frozen=True)
class Server:
    """A running app, its database, and the language model that it may ask."""

    address: str
    database: str
    model: ChatServer


def thinks(request):
    """A language model that needs a while to find nothing."""
    time.sleep(1.5)
    return "Critical:\nno-error\nMajor:\nno-error\nMinor:\nno-error"


def free_port():
    """A port of this machine that nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running(script, folder, *, port=None, arguments=(), **settings):
    """A Streamlit script on a port of this machine, a free one unless told; gives its address."""
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.port", str(port), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--server.address", "127.0.0.1"], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/_stcore/script-health-check", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """An app that nobody has visited yet, with its own database; the tests share it.

    The demos are without scores: the tests compute them.
    """
    folder = tmp_path_factory.mktemp("browser")
    database = f"sqlite:///{folder / 'browser.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    seed_demo(engine, scores=False)
    engine.dispose()
    with ChatServer(thinks) as model:
        judge = {"OPENAI_BASE_URL": model.base_url, "OPENAI_API_KEY": "k", "YOMIKURABE_MODEL": "small"}
        with running("app.py", folder, YOMIKURABE_DB=database, **judge) as address:
            yield Server(address, database, model)


@pytest.fixture(scope="session")
def passage_server(tmp_path_factory):
    """The address of a page with one passage to be marked."""
    with running("tests/support/passage_app.py", tmp_path_factory.mktemp("passage")) as address:
        yield address


@pytest.fixture(scope="session")
def passage_contexts(chromium):
    """A context for each kind of visitor: the page keeps nothing, and its scripts are loaded once."""
    contexts = {}

    def chosen(**kind):
        key = tuple(sorted(kind.items()))
        if key not in contexts:
            contexts[key] = new_context(chromium, **kind)
        return contexts[key]

    yield chosen
    for context in contexts.values():
        context.close()


@pytest.fixture
def passage_page(passage_server, passage_contexts):
    """Open that page with a query; returns it once the text is there."""
    pages = []

    def opened(query="", **kind):
        page = passage_contexts(**kind).new_page()
        pages.append(page)
        page.goto(f"{passage_server}/?{query}")
        page.locator(".passage .text").wait_for(timeout=60_000)
        return page

    yield opened
    for page in pages:
        page.close()


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=20_000)  # two busy cores
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def new_context(chromium, lang="en-GB", theme="light", width=1280, *, phone=False):
    """A visitor who prefers a language and a theme, with nothing kept from before; or one with a phone."""
    device = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2} if phone else {}
    context = chromium.new_context(
        locale=lang,
        color_scheme=theme,
        timezone_id="Asia/Tokyo",
        viewport={"width": 390, "height": 844} if phone else {"width": width, "height": 900},
        **device,
    )
    context.set_default_timeout(30_000)
    return context


@pytest.fixture
def visitor(chromium):
    """Make a page for a visitor who prefers a language and a theme."""
    contexts = []

    def opened(**kind):
        contexts.append(new_context(chromium, **kind))
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


def wait_for(url, process, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(url, timeout=seconds) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"no answer from {url}")
