"""Accounts that an organiser makes: a login name and a password, kept as an argon2 hash."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from secrets import token_hex

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError
from sqlalchemy import Engine, select
from sqlalchemy.exc import IntegrityError

from core.errors import AccessError, InputError
from db.engine import reading, writing
from db.models import Account, Event, Member, Rater, now
from db.names import check_rater_name, rater_key
from db.people_records import Visit
from db.permissions import ROLES, Viewer
from db.queries.links import add_person

SHORTEST, LONGEST = 10, 200
FREE_TRIES = 5
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)
WRONG = "The login name or the password is wrong."


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
        raise InputError(f"A password has {SHORTEST} to {LONGEST} characters; choose another one.")
    if role not in ROLES:
        raise InputError(f"There is no role “{role:.20}”; choose one of {', '.join(ROLES)}.")
    try:
        with writing(engine) as session:
            person = add_person(session, shown, role)
            hashed = _hasher().hash(password)
            session.add(Account(rater_id=person, login=rater_key(shown), password_hash=hashed))
            if campaign_id is not None:
                session.add(Member(campaign_id=campaign_id, rater_id=person))
            return person
    except IntegrityError as error:
        raise InputError(f"There is an account “{shown}” already; choose another name.") from error


def log_in(engine: Engine, login: str, password: str) -> Visit:
    """Who this is. After five wrong passwords each further one makes the next wait longer.

    Raises AccessError with the same words for an unknown name, a wrong password and a withdrawn person.
    """
    with reading(engine) as session:  # hashing is slow on purpose: no writer waits for it
        hashed = session.scalar(select(Account.password_hash).where(Account.login == rater_key(login)))
    right = _matches(_nobody() if hashed is None else hashed, password) and hashed is not None
    with writing(engine) as session:
        account = session.scalar(select(Account).where(Account.login == rater_key(login)))
        if account is None:
            raise AccessError(WRONG)
        if account.locked_until is not None and account.locked_until > now():
            raise AccessError("There were too many wrong passwords; wait a little and try again.")
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
    with writing(engine) as session:
        account = session.scalar(select(Account).where(Account.login == rater_key(login)))
        rater = None if account is None else session.get_one(Rater, account.rater_id)
        if rater is None or rater.withdrawn_at is not None:
            raise AccessError("Nobody of this name has an account here; ask the organiser.")
        rater.seen_at = now()
        return Visit(role=rater.role, campaign_id=None, rater_id=rater.id, name=rater.name)


def known_person(engine: Engine, rater_id: int) -> Visit:
    """The person of an earlier login. Raises AccessError when they have withdrawn or lost their account."""
    with reading(engine) as session:
        rater = session.get(Rater, rater_id)
        if rater is None or rater.withdrawn_at is not None or session.get(Account, rater_id) is None:
            raise AccessError("This account is gone; ask the organiser.")
        return Visit(role=rater.role, campaign_id=None, rater_id=rater.id, name=rater.name)


def _matches(hashed: str, password: str) -> bool:
    try:
        return _hasher().verify(hashed, password[:LONGEST])
    except (VerifyMismatchError, InvalidHashError):
        return False


def _count_failure(account: Account) -> None:
    account.failures += 1
    over = account.failures - FREE_TRIES
    if over >= 0:
        account.locked_until = now() + min(FIRST_WAIT * 2 ** min(over, 10), LONGEST_WAIT)
