"""Ratings: checked, stored as events, read as the valid revisions; and unsaved drafts of marks.

A rating is accepted from the right person, for an open campaign, in the form of its protocol.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, Select, and_, delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from core.errors import JudgedElsewhere, RatingError, Wording
from core.raters.own_scales import check_answers
from core.raters.protocols import MarkedSpan, Protocol, check_spans, spans_from_json, spans_to_json
from db.design import Design, computed_score, from_json
from db.design import protocol_of as protocol_in
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    CheckText,
    Draft,
    Item,
    ItemCheck,
    Prefill,
    Rater,
    RatingEvent,
    Segment,
    Translation,
    is_latest,
    now,
)
from db.queries.items import marks_shown
from db.queries.practice import has_passed
from db.queries.rows import records
from db.records import NeighbourRecord, RatingRecord

COMMENT_LIMIT = 10_000
"""Characters in a comment or in the reason of a skip."""


def protocol_of(session: Session, item_id: int, rater_id: int) -> Protocol:
    """The protocol of an item that this rater may rate now; RatingError for any other.

    Where practice has a pass mark, nothing may be rated before it is reached.
    """
    query = (
        select(
            Item.rater_id,
            Item.campaign_id,
            Campaign.state,
            Campaign.deadline,
            Campaign.protocol,
            Campaign.design,
        )
        .join(Campaign, Campaign.id == Item.campaign_id)
        .where(Item.id == item_id)
    )
    found = session.execute(query).one_or_none()
    if found is None or found.rater_id != rater_id:
        raise RatingError("This item is not among yours, so the rating was not stored; reload the page.")
    if found.state != "open" or (found.deadline is not None and found.deadline < now()):
        raise RatingError("The campaign is closed, so the rating was not stored; ask the organiser.")
    design = from_json(found.design)
    needed = design.practice_pass
    if needed is not None and not has_passed(session, found.campaign_id, rater_id, needed):
        raise RatingError(
            "Practice comes first in this campaign and is not passed yet, so the rating was not stored; "
            "reload the page."
        )
    return protocol_in(found.protocol, design)


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
        raise RatingError("The score {score!r:.20} is not a number from 0 to 100; correct it.", score=score)
    return float(number) + 0.0  # -0.0 is 0


def check_seconds(seconds: float | None) -> float | None:
    """Seconds as a float; RatingError for anything that is not a duration."""
    if seconds is None:
        return None
    if not math.isfinite(seconds) or seconds < 0:
        raise RatingError("The time spent on the item is not a number of seconds; reload the page.")
    return float(seconds)


def check_text(text: str, what: Wording) -> str:
    """The text as it is; RatingError for one that is too long or cannot be stored."""
    if len(text) > COMMENT_LIMIT:
        raise RatingError(
            "The {what} has {n} characters and {limit} are allowed.",
            what=what,
            n=len(text),
            limit=COMMENT_LIMIT,
        )
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise RatingError("The {what} holds a character that cannot be stored; type it again.", what=what)
    return text


def save_rating(
    engine: Engine,
    *,
    item_id: int,
    rater_id: int,
    score: float | None,
    comment: str = "",
    skipped_reason: str | None = None,
    spans: Sequence[MarkedSpan] | None = None,
    edited: str | None = None,
    seconds: float | None = None,
    scales: Mapping[str, object] | None = None,
    after: int | None = None,
) -> RatingRecord:
    """Store a judgement, committed when this returns: a new revision, or the last one if it says the same.

    score: 0-100, or None with a `skipped_reason`, or where the protocol asks for spans alone. spans: what the
    protocol has marked, None where it has nothing marked. edited: the corrected translation, None where it is
    the one that was shown. seconds: how long it took. scales: answers on the campaign's own scales by name,
    without those that are left open; a skip has none.
    after: the revision that the rater has seen, 0 for none; None stores in any case.

    Raises JudgedElsewhere where a later revision says something else, RatingError for anything that cannot be
    stored and for another rater's item, UnavailableError if storing fails.
    """
    values: dict[str, Any] = {
        "score": check_score(score, skipped_reason, marked=spans is not None),
        "comment": check_text(comment, Wording("comment")),
        "skipped_reason": None
        if skipped_reason is None
        else check_text(skipped_reason, Wording("reason")).strip(),
        "seconds": check_seconds(seconds),
        "spans": None if spans is None or skipped_reason is not None else spans_to_json(spans),
        "edited": None if edited is None else check_text(edited, Wording("corrected translation")),
        "scales": None if skipped_reason is not None else dict(scales or {}),
    }
    try:
        return _append(engine, item_id, rater_id, values, spans, after=after)
    except IntegrityError:  # another tab of the same person was first, so this time look while it is our turn
        return _append(engine, item_id, rater_id, values, spans, after=after, look_within=True)


def history(engine: Engine, item_id: int, rater_id: int) -> list[RatingRecord]:
    """Everything the rater said of the item, oldest first; empty for another rater's item."""
    query = _events().where(Item.id == item_id, Item.rater_id == rater_id).order_by(RatingEvent.revision)
    with read_session(engine) as session:
        return [_record(row) for row in session.execute(query).mappings()]


def _append(
    engine: Engine,
    item_id: int,
    rater_id: int,
    values: dict[str, Any],
    spans: Sequence[MarkedSpan] | None,
    *,
    after: int | None,
    look_within: bool = False,
) -> RatingRecord:
    """Look first, then hold the others up as shortly as can be: a revision number is taken once only.

    look_within: look at the last revision within the turn. Raises IntegrityError where the number is taken.
    """
    with read_session(engine) as session:
        protocol = protocol_of(session, item_id, rater_id)
        check_fits(session, item_id, protocol, spans, scored=values["score"] is not None)
        if values["scales"] is not None:
            values["scales"] = check_answers(protocol.scales, values["scales"], complete=True) or None
        latest = _latest(session, item_id)
        drafted = session.get(Draft, item_id) is not None
    if latest is not None and not drafted and _says_the_same(latest, values):
        return latest
    with write_session(engine) as session:
        if drafted:
            session.execute(delete(Draft).where(Draft.item_id == item_id))
        if look_within:
            latest = _latest(session, item_id)
        if latest is not None and _says_the_same(latest, values):
            return latest
        if latest is not None and after is not None and latest.revision > after:
            raise _elsewhere(latest, values["score"])
        revision = latest.revision + 1 if latest else 1
        new = {"item_id": item_id, "revision": revision, "created_at": now(), **values}
        session.execute(insert(RatingEvent).values(**new))
    query = _events().where(Item.id == item_id, RatingEvent.revision == revision)
    with read_session(engine) as session:
        return _record(session.execute(query).mappings().one())


def _elsewhere(latest: RatingRecord, score: float | None) -> JudgedElsewhere:
    """What is stored, and what was given here."""
    stored: object = Wording("{n} marked errors", n=len(latest.spans or ()))
    if latest.skipped_reason is not None:
        stored = Wording("skipped")
    elif latest.score is not None:
        stored = f"{latest.score:g}"
    if score is None or score == latest.score:
        error = JudgedElsewhere(
            "This item was judged in another window in the meantime: {stored}. Your change is not stored. "
            "Make it once more to store it, or reload the page to keep the other one.",
            stored=stored,
        )
    else:
        error = JudgedElsewhere(
            "This item was judged in another window in the meantime: {stored}. Your {typed:g} is not stored. "
            "Enter it once more to store it, or reload the page to keep the other one.",
            stored=stored,
            typed=score,
        )
    error.revision = latest.revision
    return error


def _says_the_same(latest: RatingRecord, values: dict[str, Any]) -> bool:
    spans = None if latest.spans is None else spans_to_json(latest.spans)
    said = {name: getattr(latest, name) for name in ("score", "comment", "skipped_reason", "edited")}
    said = {**said, "spans": spans, "scales": dict(latest.scales) or None}
    return said == {name: values[name] for name in said}


def _latest(session: Session, item_id: int) -> RatingRecord | None:
    query = _events().where(Item.id == item_id).order_by(RatingEvent.revision.desc()).limit(1)
    row = session.execute(query).mappings().one_or_none()
    return None if row is None else _record(row)


def _record(row: Mapping[Any, Any]) -> RatingRecord:
    """A row as a record, its marked spans as values."""
    values = dict(row)
    key = values.pop("document"), values.pop("position")
    spans, scales = values.pop("spans"), values.pop("scales")
    marked = None if spans is None else spans_from_json(spans)
    return RatingRecord(key, "", spans=marked, scales=tuple((scales or {}).items()), **values)


def _events() -> Select[*tuple[Any, ...]]:
    """Rating events with what names them for their own rater, who judges blind: not the system."""
    return (
        select(
            Segment.document,
            Segment.position,
            Rater.name.label("rater"),
            Item.kind,
            Item.mark,
            RatingEvent.revision,
            RatingEvent.score,
            RatingEvent.skipped_reason,
            RatingEvent.comment,
            RatingEvent.seconds,
            RatingEvent.created_at.label("rated_at"),
            RatingEvent.spans,
            RatingEvent.edited,
            RatingEvent.scales,
        )
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Rater, Rater.id == Item.rater_id)
        .join(Translation, Translation.id == Item.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
    )


def score_of(score: float | None, spans: Any, design: Design) -> float:  # noqa: ANN401 - as JSON
    """The given score; where only errors were marked, what the design computes from them."""
    return computed_score(design, spans_from_json(spans)) if score is None else float(score)


def save_draft(
    engine: Engine,
    *,
    item_id: int,
    rater_id: int,
    spans: Sequence[MarkedSpan],
    comment: str | None = None,
    edited: str | None = None,
    score: float | None = None,
    scales: Mapping[str, object] | None = None,
) -> None:
    """Keep marks, comment and corrected translation until they are saved as a rating; the last draft holds.

    comment: None leaves comment and corrected translation as they are. score, scales: what was given while an
    answer that the campaign needs is missing; None for scales leaves both as they are.

    Raises RatingError for another rater's item, a closed campaign, and spans or a text that cannot be.
    """
    if comment is not None:
        check_text(comment, Wording("comment"))
    if edited is not None:
        check_text(edited, Wording("corrected translation"))
    with write_session(engine) as session:
        protocol = protocol_of(session, item_id, rater_id)
        check_fits(session, item_id, protocol, spans, scored=score is not None)
        draft = session.get(Draft, item_id)
        if draft is None:
            draft = Draft(item_id=item_id, comment="")
            session.add(draft)
        draft.spans = spans_to_json(spans)
        if comment is not None:
            draft.comment, draft.edited = comment, edited
        if scales is not None:
            draft.scales = check_answers(protocol.scales, scales, complete=False) or None
            draft.score = None if score is None else check_score(score, None, marked=False)


def stored_spans(engine: Engine, *, item_id: int, rater_id: int) -> tuple[MarkedSpan, ...]:
    """What is marked in an item: the draft, else what was last saved, else what was filled in beforehand.

    Empty for another rater's item.
    """
    query = (
        select(
            Draft.spans.label("draft"),
            RatingEvent.spans.label("saved"),
            Prefill.spans.label("prefilled"),
            Translation.text.label("original"),
            func.coalesce(CheckText.text, Translation.text).label("shown"),
        )
        .select_from(Item)
        .join(Translation, Translation.id == Item.translation_id)
        .outerjoin(Draft, Draft.item_id == Item.id)
        .outerjoin(RatingEvent, and_(RatingEvent.item_id == Item.id, is_latest()))
        .outerjoin(Prefill, Prefill.translation_id == Item.translation_id)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.id == item_id, Item.rater_id == rater_id)
    )
    with read_session(engine) as session:
        row = session.execute(query).one_or_none()
    if row is None:
        return ()
    kept = row.saved if row.draft is None else row.draft
    return marks_shown(kept, row.prefilled, row.original, row.shown) or ()


def neighbours(
    engine: Engine, *, item_id: int, rater_id: int, before: int, after: int
) -> tuple[list[NeighbourRecord], list[NeighbourRecord]]:
    """The segments of the same document before and after an item, in this system's translation.

    Raises RatingError for another rater's item.
    """
    with read_session(engine) as session:
        here = session.execute(
            select(Segment.campaign_id, Segment.document, Segment.position, Translation.system_id)
            .join(Translation, Translation.segment_id == Segment.id)
            .join(Item, Item.translation_id == Translation.id)
            .where(Item.id == item_id, Item.rater_id == rater_id)
        ).one_or_none()
        if here is None:
            raise RatingError("This item is not among yours; reload the page.")
        campaign, document, position, system = here
        places = range(position - before, position), range(position + 1, position + after + 1)
        around = [_texts(session, campaign, document, system, one) for one in places]
        return around[0], around[1]


def _texts(
    session: Session, campaign: int, document: str, system: int, places: range
) -> list[NeighbourRecord]:
    query = (
        select(Segment.position, Segment.source, Segment.reference, Translation.text.label("translation"))
        .join(Translation, Translation.segment_id == Segment.id)
        .where(
            Segment.campaign_id == campaign,
            Segment.document == document,
            Translation.system_id == system,
            Segment.position.in_(places),
        )
        .order_by(Segment.position)
    )
    return records(session, NeighbourRecord, query)
