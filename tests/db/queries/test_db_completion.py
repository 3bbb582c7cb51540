"""The completion code: who gets which, and who is told."""

from __future__ import annotations

import pytest

from core.errors import AccessError, InputError
from db.campaigns.export import read_bundle
from db.design import Design
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, list_translations, save_rating
from db.queries.completion import completion, outcomes
from db.queries.manage import set_campaign, set_check_texts, set_state

CODES = {"code_passed": "PASS-1", "code_failed": "FAIL-0"}
STRANGER = Viewer()


def opened(engine, campaign, **design):
    """A campaign with four damaged texts among 40 items, open."""
    choices = Design(degraded=0.1, distance=2, **design)
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=choices)
    texts = [one for one in list_translations(engine, campaign) if not one.is_reference and one.text]
    set_check_texts(engine, OPERATOR, campaign, [(one.id, "splice", "×") for one in texts])
    set_state(engine, OPERATOR, campaign, "open")


def rate(engine, campaign, name, damaged, *, leave=0):
    """Judge everything: `damaged` are the scores of the damaged texts in turn, 50 what the rest gets."""
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    given = iter(damaged)
    items = items_of(engine, campaign, rater)
    for item in items[: len(items) - leave]:
        score = next(given) if item.translation == "×" else 50
        save_rating(engine, item_id=item.id, rater_id=rater, score=score)
    return rater


def own(engine, campaign, rater):
    found = completion(engine, Viewer(role="rater", rater_id=rater), campaign, rater)
    return None if found is None else found.code


def test_three_of_four_checks_pass_and_two_do_not(engine, campaign):
    opened(engine, campaign, **CODES)
    aki = rate(engine, campaign, "Aki", [10, 10, 10, 90])
    ben = rate(engine, campaign, "Ben", [10, 10, 90, 50])
    assert (own(engine, campaign, aki), own(engine, campaign, ben)) == ("PASS-1", "FAIL-0")
    found = outcomes(engine, OPERATOR, campaign)
    assert {one: (found[one].passed, found[one].right, found[one].counted) for one in found} == {
        aki: (True, 3, 4),
        ben: (False, 2, 4),
    }


def test_the_share_that_must_be_right_is_the_organisers(engine, campaign):
    opened(engine, campaign, **CODES, pass_share=0.5)
    assert own(engine, campaign, rate(engine, campaign, "Ben", [10, 10, 90, 50])) == "PASS-1"


def test_there_is_no_code_before_the_last_item(engine, campaign):
    opened(engine, campaign, **CODES)
    rater = rate(engine, campaign, "Aki", [10] * 4, leave=1)
    assert own(engine, campaign, rater) is None
    assert outcomes(engine, OPERATOR, campaign) == {}
    last = items_of(engine, campaign, rater)[-1]
    save_rating(engine, item_id=last.id, rater_id=rater, score=None, skipped_reason="unsure")
    assert own(engine, campaign, rater) == "PASS-1"


def test_what_is_changed_after_the_end_changes_no_outcome(engine, campaign):
    opened(engine, campaign, **CODES)
    rater = rate(engine, campaign, "Ben", [90] * 4)
    assert own(engine, campaign, rater) == "FAIL-0"
    for item in items_of(engine, campaign, rater):
        if item.translation == "×":
            save_rating(engine, item_id=item.id, rater_id=rater, score=0)
    assert own(engine, campaign, rater) == "FAIL-0"


def test_without_a_code_for_it_not_to_pass_is_an_empty_code(engine, campaign):
    opened(engine, campaign, code_passed="PASS-1")
    assert own(engine, campaign, rate(engine, campaign, "Ben", [90] * 4)) == ""


def test_without_codes_nothing_is_told_and_without_checks_everybody_passes(engine, campaign):
    rater = rate(engine, campaign, "Aki", [])
    assert own(engine, campaign, rater) is None
    assert outcomes(engine, OPERATOR, campaign) is None
    design = Design(**CODES)  # codes may come later than the items
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=design)
    assert own(engine, campaign, rater) == "PASS-1"


def test_a_code_is_for_its_own_rater_and_outcomes_for_those_who_see_scores(engine, campaign):
    opened(engine, campaign, **CODES)
    aki = rate(engine, campaign, "Aki", [10] * 4)
    for viewer in (STRANGER, Viewer(role="rater", rater_id=aki + 1)):
        with pytest.raises(AccessError):
            completion(engine, viewer, campaign, aki)
    with pytest.raises(AccessError):
        outcomes(engine, Viewer(role="rater", rater_id=aki), campaign)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"code_failed": "FAIL"}, "needs a code for those who pass"),
        ({"code_passed": "A\nB"}, "completion code holds a line break"),
        ({"code_passed": "A", "pass_share": 1.2}, "from 0 to 1"),
    ],
)
def test_codes_that_make_no_sense_are_a_sentence(engine, campaign, choices, said):
    with pytest.raises(InputError, match=said):
        set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(**choices))


def test_the_share_is_fixed_once_people_have_items(engine, campaign):
    opened(engine, campaign, **CODES)
    rate(engine, campaign, "Aki", [10] * 4)
    with pytest.raises(InputError, match="People have items already"):
        set_campaign(
            engine,
            OPERATOR,
            campaign,
            name="Small",
            protocol="adequacy",
            design=Design(degraded=0.1, distance=2, **CODES, pass_share=0.1),
        )


def test_codes_are_in_no_file(engine, campaign):
    opened(engine, campaign, **CODES)
    assert "PASS-1" not in repr(read_bundle(engine, campaign, history=True))
