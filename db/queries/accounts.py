"""Sign-in: accounts with a login name and a password, and unguessable links.

Passwords are stored as argon2 hashes, links as hashes.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from secrets import token_hex
from weakref import WeakKeyDictionary

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Engine, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError, UnavailableError
from db.engine import read_session, write_session
from db.models import Account, Event, Link, Member, Rater, now
from db.names import check_rater_name, rater_key
from db.permissions import ORGANISER, PARTS, RATER, ROLES, Viewer
from db.queries.rows import records
from db.records import FreshLink, LinkRecord, Visit

TOKEN_BYTES = 24
MOST_BY_LINK = 500
"""People who may join by one link for a class."""
NUMBER_LIMIT = 40
"""Characters of a student number."""
UNKNOWN = "This link is not valid (any more); ask the organiser for a new one."


def is_open(engine: Engine) -> bool:
    """Whether no organiser's link has been used yet: then the demo is open on this machine."""
    used = select(Link.id).where(Link.role == ORGANISER, Link.used_at.is_not(None)).limit(1)
    with read_session(engine) as session:
        return session.scalar(used) is None


def first_link(engine: Engine) -> str | None:
    """A fresh organiser's link for the console, while none has been used; earlier unused ones end."""
    if not is_open(engine):
        return None
    with write_session(engine) as session:
        unused = update(Link).where(Link.role == ORGANISER, Link.used_at.is_(None), Link.revoked_at.is_(None))
        session.execute(unused.values(revoked_at=now()))
        return add_link(session, role=ORGANISER, campaign_id=None, rater_id=None, note="first start").token


def new_link(
    engine: Engine,
    viewer: Viewer,
    *,
    role: str,
    campaign_id: int | None = None,
    name: str | None = None,
    part: str = "rater",
    note: str = "",
) -> str:
    """Make a link and give its token; as `make_link`."""
    return make_link(
        engine, viewer, role=role, campaign_id=campaign_id, name=name, part=part, note=note
    ).token


def make_link(
    engine: Engine,
    viewer: Viewer,
    *,
    role: str,
    campaign_id: int | None = None,
    name: str | None = None,
    part: str = "rater",
    note: str = "",
    most: int | None = None,
) -> FreshLink:
    """Make a link.

    With a name it is that new person's own, to come back by from any device, and its token is told only now.
    Without one it is for a class: anyone who opens it joins with this `part`, at most `most` people; it can
    be shown again. Raises AccessError for a viewer who may not, InputError for an unknown role or part
    and for a wrong number of people.
    """
    viewer.must_manage()
    if most is not None and not 1 <= most <= MOST_BY_LINK:
        raise InputError("Between 1 and {limit} people can join by one link.", limit=MOST_BY_LINK)
    if role not in ROLES or part not in PARTS or (role == RATER and campaign_id is None):
        raise InputError("A link needs a role (rater, organiser, teacher), and a rater's link a campaign.")
    with write_session(engine) as session:
        person = None if name is None else add_person(session, name, role)
        if person is not None and campaign_id is not None:
            session.add(Member(campaign_id=campaign_id, rater_id=person, part=part))
        return add_link(
            session,
            role=role,
            campaign_id=campaign_id,
            rater_id=person,
            part=part,
            note=note,
            name=None if name is None else name.strip(),
            most=most,
        )


def open_link(engine: Engine, token: str) -> Visit:
    """Who comes by this link. Raises AccessError for one that is unknown, revoked or of a closed campaign.

    A link without a person of its own leads to `db.queries.joining`, but an organiser's first link makes its
    person at once.
    """
    look(engine, token)  # a guess takes no writer's turn
    with write_session(engine) as session:
        link = find_link(session, token)
        if link.rater_id is None and link.role == ORGANISER:
            link.rater_id = add_person(session, "organiser", ORGANISER)
        link.used_at = link.used_at or now()
        if link.rater_id is not None:
            session.execute(update(Rater).where(Rater.id == link.rater_id).values(seen_at=now()))
        return visit_by(session, link)


def look(engine: Engine, token: str) -> Visit:
    """As `open_link`, without leaving a mark: whether the link still holds, and whose it is."""
    with read_session(engine) as session:
        return visit_by(session, find_link(session, token))


def list_links(engine: Engine, viewer: Viewer, campaign_id: int | None = None) -> list[LinkRecord]:
    """The links of a campaign, or all, newest first; tokens of class links only."""
    viewer.must_manage()
    query = (
        select(
            Link.id,
            Link.role,
            Link.campaign_id,
            Link.rater_id,
            Rater.name.label("name"),
            Link.part,
            Link.note,
            Link.created_at,
            Link.used_at,
            Link.revoked_at,
            Rater.withdrawn_at,
            Link.token,
            Link.most,
        )
        .outerjoin(Rater, Rater.id == Link.rater_id)
        .order_by(Link.id.desc())
    )
    if campaign_id is not None:
        query = query.where(Link.campaign_id == campaign_id)
    with read_session(engine) as session:
        return records(session, LinkRecord, query)


def revoke_link(engine: Engine, viewer: Viewer, link_id: int) -> None:
    """End a link at once. The person's ratings stay."""
    viewer.must_manage()
    with write_session(engine) as session:
        link = session.get(Link, link_id)
        if link is None:
            raise InputError("There is no such link; reload the page.")
        link.revoked_at = link.revoked_at or now()
        session.add(Event(kind="link-revoked", rater_id=link.rater_id, details={"link": link.id}))


def add_person(session: Session, name: str, role: str, *, student_number: str = "") -> int:
    """A new person, whose name need not be the only one of its kind: a link or a login tells them apart."""
    number = student_number.strip()
    if len(number) > NUMBER_LIMIT:
        raise InputError("A student number has at most {limit} characters.", limit=NUMBER_LIMIT)
    key = f"#{secrets.token_hex(8)}"
    person = Rater(name=check_rater_name(name), key=key, role=role, student_number=number)
    session.add(person)
    session.flush()
    return person.id


def add_link(
    session: Session,
    *,
    role: str,
    campaign_id: int | None,
    rater_id: int | None,
    part: str = "rater",
    note: str = "",
    name: str | None = None,
    most: int | None = None,
) -> FreshLink:
    """A new link within a transaction. name: the person's, for the list that is shown once."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    of_class = role == RATER and rater_id is None
    link = Link(
        token_hash=_hash(token),
        role=role,
        campaign_id=campaign_id,
        rater_id=rater_id,
        part=part,
        note=note[:80],
        token=token if of_class else None,
        most=most,
    )
    session.add(link)
    session.flush()
    return FreshLink(link_id=link.id, name=name, token=token)


def find_link(session: Session, token: str) -> Link:
    """The link of a token. Raises AccessError for one that is unknown or has ended."""
    link = session.scalar(select(Link).where(Link.token_hash == _hash(token)))
    if link is None or link.revoked_at is not None:
        raise AccessError(UNKNOWN)
    return link


def visit_by(session: Session, link: Link) -> Visit:
    """Who comes by a link. Raises AccessError for a person who withdrew."""
    rater = None if link.rater_id is None else session.get_one(Rater, link.rater_id)
    if rater is not None and rater.withdrawn_at is not None:
        raise AccessError(UNKNOWN)
    return Visit(
        role=link.role,
        campaign_id=link.campaign_id,
        rater_id=link.rater_id,
        name=None if rater is None else rater.name,
        link_id=link.id,
        part=link.part,
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


SHORTEST, LONGEST = 10, 200
FREE_TRIES = 5
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)
WRONG = "The login name or the password is wrong."
LOCKED = "There were too many wrong passwords; wait a little and try again."
AT_ONCE, PATIENCE = 2, 20.0
"""Passwords that are hashed at the same time, each with 64 MiB, and seconds that others wait for it."""
_hashing = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def _turn_to_hash() -> Iterator[None]:
    if not _hashing.acquire(timeout=PATIENCE):
        raise UnavailableError("Too many people sign in at this moment; try again in a minute.")
    try:
        yield
    finally:
        _hashing.release()


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    """A hash to compare with where there is no account, so that the answer takes as long."""
    return _hasher().hash(token_hex(16))


def add_account(
    engine: Engine, viewer: Viewer, *, login: str, password: str, role: str, campaign_id: int | None = None
) -> int:
    """A new person with a password; gives their id. Raises AccessError or InputError."""
    viewer.must_manage()
    shown = check_rater_name(login)
    if not SHORTEST <= len(password) <= LONGEST:
        raise InputError(
            "A password has {shortest} to {longest} characters; choose another one.",
            shortest=SHORTEST,
            longest=LONGEST,
        )
    if role not in ROLES:
        raise InputError(
            "There is no role “{role:.20}”; choose one of {roles}.", role=role, roles=", ".join(ROLES)
        )
    with _turn_to_hash():
        hashed = _hasher().hash(password)
    try:
        with write_session(engine) as session:
            person = add_person(session, shown, role)
            session.add(Account(rater_id=person, login=rater_key(shown), password_hash=hashed))
            if campaign_id is not None:
                session.add(Member(campaign_id=campaign_id, rater_id=person))
            return person
    except IntegrityError as error:
        raise InputError("There is an account “{name}” already; choose another name.", name=shown) from error


def log_in(engine: Engine, login: str, password: str) -> Visit:
    """Who this is. After five wrong passwords each further one makes the next wait longer.

    Raises AccessError with the same words for an unknown name, a wrong password and a withdrawn person, and
    UnavailableError where too many wait for their password to be hashed.
    """
    name = rater_key(login)
    with read_session(engine) as session:  # hashing is slow on purpose: no writer waits for it
        found = session.scalar(select(Account).where(Account.login == name))
        hashed = None if found is None else found.password_hash
        locked = _unknown.locked_until(engine, name) if found is None else found.locked_until
    _must_be_unlocked(locked)
    with _turn_to_hash():
        right = _matches(_nobody() if hashed is None else hashed, password) and hashed is not None
    with write_session(engine) as session:
        account = session.scalar(select(Account).where(Account.login == name))
        if account is None:
            _unknown.count(engine, name)
            raise AccessError(WRONG)
        _must_be_unlocked(account.locked_until)  # others have tried meanwhile
        rater = session.get_one(Rater, account.rater_id)
        if right:
            account.failures, account.locked_until, rater.seen_at = 0, None, now()
        else:
            _count_failure(account)
            session.add(Event(kind="wrong-password", rater_id=account.rater_id))
        visit = Visit(role=rater.role, campaign_id=None, rater_id=rater.id, name=rater.name)
    if not right:
        raise AccessError(WRONG)
    return visit


def known_by(engine: Engine, login: str) -> Visit:
    """The person whose login name an identity provider has vouched for. Raises AccessError for a stranger."""
    with write_session(engine) as session:
        account = session.scalar(select(Account).where(Account.login == rater_key(login)))
        rater = None if account is None else session.get_one(Rater, account.rater_id)
        if rater is None or rater.withdrawn_at is not None:
            raise AccessError("There is no account of this name; ask the organiser.")
        rater.seen_at = now()
        return Visit(role=rater.role, campaign_id=None, rater_id=rater.id, name=rater.name)


def known_person(engine: Engine, rater_id: int) -> Visit:
    """The person of an earlier login. Raises AccessError when they have withdrawn or lost their account."""
    with read_session(engine) as session:
        rater = session.get(Rater, rater_id)
        if rater is None or rater.withdrawn_at is not None or session.get(Account, rater_id) is None:
            raise AccessError("This account is gone; ask the organiser.")
        return Visit(role=rater.role, campaign_id=None, rater_id=rater.id, name=rater.name)


def _matches(hashed: str, password: str) -> bool:
    try:
        return _hasher().verify(hashed, password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        return False


def _must_be_unlocked(until: datetime | None) -> None:
    if until is not None and until > now():
        raise AccessError(LOCKED)


def _count_failure(account: Account) -> None:
    account.failures += 1
    account.locked_until = _lock_after(account.failures) or account.locked_until


def _lock_after(failures: int) -> datetime | None:
    """Until when nobody may try again after so many wrong passwords; None while tries are free."""
    over = failures - FREE_TRIES
    return now() + min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT) if over >= 0 else None


class _UnknownNames:
    """Wrong passwords for names without an account, counted as those of accounts: a lock tells no name.

    They are kept in memory, for the latest names only, by hash.
    """

    MOST = 10_000

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tries: WeakKeyDictionary[Engine, dict[str, tuple[int, datetime | None]]] = WeakKeyDictionary()

    def locked_until(self, engine: Engine, name: str) -> datetime | None:
        """As `Account.locked_until`."""
        with self._lock:
            return self._tries.get(engine, {}).get(_hash(name), (0, None))[1]

    def count(self, engine: Engine, name: str) -> None:
        """One more wrong password."""
        with self._lock:
            tries = self._tries.setdefault(engine, {})
            failures = tries.pop(_hash(name), (0, None))[0] + 1
            tries[_hash(name)] = failures, _lock_after(failures)
            if len(tries) > self.MOST:
                del tries[next(iter(tries))]


_unknown = _UnknownNames()
