"""From the database into a bundle, and a bundle into a new file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Engine

from core.errors import FileError
from db.access import OPERATOR
from db.formats.bundle import Bundle, Meta, OutputRow, RatingRow, SegmentRow, SystemRow
from db.queries import get_campaign, list_segments, list_systems, list_translations, rating_table
from db.records import RatedRow


def read_bundle(engine: Engine, campaign_id: int) -> Bundle:
    """A campaign as it stands, with every score that holds. Raises InputError for an unknown campaign."""
    campaign = get_campaign(engine, campaign_id)
    rows = rating_table(engine, OPERATOR, campaign_id)
    left = sum(row.computed for row in rows)
    return Bundle(
        name=campaign.name,
        langs=(campaign.source_lang, campaign.target_lang),
        systems=tuple(
            SystemRow(system.name, system.is_reference, system.label_en, system.label_ja)
            for system in list_systems(engine, campaign_id)
        ),
        segments=tuple(
            SegmentRow(row.document, row.position, row.reference, row.source, row.domain, row.external_id)
            for row in list_segments(engine, campaign_id)
        ),
        outputs=tuple(
            OutputRow((row.document, row.position), row.system, row.text)
            for row in list_translations(engine, campaign_id)
        ),
        ratings=tuple(_rating(row) for row in rows if not row.computed),
        notes=(f"{left} ratings by MQM were left out: they have errors and no score.",) if left else (),
        meta=Meta(**{name: getattr(campaign, name) for name in Meta.__slots__}),
    )


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A path to fill, which becomes `path` when the block ends well; until then nothing at `path` changes.

    Raises FileError when there is a file already, and when the folder cannot be written.
    """
    if path.exists() and not overwrite:
        raise FileError(path, "is there already; choose another name or remove it first.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield draft
        os.replace(draft, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _rating(row: RatedRow) -> RatingRow:
    return RatingRow(
        (row.document, row.position),
        row.system,
        row.rater,
        row.score,
        comment=row.comment,
        mark=row.mark,
        seconds=row.seconds,
        rated_at=row.created_at,
        spans=row.spans,
    )
