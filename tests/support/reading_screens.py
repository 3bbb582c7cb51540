"""A reader of a study in a browser: an app with an organiser, the way in, and what both screens share."""

from __future__ import annotations

from contextlib import contextmanager

from db.engine import make_engine, migrate
from db.permissions import OPERATOR
from db.queries import first_link, new_link, open_link
from db.queries.people import people_of
from tests.browser.conftest import running


@contextmanager
def organised(folder, fill):
    """The address of an app whose organiser's link was opened, and its database. fill: adds studies."""
    database = f"sqlite:///{folder / 'studies.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    fill(engine)
    open_link(engine, first_link(engine))
    with running("app.py", folder, YOMIKURABE_DB=database) as address:
        yield address, engine


def reader(engine, number, name):
    """A new reader of a study: the token of their link, and their id."""
    token = new_link(engine, OPERATOR, role="rater", campaign_id=number, name=name)
    (person,) = [one for one in people_of(engine, OPERATOR, number) if one.name == name]
    return token, person.rater_id


def enter(page, address, token, *, button, text):
    """By the link, past the profile and the guideline. button: its key; text: what is on the screen then."""
    page.goto(f"{address}/?k={token}")
    page.locator(".st-key-profile-consent label, [data-testid=stCheckbox] label").first.click()
    page.locator(".st-key-profile-save button").click()
    page.locator(f".st-key-{button} button").click()
    page.locator(text).first.wait_for()
    saved(page)


def saved(page):
    """Until nothing that was told is unanswered."""
    page.wait_for_function(
        "Object.keys(localStorage).every((key) => !/^yomikurabe:reading:/.test(key))", timeout=20_000
    )


def choose(page, group, option):
    """A choice, by its words."""
    page.get_by_role("radiogroup", name=group).get_by_text(option, exact=True).click()
