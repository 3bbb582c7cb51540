"""What was computed once of a whole campaign, stored with a fingerprint of what it was computed from."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.orm import Session

from core.codec import pack, unpack
from core.errors import YomikurabeError
from db.engine import read_session, write_session
from db.models import Analysis


def store_analysis(engine: Engine, campaign_id: int, kind: str, fingerprint: str, found: object) -> None:
    """Store an analysis in the place of the one of this kind that was there."""
    with write_session(engine) as session:
        put_analysis(session, campaign_id, kind, fingerprint, found)


def put_analysis(session: Session, campaign_id: int, kind: str, fingerprint: str, found: object) -> None:
    """The same within a transaction."""
    own = (Analysis.campaign_id == campaign_id, Analysis.kind == kind)
    session.execute(delete(Analysis).where(*own))
    session.execute(
        insert(Analysis).values(
            campaign_id=campaign_id, kind=kind, fingerprint=fingerprint, packed=pack(found)
        )
    )


def stored_analysis(engine: Engine, campaign_id: int, kind: str, fingerprint: str, of: Any) -> Any:  # noqa: ANN401
    """What is stored with this fingerprint, as a value of the type `of`; None where nothing is."""
    with read_session(engine) as session:
        return analysis_in(session, campaign_id, kind, fingerprint, of)


def analysis_in(session: Session, campaign_id: int, kind: str, fingerprint: str, of: Any) -> Any:  # noqa: ANN401
    """The same within a transaction."""
    query = select(Analysis.packed).where(
        Analysis.campaign_id == campaign_id,
        Analysis.kind == kind,
        Analysis.fingerprint == fingerprint,
    )
    packed = session.scalar(query)
    if packed is None:
        return None
    try:
        return unpack(of, packed)
    except YomikurabeError:
        return None
