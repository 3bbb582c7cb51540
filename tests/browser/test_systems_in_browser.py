"""The page of systems in a real browser: from a point of the scatter to the pair under the lens."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from db.engine import make_engine
from db.queries import list_campaigns, list_translations, store_scores
from db.records import ScoreRow

pytestmark = pytest.mark.slow

POINT = """
(chart) => {
  const layout = chart._fullLayout, trace = chart._fullData.find((one) => one.customdata);
  const box = chart.getBoundingClientRect(), last = trace.x.length - 1;
  return [box.x + layout.xaxis._offset + layout.xaxis.d2p(trace.x[last]),
          box.y + layout.yaxis._offset + layout.yaxis.d2p(trace.y[last]), trace.customdata[last]];
}
"""


@pytest.fixture
def scored(server):
    """The demo campaign with a hundred rated translations, scored by one metric; gives all of them."""
    engine = make_engine(server.database)
    campaign = next(one for one in list_campaigns(engine) if "Wikipedia" in one.name)
    texts = [one for one in list_translations(engine, campaign.id) if not one.is_reference]
    store_scores(
        engine,
        [
            ScoreRow(translation_id=one.id, metric="chrf", signature="chrf|v1", score=float(number))
            for number, one in enumerate(texts)
        ],
    )
    yield texts
    engine.dispose()


def test_a_point_of_the_scatter_leads_to_its_pair_under_the_lens(server, visitor, scored):
    page = visitor()
    page.goto(f"{server.address}/systems")
    page.get_by_role("combobox", name="Campaign").click()
    page.get_by_role("option", name="Wikipedia").click()
    expect(page.get_by_text("Click a point to read its texts.")).to_be_visible()
    chart = page.locator(".js-plotly-plot").last
    chart.scroll_into_view_if_needed()
    page.wait_for_timeout(800)  # the chart has taken its size
    x, y, row = chart.evaluate(POINT)
    page.mouse.click(x, y)
    expect(page.get_by_text(scored[row].text).first).to_be_visible()
    page.get_by_role("button", name="Under the lens").first.click()
    expect(page.get_by_role("heading", name="A pair under the lens")).to_be_visible()
    expect(page.get_by_text(scored[row].text).first).to_be_visible(timeout=90_000)  # the encoder loads first
