"""What a rating may be: the right person's, for an open campaign, of the form that its protocol asks for."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from core.errors import RatingError
from core.raters.protocols import PROTOCOLS, MarkedSpan, Protocol, check_spans
from db.models import Campaign, CheckText, Item, ItemCheck, Segment, Translation, now

COMMENT_LIMIT = 10_000
"""Characters in a comment or in the reason of a skip."""


def protocol_of(session: Session, item_id: int, rater_id: int) -> Protocol:
    """The protocol of an item that this rater may rate now; RatingError for any other."""
    query = (
        select(Item.rater_id, Campaign.state, Campaign.deadline, Campaign.protocol)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .where(Item.id == item_id)
    )
    found = session.execute(query).one_or_none()
    if found is None or found.rater_id != rater_id:
        raise RatingError("This item is not among yours, so the rating was not stored; reload the page.")
    if found.state != "open" or (found.deadline is not None and found.deadline < now()):
        raise RatingError("The campaign is closed, so the rating was not stored; ask the organiser.")
    return PROTOCOLS.get(found.protocol, PROTOCOLS["adequacy"])


def check_fits(
    session: Session,
    item_id: int,
    protocol: Protocol,
    spans: Sequence[MarkedSpan] | None,
    *,
    scored: bool,
) -> None:
    """Raise RatingError for what this protocol does not ask for, and for spans outside the texts."""
    if scored and not protocol.scored:
        raise RatingError("This campaign asks for marked errors and no score; reload the page.")
    if spans is None:
        return
    query = (
        select(
            func.length(func.coalesce(CheckText.text, Translation.text)).label("target"),
            func.length(func.coalesce(Segment.source, "")).label("source"),
        )
        .select_from(Item)
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.id == item_id)
    )
    check_spans(spans, protocol, dict(session.execute(query).mappings().one()))


def check_score(score: object, skipped_reason: str | None, *, marked: bool) -> float | None:
    """The score as a float; RatingError for one outside 0 to 100, and for a rating that says nothing."""
    if score is None:
        if not marked and (skipped_reason is None or not skipped_reason.strip()):
            raise RatingError("There is neither a score nor a reason for skipping; give one of them.")
        return None
    if skipped_reason is not None:
        raise RatingError("There are both a score and a reason for skipping; give only one of them.")
    is_number = isinstance(score, numbers.Real) and not isinstance(score, bool)
    number: Any = score
    if not (is_number and 0 <= number <= 100):
        raise RatingError(f"The score {score!r:.20} is not a number from 0 to 100; correct it.")
    return float(number) + 0.0  # -0.0 is 0


def check_seconds(seconds: float | None) -> float | None:
    """Seconds as a float; RatingError for what is no duration."""
    if seconds is None:
        return None
    if not math.isfinite(seconds) or seconds < 0:
        raise RatingError("The time spent on the item is not a number of seconds; reload the page.")
    return float(seconds)


def check_text(text: str, what: str) -> str:
    """The text as it is; RatingError for one that is too long or cannot be stored."""
    if len(text) > COMMENT_LIMIT:
        raise RatingError(f"The {what} has {len(text)} characters and {COMMENT_LIMIT} are allowed.")
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise RatingError(f"The {what} holds a character that cannot be stored; type it again.")
    return text
