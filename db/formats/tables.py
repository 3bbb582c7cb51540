"""A folder of tables, as research data comes.

It holds segments.tsv, outputs.tsv and perhaps ratings.tsv (each may be gzipped, .tsv.gz) and campaign.json.

segments: seg_id, doc_id, refA, perhaps src, domain; the order of the rows is the order within the document.
outputs: seg_id and one column per system. ratings: see `table_ratings.py`. No quoting anywhere.
A system called refA is the reference, rated like a system; its column may be absent from outputs.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from core.errors import FileError
from db.formats.bundle import Bundle, OutputRow, RatingRow, ReadOptions, SegmentRow, SystemRow
from db.formats.campaign_json import CampaignFile, read_campaign_json
from db.formats.cells import Place, read_label
from db.formats.langs import resolve_langs
from db.formats.sheet import read_tsv, require_some
from db.formats.table_ratings import read_ratings

REFERENCE = "refA"


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read the folder `path`. Raises FileError."""
    if not path.is_dir():
        raise FileError(
            path, "is not a folder; the format “tables” reads a folder with segments.tsv and outputs.tsv."
        )
    limit = options.limit_bytes
    about = _about(path)
    segments = _read_segments(_needed(path, "segments.tsv"), limit)
    texts = _read_outputs(_needed(path, "outputs.tsv"), segments, limit)
    ratings: tuple[RatingRow, ...] = ()
    notes: tuple[str, ...] = ()
    ratings_file = _file(path, "ratings.tsv")
    if ratings_file is not None:
        ratings, notes = read_ratings(ratings_file, segments, {*texts, REFERENCE}, options)
    if any(rating.system == REFERENCE for rating in ratings):
        texts.setdefault(REFERENCE, [segment.reference for segment in segments.values()])
    langs, guesses = resolve_langs(
        options.source_lang or about.source_lang,
        options.target_lang or about.target_lang,
        (segment.source or "" for segment in segments.values()),
        (segment.reference for segment in segments.values()),
    )
    return Bundle(
        name=about.name or path.resolve().name,
        langs=langs,
        systems=tuple(
            SystemRow(name, name == REFERENCE, *about.labels.get(name, (None, None))) for name in texts
        ),
        segments=tuple(segments.values()),
        outputs=tuple(
            OutputRow(segment.key, name, column[row])
            for row, segment in enumerate(segments.values())
            for name, column in texts.items()
        ),
        ratings=ratings,
        meta=about.meta,
        notes=(*guesses, *notes),
    )


def _file(folder: Path, name: str) -> Path | None:
    """The table of this name, plain or gzipped, or None. Raises FileError when it is there twice."""
    found = [file for file in (folder / name, folder / f"{name}.gz") if file.is_file()]
    if len(found) > 1:
        raise FileError(folder, f"holds both {name} and {name}.gz; keep one of them.")
    return found[0] if found else None


def _needed(folder: Path, name: str) -> Path:
    file = _file(folder, name)
    if file is None:
        raise FileError(folder, f"holds neither {name} nor {name}.gz.")
    return file


def _about(folder: Path) -> CampaignFile:
    file = folder / "campaign.json"
    return read_campaign_json(file) if file.is_file() else CampaignFile()


def _read_segments(path: Path, limit: int) -> dict[str, SegmentRow]:
    """Segments by seg_id, in the order of the file."""
    sheet = read_tsv(path, required=("seg_id", "doc_id", "refA"), limit_bytes=limit, what="segments")
    segments: dict[str, SegmentRow] = {}
    next_position: Counter[str] = Counter()
    for place, record in sheet.records():
        seg_id = record["seg_id"]
        if seg_id in segments:
            raise place.error(f"the seg_id “{seg_id}” stands in an earlier row already.")
        document = read_label(record["doc_id"], "doc_id", place)
        segments[seg_id] = SegmentRow(
            document,
            next_position[document],
            record["refA"],
            source=record.get("src") or None,
            domain=record.get("domain", ""),
            external_id=seg_id,
        )
        next_position[document] += 1
    require_some("refA", any(segment.reference.strip() for segment in segments.values()), path)
    return segments


def _read_outputs(path: Path, segments: dict[str, SegmentRow], limit: int) -> dict[str, list[str]]:
    """Each system's texts, in the order of the segments."""
    sheet = read_tsv(path, required=("seg_id",), limit_bytes=limit, what="outputs")
    systems = [read_label(column, "system", Place(path, 1)) for column in sheet.columns if column != "seg_id"]
    if not systems:
        raise FileError(path, "has no column for a system.", line=1)
    rows: dict[str, dict[str, str]] = {}
    for place, record in sheet.records():
        seg_id = record["seg_id"]
        if seg_id not in segments:
            raise place.error(f"the seg_id “{seg_id}” is not among the segments.")
        if seg_id in rows:
            raise place.error(f"the seg_id “{seg_id}” stands in an earlier row already.")
        rows[seg_id] = record
    for seg_id in segments:
        if seg_id not in rows:
            raise FileError(path, f"has no row for the segment with seg_id “{seg_id}”.")
    texts = {system: [rows[seg_id][system] for seg_id in segments] for system in systems}
    for system, column in texts.items():
        require_some(system, any(text.strip() for text in column), path)
    return texts
