"""Campaigns out of the database: as bundles, as new files or folders, or as bytes.

A new file is complete when it appears, and an existing file is only replaced on request.
"""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import Engine, Select, or_, select

from core.errors import FileError, OptionError, Wording, os_reason
from core.raters.assignment import DEGRADED, REPEAT, TARGET
from core.raters.protocols import spans_from_json
from db.campaigns.codings import NOTHING_CODED, codings_in
from db.campaigns.glossary import glossary_in
from db.campaigns.load import ORDER_KEYS
from db.campaigns.readings import NOTHING_READ, readings_in
from db.design import without_codes
from db.engine import read_session
from db.formats import FORMATS, get_format
from db.formats.bundle import (
    IMPORTED,
    Bundle,
    CheckRow,
    DecisionRow,
    DocumentScoreRow,
    Format,
    ItemRow,
    Key,
    Meta,
    OutputRow,
    PracticeRow,
    PrefillRow,
    SegmentRow,
    SystemRow,
)
from db.formats.capabilities import reduce
from db.models import (
    Adjudication,
    Campaign,
    CheckText,
    DocumentRating,
    Event,
    Item,
    ItemCheck,
    Prefill,
    Rater,
    RatingEvent,
    System,
    is_latest,
    known_time,
)
from db.names import rater_key
from db.queries import get_campaign, list_segments, list_systems, list_translations
from db.queries.practice import practice_items
from db.queries.rater_names import rater_names
from db.queries.sealed import Seal, hidden_names, numbers, seal_of
from db.queries.sealed import to_json as seal_to_json
from db.records import CampaignRecord, RatingRecord, TranslationRecord


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
        raise FileError(path, "cannot be written ({reason}).", reason=os_reason(error)) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `path` when the block ends well. Raises FileError like `new_file`."""
    if path.exists():
        raise FileError(path, "is there already; choose another name or remove it first.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.mkdir()
        yield draft
        os.replace(draft, path)
    except OSError as error:
        raise FileError(path, "cannot be written ({reason}).", reason=os_reason(error)) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

More = Callable[[Bundle], Iterable[tuple[str, bytes]]]
"""More files of a folder, made from what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A campaign as one file: its name, its content, and sentences about what was left out of it."""

    name: str
    data: bytes
    notes: tuple[Wording, ...]


def writable(name: str) -> Format:
    """The format of this name. Raises OptionError for one that cannot be written."""
    wanted = get_format(name)
    if not wanted.writes:
        able = ", ".join(name for name, entry in FORMATS.items() if entry.writes)
        raise OptionError("The format “{name}” can only be read; export as {able}.", name=name, able=able)
    return wanted


def reduced(bundle: Bundle, name: str) -> Bundle:
    """What a format holds of a campaign; its notes say what had to be left out, and how much of it."""
    wanted = writable(name)
    held = reduce(bundle, wanted.holds)
    remarks = wanted.remarks(held) if wanted.remarks else ()
    return replace(held, notes=(*held.notes, *remarks))


def write_bundle(
    bundle: Bundle, name: str, path: Path, *, overwrite: bool = False, more: More | None = None
) -> Bundle:
    """Write a campaign to a new file, or a new folder where the format is one; returns what was written.

    Its notes say what was left out. more: more files of a folder. Raises FileError, and then nothing at
    `path` has changed.
    """
    wanted, held = writable(name), reduced(bundle, name)
    if wanted.folder:
        with new_folder(path) as draft:
            for inner, content in _files(wanted, held, more):
                target = draft / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        return held
    with new_file(path, overwrite=overwrite) as draft:
        _fill(wanted, held, draft, path)
    return held


def download(bundle: Bundle, name: str, *, more: More | None = None) -> Download:
    """A campaign as one file in memory, a folder as a zip file. Raises FileError for what does not fit.

    more: more files of a folder.
    """
    wanted, held = writable(name), reduced(bundle, name)
    stem = (
        "".join(char if char.isalnum() or char in "-_ " else "_" for char in bundle.name)[:80] or "campaign"
    )
    if wanted.folder:
        files = _files(wanted, held, more)
        return Download(name=f"{stem}.{name}.zip", data=_zipped(files), notes=held.notes)
    path = Path(f"{stem}{wanted.suffix}")
    if wanted.write is None:
        ((_, data),) = _files(wanted, held)
    else:
        data = _text(wanted.write, held, path)
    return Download(name=path.name, data=data, notes=held.notes)


def _fill(wanted: Format, held: Bundle, draft: Path, path: Path) -> None:
    if wanted.write is None:
        for _, content in _files(wanted, held):
            draft.write_bytes(content)
        return
    with draft.open("w", encoding="utf-8", newline="") as file:
        wanted.write(held, file, path)


def _files(wanted: Format, held: Bundle, more: More | None = None) -> Iterator[tuple[str, bytes]]:
    own = iter(()) if wanted.write_files is None else wanted.write_files(held)
    return chain(own, more(held) if more else ())


def _text(write: Callable[[Bundle, TextIO, Path], None], held: Bundle, path: Path) -> bytes:
    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding="utf-8", newline="") as file:
        write(held, file, path)
        file.flush()
        return buffer.getvalue()


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip file in which no clock shows: the same campaign gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def read_bundle(engine: Engine, campaign_id: int, *, history: bool = False) -> Bundle:
    """A campaign as it stands, with every rating of a translation that holds: scores, marked errors, or both.

    history: everything that was said, in each rater's order: all revisions, skips and check items, with the
    items, the damaged texts and the practice items. Raises InputError for an unknown campaign.
    """
    campaign = get_campaign(engine, campaign_id)
    outputs = list_translations(engine, campaign_id)
    seal = seal_of(engine, campaign_id)
    if history and (seal is None or seal[1] is not None):  # while sealed they stand in this order already
        outputs = _as_drawn(engine, campaign_id, outputs)
    rated = {row.id: ((row.document, row.position), row.system) for row in outputs}
    texts = {row.id: row.text for row in outputs}
    read = readings_in(engine, campaign_id) if history else NOTHING_READ
    coded = codings_in(engine, campaign_id) if history else NOTHING_CODED
    items, ratings, checks = _said(engine, campaign_id, rated, texts, history=history)
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
        outputs=tuple(OutputRow(*rated[row.id], row.text) for row in outputs),
        ratings=ratings,
        checks=checks,
        items=items,
        practice=_practice(engine, campaign_id, rated) if history else (),
        prefills=_prefills(engine, rated) if history else (),
        decisions=_decisions(engine, campaign_id, rated) if history else (),
        document_scores=_document_scores(engine, campaign_id) if history else (),
        **read._asdict(),
        glossary=glossary_in(engine, campaign_id) if history else (),
        **coded._asdict(),
        meta=_meta(campaign, seal, _keys(engine, campaign_id) if history else {}),
    )


def _practice(engine: Engine, campaign_id: int, rated: Rated) -> tuple[PracticeRow, ...]:
    return tuple(
        PracticeRow(*rated[one.translation_id], one.expected, one.feedback_en, one.feedback_ja)
        for one in practice_items(engine, campaign_id)
    )


def _prefills(engine: Engine, rated: Rated) -> tuple[PrefillRow, ...]:
    query = select(Prefill).order_by(Prefill.translation_id)
    with read_session(engine) as session:
        return tuple(
            PrefillRow(*rated[row.translation_id], row.origin, spans_from_json(row.spans), row.created_at)
            for row in session.scalars(query)
            if row.translation_id in rated
        )


def _decisions(engine: Engine, campaign_id: int, rated: Rated) -> tuple[DecisionRow, ...]:
    query = select(Adjudication).order_by(Adjudication.translation_id, Adjudication.revision)
    with read_session(engine) as session:
        names = rater_names(session, campaign_id)
        return tuple(
            DecisionRow(
                *rated[row.translation_id],
                "" if row.rater_id is None else names[row.rater_id],
                row.score,
                None if row.spans is None else spans_from_json(row.spans),
                row.comment,
                row.created_at,
            )
            for row in session.scalars(query)
            if row.translation_id in rated
        )


def _document_scores(engine: Engine, campaign_id: int) -> tuple[DocumentScoreRow, ...]:
    query = (
        select(
            DocumentRating.document,
            System.name.label("system"),
            DocumentRating.rater_id,
            DocumentRating.score,
            known_time(DocumentRating),
        )
        .join(System, System.id == DocumentRating.system_id)
        .join(Campaign, Campaign.id == System.campaign_id)
        .where(System.campaign_id == campaign_id)
        .order_by(DocumentRating.id)
    )
    with read_session(engine) as session:
        hidden, names = hidden_names(session, campaign_id), rater_names(session, campaign_id)
        return tuple(
            DocumentScoreRow(row.document, hidden.get(row.system, row.system), names[row.rater_id], *row[3:])
            for row in session.execute(query)
        )


def _as_drawn(
    engine: Engine, campaign_id: int, outputs: Sequence[TranslationRecord]
) -> list[TranslationRecord]:
    """In the order of the numbers that the raters' orders were drawn with."""
    with read_session(engine) as session:
        numbered = numbers(session, campaign_id)
    return sorted(outputs, key=lambda row: numbered.get(row.id, row.id))


def _keys(engine: Engine, campaign_id: int) -> dict[str, str]:
    """`Meta.keys` of the raters who have items."""
    stored = select(Event.details).where(Event.kind == ORDER_KEYS, Event.campaign_id == campaign_id)
    query = select(Rater.id, Rater.name, Rater.key, Rater.imported).where(
        Rater.id.in_(select(Item.rater_id).where(Item.campaign_id == campaign_id))
    )
    with read_session(engine) as session:
        keys: dict[str, str] = dict(session.scalar(stored) or {})
        names = rater_names(session, campaign_id)
        for rater in session.execute(query.order_by(Rater.id)):
            if rater.imported:
                keys.setdefault(names[rater.id], IMPORTED)
            elif rater.key != rater_key(names[rater.id]):
                keys[names[rater.id]] = rater.key
    return keys


def _meta(campaign: CampaignRecord, seal: tuple[str, Seal | None] | None, keys: Mapping[str, str]) -> Meta:
    told = None if seal is None else {"commitment": seal[0]} if seal[1] is None else seal_to_json(seal[1])
    own = {name: getattr(campaign, name) for name in Meta.__slots__ if name not in ("seal", "keys")}
    own["design"] = without_codes(campaign.design)
    return Meta(**own, seal=told, keys=keys)


Rated = Mapping[int, tuple[Key, str]]
"""Segment and system of each translation by its id."""


def _said(
    engine: Engine, campaign_id: int, rated: Rated, texts: Mapping[int, str], *, history: bool
) -> tuple[tuple[ItemRow, ...], tuple[RatingRecord, ...], tuple[CheckRow, ...]]:
    """Items, ratings and checks; without history only the ratings of translations that hold."""
    events = _events(campaign_id)
    if not history:
        said = or_(RatingEvent.score.is_not(None), RatingEvent.spans.is_not(None))
        events = events.where(Item.kind == TARGET, is_latest(), said)
    with read_session(engine) as session:
        names = rater_names(session, campaign_id)
        ratings = tuple(_rating(row, rated, names) for row in session.execute(events).mappings())
        if not history:
            return (), ratings, ()
        items = tuple(
            ItemRow(
                names[row.rater_id], *rated[row.translation_id], row.place, row.kind, row.mark, row.rule or ""
            )
            for row in session.execute(_items(campaign_id))
        )
        damaged = select(CheckText.translation_id, CheckText.text, CheckText.rule).order_by(CheckText.id)
        checks = [
            CheckRow(*rated[row.translation_id], DEGRADED, row.text, row.rule)
            for row in session.execute(damaged)
            if row.translation_id in rated
        ]
    checks.sort(key=lambda check: (check.key, len(check.system), check.system))  # ids follow the file
    ids = {where: translation for translation, where in rated.items()}
    repeated = dict.fromkeys((item.key, item.system) for item in items if item.kind == REPEAT)
    return items, ratings, (*checks, *(CheckRow(*one, REPEAT, texts[ids[one]]) for one in repeated))


def _items(campaign_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(Item.rater_id, Item.translation_id, Item.place, Item.kind, Item.mark, CheckText.rule)
        .outerjoin(ItemCheck, ItemCheck.item_id == Item.id)
        .outerjoin(CheckText, CheckText.id == ItemCheck.check_text_id)
        .where(Item.campaign_id == campaign_id)
        .order_by(Item.rater_id, Item.place)
    )


def _events(campaign_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(
            Item.rater_id,
            Item.translation_id,
            Item.kind,
            Item.mark,
            RatingEvent.score,
            RatingEvent.comment,
            RatingEvent.seconds,
            known_time(RatingEvent).label("rated_at"),
            RatingEvent.spans,
            RatingEvent.edited,
            RatingEvent.scales,
            RatingEvent.skipped_reason,
        )
        .select_from(RatingEvent)
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .where(Item.campaign_id == campaign_id)
        .order_by(Item.rater_id, Item.place, RatingEvent.revision)
    )


def _rating(row: Mapping[Any, Any], rated: Rated, names: Mapping[int, str]) -> RatingRecord:
    values = dict(row)
    key, system = rated[values.pop("translation_id")]
    spans, scales = values.pop("spans"), values.pop("scales")
    marked = None if spans is None else spans_from_json(spans)
    rater = names[values.pop("rater_id")]
    return RatingRecord(key, system, rater, spans=marked, scales=tuple((scales or {}).items()), **values)
