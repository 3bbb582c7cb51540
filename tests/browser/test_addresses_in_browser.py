"""Addresses in a real browser: a cold deep link, back and forward, the copied link, a saved picture."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from db.engine import make_engine
from db.queries import list_campaigns, list_segments, list_systems
from tools.pictures import settle

pytestmark = pytest.mark.slow


@pytest.fixture
def place(server):
    """The parameters of the third segment of the Holmes campaign under its last system."""
    engine = make_engine(server.database)
    campaign = next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))
    segments, systems = list_segments(engine, campaign), list_systems(engine, campaign)
    yield f"campaign={campaign}&segment={segments[2].id}&system={systems[-1].id}", segments
    engine.dispose()


def parameters(address):
    return {name: value for name, (value,) in parse_qs(urlsplit(address).query).items()}


def selected(page, tab):
    tab = page.get_by_role("tab", name=tab)
    expect(tab).to_have_attribute("aria-selected", "true", timeout=60_000)  # the encoder is loaded first


def test_a_cold_link_opens_its_pair_tab_and_token_and_back_and_forward_go_through_the_views(
    server, visitor, place
):
    page = visitor()
    query, segments = place
    page.goto(f"{server.address}/pair?{query}&tab=names&token=3")
    selected(page, "Names (readings)")
    expect(page.locator("span.yk-tint[style*=double]")).not_to_have_count(0)
    expect(page.get_by_text(segments[2].reference[:20]).first).to_be_visible()
    page.wait_for_url(re.compile("partner="))
    page.get_by_role("tab", name="Words (BLEU)").click()
    page.wait_for_url(re.compile("tab=words"))
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    segment = page.get_by_role("combobox", name="Segment")
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, 0)")
    settle(page)  # a run that ends closes the list, and so does the page that scrolls under it
    segment.click()
    page.get_by_role("option").first.click()
    page.wait_for_url(re.compile(f"segment={segments[0].id}(&|$)"))
    page.go_back()
    page.wait_for_url(re.compile(f"segment={segments[2].id}(&|$)"))
    expect(page.get_by_text(segments[2].reference[:20]).first).to_be_visible()
    selected(page, "Words (BLEU)")
    page.go_back()
    page.wait_for_url(re.compile("tab=names"))
    selected(page, "Names (readings)")
    page.go_forward()
    page.wait_for_url(re.compile("tab=words"))
    selected(page, "Words (BLEU)")
    page.go_forward()
    page.wait_for_url(re.compile(f"segment={segments[0].id}(&|$)"))
    expect(page.get_by_text(segments[0].reference[:20]).first).to_be_visible()


def test_a_wrong_address_says_so_and_shows_the_default(server, visitor):
    page = visitor()
    page.goto(f"{server.address}/pair?campaign=987654&segment=5")
    expect(
        page.get_by_text("The address asks for something that is not here: campaign, segment.")
    ).to_be_visible()
    page.wait_for_timeout(1500)  # no later run takes the sentence away
    expect(
        page.get_by_text("The address asks for something that is not here: campaign, segment.")
    ).to_be_visible()
    expect(page.locator(".js-plotly-plot").first).to_be_visible()


def test_the_copied_link_opens_the_same_view_elsewhere(server, visitor, place):
    page, other = visitor(), visitor()
    page.goto(f"{server.address}/pair?{place[0]}&tab=words&lang=en")
    selected(page, "Words (BLEU)")
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_test_id("stCode").filter(has_text="/pair?").inner_text().strip()
    assert link.startswith(f"{server.address}/pair?")
    assert parameters(link) == {**parameters(f"/?{place[0]}"), "tab": "words"}
    other.goto(link)
    selected(other, "Words (BLEU)")
    assert parameters(other.url) == parameters(link)


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_is_saved_by_the_button_on_it(server, visitor, place, kind):
    page = visitor()
    page.goto(f"{server.address}/pair?{place[0]}&tab=words")
    selected(page, "Words (BLEU)")
    if kind == "png":
        page.get_by_text("PNG", exact=True).click()
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    page.wait_for_timeout(1500)  # the chart has taken its size
    page.locator(".js-plotly-plot").hover()
    with page.expect_download() as saved:
        page.locator(".modebar-btn").click()
    assert saved.value.suggested_filename == f"ngrams-bleu.{kind}"
    content = saved.value.path().read_bytes()
    assert content.startswith({"svg": b"<svg", "png": b"\x89PNG"}[kind])


POINT = """
(chart) => {
  const layout = chart._fullLayout, trace = chart._fullData.find((one) => one.customdata);
  const box = chart.getBoundingClientRect();
  return [box.x + layout.xaxis._offset + layout.xaxis.d2p(trace.x[0]),
          box.y + layout.yaxis._offset + layout.yaxis.d2p(trace.y[0])];
}
"""


def test_a_point_of_two_raters_leads_to_its_pair_and_back_again(server, visitor):
    engine = make_engine(server.database)
    campaign = next(one.id for one in list_campaigns(engine) if "Wikipedia" in one.name)
    engine.dispose()
    page = visitor()
    page.goto(f"{server.address}/agreement?campaign={campaign}&tab=agreement&lang=en")
    expect(page.get_by_text("Click a point to look at that translation.")).to_be_visible(timeout=60_000)
    picture = page.locator("[class*=st-key-agreement-scatter] .js-plotly-plot")
    picture.first.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # the chart has taken its size
    x, y = picture.first.evaluate(POINT)
    page.mouse.click(x, y)
    lens = page.get_by_role("button", name="Under the lens")
    expect(lens).to_be_visible()
    page.wait_for_timeout(500)
    before = page.url
    lens.click()
    expect(page.get_by_role("heading", name="A pair under the lens")).to_be_visible()
    page.wait_for_url(re.compile("/pair\\?.*tab="), timeout=60_000)
    assert parameters(page.url)["campaign"] == str(campaign)
    assert parameters(page.url)["lang"] == "en"
    for _ in range(3):
        if page.url == before:
            break
        page.go_back()
        page.wait_for_timeout(1500)
    assert page.url == before
    expect(page.get_by_role("heading", name="Agreement")).to_be_visible()
