"""How long the rest takes, for raters: before they begin, and while they rate."""

from __future__ import annotations

import pytest

from db.queries import ensure_items, enter_rater, items_of, list_campaigns, save_rating
from pages.evaluate.rate import desk


@pytest.fixture
def holmes(engine):
    return next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [(0.001, 1), (1.4, 1), (9.4, 9), (12, 10), (13, 15), (58, 60), (61, 60), (66, 70), (200, 200)],
)
def test_minutes_are_rounded_and_never_0(minutes, shown):
    assert desk.rounded(minutes) == shown


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "Time needed: about {n} min"), ("ja", "所要時間は約 {n} 分")]
)
def test_the_guideline_says_how_long_it_takes(start, engine, holmes, html_of, lang, words):
    at = start(lang)
    at.selectbox(key="campaign-rate").set_value(holmes)
    at.text_input(key="rater-name").set_value("Aki")
    at.button(key="start").click().run()
    items = items_of(engine, holmes, enter_rater(engine, "Aki").id)
    characters = sum(len(one.translation) for one in items)
    planned = characters / (300 if all(one.lang.startswith("ja") for one in items) else 900)
    assert words.format(n=desk.rounded(planned)) in html_of(at)


def test_after_five_items_the_raters_own_pace_says_what_is_left(start, enter, engine, holmes, html_of):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, holmes, rater)
    items = items_of(engine, holmes, rater)
    for item in items[:5]:
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, seconds=180)
    at = enter(start(), "Aki", holmes)
    assert f"about {desk.rounded((len(items) - 5) * 3)} min left" in html_of(at)


def test_at_the_end_no_time_is_left(start, enter, engine, holmes, html_of):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, holmes, rater)
    for item in items_of(engine, holmes, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, seconds=3)
    page = html_of(enter(start(), "Aki", holmes))
    assert "You have finished" in page
    assert "min left" not in page
