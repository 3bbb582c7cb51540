"""A folder of tables: segments.tsv, outputs.tsv and perhaps ratings.tsv (or .tsv.gz) and campaign.json.

segments: seg_id, doc_id, refA, perhaps src, domain; the order of the rows is the order within the document.
outputs: seg_id and one column per system. ratings: annotator, system, seg_id, score, and perhaps wave,
doc_id, domain, kind, item_type, error_spans_json, t_start, t_end (Unix seconds); only items of the type
`TGT` or `SYSTEM` are judgements of the text. No quoting anywhere. A system called refA is the reference,
rated like a system; its column may be absent from outputs. campaign.json describes the campaign in English
and Japanese.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import FileError, Wording, one_line
from core.raters.assignment import OFFICIAL, REPEAT, TARGET
from core.raters.protocols import MarkedSpan
from core.text.files import read_text
from db.formats.bundle import Bundle, Meta, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.formats.capabilities import identity
from db.formats.cells import (
    FilePlace,
    item_kind,
    quoted,
    read_label,
    read_protocol,
    read_rater,
    read_seconds,
    read_tsv_sheet,
    require_some,
    unknown_columns,
)
from db.formats.draft import Scale, resolve_langs, unasked
from db.formats.json_node import JsonText
from db.formats.repeats import ITEM, settle
from db.formats.spans import read_spans, spans_note
from db.names import composed
from db.records import RatingRecord

_LIMIT_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignFile:
    """The file's content; `labels` gives each system's (English, Japanese) label. All None without a file."""

    name: str | None = None
    source_lang: str | None = None
    target_lang: str | None = None
    meta: Meta = field(default_factory=Meta)
    labels: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)


def read_campaign_json(path: Path) -> CampaignFile:
    """Read the file. Raises FileError.

    Keys, none of them needed: name, description, guideline, credits (each {en, ja}), source_lang,
    target_lang, protocol, seed (a whole number), systems ({name: {en, ja}}).
    """
    entry = _Entry(path, JsonText(path, read_text(path, limit_bytes=_LIMIT_BYTES)).root().value)
    name_en, name_ja = entry.pair("name")
    description_en, description_ja = entry.pair("description")
    guideline_en, guideline_ja = entry.pair("guideline")
    credits_en, credits_ja = entry.pair("credits")
    return CampaignFile(
        name=name_en,
        source_lang=entry.text("source_lang"),
        target_lang=entry.text("target_lang"),
        meta=Meta(
            name_ja=name_ja,
            protocol=entry.protocol("protocol") or Meta().protocol,
            description_en=description_en or "",
            description_ja=description_ja or "",
            guideline_en=guideline_en,
            guideline_ja=guideline_ja,
            credits_en=credits_en or "",
            credits_ja=credits_ja or "",
            seed=entry.number("seed"),
        ),
        labels=entry.labels("systems"),
    )


class _Entry:
    """An object of the file, read key by key with the type that each must have."""

    def __init__(self, path: Path, data: object) -> None:
        if not isinstance(data, dict):
            raise FileError(path, "is not a JSON object.")
        self._path = path
        self._data: dict[str, Any] = data

    def error(self, problem: str, /, *, part: bool = False, **details: object) -> FileError:
        """An error about the file."""
        return FileError(self._path, problem, part=part, **quoted(details))

    def text(self, key: str) -> str | None:
        value = self._data.get(key)
        if value is not None and not isinstance(value, str):
            raise FileError(self._path, "“{key}” is not a text.", key=key)
        return value or None

    def protocol(self, key: str) -> str | None:
        value = self.text(key)
        return None if value is None else read_protocol(value, self)

    def number(self, key: str) -> int | None:
        value = self._data.get(key)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**31
        ):
            raise FileError(self._path, "“{key}” is not a whole number below 2³¹.", key=key)
        return value

    def pair(self, key: str) -> tuple[str | None, str | None]:
        inner = self._object(key)
        return inner.text("en"), inner.text("ja")

    def labels(self, key: str) -> dict[str, tuple[str | None, str | None]]:
        inner = self._object(key)
        return {name: inner.pair(name) for name in inner._data}

    def _object(self, key: str) -> _Entry:
        value = self._data.get(key, {})
        if not isinstance(value, dict):
            raise FileError(self._path, '“{key}” is not an object like {{"en": …, "ja": …}}.', key=key)
        return _Entry(self._path, value)


_SEGMENT_COLUMNS = ("seg_id", "doc_id", "refA")
_RATING_COLUMNS = ("annotator", "system", "seg_id", "score")
_MORE_OF_SEGMENTS = ("src", "domain")
_MORE_OF_RATINGS = ("wave", "doc_id", "domain", "kind", "item_type", "error_spans_json", "t_start", "t_end")


def read_ratings(
    path: Path, segments: Mapping[str, SegmentRow], systems: Collection[str], options: ReadOptions
) -> tuple[tuple[RatingRecord, ...], tuple[Wording, ...]]:
    """The ratings, revisions in their order, and notes on what was left out. Raises FileError."""
    limit, what = options.limit_bytes, Wording("ratings")
    sheet = read_tsv_sheet(path, required=_RATING_COLUMNS, limit_bytes=limit, what=what)
    scale = Scale.of(path, options)
    ratings: list[RatingRecord] = []
    waves: list[str] = []
    controls: Counter[str] = Counter()
    spans_left_out = 0
    for place, record in sheet.records():
        spans, unknown = _spans(record.get("error_spans_json", ""), place)
        rating = _rating(record, segments, systems, spans, scale, place)
        item_type = record.get("item_type", "")
        kind = item_kind(item_type) if item_type else TARGET
        if kind not in (TARGET, REPEAT):
            controls[item_type] += 1
            continue
        spans_left_out += unknown
        ratings.append(replace(rating, kind=kind))
        waves.append(record.get("wave", ""))
    if controls and not ratings:
        raise FileError(
            path,
            "holds ratings, but none of a translation: item_type is {types}; ratings of translations have "
            "TGT or SYSTEM there.",
            types=_named(controls),
        )
    scale.settle()
    by_wave = _by_wave(ratings, waves) if options.repeats in (None, ITEM) else ratings
    ordered, twice = settle(unasked(by_wave), options, says_revisions=False)
    unknown_ones = unknown_columns(sheet.columns, (*_RATING_COLUMNS, *_MORE_OF_RATINGS))
    return ordered, (*_controls_note(controls), *twice, *spans_note(spans_left_out), *unknown_ones)


def _by_wave(ratings: Sequence[RatingRecord], waves: Sequence[str]) -> list[RatingRecord]:
    """The ratings, with those that a rater gave in another wave than the first as repeats.

    The first wave of a judgement is the lowest of its official ratings, if it has any.
    """
    first: dict[Hashable, tuple[bool, int, str]] = {}
    places = [(rating.mark != OFFICIAL, len(wave), wave) for rating, wave in zip(ratings, waves, strict=True)]
    for rating, place in zip(ratings, places, strict=True):
        key = identity(rating)
        first[key] = min(first.get(key, place), place)
    return [
        replace(rating, kind=REPEAT) if place[1:] != first[identity(rating)][1:] else rating
        for rating, place in zip(ratings, places, strict=True)
    ]


def _controls_note(controls: Counter[str]) -> tuple[Wording, ...]:
    if not controls:
        return ()
    return (
        Wording(
            "{count} ratings of control items (item_type {types}) were left out.",
            count=controls.total(),
            types=_named(controls),
        ),
    )


_MOST_NAMED = 5


def _named(types: Counter[str]) -> str:
    """The commonest types, at most five, in one line."""
    return one_line(", ".join(name[:40] for name, _ in types.most_common(_MOST_NAMED)))


def _rating(
    record: Mapping[str, str],
    segments: Mapping[str, SegmentRow],
    systems: Collection[str],
    spans: tuple[MarkedSpan, ...] | None,
    scale: Scale,
    place: FilePlace,
) -> RatingRecord:
    segment = segments.get(record["seg_id"])
    if segment is None:
        raise place.error("the seg_id “{seg_id}” is not among the segments.", seg_id=record["seg_id"])
    system = composed(record["system"])
    if system not in systems:
        raise place.error("the system “{system}” is not among the outputs.", system=system)
    if record.get("doc_id", segment.document) != segment.document:
        raise place.error(
            "the seg_id “{seg_id}” belongs to the document “{document}”.",
            seg_id=record["seg_id"],
            document=segment.document,
        )
    start = read_seconds(record.get("t_start", ""), place)
    end = read_seconds(record.get("t_end", ""), place)
    took = None if start is None or end is None or end < start else round(end - start, 3)
    return RatingRecord(
        segment.key,
        system,
        read_rater(record["annotator"], place),
        scale.read(record["score"], place),
        mark=record.get("kind", "") or OFFICIAL,
        seconds=took,
        rated_at=None if end is None else datetime.fromtimestamp(end, UTC),
        spans=spans,
    )


def _spans(cell: str, place: FilePlace) -> tuple[tuple[MarkedSpan, ...] | None, int]:
    if cell == "":
        return None, 0
    return read_spans(JsonText(place.path, cell, place.line, Wording("error_spans_json")).root())


REFERENCE_SYSTEM = "refA"


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read the folder `path`. Raises FileError."""
    if not path.is_dir():
        raise FileError(
            path, "is not a folder; the format “tables” reads a folder with segments.tsv and outputs.tsv."
        )
    limit = options.limit_bytes
    about = _about(path)
    segments, unread = _read_segments(_needed(path, "segments.tsv"), limit)
    texts = _read_outputs(_needed(path, "outputs.tsv"), segments, limit)
    ratings: tuple[RatingRecord, ...] = ()
    notes: tuple[Wording, ...] = ()
    ratings_file = _file(path, "ratings.tsv")
    if ratings_file is not None:
        ratings, notes = read_ratings(ratings_file, segments, {*texts, REFERENCE_SYSTEM}, options)
    if any(rating.system == REFERENCE_SYSTEM for rating in ratings):
        texts.setdefault(REFERENCE_SYSTEM, [segment.reference for segment in segments.values()])
    langs, guesses = resolve_langs(
        options.source_lang or about.source_lang,
        options.target_lang or about.target_lang,
        (segment.source or "" for segment in segments.values()),
        (segment.reference for segment in segments.values()),
    )
    return Bundle(
        name=about.name or path.resolve().name.removesuffix(".zip"),
        langs=langs,
        systems=tuple(
            SystemRow(name, name == REFERENCE_SYSTEM, *about.labels.get(name, (None, None))) for name in texts
        ),
        segments=tuple(segments.values()),
        outputs=tuple(
            OutputRow(segment.key, name, column[row])
            for row, segment in enumerate(segments.values())
            for name, column in texts.items()
        ),
        ratings=ratings,
        meta=about.meta,
        notes=(*guesses, *unread, *notes),
    )


def _file(folder: Path, name: str) -> Path | None:
    """The table of this name, plain or gzipped, or None. Raises FileError when it is there twice."""
    found = [file for file in (folder / name, folder / f"{name}.gz") if file.is_file()]
    if len(found) > 1:
        raise FileError(folder, "holds both {name} and {name}.gz; keep one of them.", name=name)
    return found[0] if found else None


def _needed(folder: Path, name: str) -> Path:
    file = _file(folder, name)
    if file is None:
        raise FileError(folder, "holds neither {name} nor {name}.gz.", name=name)
    return file


def _about(folder: Path) -> CampaignFile:
    file = folder / "campaign.json"
    return read_campaign_json(file) if file.is_file() else CampaignFile()


def _read_segments(path: Path, limit: int) -> tuple[dict[str, SegmentRow], tuple[Wording, ...]]:
    """Segments by seg_id, in the order of the file, and notes on columns that are not read."""
    sheet = read_tsv_sheet(path, required=_SEGMENT_COLUMNS, limit_bytes=limit, what=Wording("segments"))
    segments: dict[str, SegmentRow] = {}
    next_position: Counter[str] = Counter()
    for place, record in sheet.records():
        seg_id = record["seg_id"]
        if seg_id in segments:
            raise place.error("the seg_id “{seg_id}” stands in an earlier row already.", seg_id=seg_id)
        document = read_label(record["doc_id"], Wording("doc_id"), place)
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
    return segments, unknown_columns(sheet.columns, (*_SEGMENT_COLUMNS, *_MORE_OF_SEGMENTS))


def _read_outputs(path: Path, segments: dict[str, SegmentRow], limit: int) -> dict[str, list[str]]:
    """Each system's texts, in the order of the segments."""
    sheet = read_tsv_sheet(path, required=("seg_id",), limit_bytes=limit, what=Wording("outputs"))
    systems = {
        read_label(column, Wording("system"), FilePlace(path, 1)): column
        for column in sheet.columns
        if column != "seg_id"
    }
    if not systems:
        raise FileError(path, "has no column for a system.", line=1)
    rows: dict[str, dict[str, str]] = {}
    for place, record in sheet.records():
        seg_id = record["seg_id"]
        if seg_id not in segments:
            raise place.error("the seg_id “{seg_id}” is not among the segments.", seg_id=seg_id)
        if seg_id in rows:
            raise place.error("the seg_id “{seg_id}” stands in an earlier row already.", seg_id=seg_id)
        rows[seg_id] = record
    for seg_id in segments:
        if seg_id not in rows:
            raise FileError(path, "has no row for the segment with seg_id “{seg_id}”.", seg_id=seg_id)
    texts = {system: [rows[seg_id][column] for seg_id in segments] for system, column in systems.items()}
    for system, column in texts.items():
        require_some(system, any(text.strip() for text in column), path)
    return texts
