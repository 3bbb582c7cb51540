"""The study on oneself, from its page to its results, and the lesson on reading and rating."""

from __future__ import annotations

import pytest

from core.text.locale import words
from db.campaigns.self_study import NAME, own_findings
from db.permissions import OPERATOR, Viewer
from db.queries import find_campaign
from db.queries.reading import readings_of
from db.queries.study import study_of
from tests.support.close_studies import compare_all
from tests.support.reading_studies import finish_whole

ONESELF, READERS = "pages/learn/oneself.py", "pages/learn/readers.py"


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_visitor_begins_and_sees_at_the_end_what_they_did(start, engine, html_of, lang):
    at = start(lang, ONESELF)
    assert at.button(key="oneself-begin").label == words(lang)["oneself.begin"]
    at.button(key="oneself-begin").click().run()
    assert not at.exception
    campaign = find_campaign(engine, NAME)
    (reader,) = study_of(engine, OPERATOR, campaign.id).readers
    visitor = at.session_state["oneself-visitor"]
    assert [one.key for one in at.button if one.key == "begin"] == ["begin"]  # the rating page has opened
    at.switch_page(ONESELF).run()
    assert at.button(key="oneself-begin").label == words(lang)["oneself.go_on"]
    finish_whole(engine, campaign.id, visitor.id, {"preferred": 0, "margin": 2})
    first, second = (one.system for one in reader.read)
    compare_all(engine, campaign.id, visitor.id, reader.rater, [first] * 5 + [second] * 2 + [None])
    at.run()
    assert not at.exception
    shown = html_of(at)
    who = {name: words(lang)[f"learn.story.who.{name}"] for name in ("okubo", "mikami")}
    assert words(lang)["oneself.whole"].format(who=who[first]) in shown
    assert words(lang)["oneself.same"] in shown
    close = own_findings(engine, Viewer(rater_id=visitor.id), campaign.id, visitor.id)[1].close
    picks = {one.metric: f"{one.share.hits} / {one.share.n}" for one in close.metrics}
    assert set(picks) == {"length", "bertscore", "sentence-cosine"}
    assert all(text in shown for text in picks.values())
    assert readings_of(engine, Viewer(rater_id=visitor.id), campaign.id, visitor.id)[1].finished_at


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_lesson_shows_the_figures_of_the_study_with_their_intervals(start, html_of, lang):
    at = start(lang, READERS)
    shown = html_of(at)
    to = " to " if lang == "en" else "〜"
    # Clopper and Pearson, and the exact test, for 19 and 17 of 30 and 522 of 772
    for cells in (
        ("19 / 30", f"0.44{to}0.80", "0.200"),
        ("522 / 772", f"0.64{to}0.71"),
        ("17 / 30", "0.585"),
    ):
        assert all(cell in shown for cell in cells), cells
    at.slider(key="lesson-readers-comparisons").set_value(80).run()
    assert f"0.52{to}0.74" in html_of(at)  # 51 of 80
    assert not at.exception
