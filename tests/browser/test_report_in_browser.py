"""A report in Chromium, without a network: it draws its figures, runs nobody's script, and fits on A4."""

import re
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page

from core.report.page import print_to_pdf
from db.engine import make_engine, migrate
from tests.support.report_files import EVIL, GIVEN, report_of, small

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A report with texts in which everything that people typed is an attack."""
    folder = tmp_path_factory.mktemp("report")
    engine = make_engine(f"sqlite:///{folder / 'report.sqlite'}")
    migrate(engine)
    ash = EVIL[:40]
    ratings = {
        rater: {ash: own["ash"], "beech": own["beech"]}
        for rater, own in zip((EVIL, "Ben"), GIVEN.values(), strict=True)
    }
    bundle = small(ratings, systems=(ash, "beech"), evil=EVIL)
    (folder / "report.html").write_text(report_of(engine, bundle, EVIL, lang="ja")[1], "utf-8")
    engine.dispose()
    return folder / "report.html"


@dataclass
class Opened:
    """The page, what it asked for and complained of while it was loaded, and what was complained of since."""

    page: Page
    requests: list[str] = field(default_factory=list)
    at_first: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def loaded(file, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = Opened(context.new_page())
    asked = []
    found.page.on("request", lambda request: asked.append(request.url))
    found.page.on("console", lambda message: found.complaints.append(message.text))
    found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
    found.page.on("dialog", lambda dialog: (found.complaints.append(dialog.message), dialog.dismiss()))
    found.page.goto(file.as_uri())
    found.page.locator(".figure .main-svg").first.wait_for()
    found.page.wait_for_timeout(300)
    found.requests, found.at_first = list(asked), list(found.complaints)
    found.complaints.clear()
    yield found
    context.close()


def test_it_asks_for_nothing_and_runs_nobodys_script(loaded, file):
    page = loaded.page
    assert page.title() == EVIL
    assert page.locator("h1").inner_text() == EVIL
    assert page.locator("img").count() == 0
    assert page.locator(".figure .main-svg").count() >= 3
    assert loaded.requests == [file.as_uri()]
    assert loaded.at_first == []


def test_a_tag_that_got_in_all_the_same_would_not_run(loaded):
    page, complaints = loaded.page, loaded.complaints
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    page.wait_for_timeout(300)
    assert len(complaints) == 2  # the picture and the handler: both refused
    assert all("Content Security Policy" in one for one in complaints)
    page.evaluate("document.body.lastElementChild.remove()")


def test_hovering_tells_a_cells_number(loaded):
    page = loaded.page
    cell = page.locator(".figure").first.locator(".textpoint").first
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".figure").first.locator(".hoverlayer .hovertext").wait_for()
    assert "r 0.90" in page.locator(".hoverlayer .hovertext").first.text_content()


def test_the_tables_source_can_be_copied(loaded):
    page = loaded.page
    page.locator("summary", has_text="LaTeX").click()
    page.locator("button", has_text="写す").click()
    page.locator("button", has_text="写しました").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("% \\usepackage{booktabs}")


@pytest.mark.parametrize(("media", "width"), [("screen", 1280), ("print", 680)])
def test_figures_and_tables_are_no_wider_than_a_page_of_a4(loaded, media, width):
    page = loaded.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media=media)
    page.wait_for_timeout(300)
    wide = "[...document.querySelectorAll('.figure .main-svg, table')]"
    widths = page.evaluate(f"{wide}.map(one => one.getBoundingClientRect().width)")
    assert len(widths) > 10
    assert max(widths) <= 680
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_pdf_has_pages_of_a4_and_the_campaigns_name(file):
    pdf = file.with_suffix(".pdf")
    print_to_pdf(file, pdf)
    found = pdf.read_bytes()
    assert found.startswith(b"%PDF-")
    boxes = {
        tuple(round(float(side)) for side in box.split())
        for box in re.findall(rb"/MediaBox \[([^\]]+)\]", found)
    }
    assert boxes == {(0, 0, 595, 842)}
    assert len(re.findall(rb"/Type /Page\b", found)) >= 4
