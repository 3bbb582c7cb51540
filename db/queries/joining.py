"""Joining a campaign by a link for a class: under a name, or as the participant of a crowd platform."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError
from core.raters.platforms import kept_values
from db.design import from_json
from db.engine import read_session, write_session
from db.models import Campaign, Link, Member, Rater, now
from db.names import check_rater_name, rater_key
from db.queries.accounts import MOST_BY_LINK, UNKNOWN, add_link, add_person, find_link, visit_by
from db.records import Visit

JOINED = "joined by link "
"""How the note of a link begins that somebody got by joining through a link for a class."""
RETURNED = "returned by link "
"""The same for a participant of a platform who came again."""


def join(engine: Engine, token: str, name: str, *, student_number: str = "") -> tuple[Visit, str]:
    """A new person joins by a class's link; gives the visit and the token of a link of their own.

    Raises AccessError for a link that is not a class's, is used up, or whose campaign is not open; InputError
    for a name that another person of the campaign has (as `rater_key` compares names).
    """
    shown = check_rater_name(name)
    with write_session(engine) as session:
        link, campaign = _to_join(session, token)
        must_be_free(session, campaign.id, shown)
        person = _newcomer(session, link, campaign.id, shown, student_number=student_number)
        return _own_link(session, link, person, f"{JOINED}{link.id}")


def kept_parameters(engine: Engine, campaign_id: int) -> tuple[str, ...]:
    """The parameters of a platform's address that a campaign keeps with a rater; none for no platform."""
    with read_session(engine) as session:
        return from_json(session.get_one(Campaign, campaign_id).design).parameters


def join_from_platform(engine: Engine, token: str, given: Mapping[str, str]) -> tuple[Visit, str]:
    """A participant whom a crowd platform sent joins by a class's link, without a name; as `join`.

    given: the parameters of the address. A participant who comes again with the same ones is the same person
    and gets a fresh link. Raises InputError where the address does not say who comes, AccessError for a
    participant who took part already and whose other parameters are new, such as in a second session.
    """
    with write_session(engine) as session:
        link, campaign = _to_join(session, token, counts=False)
        parameters = from_json(campaign.design).parameters
        if not parameters:
            raise AccessError(UNKNOWN)
        values = kept_values(parameters, given)
        participant = next(iter(values.values()))
        members = select(Member).where(Member.campaign_id == campaign.id)
        member = session.scalar(members.where(Member.participant == participant))
        if member is not None:
            before = {name: value for name, value in member.parameters.items() if name in parameters}
            if before != values:
                raise AccessError(
                    "You have taken part already; go on in the browser that you used then, or ask the "
                    "organiser for a link of your own."
                )
            return _own_link(session, link, member.rater_id, f"{RETURNED}{link.id}")
        _must_have_room(session, link)
        name = _next_name(session, campaign.id)
        person = _newcomer(session, link, campaign.id, name, participant=participant, parameters=values)
        return _own_link(session, link, person, f"{JOINED}{link.id}")


def _to_join(session: Session, token: str, *, counts: bool = True) -> tuple[Link, Campaign]:
    """A class's link and its campaign, for one person more. counts: whether there has to be room for them."""
    link = find_link(session, token)
    if link.rater_id is not None or link.campaign_id is None:
        raise AccessError(UNKNOWN)
    campaign = session.get_one(Campaign, link.campaign_id)
    if campaign.state != "open":
        raise AccessError("This campaign is not open; ask the organiser.")
    if counts:
        _must_have_room(session, link)
    return link, campaign


def _must_have_room(session: Session, link: Link) -> None:
    joined = select(func.count()).where(
        Link.note == f"{JOINED}{link.id}", Link.campaign_id == link.campaign_id
    )
    if (session.scalar(joined) or 0) >= (link.most or MOST_BY_LINK):
        raise AccessError(
            "This link has been used by as many people as it may; ask the organiser for another one."
        )


def _next_name(session: Session, campaign_id: int) -> str:
    """The name of the next participant of a platform: P1, P2, …; their id is no name, which others see."""
    there = select(Rater.name).join(Member).where(Member.campaign_id == campaign_id)
    taken = {rater_key(name) for name in session.scalars(there)}
    return next(name for number in count(1) if rater_key(name := f"P{number}") not in taken)


def _newcomer(
    session: Session,
    link: Link,
    campaign_id: int,
    name: str,
    *,
    student_number: str = "",
    participant: str | None = None,
    parameters: Mapping[str, str] | None = None,
) -> int:
    """A new person and member of a campaign by a class's link."""
    person = add_person(session, name, link.role, student_number=student_number)
    member = Member(
        campaign_id=campaign_id,
        rater_id=person,
        part=link.part,
        participant=participant,
        parameters=dict(parameters or {}),
    )
    session.add(member)
    return person


def _own_link(session: Session, link: Link, person: int, note: str) -> tuple[Visit, str]:
    """A used link of the person's own, who came by a class's link; with its token."""
    own = add_link(
        session, role=link.role, campaign_id=link.campaign_id, rater_id=person, part=link.part, note=note
    )
    link.used_at = link.used_at or now()
    session.get_one(Link, own.link_id).used_at = now()
    session.flush()
    return visit_by(session, find_link(session, own.token)), own.token


def must_be_free(session: Session, campaign_id: int, name: str, *, but: int | None = None) -> None:
    """Raise InputError where another person of the campaign has the name already. but: a person's own id."""
    there = select(Rater.name).join(Member).where(Member.campaign_id == campaign_id, Rater.id != (but or 0))
    if rater_key(name) in {rater_key(other) for other in session.scalars(there)}:
        raise InputError(
            "“{name}” takes part already; choose another name, or open your own link if it is you.", name=name
        )
