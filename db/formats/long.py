"""What the long formats (tsv, csv, jsonl) share: one row per translation and rater.

Needed are document, position, reference, system and translation. A row without a rater is a translation that
nobody has judged yet. Files come from and go to any program: a cell is data, and a spreadsheet may take one
that begins with `=` for a formula.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from core.errors import FileError
from core.human.plan import TARGET
from db.formats.bundle import (
    OFFICIAL,
    Bundle,
    Key,
    OutputRow,
    RatingRow,
    ReadOptions,
    SegmentRow,
    SystemRow,
)
from db.formats.cells import (
    Place,
    number_text,
    read_instant,
    read_label,
    read_position,
    read_rater,
    read_score,
    read_seconds,
)
from db.formats.langs import resolve_langs
from db.formats.sheet import require_some
from db.names import rater_key

REQUIRED = ("document", "position", "reference", "system", "translation")
COLUMNS = (
    "document",
    "position",
    "segment_id",
    "domain",
    "source",
    "reference",
    "system",
    "role",
    "translation",
    "rater",
    "score",
    "comment",
    "mark",
    "seconds",
    "rated_at",
)
"""All columns, as written. `role` is `reference` for a reference that was rated like a system."""

NUMBERS = ("position", "score", "seconds")


def collect(
    records: Iterable[tuple[Place, dict[str, str]]],
    columns: Collection[str],
    path: Path,
    options: ReadOptions,
) -> Bundle:
    """Rows to a campaign. Raises FileError for rows that contradict each other."""
    gathered = _Gathered()
    for place, record in records:
        gathered.add(place, {**dict.fromkeys(COLUMNS, ""), **record})
    if not gathered.segments:
        raise FileError(path, "has no rows.")
    segments = tuple(gathered.segments.values())
    outputs = tuple(OutputRow(key, system, text) for (key, system), text in gathered.outputs.items())
    require_some("reference", any(segment.reference.strip() for segment in segments), path)
    require_some("translation", any(output.text.strip() for output in outputs), path)
    langs, notes = resolve_langs(
        options.source_lang,
        options.target_lang,
        (segment.source or "" for segment in segments),
        (segment.reference for segment in segments),
    )
    left_out = [column for column in columns if column not in COLUMNS]
    return Bundle(
        name=path.name.split(".")[0],
        langs=langs,
        systems=tuple(gathered.systems.values()),
        segments=segments,
        outputs=outputs,
        ratings=tuple(gathered.ratings.values()),
        notes=(*notes, *(f"The column “{column}” is not known and was left out." for column in left_out)),
    )


def flatten(bundle: Bundle) -> Iterator[dict[str, str]]:
    """A campaign to rows, every cell as text; the inverse of `collect`. Only the last revision is written.

    Checks, their ratings and error spans have no place in these formats.
    """
    segments = {segment.key: segment for segment in bundle.segments}
    systems = {system.name: system for system in bundle.systems}
    ratings: dict[tuple[Key, str], dict[str, RatingRow]] = {}
    for rating in (rating for rating in bundle.ratings if rating.kind == TARGET):
        ratings.setdefault((rating.key, rating.system), {})[rater_key(rating.rater)] = rating
    for output in bundle.outputs:
        segment = segments[output.key]
        row = {
            "document": segment.document,
            "position": str(segment.position),
            "segment_id": segment.external_id,
            "domain": segment.domain,
            "source": segment.source or "",
            "reference": segment.reference,
            "system": output.system,
            "role": "reference" if systems[output.system].is_reference else "",
            "translation": output.text,
        }
        judged = ratings.get((output.key, output.system), {})
        for rating in judged.values():
            yield {**row, **_rating_cells(rating)}
        if not judged:
            yield {**row, **dict.fromkeys(COLUMNS[len(row) :], "")}


def _rating_cells(rating: RatingRow) -> dict[str, str]:
    return {
        "rater": rating.rater,
        "score": number_text(rating.score),
        "comment": rating.comment,
        "mark": rating.mark,
        "seconds": "" if rating.seconds is None else number_text(rating.seconds),
        "rated_at": "" if rating.rated_at is None else rating.rated_at.isoformat(),
    }


class _Gathered:
    """What the rows so far say; each further row must agree with it."""

    def __init__(self) -> None:
        self.segments: dict[Key, SegmentRow] = {}
        self.systems: dict[str, SystemRow] = {}
        self.outputs: dict[tuple[Key, str], str] = {}
        self.ratings: dict[tuple[Key, str, str], RatingRow] = {}
        self._unrated: set[tuple[Key, str]] = set()

    def add(self, place: Place, record: dict[str, str]) -> None:
        segment = SegmentRow(
            document=read_label(record["document"], "document", place),
            position=read_position(record["position"], place),
            reference=record["reference"],
            source=record["source"] or None,
            domain=record["domain"],
            external_id=record["segment_id"],
        )
        self._add_segment(segment, place)
        self._add_output(segment.key, record, place)
        self._add_rating(segment.key, record, place)

    def _add_segment(self, segment: SegmentRow, place: Place) -> None:
        known = self.segments.setdefault(segment.key, segment)
        if known == segment:
            return
        differs = next(
            name for name in SegmentRow.__slots__ if getattr(known, name) != getattr(segment, name)
        )
        raise place.error(
            f"“{segment.document}”, position {segment.position}, had another {differs} in an earlier row."
        )

    def _add_output(self, key: Key, record: dict[str, str], place: Place) -> None:
        name = read_label(record["system"], "system", place)
        if record["role"] not in ("", "reference"):
            raise place.error(f"the role “{record['role']:.40}” is neither empty nor “reference”.")
        system = SystemRow(name, is_reference=record["role"] == "reference")
        if self.systems.setdefault(name, system) != system:
            raise place.error(f"the system “{name}” has another role than in an earlier row.")
        if self.outputs.setdefault((key, name), record["translation"]) != record["translation"]:
            raise place.error(
                f"the system “{name}” has another translation of this segment in an earlier row."
            )

    def _add_rating(self, key: Key, record: dict[str, str], place: Place) -> None:
        system = record["system"]
        if record["rater"] == "":
            if record["score"] or record["comment"]:
                raise place.error("there is a score or comment but no rater.")
            if (key, system) in self._unrated:
                raise place.error(f"the translation by “{system}” stands in an earlier row already.")
            self._unrated.add((key, system))
            return
        rater = read_rater(record["rater"], place)
        identity = (key, system, rater_key(rater))
        if identity in self.ratings:
            raise place.error(
                f"“{rater}” has rated this translation by “{system}” in an earlier row already."
            )
        if record["score"] == "" and record["comment"] == "":
            return
        self.ratings[identity] = RatingRow(
            key,
            system,
            rater,
            read_score(record["score"], place),
            comment=record["comment"],
            mark=record["mark"] or OFFICIAL,
            seconds=read_seconds(record["seconds"], place),
            rated_at=read_instant(record["rated_at"], place),
        )
