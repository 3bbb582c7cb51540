"""Answers on own scales: checked, stored with a rating, kept in a draft, and taken by statistics."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from core.errors import InputError, JudgedElsewhere, RatingError
from core.raters.own_errors import errors_from_json
from core.raters.own_scales import OwnScale
from core.raters.protocols import MarkedSpan
from db.design import Design, from_json, to_json
from db.engine import read_session
from db.models import Draft, RatingEvent
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, get_campaign, history, items_of, save_rating
from db.queries.adjudication import disputed
from db.queries.evaluation import evaluation, judgements, rating_table
from db.queries.manage import set_campaign
from db.queries.rating import save_draft

FLUENCY = OwnScale(name="fluency", en="Fluency", low=1, high=5)
VOICE = OwnScale(name="voice", ja="文体", low=0, high=10, step=0.5, needed=False)
OWN = errors_from_json({"severities": [{"name": "slip", "en": "Slip", "weight": 2.5}]})


def design(engine, campaign, protocol="adequacy", **more):
    chosen = Design(scales=(FLUENCY, VOICE), **more)
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol=protocol, design=chosen)


@pytest.fixture
def aki(engine, campaign):
    design(engine, campaign)
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    return rater, items_of(engine, campaign, rater)


def test_a_design_with_scales_and_error_lists_comes_back_from_the_database(engine, campaign):
    design(engine, campaign, protocol="mqm", errors=OWN)
    stored = get_campaign(engine, campaign).design
    assert from_json(stored) == Design(scales=(FLUENCY, VOICE), errors=OWN)
    assert to_json(from_json(stored)) == to_json(Design(scales=(FLUENCY, VOICE), errors=OWN))


def test_scales_that_make_no_sense_are_not_stored(engine, campaign):
    odd = OwnScale(name="odd", en="Odd", low=0, high=5, step=2)
    with pytest.raises(InputError, match="The step 2 of the scale “odd” does not divide"):
        set_campaign(
            engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(scales=(odd,))
        )
    assert from_json(get_campaign(engine, campaign).design).scales == ()


def test_once_people_have_items_the_scales_stay(engine, campaign, aki):
    with pytest.raises(InputError, match="People have items already"):
        set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design())


def test_answers_are_stored_with_the_score_and_a_change_is_a_further_revision(engine, campaign, aki):
    rater, (first, *_) = aki
    stored = save_rating(
        engine, item_id=first.id, rater_id=rater, score=70, scales={"voice": 7.5, "fluency": 4}
    )
    assert stored.scales == (("fluency", 4.0), ("voice", 7.5))
    again = save_rating(
        engine, item_id=first.id, rater_id=rater, score=70, scales={"fluency": 4, "voice": 7.5}
    )
    assert again.revision == 1  # the same is said
    save_rating(engine, item_id=first.id, rater_id=rater, score=70, scales={"fluency": 5})
    assert [one.scales for one in history(engine, first.id, rater)] == [
        (("fluency", 4.0), ("voice", 7.5)),
        (("fluency", 5.0),),
    ]
    assert items_of(engine, campaign, rater)[0].scales == {"fluency": 5}


def test_another_window_with_other_answers_is_not_overwritten(engine, aki):
    rater, (first, *_) = aki
    save_rating(engine, item_id=first.id, rater_id=rater, score=70, scales={"fluency": 4}, after=0)
    with pytest.raises(JudgedElsewhere):
        save_rating(engine, item_id=first.id, rater_id=rater, score=70, scales={"fluency": 2}, after=0)


def test_a_missing_answer_is_said_and_nothing_is_stored_but_a_skip_needs_none(engine, aki):
    rater, (first, second, *_) = aki
    with pytest.raises(RatingError, match="The scale “fluency” has no answer yet"):
        save_rating(engine, item_id=first.id, rater_id=rater, score=70, scales={"voice": 3})
    assert history(engine, first.id, rater) == []
    skip = save_rating(engine, item_id=second.id, rater_id=rater, score=None, skipped_reason="unsure")
    assert (skip.skipped_reason, skip.scales) == ("unsure", ())


def test_a_draft_keeps_score_and_answers_until_they_are_saved(engine, campaign, aki):
    rater, (first, *_) = aki
    save_draft(
        engine, item_id=first.id, rater_id=rater, spans=(), comment="so", score=61.5, scales={"voice": 2}
    )
    shown = items_of(engine, campaign, rater)[0]
    assert (shown.draft_score, shown.scales, shown.comment, shown.score) == (61.5, {"voice": 2}, "so", None)
    save_draft(engine, item_id=first.id, rater_id=rater, spans=(), comment="and so")  # a comment alone
    assert items_of(engine, campaign, rater)[0].draft_score == 61.5
    with pytest.raises(RatingError, match="not on the scale “voice”"):
        save_draft(engine, item_id=first.id, rater_id=rater, spans=(), score=1, scales={"voice": 2.2})
    save_rating(engine, item_id=first.id, rater_id=rater, score=61.5, scales={"voice": 2, "fluency": 3})
    with read_session(engine) as session:
        assert session.scalars(select(Draft)).all() == []
        assert session.scalars(select(RatingEvent.scales)).all() == [{"fluency": 3, "voice": 2}]
    assert items_of(engine, campaign, rater)[0].draft_score is None


def test_statistics_take_the_protocols_score_or_one_scale_mapped_to_0_to_100(engine, campaign, aki):
    """Of 1 to 5, 4 is 75 and 1 is 0; of 0 to 10, 7.5 is 75. Who did not answer is left out."""
    rater, (first, second, *_) = aki
    save_rating(engine, item_id=first.id, rater_id=rater, score=70, scales={"fluency": 4, "voice": 7.5})
    save_rating(engine, item_id=second.id, rater_id=rater, score=20, scales={"fluency": 1})
    assert [one.score for one in judgements(engine, OPERATOR, campaign).scores] == [70, 20]
    own = judgements(engine, OPERATOR, campaign, scale="fluency")
    assert ([one.score for one in own.scores], own.computed, own.scale) == ([75, 0], False, FLUENCY)
    assert [one.score for one in rating_table(engine, OPERATOR, campaign, scale="voice")] == [75]
    people = evaluation(engine, OPERATOR, campaign, scale="fluency").people
    assert sorted(people[~(people != people)].tolist()) == [0, 75]
    with pytest.raises(InputError, match="no scale “grace”; choose one of fluency, voice"):
        judgements(engine, OPERATOR, campaign, scale="grace")


def test_marked_errors_count_by_the_campaigns_weights_everywhere(engine, campaign):
    design(engine, campaign, protocol="mqm", errors=OWN)
    for name, count in (("Aki", 2), ("Bo", 0)):
        rater = enter_rater(engine, name).id
        ensure_items(engine, campaign, rater)
        item = next(one for one in items_of(engine, campaign, rater) if one.translation == "ash says 0")
        spans = [MarkedSpan(at, at + 1, "slip") for at in range(count)]
        save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=spans, scales={"fluency": 5})
    assert [one.score for one in judgements(engine, OPERATOR, campaign).scores] == [-5, 0]
    assert [one.score for one in judgements(engine, OPERATOR, campaign, scale="fluency").scores] == [100, 100]
    (found,) = disputed(engine, OPERATOR, campaign)
    assert found.spread == 5
    with pytest.raises(RatingError, match="“minor” is not a severity here"):
        save_rating(
            engine,
            item_id=item.id,
            rater_id=rater,
            score=None,
            spans=[MarkedSpan(0, 1, "minor")],
            scales={"fluency": 5},
        )
