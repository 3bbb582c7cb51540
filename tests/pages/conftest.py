"""Pages are tested under AppTest, each test with its own database file."""

import shutil
import sqlite3
import sys

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.assets import ROOT
from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
from db.formats import apart
from pages.ui import frame


@pytest.fixture(autouse=True)
def no_caches():
    """No engine of one test reaches another."""
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture(autouse=True)
def uploads_read_here(monkeypatch):
    """Read uploads in this process; `tests/db/formats/test_apart.py` tests the separate process."""
    monkeypatch.setattr(apart, "read", apart.read_here)


@pytest.fixture(autouse=True)
def main_module_put_back(monkeypatch):
    """Put `__main__` back, which Streamlit replaces by the page: processes started later would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(scope="session", autouse=True)
def scripts_compiled_once():
    """Compile each script once for all tests; AppTest compiles it for every run."""
    kept = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        for module in ("app_test", "local_script_runner"):
            patch.setattr(f"streamlit.testing.v1.{module}.ScriptCache", lambda: kept)
        yield


@pytest.fixture(autouse=True)
def at_this_machine(monkeypatch):
    """AppTest has no browser, so it cannot say where one is."""
    monkeypatch.setattr("pages.auth.session.address", lambda: None)
    monkeypatch.setattr("pages.auth.session.headers", lambda: {"Host": "localhost:8501"})
    monkeypatch.setattr("pages.auth.cookies.sent", dict)


def started(path, *, scores):
    """Make a database file as the app's first start leaves it, with the demos; no link is told."""
    engine = make_engine(f"sqlite:///{path}")
    migrate(engine)
    seed_demo(engine, scores=scores)
    engine.dispose()
    with sqlite3.connect(path) as whole:
        whole.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture(scope="session")
def first_start(tmp_path_factory):
    """The file of a first start without the scores of the demos."""
    return started(tmp_path_factory.mktemp("first") / "pages.sqlite", scores=False)


@pytest.fixture(scope="session")
def first_start_scored(tmp_path_factory):
    """The file of a first start as people have it, with the scores."""
    return started(tmp_path_factory.mktemp("scored") / "pages.sqlite", scores=True)


@pytest.fixture
def database(tmp_path, monkeypatch, first_start):
    """The address of a database of the test's own, with the demos without scores."""
    url = f"sqlite:///{shutil.copy(first_start, tmp_path / 'pages.sqlite')}"
    monkeypatch.setenv("YOMIKURABE_DB", url)
    return url


@pytest.fixture
def scored(database, first_start_scored, tmp_path):
    """The same address; the demos have their scores and traces."""
    shutil.copy(first_start_scored, tmp_path / "pages.sqlite")
    return database


@pytest.fixture
def engine(database):
    return make_engine(database)


def address_hash(page):
    """The hash by which Streamlit opens the page with this script from its own address."""
    (name,) = [name for section, name, *_ in frame.PAGES if frame.script(section, name) == page]
    return calc_hash("" if name == frame.PAGES[0][1] else name)


@pytest.fixture
def start(database):
    """Open the app in a language, on the page for raters unless told; returns the running AppTest."""

    def opened(lang="en", page="pages/evaluate/rate/page.py"):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params["lang"] = lang
        if page:
            at._page_hash = address_hash(page)
        at.run()
        assert not at.exception
        return at

    return opened


@pytest.fixture
def enter():
    """Say a name on the first screen and pass the guideline."""

    def entered(at, name, campaign=None):
        if campaign is not None:
            at.selectbox(key="campaign-rate").set_value(campaign).run()
        at.text_input(key="rater-name").set_value(name)
        at.button(key="start").click().run()
        assert not at.exception
        if any(button.key == "begin" for button in at.button):
            at.button(key="begin").click().run()
        assert not at.exception
        return at

    return entered


@pytest.fixture
def html_of():
    """Everything that the page wrote as HTML."""

    def found(at):
        return "\n".join(element.proto.body for element in at.get("html"))

    return found


@pytest.fixture
def pair_page(start, backends, monkeypatch):
    """The pair page, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en", tab=None):
        at = start(lang, "pages/debug/pair/page.py")
        assert not at.exception
        if tab is not None:
            at.session_state["pair-tabs"] = tab
            at.run()
            assert not at.exception
        return at

    return opened


@pytest.fixture
def type_pair():
    """Type two texts into the pair page."""

    def typed(at, reference, hypothesis):
        at.segmented_control(key="pair-origin").set_value("typed").run()
        at.text_area(key="typed-reference").set_value(reference)
        at.text_area(key="typed-hypothesis").set_value(hypothesis).run()
        assert not at.exception
        return at

    return typed
