"""Corrections of an alignment: stored on this machine at each change, and logged with the campaign."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine

from core.alignment.beads import Bead
from core.alignment.mending import Mended, Numbers, realign
from core.alignment.sides import encode_side
from core.backends import Backends
from db.campaigns.books import AlignedSet
from db.engine import write_session
from db.models import Event

MENDED = "alignment-mended"
"""The event of a campaign from books whose alignment was mended; its details are the steps by the book."""
_FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MendingStep:
    """A change: what was done, to which sentences, when (ISO 8601), and by which person (None: not known)."""

    what: str
    left: tuple[int, ...] = ()
    right: tuple[int, ...] = ()
    at: str = ""
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Mending:
    """The beads of a book as they were mended, and the steps that led there."""

    mended: Mended
    steps: tuple[MendingStep, ...] = ()

    def then(self, mended: Mended, what: str, numbers: Numbers, by: int | None) -> Mending:
        """The corrections after one more step, which is made now."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        step = MendingStep(what=what, left=numbers[0], right=numbers[1], at=at, by=by)
        return Mending(mended, (*self.steps, step))


def begin_mending(made: AlignedSet, role: str, folder: Path) -> Mending:
    """The stored corrections of these texts, or else the aligner's beads. folder: where they are stored."""
    fresh = Mending(Mended(made.aligned[role].beads))
    with suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads((folder / _name(made, role)).read_text("utf-8"))
        if kept["format"] == _FORMAT:
            return _read(kept)
    return fresh


def keep_mending(made: AlignedSet, role: str, mending: Mending, folder: Path) -> None:
    """Store corrections in one step. Raises OSError if the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / _name(made, role)
    draft = file.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(_written(mending)), "utf-8")
    draft.replace(file)


def with_mending(made: AlignedSet, role: str, mending: Mending) -> AlignedSet:
    """The books with the mended beads of one of them."""
    aligned = replace(made.aligned[role], beads=mending.mended.beads)
    return replace(made, aligned={**made.aligned, role: aligned})


def realign_book(
    made: AlignedSet,
    role: str,
    mended: Mended,
    backends: Backends,
    *,
    kept: Path | None = None,
) -> Mended:
    """Align a book again between its confirmed beads. kept: as in `align_books`."""
    book = made.aligned[role]
    left, right = (
        encode_side([one.text for one in side], backends, kept=kept) for side in (book.left, book.right)
    )
    return realign(mended, left, right, lambda number: book.left[number].chapter)


def note_mendings(
    engine: Engine, campaign_id: int, steps: Mapping[str, Sequence[MendingStep]], person: int | None
) -> None:
    """Log the steps of each book, by its role, with a campaign. Nothing is logged without steps."""
    details = {role: [asdict(step) for step in listed] for role, listed in steps.items() if listed}
    if details:
        with write_session(engine) as session:
            session.add(Event(kind=MENDED, campaign_id=campaign_id, rater_id=person, details=details))


def _name(made: AlignedSet, role: str) -> str:
    book = made.aligned[role]
    texts = [*(one.text for one in book.left), "\0", *(one.text for one in book.right)]
    return (
        f"mended-{hashlib.sha256(chr(0).join(texts).encode('utf-8', 'surrogatepass')).hexdigest()[:24]}.json"
    )


def _written(mending: Mending) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "beads": [[bead.left, bead.right, bead.confidence, bead.edge] for bead in mending.mended.beads],
        "confirmed": sorted(mending.mended.confirmed),
        "steps": [asdict(step) for step in mending.steps],
    }


def _read(kept: Mapping[str, Any]) -> Mending:
    beads = tuple(Bead(tuple(left), tuple(right), sure, edge) for left, right, sure, edge in kept["beads"])
    confirmed = frozenset((tuple(left), tuple(right)) for left, right in kept["confirmed"])
    steps = tuple(
        MendingStep(**{**step, "left": tuple(step["left"]), "right": tuple(step["right"])})
        for step in kept["steps"]
    )
    return Mending(Mended(beads, confirmed), steps)
