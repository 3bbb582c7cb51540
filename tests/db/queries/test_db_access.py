"""Who comes in, by what, and how that ends: links, passwords, profiles, withdrawal."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import BoundedSemaphore, Lock
from time import sleep
from uuid import uuid4

import pytest
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import text

from core.errors import AccessError, InputError, UnavailableError
from db.engine import read_session, write_session
from db.models import Account, Event, Link, RatingEvent, now
from db.permissions import OPERATOR, Viewer
from db.queries import accounts, ensure_items, items_of, save_rating
from db.queries.accounts import (
    FREE_TRIES,
    add_account,
    first_link,
    is_open,
    list_links,
    log_in,
    new_link,
    open_link,
    revoke_link,
)
from db.queries.joining import join
from db.queries.people import campaigns_of, may_rate, profile, save_profile, withdraw

PASSWORD = "correct horse battery"
STRANGER = Viewer()


def rows(engine, table):
    with read_session(engine) as session:
        found = session.query(table).all()
        session.expunge_all()
        return found


def test_the_demo_is_open_until_an_organisers_link_is_used(engine):
    token = first_link(engine)
    assert is_open(engine)
    visit = open_link(engine, token)
    assert (visit.role, visit.rater_id is not None) == ("organiser", True)
    assert not is_open(engine)
    assert first_link(engine) is None


def test_a_second_start_makes_a_new_link_and_ends_the_first(engine):
    earlier = first_link(engine)
    later = first_link(engine)
    with pytest.raises(AccessError, match="not valid"):
        open_link(engine, earlier)
    assert open_link(engine, later).role == "organiser"


def test_the_same_link_leads_to_the_same_person_on_every_device(engine, campaign):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki")
    first, second = open_link(engine, token), open_link(engine, token)
    assert first == second
    assert (first.name, first.campaign_id) == ("Aki", campaign)
    assert campaigns_of(engine, first.rater_id) == {campaign}


def test_two_people_of_one_name_are_two_people(engine, campaign):
    tokens = [new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki") for _ in range(2)]
    assert len({open_link(engine, token).rater_id for token in tokens}) == 2


def test_a_class_joins_by_one_link_and_each_gets_a_link_of_their_own(engine, campaign):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, part="student")
    assert open_link(engine, token).rater_id is None
    (first, own), (second, _) = join(engine, token, "Fox"), join(engine, token, "Heron")
    assert first.rater_id != second.rater_id
    assert open_link(engine, own).rater_id == first.rater_id
    assert {one.part for one in list_links(engine, OPERATOR)} == {"student"}


@pytest.mark.parametrize("token", ["", "x", "猫", "a" * 10_000, "\ud800", "' OR 1=1 --"])
def test_a_guessed_link_tells_nothing(engine, token):
    with pytest.raises(AccessError, match=r"^This link is not valid \(any more\); ask"):
        open_link(engine, token)


def test_a_revoked_link_is_not_valid_any_more_and_the_ratings_stay(engine, campaign):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki")
    visit = open_link(engine, token)
    ensure_items(engine, campaign, visit.rater_id)
    item = items_of(engine, campaign, visit.rater_id)[0]
    save_rating(engine, item_id=item.id, rater_id=visit.rater_id, score=50)
    (link,) = list_links(engine, OPERATOR)
    revoke_link(engine, OPERATOR, link.id)
    with pytest.raises(AccessError):
        open_link(engine, token)
    assert len(rows(engine, RatingEvent)) == 1


def test_nobody_joins_a_campaign_that_is_closed(engine, campaign):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign)
    with write_session(engine) as session:
        session.execute(text("UPDATE campaign SET state = 'closed'"))
    with pytest.raises(AccessError, match="not open"):
        join(engine, token, "Fox")


def test_only_hashes_of_tokens_and_passwords_are_in_the_file(engine, campaign, tmp_path):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki")
    add_account(engine, OPERATOR, login="mina", password=PASSWORD, role="teacher")
    engine.dispose()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    for file in files:
        assert token.encode() not in file.read_bytes()
        assert PASSWORD.encode() not in file.read_bytes()
    assert rows(engine, Account)[0].password_hash.startswith("$argon2id$")


def test_a_password_lets_in_the_person_it_belongs_to(engine):
    person = add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="teacher")
    visit = log_in(engine, "ＭＩＮＡ", PASSWORD)
    assert (visit.rater_id, visit.role) == (person, "teacher")


def test_a_wrong_name_and_a_wrong_password_get_the_same_words(engine):
    add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="rater")
    said = set()
    for login, password in (("Mina", "wrong password"), ("Nobody", PASSWORD)):
        with pytest.raises(AccessError) as caught:
            log_in(engine, login, password)
        said.add(caught.value.message)
    assert len(said) == 1


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(engine):
    add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="rater")
    for _ in range(FREE_TRIES):
        with pytest.raises(AccessError, match="wrong"):
            log_in(engine, "Mina", "wrong password")
    with pytest.raises(AccessError, match="too many"):
        log_in(engine, "Mina", PASSWORD)
    with write_session(engine) as session:
        session.query(Account).one().locked_until = now() - timedelta(seconds=1)
    assert log_in(engine, "Mina", PASSWORD).name == "Mina"
    assert rows(engine, Account)[0].failures == 0


class SlowHasher:
    """Counts how many hash at the same time."""

    def __init__(self):
        self.now = self.most = self.all = 0
        self.lock = Lock()

    def verify(self, hashed, password):
        with self.lock:
            self.now, self.all = self.now + 1, self.all + 1
            self.most = max(self.most, self.now)
        sleep(0.02)
        with self.lock:
            self.now -= 1
        raise VerifyMismatchError

    def hash(self, password):
        return "hash"


@pytest.fixture
def hasher(monkeypatch):
    hasher = SlowHasher()
    monkeypatch.setattr("db.queries.accounts._hasher", lambda: hasher)
    return hasher


def words_of_tries(engine, login, tries):
    said = []
    for _ in range(tries):
        with pytest.raises(AccessError) as caught:
            log_in(engine, login, "wrong password")
        said.append(caught.value.message)
    return said


def test_a_lock_does_not_tell_which_names_there_are(engine, hasher):
    add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="rater")
    tries = FREE_TRIES + 2
    assert words_of_tries(engine, "Mina", tries) == words_of_tries(engine, f"Nobody {uuid4()}", tries)
    assert len(set(words_of_tries(engine, f"Somebody {uuid4()}", tries))) == 2


def test_two_passwords_are_hashed_at_once_however_many_sign_in(engine, hasher):

    def guess(number):
        with pytest.raises(AccessError, match="wrong"):
            log_in(engine, f"name {number}", "wrong password")

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(guess, range(12)))
    assert (hasher.most, hasher.all) == (2, 12)


def test_while_a_name_is_locked_nothing_is_hashed(engine, hasher):
    add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="rater")
    for name in ("Mina", "Nobody at all"):
        words_of_tries(engine, name, FREE_TRIES)
    hashed = hasher.all
    for name in ("Mina", "Nobody at all"):
        words_of_tries(engine, name, 2)
    assert hasher.all == hashed == 2 * FREE_TRIES


def test_who_waits_too_long_for_a_password_to_be_hashed_is_told_so(engine, monkeypatch):
    monkeypatch.setattr("db.queries.accounts.PATIENCE", 0.01)
    monkeypatch.setattr("db.queries.accounts._hashing", BoundedSemaphore(1))
    with accounts._turn_to_hash(), pytest.raises(UnavailableError, match="at this moment"):
        log_in(engine, "Mina", PASSWORD)


def test_a_guessed_link_does_not_wait_for_the_writers(engine, monkeypatch):
    monkeypatch.setattr("db.queries.accounts.write_session", None)
    with pytest.raises(AccessError, match="not valid"):
        open_link(engine, "guess")


def test_a_class_is_not_without_end(engine, campaign, monkeypatch):
    monkeypatch.setattr("db.queries.joining.MOST_BY_LINK", 2)
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, part="student")
    other = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, part="student")
    for name in ("Ant", "Bee"):
        join(engine, token, name)
    with pytest.raises(AccessError, match="as many people as it may"):
        join(engine, token, "Cat")
    join(engine, other, "Cat")


@pytest.mark.parametrize("password", ["short", "x" * 201])
def test_a_password_has_ten_to_two_hundred_characters(engine, password):
    with pytest.raises(InputError, match="10 to 200"):
        add_account(engine, OPERATOR, login="Mina", password=password, role="rater")


def test_a_login_name_is_given_once(engine):
    add_account(engine, OPERATOR, login="Mina", password=PASSWORD, role="rater")
    with pytest.raises(InputError, match="already"):
        add_account(engine, OPERATOR, login="MINA", password=PASSWORD, role="rater")


@pytest.mark.parametrize("viewer", [STRANGER, Viewer(role="rater", rater_id=1), Viewer(role="teacher")])
def test_only_an_organiser_makes_and_ends_links_and_accounts(engine, campaign, viewer):
    for forbidden in (
        lambda: new_link(engine, viewer, role="organiser"),
        lambda: list_links(engine, viewer),
        lambda: revoke_link(engine, viewer, 1),
        lambda: add_account(engine, viewer, login="x", password=PASSWORD, role="organiser"),
    ):
        with pytest.raises(AccessError):
            forbidden()
    assert rows(engine, Link) == []


def test_a_person_rates_as_themselves_and_where_they_take_part_only(engine, campaign):
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki")
    aki = open_link(engine, token).rater_id
    viewer = Viewer(role="rater", rater_id=aki)
    assert may_rate(engine, viewer, campaign, aki)
    assert not may_rate(engine, viewer, campaign + 1, aki)
    assert not may_rate(engine, viewer, campaign, aki + 1)
    assert not may_rate(engine, STRANGER, campaign, aki)


def test_a_profile_is_for_its_person_and_for_organisers(engine, campaign):
    aki = open_link(
        engine, new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Aki")
    ).rater_id
    own = Viewer(role="rater", rater_id=aki)
    save_profile(engine, own, aki, native_language="ja", level="N1", consent=True)
    first = profile(engine, own, aki).consented_at
    save_profile(engine, own, aki, native_language="ja", level="N2", consent=True)
    seen = profile(engine, OPERATOR, aki)
    assert (seen.native_language, seen.level, seen.consented_at) == ("ja", "N2", first)
    for other in (Viewer(role="rater", rater_id=aki + 1), Viewer(role="teacher", rater_id=aki + 2), STRANGER):
        with pytest.raises(AccessError):
            profile(engine, other, aki)
        with pytest.raises(AccessError):
            save_profile(engine, other, aki, native_language="en", level="", consent=False)


def test_who_withdraws_leaves_an_event_and_nothing_else(engine, campaign):
    tokens = [
        new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name=name) for name in ("Aki", "Ben")
    ]
    aki, ben = (open_link(engine, token).rater_id for token in tokens)
    for person in (aki, ben):
        ensure_items(engine, campaign, person)
        for item in items_of(engine, campaign, person)[:2]:
            save_rating(engine, item_id=item.id, rater_id=person, score=50, comment=f"by {person}")
    own = Viewer(role="rater", rater_id=aki)
    with pytest.raises(AccessError):
        withdraw(engine, own, ben)
    assert withdraw(engine, own, aki) == 2
    assert items_of(engine, campaign, aki) == []
    assert sum(item.score == 50 for item in items_of(engine, campaign, ben)) == 2
    assert {rating.comment for rating in rows(engine, RatingEvent)} == {f"by {ben}"}
    (event,) = rows(engine, Event)
    assert (event.kind, event.rater_id, event.details) == ("withdrawal", aki, {"ratings": 2})
    with pytest.raises(AccessError):
        open_link(engine, tokens[0])
    with pytest.raises(InputError):
        profile(engine, OPERATOR, aki)
