"""Ratings by protocol: spans with and without a score, drafts, context, and what is refused."""

from __future__ import annotations

import pytest

from core.errors import RatingError
from core.raters.protocols import MarkedSpan, mqm_score
from db.campaigns.export import read_bundle, reduced
from db.design import Design
from db.engine import write_session
from db.models import Campaign
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, history, items_of, list_campaigns, save_rating
from db.queries.evaluation import rating_table
from db.queries.rating import neighbours, save_draft

MINOR, MAJOR = MarkedSpan(0, 1, "minor"), MarkedSpan(1, 2, "major")


@pytest.fixture
def rated(engine, campaign):
    """Set a protocol; gives the rater and the items whose texts have two characters or more."""

    def started(protocol):
        with write_session(engine) as session:
            session.get(Campaign, campaign).protocol = protocol
        rater = enter_rater(engine, "Aki").id
        ensure_items(engine, campaign, rater)
        return rater, [item for item in items_of(engine, campaign, rater) if len(item.translation) > 1]

    return started


def test_esa_keeps_errors_and_score_together(engine, campaign, rated):
    rater, (item, *_) = rated("esa")
    save_rating(engine, item_id=item.id, rater_id=rater, score=60, spans=(MINOR, MAJOR))
    assert [row.score for row in rating_table(engine, OPERATOR, campaign)] == [60]
    assert next(one.spans for one in items_of(engine, campaign, rater) if one.id == item.id) == (MINOR, MAJOR)


def test_other_errors_with_the_same_score_are_a_new_revision_and_the_same_are_none(engine, rated):
    rater, (item, *_) = rated("esa")
    for spans in ((MINOR,), (MINOR,), (MINOR, MAJOR)):
        save_rating(engine, item_id=item.id, rater_id=rater, score=60, spans=spans)
    assert [event.spans for event in history(engine, item.id, rater)] == [(MINOR,), (MINOR, MAJOR)]


def test_a_campaign_of_marked_errors_counts_its_ratings_and_raters(engine, campaign, rated):
    rater, (item, other, *_) = rated("mqm")
    save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=())
    save_rating(engine, item_id=other.id, rater_id=rater, score=None, skipped_reason="unsure")
    (summary,) = list_campaigns(engine)
    assert (summary.n_raters, summary.n_ratings) == (1, 1)


def test_mqm_has_errors_and_no_score_and_none_marked_is_a_judgement_too(engine, rated):
    rater, (item, *_) = rated("mqm")
    stored = save_rating(engine, item_id=item.id, rater_id=rater, score=None, spans=())
    assert (stored.score, stored.spans, stored.revision) == (None, (), 1)


def test_the_score_of_mqm_is_computed_where_it_is_shown_and_never_stored(engine, campaign, rated):
    rater, (first, second, *_) = rated("mqm")
    save_rating(engine, item_id=first.id, rater_id=rater, score=None, spans=(MINOR, MAJOR))
    save_rating(engine, item_id=second.id, rater_id=rater, score=None, spans=())
    rows = rating_table(engine, OPERATOR, campaign)
    assert sorted((row.score, row.computed) for row in rows) == [(-6, True), (0, True)]
    stored = read_bundle(engine, campaign)
    assert {(row.score, row.spans) for row in stored.ratings} == {(None, (MINOR, MAJOR)), (None, ())}
    assert "2 ratings that mark errors and give no score were left out." in reduced(stored, "csv").notes


@pytest.mark.parametrize(
    ("protocol", "score", "spans"),
    [
        ("adequacy", 50, (MINOR,)),  # nothing is marked here
        ("mqm", 50, ()),  # nothing is scored here
        ("esa", 50, (MarkedSpan(0, 1, "neutral"),)),
        ("esa", 50, (MarkedSpan(0, 10_000, "minor"),)),
        ("esa", 50, (MarkedSpan(1, 1, "minor"),)),
        ("esa", 50, (MarkedSpan(-1, 1, "minor"),)),
        ("esa", 50, (MarkedSpan(0, 1, "minor", "accuracy/omission"),)),
        ("mqm", None, (MarkedSpan(0, 1, "minor", "made/up"),)),
        ("mqm", None, (MarkedSpan(0, 1, "minor", side="nowhere"),)),
        ("esa", None, None),
    ],
)
def test_what_a_protocol_does_not_have_is_refused_and_nothing_is_stored(
    engine, rated, protocol, score, spans
):
    rater, (item, *_) = rated(protocol)
    with pytest.raises(RatingError):
        save_rating(engine, item_id=item.id, rater_id=rater, score=score, spans=spans)
    assert history(engine, item.id, rater) == []


def test_an_omission_has_no_place_and_a_skip_no_errors(engine, rated):
    rater, (first, second, *_) = rated("esa")
    missing = MarkedSpan(0, 0, "major", missing=True)
    assert save_rating(engine, item_id=first.id, rater_id=rater, score=30, spans=(missing,)).spans == (
        missing,
    )
    skipped = save_rating(
        engine, item_id=second.id, rater_id=rater, score=None, skipped_reason="unsure", spans=(MINOR,)
    )
    assert skipped.spans is None


def test_a_draft_is_there_again_until_the_rating_is_saved(engine, campaign, rated):
    rater, (item, *_) = rated("esa")
    for spans in ((MINOR,), (MINOR, MAJOR)):
        save_draft(engine, item_id=item.id, rater_id=rater, spans=spans, comment="so far")
    seen = next(one for one in items_of(engine, campaign, rater) if one.id == item.id)
    assert (seen.spans, seen.comment, seen.revision, seen.score) == ((MINOR, MAJOR), "so far", 0, None)
    save_rating(engine, item_id=item.id, rater_id=rater, score=60, spans=(MINOR,))
    seen = next(one for one in items_of(engine, campaign, rater) if one.id == item.id)
    assert (seen.spans, seen.comment, seen.revision) == ((MINOR,), "", 1)


def test_nobody_writes_another_ones_draft(engine, rated):
    _, (item, *_) = rated("esa")
    with pytest.raises(RatingError, match="not among yours"):
        save_draft(engine, item_id=item.id, rater_id=enter_rater(engine, "Ben").id, spans=(), comment="")


def test_neighbours_are_of_the_same_document_and_system_and_stop_at_its_ends(engine, campaign, rated):
    rater, items = rated("adequacy")
    item = next(one for one in items if one.position == 1)
    before, after = neighbours(engine, item_id=item.id, rater_id=rater, before=5, after=2)
    assert [row.position for row in before] == [0]
    assert [row.position for row in after] == [2, 3]
    with pytest.raises(RatingError):
        neighbours(engine, item_id=item.id, rater_id=rater + 99, before=1, after=1)


@pytest.mark.parametrize(
    ("spans", "five", "score"),
    [
        ([], False, 0),
        ([("minor", ""), ("major", "accuracy/mistranslation")], False, -6),
        ([("minor", "fluency/punctuation")], False, -0.1),
        ([("major", "non-translation"), ("major", "")], False, -25),
        ([("neutral", "")], False, 0),
        ([("minor", "")] * 4 + [("major", "")] * 3, False, -19),
        ([("minor", "")] * 4 + [("major", "")] * 3, True, -17),  # the five gravest: 5 + 5 + 5 + 1 + 1
    ],
)
def test_mqm_is_minus_the_sum_of_googles_weights(spans, five, score):
    marked = [MarkedSpan(0, 1, severity, category) for severity, category in spans]
    assert mqm_score(marked, five_errors=five) == pytest.approx(score)


def test_a_design_survives_the_database_and_forgets_what_is_not_known():
    from db.design import from_json, to_json

    design = Design(raters_per_item=2, raters=4, repeats=0.1, left_out=("x",))
    assert from_json({**to_json(design), "from_the_future": 1}) == design
    assert from_json({}) == Design()
