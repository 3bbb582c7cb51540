"""Links for a list of names, all or none, and fresh ones in place of those that were lost."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from core.errors import AccessError, InputError
from db.engine import read_session
from db.models import Link, Member, Rater
from db.permissions import OPERATOR, Viewer
from db.queries import items_of, join, list_links, look, new_link, open_link, save_rating, withdraw
from db.queries.items import ensure_items
from db.queries.links import MOST_AT_ONCE, make_links, names_in, renew_links, renew_unopened


def counts(engine):
    with read_session(engine) as session:
        return [session.scalar(select(func.count()).select_from(one)) for one in (Link, Member, Rater)]


def made(engine, campaign, names):
    return make_links(engine, OPERATOR, campaign_id=campaign, names=names)


def test_a_list_is_one_name_a_line_and_blank_lines_are_passed_over():
    assert names_in(" 春香 \r\n\n\u3000\nBen\n") == ["春香", "Ben"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Aki\n\nBen\nＡＫＩ", "“ＡＫＩ” is in the list twice, the second time in line 4"),
        ("Aki\nBen\t3", "Line 2 has more than one column"),
        ("Aki\n" + "x" * 81, "Line 2: The name has 81 characters and 80 are allowed"),
        ("\n".join(f"Person {n}" for n in range(MOST_AT_ONCE + 1)), "The list has 501 names and 500"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_with_its_line(text, said):
    with pytest.raises(InputError, match="^" + said):
        names_in(text)


def test_everyone_in_a_list_gets_a_link_of_their_own(engine, campaign):
    fresh = make_links(engine, OPERATOR, campaign_id=campaign, names="春香\nBen\n", part="student")
    assert [one.name for one in fresh] == ["春香", "Ben"]
    visits = [look(engine, one.token) for one in fresh]
    assert [(one.name, one.role, one.campaign_id) for one in visits] == [
        ("春香", "rater", campaign),
        ("Ben", "rater", campaign),
    ]
    assert {one.part for one in list_links(engine, OPERATOR, campaign)} == {"student"}
    assert fresh[0].token not in repr(fresh)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Ben\nChie\nｂｅｎ", "“ｂｅｎ” is in the list twice"),
        ("Chie\n春香", "“春香” takes part in this campaign already"),
        (" \n", "The list has no names"),
    ],
)
def test_a_list_with_a_fault_makes_nothing(engine, campaign, names, said):
    made(engine, campaign, "春香")
    before = counts(engine)
    with pytest.raises(InputError, match=said):
        made(engine, campaign, names)
    assert counts(engine) == before


@pytest.mark.parametrize("viewer", [Viewer(), Viewer(role="rater", rater_id=1), Viewer(role="teacher")])
def test_only_organisers_make_links_for_a_list_or_anew(engine, campaign, viewer):
    (aki,) = made(engine, campaign, "Aki")
    before = counts(engine)
    with pytest.raises(AccessError):
        make_links(engine, viewer, campaign_id=campaign, names="Ben")
    with pytest.raises(AccessError):
        renew_links(engine, viewer, campaign_id=campaign, link_ids=[aki.link_id])
    with pytest.raises(AccessError):
        renew_unopened(engine, viewer, campaign_id=campaign)
    assert counts(engine) == before
    assert look(engine, aki.token).name == "Aki"


def test_a_fresh_link_ends_the_old_one_and_leads_to_the_same_ratings(engine, campaign):
    (old,) = made(engine, campaign, "Aki")
    rater = open_link(engine, old.token).rater_id
    ensure_items(engine, campaign, rater)
    save_rating(engine, item_id=items_of(engine, campaign, rater)[0].id, rater_id=rater, score=70)
    (fresh,) = renew_links(engine, OPERATOR, campaign_id=campaign, link_ids=[old.link_id])
    with pytest.raises(AccessError, match="not valid"):
        look(engine, old.token)
    assert open_link(engine, fresh.token).rater_id == rater
    assert items_of(engine, campaign, rater)[0].score == 70
    assert fresh.name == "Aki"


def test_a_link_that_has_ended_is_given_again_but_never_two_for_one_person(engine, campaign):
    (first,) = made(engine, campaign, "Aki")
    (second,) = renew_links(engine, OPERATOR, campaign_id=campaign, link_ids=[first.link_id])
    both = [first.link_id, second.link_id]
    (third,) = renew_links(engine, OPERATOR, campaign_id=campaign, link_ids=both)
    alive = [one.id for one in list_links(engine, OPERATOR, campaign) if one.revoked_at is None]
    assert alive == [third.link_id]


def test_new_links_for_all_reach_those_only_who_have_opened_none(engine, campaign):
    aki, ben, _chie = made(engine, campaign, "Aki\nBen\nChie")
    open_link(engine, aki.token)
    _, joined = join(engine, new_link(engine, OPERATOR, role="rater", campaign_id=campaign), "Dan")
    assert list_links(engine, OPERATOR, campaign)[0].used_at is not None
    teacher = new_link(engine, OPERATOR, role="teacher", campaign_id=campaign, name="Tea")
    fresh = renew_unopened(engine, OPERATOR, campaign_id=campaign)
    assert [one.name for one in fresh] == ["Ben", "Chie"]
    for token in (aki.token, joined, teacher, *(one.token for one in fresh)):
        assert look(engine, token).name in ("Aki", "Ben", "Chie", "Dan", "Tea")
    with pytest.raises(AccessError):
        look(engine, ben.token)


def test_new_links_for_all_where_everybody_has_come_is_a_sentence(engine, campaign):
    (aki,) = made(engine, campaign, "Aki")
    open_link(engine, aki.token)
    with pytest.raises(InputError, match="Everybody has opened"):
        renew_unopened(engine, OPERATOR, campaign_id=campaign)


def test_ones_own_link_a_class_and_a_withdrawn_person_get_no_fresh_link(engine, campaign):
    (aki,) = made(engine, campaign, "Aki")
    own = look(engine, aki.token).rater_id
    new_link(engine, OPERATOR, role="rater", campaign_id=campaign)
    for_a_class = list_links(engine, OPERATOR, campaign)[0].id
    before = counts(engine)
    with pytest.raises(InputError, match="your own"):
        renew_links(
            engine, Viewer(role="organiser", rater_id=own), campaign_id=campaign, link_ids=[aki.link_id]
        )
    with pytest.raises(InputError, match="no such personal link"):
        renew_links(engine, OPERATOR, campaign_id=campaign, link_ids=[for_a_class])
    withdraw(engine, OPERATOR, own)
    with pytest.raises(InputError, match="no such person"):
        renew_links(engine, OPERATOR, campaign_id=campaign, link_ids=[aki.link_id])
    assert counts(engine)[0] == before[0]
