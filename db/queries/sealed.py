"""Sealed campaigns: neutral names for systems until the campaign closes, and a commitment to them.

When the campaign opens, the systems get neutral names in random order, and the SHA-256 of that list with a
random nonce is stored: the commitment. After closing, both are shown; anyone with the commitment can
compute it again and see that the names were not swapped.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.errors import InputError
from db.engine import read_session
from db.models import Campaign, Event, System, Translation


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """names: what each system is called while it is sealed. nonce: 32 hexadecimal digits."""

    names: Mapping[str, str]
    nonce: str

    @property
    def commitment(self) -> str:
        """SHA-256, in hexadecimal, of {"names": …, "nonce": …} as JSON: keys sorted, no spaces, UTF-8."""
        text = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def draw(systems: Sequence[str]) -> Seal:
    """A new seal for these systems: System A, System B, … in an unpredictable order."""
    drawn = list(systems)
    secrets.SystemRandom().shuffle(drawn)
    names = {system: f"System {letters(place)}" for place, system in enumerate(drawn)}
    return Seal(names=names, nonce=secrets.token_hex(16))


def letters(place: int) -> str:
    """The names of places from 0: A, B, … Z, AA, AB and so on."""
    head, last = divmod(place, 26)
    return (letters(head - 1) if head else "") + chr(ord("A") + last)


def to_json(seal: Seal) -> dict[str, Any]:
    """Ready for the database or a file; the commitment stands beside what it is made of."""
    return {"names": dict(seal.names), "nonce": seal.nonce, "commitment": seal.commitment}


def from_json(stored: Mapping[str, Any]) -> Seal:
    """A stored seal. Raises InputError where its commitment is not that of its names and nonce."""
    seal = Seal(names=dict(stored["names"]), nonce=str(stored["nonce"]))
    if stored["commitment"] != seal.commitment:
        raise InputError("The seal does not fit the names: one of them was changed after it was made.")
    return seal


SEALED = "campaign-sealed"
_ORDERS = "orders_by_shown_names"
CLOSED = "closed"


def seal_of(engine: Engine, campaign_id: int) -> tuple[str, Seal | None] | None:
    """The commitment, and what it is made of once the campaign is closed; None where nothing was sealed."""
    with read_session(engine) as session:
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
    details = to_json(seal) | {_ORDERS: True}
    session.add(Event(kind=SEALED, campaign_id=campaign_id, details=details))


def numbers(session: Session, campaign_id: int) -> dict[int, int]:
    """The number with which each translation goes into the drawing of orders; empty where it is its id.

    Where names are sealed the numbers follow the names that are shown. Ids follow the imported file: with
    the seed, orders by ids would tell which system is behind which name. Campaigns that were sealed by
    earlier versions keep their orders by ids.
    """
    stored = _stored(session, campaign_id)
    if stored is None or not stored.get(_ORDERS, False):
        return {}
    names = from_json(stored).names
    query = (
        select(Translation.id, Translation.segment_id, System.is_reference, System.name)
        .join(System, System.id == Translation.system_id)
        .where(System.campaign_id == campaign_id)
    )
    rows = [
        (segment, is_reference, len(names.get(name, name)), names.get(name, name), translation)
        for translation, segment, is_reference, name in session.execute(query)
    ]
    return {translation: number for number, (*_, translation) in enumerate(sorted(rows))}


def _seal(session: Session, campaign_id: int) -> Seal | None:
    stored = _stored(session, campaign_id)
    return None if stored is None else from_json(stored)


def _stored(session: Session, campaign_id: int) -> Mapping[str, Any] | None:
    query = select(Event.details).where(Event.kind == SEALED, Event.campaign_id == campaign_id)
    return session.scalar(query)


def _holds(session: Session, campaign_id: int) -> bool:
    return session.scalar(select(Campaign.state).where(Campaign.id == campaign_id)) != CLOSED
