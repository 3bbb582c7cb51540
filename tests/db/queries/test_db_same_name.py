"""Two people of one name are two raters: in statistics, in files, and in lists."""

from __future__ import annotations

import pytest

from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.engine import write_session
from db.formats import get_format
from db.models import Member
from db.names import distinct_names
from db.permissions import OPERATOR
from db.queries import ensure_items, items_of, save_rating
from db.queries.accounts import add_person
from db.queries.evaluation import judgements
from db.queries.people import people_of
from tests.support.db_bundles import options


@pytest.fixture
def two(engine, campaign):
    """Two people called Aki, who came by links of their own: the first gives 10, the second 90."""
    for score in (10, 90):
        with write_session(engine) as session:
            person = add_person(session, "Aki", "rater")
            session.add(Member(campaign_id=campaign, rater_id=person))
        ensure_items(engine, campaign, person)
        for item in items_of(engine, campaign, person):
            save_rating(engine, item_id=item.id, rater_id=person, score=score)


def test_each_of_them_is_a_rater_of_the_statistics(engine, campaign, two):
    scores = judgements(engine, OPERATOR, campaign).scores
    assert {(one.rater, one.score) for one in scores} == {("Aki", 10), ("Aki (2)", 90)}
    assert [one.name for one in people_of(engine, OPERATOR, campaign)] == ["Aki", "Aki (2)"]


def test_a_history_keeps_them_apart(engine, campaign, two, tmp_path):
    bundle = read_bundle(engine, campaign, history=True)
    write_bundle(bundle, "history", tmp_path / "a.jsonl")
    copy = load_bundle(
        engine, get_format("history").read(tmp_path / "a.jsonl", options()), "Copy"
    ).campaign_id
    scores = judgements(engine, OPERATOR, copy).scores
    assert {(one.rater, one.score) for one in scores} == {("Aki", 10), ("Aki (2)", 90)}


def test_the_first_keeps_the_name_and_a_number_that_is_taken_is_passed_over():
    names = {1: "Aki", 2: "Aki (2)", 3: "ＡＫＩ", 4: "Ben"}
    assert distinct_names(names) == {1: "Aki", 2: "Aki (2)", 3: "ＡＫＩ (3)", 4: "Ben"}
