"""Personal links for many people at once, and fresh links in place of ones that were lost."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import InputError, RatingError, Wording
from db.engine import write_session
from db.models import Event, Link, Member, Rater, now
from db.names import check_rater_name, rater_key
from db.permissions import PARTS, RATER, Viewer
from db.queries.accounts import add_link, add_person
from db.queries.campaigns import campaign_in
from db.queries.joining import JOINED
from db.records import FreshLink, LinkRecord

MOST_AT_ONCE = 500
"""Names in one list."""


def names_in(text: str) -> list[str]:
    """The names of a list, one a line, trimmed; blank lines are passed over.

    Raises InputError, with the line, for more than `MOST_AT_ONCE` names, for a name that cannot be one, and
    for a name that stands twice in the list (as `rater_key` compares names).
    """
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        if "\t" in line.strip():
            raise InputError(
                "Line {line} has more than one column; paste only the column with the names.", line=number
            )
        try:
            name = check_rater_name(line)
        except RatingError as error:
            raise InputError(
                "Line {line}: {problem}", line=number, problem=Wording(error.template, **error.details)
            ) from error
        if found.setdefault(rater_key(name), name) is not name:
            raise InputError(
                "“{name}” is in the list twice, the second time in line {line}; make the two different.",
                name=name,
                line=number,
            )
    if len(found) > MOST_AT_ONCE:
        raise InputError(
            "The list has {n} names and {limit} are allowed; divide it.", n=len(found), limit=MOST_AT_ONCE
        )
    return list(found.values())


def make_links(
    engine: Engine, viewer: Viewer, *, campaign_id: int, names: str, part: str = PARTS[0]
) -> list[FreshLink]:
    """A personal link for each name of a list, see `names_in`: all of them, or none.

    Each name is a new person, a member of the campaign with this `part`. Raises AccessError for a viewer who
    may not, InputError for a list without names, an unknown part, and a name that is in the campaign already.
    """
    viewer.must_manage()
    listed = names_in(names)
    if not listed:
        raise InputError("The list has no names; write one name a line.")
    if part not in PARTS:
        raise InputError(
            "There is no part “{part:.20}”; choose one of {parts}.", part=part, parts=", ".join(PARTS)
        )
    with write_session(engine) as session:
        campaign_in(session, campaign_id)
        there = select(Rater.name).join(Member).where(Member.campaign_id == campaign_id)
        known = {rater_key(name) for name in session.scalars(there)}
        for name in listed:
            if rater_key(name) in known:
                raise InputError(
                    "“{name}” takes part in this campaign already; take the name off the list, and give a "
                    "new link below if the old one was lost.",
                    name=name,
                )
        people = [(name, add_person(session, name, RATER)) for name in listed]
        session.add_all(Member(campaign_id=campaign_id, rater_id=person, part=part) for _, person in people)
        return [
            add_link(session, role=RATER, campaign_id=campaign_id, rater_id=person, part=part, name=name)
            for name, person in people
        ]


def renew_links(
    engine: Engine, viewer: Viewer, *, campaign_id: int, link_ids: Sequence[int]
) -> list[FreshLink]:
    """A fresh link for the person of each link; every earlier link of theirs in the campaign ends at once.

    The person, their part and their ratings stay. In the order of the people's first links. Raises
    AccessError for a viewer who may not, InputError for a link for a class, another campaign's link, and the
    viewer's own.
    """
    viewer.must_manage()
    with write_session(engine) as session:
        links = session.scalars(select(Link).where(Link.id.in_(link_ids)).order_by(Link.id)).all()
        if len(links) != len(set(link_ids)) or any(
            one.campaign_id != campaign_id or one.rater_id is None for one in links
        ):
            raise InputError("There is no such personal link in this campaign; reload the page.")
        if any(one.rater_id == viewer.rater_id for one in links):
            raise InputError(
                "One of the links is your own, and you would be logged out; ask another organiser for a "
                "new one."
            )
        return [_renewed(session, link) for link in {one.rater_id: one for one in links}.values()]


def renew_unopened(engine: Engine, viewer: Viewer, *, campaign_id: int) -> list[FreshLink]:
    """A fresh link for each rater of the campaign who has opened none so far; as `renew_links`.

    What was opened by the time of the call is left alone. Raises InputError where there is nobody.
    """
    viewer.must_manage()
    with write_session(engine) as session:
        links = [one for one in _personal(session, campaign_id) if is_unopened(one)]
        if not links:
            raise InputError("Everybody has opened their link; there is nothing to renew.")
        return [_renewed(session, link) for link in links]


def is_unopened(link: Link | LinkRecord) -> bool:
    """Whether a link holds and nobody has come by it yet. A link that came with joining counts as opened."""
    return link.used_at is None and link.revoked_at is None and not link.note.startswith(JOINED)


def _personal(session: Session, campaign_id: int) -> list[Link]:
    """The latest link of each rater in the campaign."""
    query = (
        select(Link)
        .where(Link.campaign_id == campaign_id, Link.role == RATER, Link.rater_id.is_not(None))
        .order_by(Link.id)
    )
    return list({one.rater_id: one for one in session.scalars(query)}.values())


def _renewed(session: Session, link: Link) -> FreshLink:
    """End all links of a link's person in its campaign, and make one."""
    rater = session.get_one(Rater, link.rater_id)
    if rater.withdrawn_at is not None:
        raise InputError("There is no such person any more; reload the page.")
    earlier = select(Link).where(
        Link.rater_id == rater.id, Link.campaign_id == link.campaign_id, Link.revoked_at.is_(None)
    )
    for one in session.scalars(earlier):
        one.revoked_at = now()
    fresh = add_link(
        session,
        role=link.role,
        campaign_id=link.campaign_id,
        rater_id=rater.id,
        part=link.part,
        name=rater.name,
    )
    session.add(Event(kind="link-renewed", rater_id=rater.id, details={"link": fresh.link_id}))
    return fresh
