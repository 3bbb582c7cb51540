"""Coming in by an identity provider (OpenID Connect), with a real provider, server and browser."""

from __future__ import annotations

import re
from secrets import token_hex

import pytest
from playwright.sync_api import expect

from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import add_account, first_link, open_link
from tests.browser.conftest import free_port, running
from tests.support.oidc_provider import Provider

pytestmark = pytest.mark.slow

EMAIL = "hanako@example.org"


@pytest.fixture(scope="module")
def provider():
    with Provider() as started:
        yield started


@pytest.fixture(scope="module")
def address(provider, tmp_path_factory):
    """An app with an organiser, one account, and the provider in its secrets."""
    folder, port = tmp_path_factory.mktemp("login"), free_port()
    database = f"sqlite:///{folder / 'login.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    open_link(engine, first_link(engine))
    add_account(engine, OPERATOR, login=EMAIL, password=token_hex(8), role="organiser")
    secrets = provider.secrets_file(folder, f"http://127.0.0.1:{port}")
    with running(
        "app.py", folder, port=port, arguments=["--secrets.files", str(secrets)], YOMIKURABE_DB=database
    ) as started:
        yield started


def test_who_has_an_account_comes_in_as_that_person(provider, address, visitor):
    provider.person = {"email": EMAIL, "email_verified": True}
    page = visitor()
    page.goto(address)
    page.get_by_role("button", name="Log in with your organisation").click()
    expect(page.get_by_text("You are an organiser here.", exact=False).first).to_be_visible()
    page.goto(f"{address}/manage")
    expect(page.get_by_role("heading", name="Manage campaigns")).to_be_visible()


def test_who_is_not_known_for_sure_stays_outside_and_can_try_again(provider, address, visitor):
    page = visitor()
    page.goto(address)
    for person, sentence in (
        ({"email": "nobody@example.org"}, "There is no account of this name"),
        ({"email": EMAIL, "email_verified": False}, "has not verified"),
        ({}, "has not said which"),
    ):
        provider.person = person
        page.get_by_role("button", name="Log in with your organisation").click()
        expect(page.get_by_text(re.compile(sentence))).to_be_visible()
        page.get_by_role("button", name="Another account").click()
    expect(page.get_by_role("button", name="Log in with your organisation")).to_be_visible()
