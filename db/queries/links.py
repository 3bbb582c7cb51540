"""Unguessable links: how people come in without a password. Only a hash of each is stored."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError
from db.engine import reading, writing
from db.models import Campaign, Event, Link, Member, Rater, now
from db.names import check_rater_name
from db.people_records import LinkRecord, Visit
from db.permissions import ORGANISER, PARTS, RATER, ROLES, Viewer

TOKEN_BYTES = 24
UNKNOWN = "This link is not valid (any more); ask the organiser for a new one."


def is_open(engine: Engine) -> bool:
    """Whether nobody has used an organiser's link yet: then the demo is open on this machine."""
    used = select(Link.id).where(Link.role == ORGANISER, Link.used_at.is_not(None)).limit(1)
    with reading(engine) as session:
        return session.scalar(used) is None


def first_link(engine: Engine) -> str | None:
    """A fresh organiser's link for the console, while none has been used; earlier unused ones end."""
    if not is_open(engine):
        return None
    with writing(engine) as session:
        unused = update(Link).where(Link.role == ORGANISER, Link.used_at.is_(None), Link.revoked_at.is_(None))
        session.execute(unused.values(revoked_at=now()))
        return _add(session, role=ORGANISER, campaign_id=None, rater_id=None, note="first start")


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
    """Make a link and give its token, which is told only now.

    With a name it is that new person's own, to come back by from any device; without one it is for a class:
    whoever opens it joins, to take this `part`. Raises AccessError for a viewer who may not, InputError for
    an unknown role or part.
    """
    viewer.must_manage()
    if role not in ROLES or part not in PARTS or (role == RATER and campaign_id is None):
        raise InputError("A link needs a role (rater, organiser, teacher), and a rater's link a campaign.")
    with writing(engine) as session:
        person = None if name is None else add_person(session, name, role)
        if person is not None and campaign_id is not None:
            session.add(Member(campaign_id=campaign_id, rater_id=person, part=part))
        return _add(session, role=role, campaign_id=campaign_id, rater_id=person, part=part, note=note)


def open_link(engine: Engine, token: str) -> Visit:
    """Who comes by this link. Raises AccessError for one that is unknown, revoked or of a closed campaign.

    A link without a person of its own (`Visit.rater` is None) asks for a name first, see `join`; an
    organiser's first link makes its person at once.
    """
    with writing(engine) as session:
        link = _find(session, token)
        if link.rater_id is None and link.role == ORGANISER:
            link.rater_id = add_person(session, "organiser", ORGANISER)
        link.used_at = link.used_at or now()
        if link.rater_id is not None:
            session.execute(update(Rater).where(Rater.id == link.rater_id).values(seen_at=now()))
        return _visit(session, link)


def look(engine: Engine, token: str) -> Visit:
    """As `open_link`, without leaving a mark: whether the link still holds, and whose it is."""
    with reading(engine) as session:
        return _visit(session, _find(session, token))


def join(engine: Engine, token: str, name: str) -> tuple[Visit, str]:
    """A new person joins by a class's link; gives the visit and the token of a link of their own."""
    shown = check_rater_name(name)
    with writing(engine) as session:
        link = _find(session, token)
        if link.rater_id is not None or link.campaign_id is None:
            raise AccessError(UNKNOWN)
        campaign = session.get_one(Campaign, link.campaign_id)
        if campaign.state != "open":
            raise AccessError("This campaign is not open; ask the organiser.")
        person = add_person(session, shown, link.role)
        session.add(Member(campaign_id=campaign.id, rater_id=person, part=link.part))
        own = _add(session, role=link.role, campaign_id=campaign.id, rater_id=person, part=link.part)
        link.used_at = link.used_at or now()
        session.flush()
        return _visit(session, _find(session, own)), own


def list_links(engine: Engine, viewer: Viewer, campaign_id: int | None = None) -> list[LinkRecord]:
    """The links of a campaign, or all, newest first; never their tokens."""
    viewer.must_manage()
    query = select(
        Link.id, Link.role, Link.campaign_id, Link.rater_id, Rater.name.label("name"), Link.part, Link.note,
        Link.created_at, Link.used_at, Link.revoked_at,
    ).outerjoin(Rater, Rater.id == Link.rater_id).order_by(Link.id.desc())  # fmt: skip
    if campaign_id is not None:
        query = query.where(Link.campaign_id == campaign_id)
    with reading(engine) as session:
        return [LinkRecord(**row) for row in session.execute(query).mappings()]


def revoke_link(engine: Engine, viewer: Viewer, link_id: int) -> None:
    """End a link at once. The person's ratings stay."""
    viewer.must_manage()
    with writing(engine) as session:
        link = session.get(Link, link_id)
        if link is None:
            raise InputError("There is no such link; reload the page.")
        link.revoked_at = link.revoked_at or now()
        session.add(Event(kind="link-revoked", rater_id=link.rater_id, details={"link": link.id}))


def add_person(session: Session, name: str, role: str) -> int:
    """A new person, whose name need not be the only one of its kind: a link or a login tells them apart."""
    person = Rater(name=check_rater_name(name), key=f"#{secrets.token_hex(8)}", role=role)
    session.add(person)
    session.flush()
    return person.id


def _add(
    session: Session,
    *,
    role: str,
    campaign_id: int | None,
    rater_id: int | None,
    part: str = "rater",
    note: str = "",
) -> str:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    link = Link(
        token_hash=_hash(token),
        role=role,
        campaign_id=campaign_id,
        rater_id=rater_id,
        part=part,
        note=note[:80],
    )
    session.add(link)
    session.flush()
    return token


def _find(session: Session, token: str) -> Link:
    link = session.scalar(select(Link).where(Link.token_hash == _hash(token)))
    if link is None or link.revoked_at is not None:
        raise AccessError(UNKNOWN)
    return link


def _visit(session: Session, link: Link) -> Visit:
    rater = None if link.rater_id is None else session.get_one(Rater, link.rater_id)
    if rater is not None and rater.withdrawn_at is not None:
        raise AccessError(UNKNOWN)
    return Visit(
        role=link.role,
        campaign_id=link.campaign_id,
        rater_id=link.rater_id,
        name=None if rater is None else rater.name,
    )


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
