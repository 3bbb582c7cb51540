"""Sealed campaigns: which names of systems may be shown, and what is known of the seal."""

from __future__ import annotations

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from db.engine import reading
from db.models import Campaign, Event, System
from db.seal import Seal, draw, from_json, to_json

SEALED = "campaign-sealed"
CLOSED = "closed"


def seal_of(engine: Engine, campaign_id: int) -> tuple[str, Seal | None] | None:
    """The commitment, and what it is made of once the campaign is closed; None where nothing was sealed."""
    with reading(engine) as session:
        seal = _seal(session, campaign_id)
        return None if seal is None else (seal.commitment, None if _holds(session, campaign_id) else seal)


def hidden_names(session: Session, campaign_id: int) -> dict[str, str]:
    """What the systems are called now, by their names; empty where they are called by their names."""
    seal = _seal(session, campaign_id) if _holds(session, campaign_id) else None
    return {} if seal is None else dict(seal.names)


def is_sealed(session: Session, campaign_id: int) -> bool:
    """Whether the campaign was ever sealed."""
    return _seal(session, campaign_id) is not None


def put_seal(session: Session, campaign_id: int) -> None:
    """Seal the names of the campaign's systems; the reference keeps its own, which its text would tell."""
    systems = select(System.name).where(System.campaign_id == campaign_id, System.is_reference.is_(False))
    seal = draw(list(session.scalars(systems.order_by(System.id))))
    session.add(Event(kind=SEALED, campaign_id=campaign_id, details=to_json(seal)))


def _seal(session: Session, campaign_id: int) -> Seal | None:
    query = select(Event.details).where(Event.kind == SEALED, Event.campaign_id == campaign_id)
    stored = session.scalar(query)
    return None if stored is None else from_json(stored)


def _holds(session: Session, campaign_id: int) -> bool:
    return session.scalar(select(Campaign.state).where(Campaign.id == campaign_id)) != CLOSED
