"""Making a campaign ready: choices that make sense, a plan beforehand, checks that never reach a mean."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from core.errors import AccessError, InputError, RatingError
from core.raters.quality import check_raters
from core.raters.rules import Rules
from db.design import Design, from_json
from db.models import now
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, get_campaign, items_of, list_translations, save_rating
from db.queries.evaluation import judgements, rating_table
from db.queries.manage import plan_of, set_campaign, set_check_texts, set_state
from db.queries.people import people_of

CHECKED = Design(repeats=0.1, references=0.1, degraded=0.1, distance=5)


def choose(engine, campaign, design, protocol="adequacy", **more):
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol=protocol, design=design, **more)


def damage(engine, campaign):
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference and one.text]
    return set_check_texts(engine, OPERATOR, campaign, [(one.id, "splice", "×") for one in texts])


def rate_everything(engine, campaign, name, score=50):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    for item in items_of(engine, campaign, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=score, seconds=10)
    return rater


def test_checks_are_dealt_out_shown_and_rated_and_never_enter_a_table(engine, campaign):
    choose(engine, campaign, CHECKED)
    assert damage(engine, campaign) > 30
    set_state(engine, OPERATOR, campaign, "open")
    rater = rate_everything(engine, campaign, "Aki")
    shown = [item.translation for item in items_of(engine, campaign, rater)]
    assert shown.count("×") == round(0.1 * 36)
    table = rating_table(engine, OPERATOR, campaign)
    assert len(table) == 36
    places = judgements(engine, OPERATOR, campaign).places
    assert {places[row.item].is_reference for row in table} == {False}
    every = rating_table(engine, OPERATOR, campaign, kinds=("target", "repeat", "reference", "degraded"))
    assert Counter(row.kind for row in every) == {"target": 36, "repeat": 4, "reference": 4, "degraded": 4}
    assert "×" not in {one.text for one in list_translations(engine, campaign)}


def test_a_plan_says_beforehand_what_each_rater_gets(engine, campaign):
    design = Design(raters_per_item=1, raters=3, repeats=0.25)
    plan = plan_of(engine, OPERATOR, campaign, design, "adequacy")
    assert (plan.translations, plan.items, plan.checks) == (36, 15, 3)
    assert plan.minutes == pytest.approx(plan.characters / 300)


def test_three_raters_share_a_campaign_and_a_fourth_gets_nothing(engine, campaign):
    choose(engine, campaign, Design(raters_per_item=1, raters=3))
    raters = [enter_rater(engine, name).id for name in ("Aki", "Ben", "Cho", "Dee")]
    counts = [ensure_items(engine, campaign, rater) for rater in raters]
    assert counts == [12, 12, 12, 0]
    assert [ensure_items(engine, campaign, rater) for rater in raters] == [0, 0, 0, 0]


def test_systems_that_are_left_out_are_not_rated(engine, campaign):
    choose(engine, campaign, Design(left_out=("ash",)))
    rate_everything(engine, campaign, "Aki")
    assert "ash" not in {row.system for row in rating_table(engine, OPERATOR, campaign)}


def test_once_people_have_items_protocol_and_plan_stay(engine, campaign):
    choose(engine, campaign, CHECKED)
    ensure_items(engine, campaign, enter_rater(engine, "Aki").id)
    with pytest.raises(InputError, match="have items already"):
        choose(engine, campaign, CHECKED, protocol="esa")
    with pytest.raises(InputError, match="have items already"):
        choose(engine, campaign, Design())
    choose(engine, campaign, replace(CHECKED, before=2))
    assert get_campaign(engine, campaign).design["before"] == 2


@pytest.mark.parametrize(
    ("design", "protocol"),
    [
        (Design(), "guess"),
        (Design(before=21), "adequacy"),
        (Design(raters=2, raters_per_item=3), "adequacy"),
        (Design(repeats=0.4, degraded=0.2), "adequacy"),
        (Design(repeats=-0.1), "adequacy"),
        (Design(source="sometimes"), "adequacy"),
        (Design(raters=0), "adequacy"),
        (Design(distance=0), "adequacy"),
    ],
)
def test_choices_that_make_no_sense_are_one_sentence_and_change_nothing(engine, campaign, design, protocol):
    before = get_campaign(engine, campaign)
    with pytest.raises(InputError, match=r"^[^.]+\.$"):
        choose(engine, campaign, design, protocol)
    assert get_campaign(engine, campaign) == before


@pytest.mark.parametrize("how", ["closed", "draft", "late"])
def test_nothing_is_rated_in_a_campaign_that_is_not_open(engine, campaign, how):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    item = items_of(engine, campaign, rater)[0]
    if how == "late":
        choose(engine, campaign, Design(), deadline=now() - timedelta(minutes=1))
    else:
        set_state(engine, OPERATOR, campaign, how)
    with pytest.raises(RatingError, match="closed"):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50)


def test_the_organiser_sees_how_far_everybody_is_and_pauses_do_not_count(engine, campaign):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    first, second, third, *_ = items_of(engine, campaign, rater)
    save_rating(engine, item_id=first.id, rater_id=rater, score=50, seconds=20)
    save_rating(engine, item_id=second.id, rater_id=rater, score=50, seconds=9999)
    save_rating(engine, item_id=third.id, rater_id=rater, score=None, skipped_reason="unsure", seconds=10)
    (person,) = people_of(engine, OPERATOR, campaign)
    assert (person.name, person.done, person.skipped, person.total) == ("Aki", 2, 1, 36)
    assert person.median_seconds == 20
    assert person.characters_a_minute == pytest.approx(60 * len(first.translation) / 20)


def test_progress_and_the_raters_tab_have_the_same_pace(engine, campaign):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    items = [one for one in items_of(engine, campaign, rater) if one.translation]
    for item, seconds in zip(items, (3, 600, 7, 12, 5), strict=False):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, seconds=seconds)
    (person,) = people_of(engine, OPERATOR, campaign)
    (quality,) = check_raters(rating_table(engine, OPERATOR, campaign), Rules())
    assert person.median_seconds == quality.pace.seconds.value == 6
    assert person.characters_a_minute == quality.pace.a_minute.value


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(role="rater", rater_id=1), Viewer(role="teacher")])
def test_only_an_organiser_changes_a_campaign(engine, campaign, viewer):
    for forbidden in (
        lambda: set_campaign(engine, viewer, campaign, name="x", protocol="adequacy", design=Design()),
        lambda: set_state(engine, viewer, campaign, "closed"),
        lambda: set_check_texts(engine, viewer, campaign, []),
        lambda: plan_of(engine, viewer, campaign, Design(), "adequacy"),
    ):
        with pytest.raises(AccessError):
            forbidden()
    assert get_campaign(engine, campaign).state == "open"


def test_a_rater_sees_nobodys_progress(engine, campaign):
    with pytest.raises(AccessError):
        people_of(engine, Viewer(role="rater", rater_id=1), campaign)


def test_opening_declares_the_usual_rules_about_raters_where_no_others_were_chosen(engine, campaign):
    set_state(engine, OPERATOR, campaign, "draft")
    own = Design(rules={"repeat_error": 5.0})
    choose(engine, campaign, own)
    set_state(engine, OPERATOR, campaign, "open")
    assert from_json(get_campaign(engine, campaign).design).rules == own.rules
    set_state(engine, OPERATOR, campaign, "draft")
    choose(engine, campaign, Design())
    set_state(engine, OPERATOR, campaign, "open")
    assert from_json(get_campaign(engine, campaign).design).rules["repeat_error"] == 20


def test_rules_stay_as_they_were_declared_once_people_have_items(engine, campaign):
    set_state(engine, OPERATOR, campaign, "open")
    rate_everything(engine, campaign, "Aki")
    declared = from_json(get_campaign(engine, campaign).design)
    with pytest.raises(InputError, match="stay as they are"):
        choose(engine, campaign, replace(declared, rules={"repeat_error": 90.0}))
    choose(engine, campaign, replace(declared, before=1))
    assert from_json(get_campaign(engine, campaign).design).before == 1


def test_a_rule_that_makes_no_sense_is_refused(engine, campaign):
    set_state(engine, OPERATOR, campaign, "draft")
    with pytest.raises(InputError, match="same_share"):
        choose(engine, campaign, Design(rules={"same_share": 3}))
