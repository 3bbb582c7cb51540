"""Every page by axe-core, with the scored demos: both themes, two widths. No violation of our own."""

import pytest

from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
from tests.browser.conftest import new_context, running
from tests.support.axe import violations
from tools.pictures import NAMES, address, settle

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

VISITORS = {"light": "en-GB", "dark": "ja-JP"}


@pytest.fixture(scope="module")
def scored_app(tmp_path_factory):
    """The address of an app whose demos have their scores."""
    folder = tmp_path_factory.mktemp("pages")
    database = f"sqlite:///{folder / 'pages.sqlite'}"
    engine = make_engine(database)
    migrate(engine)
    seed_demo(engine)
    engine.dispose()
    with running("app.py", folder, YOMIKURABE_DB=database) as base:
        yield base


@pytest.fixture(scope="module")
def contexts(chromium):
    """One visitor for each theme: the scripts are loaded once."""
    opened = {theme: new_context(chromium, lang=lang, theme=theme) for theme, lang in VISITORS.items()}
    yield opened
    for one in opened.values():
        one.close()


@pytest.mark.parametrize("theme", VISITORS)
@pytest.mark.parametrize("name", NAMES)
def test_a_page_has_no_violation_at_any_width(scored_app, contexts, name, theme):
    page = contexts[theme].new_page()
    page.goto(address(scored_app, name, VISITORS[theme][:2]), timeout=60_000)
    found = {}
    for width in (1280, 800):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(400)
        settle(page)
        found[width] = violations(page)
    page.close()
    assert found == {1280: [], 800: []}
