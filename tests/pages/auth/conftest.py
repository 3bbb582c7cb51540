"""Visitors of an app that an organiser has taken over."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from core.assets import ROOT
from db.campaigns.demos import seed_demo
from db.engine import migrate
from db.queries import first_link, list_campaigns, open_link


@pytest.fixture
def closed(engine):
    """A database with the demos that an organiser has taken over; gives the Holmes campaign's number."""
    migrate(engine)
    seed_demo(engine)
    open_link(engine, first_link(engine))
    return next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))


@pytest.fixture
def visit(database):
    """Open the app by a link, or by none."""

    def opened(token=None, lang="en"):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params["lang"] = lang
        if token is not None:
            at.query_params["k"] = token
        at.run()
        assert not at.exception
        return at

    return opened


@pytest.fixture
def within(monkeypatch):
    """From now on a click runs the page's one fragment only, neither app.py nor the page."""

    def only(at):
        (fragment,) = at._fragment_storage._fragments
        ask = LocalScriptRunner.request_rerun

        def request(runner, data):
            asked = ask(runner, data)
            pending = runner._requests
            pending._rerun_data = replace(pending._rerun_data, fragment_id_queue=[fragment])
            return asked

        monkeypatch.setattr(LocalScriptRunner, "request_rerun", request)
        return at

    return only
