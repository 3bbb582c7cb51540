"""The glossary of a campaign: terms that people add by hand, and each change with its person and time.

Both are stored as analyses are, but nothing that they were computed from can change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from core.novel.glossary import GlossaryTerm, check_terms
from db.campaigns.analyses import analysis_in, put_analysis
from db.engine import read_session, write_session
from db.formats.bundle import GlossaryRow
from db.models import Rater, now
from db.names import rater_key
from db.permissions import Viewer
from db.queries.rater_names import rater_names

KIND, CHANGES, FORM = "glossary", "glossary-changes", "glossary-1"
"""Under which names and which form the terms and their changes are stored."""

Glossary = tuple[GlossaryTerm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryChange:
    """An entry that was added, changed or removed. by: the person's id, None if it is not known.

    at: when (ISO 8601), empty if it is not known.
    """

    term: GlossaryTerm
    removed: bool = False
    by: int | None = None
    at: str = ""


def glossary(engine: Engine, campaign_id: int) -> Glossary:
    """The terms of a campaign in their order; none where nobody added any."""
    with read_session(engine) as session:
        return _terms_in(session, campaign_id)


def _terms_in(session: Session, campaign_id: int) -> Glossary:
    found: Glossary | None = analysis_in(session, campaign_id, KIND, FORM, Glossary)
    return found or ()


def glossary_changes(engine: Engine, campaign_id: int) -> tuple[GlossaryChange, ...]:
    """What led to the terms of a campaign, the first change first.

    Terms from before changes were noted stand at the end, without a person and a time.
    """
    with read_session(engine) as session:
        return _changes_in(session, campaign_id)


def _changes_in(session: Session, campaign_id: int) -> tuple[GlossaryChange, ...]:
    kind = tuple[GlossaryChange, ...]
    noted: tuple[GlossaryChange, ...] = analysis_in(session, campaign_id, CHANGES, FORM, kind) or ()
    return (*noted, *_between(_replayed(noted), _terms_in(session, campaign_id), by=None, at=""))


def save_glossary(
    engine: Engine, viewer: Viewer, campaign_id: int, terms: Iterable[GlossaryTerm]
) -> Glossary:
    """Store these terms in the place of those that were there, tidied (`check_terms`), and what changed.

    Raises AccessError for a viewer who may not change campaigns, InputError for terms that are too long.
    """
    viewer.must_manage()
    tidied = check_terms(terms)
    with write_session(engine) as session:
        told = _between(
            _terms_in(session, campaign_id),
            tidied,
            by=viewer.rater_id,
            at=now().isoformat(timespec="seconds"),
        )
        changes = (*_changes_in(session, campaign_id), *told)
        put_analysis(session, campaign_id, KIND, FORM, tidied)
        put_analysis(session, campaign_id, CHANGES, FORM, changes)
    return tidied


def _replayed(changes: Sequence[GlossaryChange]) -> Glossary:
    """The terms that changes lead to, in the order in which they were first added."""
    known: dict[str, GlossaryTerm] = {}
    for one in changes:
        if one.removed:
            known.pop(one.term.term, None)
        else:
            known[one.term.term] = one.term
    return tuple(known.values())


def _between(before: Glossary, after: Glossary, *, by: int | None, at: str) -> list[GlossaryChange]:
    """What leads from one glossary to another."""
    old, new = ({one.term: one for one in terms} for terms in (before, after))
    gone = [GlossaryChange(term=one, removed=True, by=by, at=at) for one in before if one.term not in new]
    told = [GlossaryChange(term=one, by=by, at=at) for one in after if old.get(one.term) != one]
    return gone + told


def glossary_in(engine: Engine, campaign_id: int) -> tuple[GlossaryRow, ...]:
    """The changes of a campaign's glossary for a file, with the names of the people."""
    changes = glossary_changes(engine, campaign_id)
    wanted = {one.by for one in changes if one.by is not None}
    with read_session(engine) as session:
        known = dict(session.execute(select(Rater.id, Rater.name).where(Rater.id.in_(wanted))).all())
        names = {**known, **rater_names(session, campaign_id)}
    return tuple(
        GlossaryRow(
            one.term,
            one.removed,
            names.get(one.by, "") if one.by is not None else "",
            datetime.fromisoformat(one.at) if one.at else None,
        )
        for one in changes
    )


def add_glossary(
    session: Session, rows: Sequence[GlossaryRow], campaign_id: int, raters: Mapping[str, int]
) -> None:
    """Store the glossary of a file for a new campaign. raters: ids by key."""
    if not rows:
        return
    changes = tuple(
        GlossaryChange(
            term=row.term,
            removed=row.removed,
            by=raters[rater_key(row.rater)] if row.rater else None,
            at=row.changed_at.isoformat() if row.changed_at else "",
        )
        for row in rows
    )
    put_analysis(session, campaign_id, KIND, FORM, _replayed(changes))
    put_analysis(session, campaign_id, CHANGES, FORM, changes)
