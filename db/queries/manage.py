"""Creating and changing campaigns: for organisers only, and nothing that has been rated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, delete, func, insert, select
from sqlalchemy.orm import Session

from core.errors import InputError, Wording
from core.raters.assignment import LETTERS_A_WORD, TARGET, minutes
from core.raters.protocols import CHUNKS, READING, SIDE_BY_SIDE, STUDIES
from core.raters.reading.excerpt import counts_characters
from core.raters.rules import rules_for
from core.raters.rules import rules_to_json as rules_to_json
from core.text.languages import base_lang
from db.design import SECRET, Design, check_design, from_json, reading_of, to_json
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    CheckText,
    Event,
    Item,
    ItemCheck,
    Reading,
    Segment,
    System,
    Translation,
)
from db.names import check_label
from db.permissions import Viewer
from db.queries.campaigns import campaign_in
from db.queries.items import planned_for_one
from db.queries.sealed import is_sealed, put_seal
from db.queries.study import study_plan
from db.records import PlanRecord

DRAFT, OPEN, CLOSED = "draft", "open", "closed"
STATES = (DRAFT, OPEN, CLOSED)
REFERENCE_SYSTEM = "reference"
TEXTS = ("name_ja", "description_en", "description_ja", "guideline_en", "guideline_ja")


OWN_OR_NONE = ("name_ja", "guideline_en", "guideline_ja")
"""Texts that are missing, not empty, where the organiser writes nothing."""


def set_campaign(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    *,
    name: str,
    protocol: str,
    design: Design,
    deadline: datetime | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Store an organiser's choices. texts: some of `TEXTS`.

    Raises InputError where they make no sense, and for another protocol or plan once people have items: what
    was rated would not fit any more.
    """
    viewer.must_manage()
    check_design(design, protocol)
    with write_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        others = select(Campaign.id).where(Campaign.name == name, Campaign.id != campaign_id)
        if session.scalar(others) is not None:
            raise InputError("There is a campaign “{name}” already; choose another name.", name=name)
        if (_has_items(session, campaign_id) or is_sealed(session, campaign_id)) and (
            campaign.protocol != protocol or _plan(from_json(campaign.design)) != _plan(design)
        ):
            raise InputError(
                "People have items already, or the names are sealed, so the protocol, the shares, the "
                "checks, the rules, the scales and the error lists stay as they are."
            )
        campaign.name, campaign.protocol = check_label(name, Wording("campaign's name")), protocol
        campaign.design, campaign.deadline = to_json(design), deadline
        for field, value in (texts or {}).items():
            if field not in TEXTS:
                raise InputError("A campaign has no text “{field:.40}”.", field=field)
            setattr(campaign, field, value.strip() or (None if field in OWN_OR_NONE else ""))


def set_state(engine: Engine, viewer: Viewer, campaign_id: int, state: str) -> None:
    """Open or close a campaign, or take it back into preparation. The log keeps who opened it when."""
    viewer.must_manage()
    if state not in STATES:
        raise InputError(
            "There is no state “{state:.20}”; choose one of {states}.", state=state, states=", ".join(STATES)
        )
    with write_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        _seal_or_refuse(session, campaign, state)
        if state == OPEN and not _has_items(session, campaign_id):
            _declare(campaign)
        if state == OPEN and from_json(campaign.design).references > 0:
            _reference_as_system(session, campaign_id)
        campaign.state = state
        session.add(Event(kind=f"campaign-{state}", campaign_id=campaign_id, rater_id=viewer.rater_id))


def set_check_texts(
    engine: Engine, viewer: Viewer, campaign_id: int, rows: Iterable[tuple[int, str, str]]
) -> int:
    """Replace the damaged texts that no rater has seen: (translation id, rule, text); gives how many."""
    viewer.must_manage()
    here = select(Translation.id).join(Segment).where(Segment.campaign_id == campaign_id)
    with write_session(engine) as session:
        known = set(session.scalars(here))
        shown = select(ItemCheck.check_text_id)
        session.execute(
            delete(CheckText).where(CheckText.translation_id.in_(here), CheckText.id.not_in(shown))
        )
        there = set(session.execute(select(CheckText.translation_id, CheckText.rule)).all())
        values = [
            {"translation_id": translation, "rule": rule, "text": text}
            for translation, rule, text in rows
            if translation in known and (translation, rule) not in there
        ]
        if values:
            session.execute(insert(CheckText), values)
        count = select(func.count()).select_from(CheckText).where(CheckText.translation_id.in_(here))
        return session.scalar(count) or 0


def plan_of(engine: Engine, viewer: Viewer, campaign_id: int, design: Design, protocol: str) -> PlanRecord:
    """What opening with this design would mean for each rater."""
    viewer.must_manage()
    check_design(design, protocol)
    with read_session(engine) as session:
        lang = base_lang(campaign_in(session, campaign_id).target_lang)
    if protocol in STUDIES:
        return _reading_plan(engine, viewer, campaign_id, design, lang, protocol)
    planned, units = planned_for_one(engine, campaign_id, design, together=protocol == SIDE_BY_SIDE)
    length = {unit.translation: unit.characters for unit in units}
    mean = sum(length.values()) / max(len(length), 1)
    characters = round(sum(length.get(one.translation, mean) for one in planned))
    targets = sum(one.kind == TARGET for one in planned)
    return PlanRecord(
        translations=len(units),
        items=len(planned),
        checks=len(planned) - targets,
        characters=characters,
        minutes=minutes(characters, protocol=protocol, lang=lang),
    )


def _reading_plan(
    engine: Engine, viewer: Viewer, campaign_id: int, design: Design, lang: str, protocol: str
) -> PlanRecord:
    """A version that is read as a whole is an item, and so is a chunk; lengths are those of the excerpt."""
    plan = study_plan(engine, viewer, campaign_id, design, protocol)
    read = reading_of(design).versions if protocol == READING else 0
    length = round(plan.length * (1 if counts_characters(lang) else LETTERS_A_WORD))
    whole, close = read * length, 2 * length if plan.chunks else 0
    return PlanRecord(
        translations=len(plan.versions),
        items=read + plan.chunks,
        checks=0,
        characters=whole + close,
        minutes=minutes(whole, protocol=READING, lang=lang) + minutes(close, protocol=CHUNKS, lang=lang),
    )


def _seal_or_refuse(session: Session, campaign: Campaign, state: str) -> None:
    """Seal the names when the campaign opens; once they were shown they cannot be hidden again."""
    sealed = is_sealed(session, campaign.id)
    if sealed and campaign.state == CLOSED and state != CLOSED:
        raise InputError("The seal was opened when the campaign closed, so it stays closed.")
    if state == OPEN and not sealed and from_json(campaign.design).sealed:
        put_seal(session, campaign.id)


def _declare(campaign: Campaign) -> None:
    """With the opening the rules about raters are declared; the usual ones where no others were chosen."""
    design = from_json(campaign.design)
    if not design.rules:
        usual = rules_to_json(rules_for(base_lang(campaign.target_lang)))
        campaign.design = to_json(replace(design, rules=usual))


def _has_items(session: Session, campaign_id: int) -> bool:
    """Whether anybody has items, or versions to read."""
    return any(
        session.scalar(select(table.id).where(table.campaign_id == campaign_id).limit(1)) is not None
        for table in (Item, Reading)
    )


def _plan(design: Design) -> dict[str, Any]:
    """What has been dealt out once there are items; what is shown around them may still change."""
    shown = ("source", "reference", "before", "after", "vertical", "layout", "post_edit")
    free = (*shown, "raters", "practice_pass", "practice_tries", "consent", "guesses", "parameters", *SECRET)
    return {name: value for name, value in to_json(design).items() if name not in free}


def _reference_as_system(session: Session, campaign_id: int) -> None:
    """The references as a system's translations, for items that show them; made once."""
    there = select(System.id).where(System.campaign_id == campaign_id, System.is_reference.is_(True))
    if session.scalar(there) is not None:
        return
    system = System(campaign_id=campaign_id, name=REFERENCE_SYSTEM, is_reference=True)
    session.add(system)
    session.flush()
    segments = session.execute(
        select(Segment.id, Segment.reference).where(Segment.campaign_id == campaign_id)
    ).all()
    rows = [{"segment_id": row.id, "system_id": system.id, "text": row.reference} for row in segments]
    session.execute(insert(Translation), rows)
