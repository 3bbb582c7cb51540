"""All stored scores of a campaign with their traces in one file, and back into a campaign of the same texts.

The file is JSON lines, compressed with gzip. The first line is the header: format, version, and a fingerprint
of the texts that were scored. Each further line is a score as it is stored: the translation (document,
position, system), metric, signature, score, parts, flags, `missing` where there is no score, and the packed
trace. What is empty is left out. The scores keep the order in which they were stored.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, select

from core.backends.external import PREFIX
from core.codec import PACKED
from core.errors import FileError, OptionError, Wording
from core.metrics import find_metric
from core.metrics.external import ExternalTrace
from core.text.files import LIMIT_BYTES
from core.text.languages import base_lang
from db.campaigns.export import new_file
from db.campaigns.score_files import Where, check_external_name
from db.engine import read_session
from db.formats.history import read_whole
from db.formats.json_node import Node, check_header, read_json_lines
from db.models import MetricScore, Segment, Translation
from db.queries import get_campaign, list_translations, store_scores
from db.records import ScoreRow, TranslationRecord

NAME, VERSION = "yomikurabe-scores", 1
AT_ONCE = 500
"""How many scores are in memory while a file is written."""


@dataclass(frozen=True, slots=True)
class ArchiveCount:
    """How many scores are in a file, and how many of them have a trace."""

    scores: int
    traces: int


@dataclass(frozen=True, slots=True)
class ScoreArchive:
    """A file that was read: the fingerprint of its texts, and each score with its translation.

    The `translation_id` of a row is 0, as long as it belongs to no database.
    """

    path: Path
    texts: str
    rows: tuple[tuple[Where, ScoreRow], ...]


def write_archive(
    engine: Engine, campaign_id: int, path: Path, *, with_trace: bool = True, overwrite: bool = False
) -> ArchiveCount:
    """Write every stored score of a campaign. The same scores give the same bytes.

    Raises FileError when there is a file already, when it cannot be written, and when it would be larger than
    what `read_archive` reads.
    """
    translations = list_translations(engine, campaign_id)
    where = {one.id: _where(one) for one in translations}
    header = {"format": NAME, "version": VERSION, "texts": _texts(engine, campaign_id, translations)}
    left = LIMIT_BYTES
    scores = traces = 0
    with (
        new_file(path, overwrite=overwrite) as draft,
        draft.open("xb") as raw,
        gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
    ):
        left -= file.write(_line(header))
        for row in _stored(engine, campaign_id):
            document, position, system = where[row.pop("translation_id")]
            if not with_trace:
                row["trace"] = None
            left -= file.write(
                _line({"document": document, "position": position, "system": system, **_filled(row)})
            )
            scores += 1
            traces += row["trace"] is not None
            if left < 0:
                raise _too_large(path)
    return ArchiveCount(scores, traces)


def read_archive(path: Path) -> ScoreArchive:
    """Read a file. A trace is unpacked where it is shown, not here. Raises FileError, with the line."""
    first, *nodes = read_json_lines(path, LIMIT_BYTES)
    check_header(first, NAME, VERSION, Wording("a file of scores"))
    rows: dict[tuple[Where, str, str], ScoreRow] = {}
    for node in nodes:
        where = node.text("document"), read_whole(node.need("position"), 10**9), node.text("system")
        row = _row(node)
        if (key := (where, row.metric, row.signature)) in rows:
            raise node.error("gives the same score for the second time.")
        rows[key] = row
    return ScoreArchive(path, first.text("texts"), tuple((key[0], row) for key, row in rows.items()))


def store_archive(engine: Engine, campaign_id: int, archive: ScoreArchive) -> ArchiveCount:
    """Store the scores of a file, all of them or none.

    A score of the same translation, metric and signature is replaced. Raises FileError where the texts of the
    campaign are not those that were scored.
    """
    translations = list_translations(engine, campaign_id)
    if archive.texts != _texts(engine, campaign_id, translations):
        raise FileError(
            archive.path, "holds scores of other texts than those of the campaign; choose the file that fits."
        )
    ids = {_where(one): one.id for one in translations}
    rows = [_placed(row, ids.get(where), archive.path) for where, row in archive.rows]
    store_scores(engine, rows)
    return ArchiveCount(len(rows), sum(row.trace is not None for row in rows))


def _placed(row: ScoreRow, translation_id: int | None, path: Path) -> ScoreRow:
    if translation_id is None:
        raise FileError(path, "names a translation that the campaign does not have.")
    values = {name: getattr(row, name) for name in ScoreRow.__slots__}
    return ScoreRow(**{**values, "translation_id": translation_id})


def _where(one: TranslationRecord) -> Where:
    return one.document, one.position, one.system


def _texts(engine: Engine, campaign_id: int, translations: list[TranslationRecord]) -> str:
    """A hash of everything that a metric may read: the language and all texts, in no order."""
    texts = sorted(json.dumps([*_where(one), one.source, one.reference, one.text]) for one in translations)
    lang = base_lang(get_campaign(engine, campaign_id).target_lang)
    return hashlib.sha256("\n".join([lang, *texts]).encode()).hexdigest()


def _stored(engine: Engine, campaign_id: int) -> Iterator[dict[str, Any]]:
    """The fields of each score, in the order in which they were stored."""
    query = (
        select(*(getattr(MetricScore, name) for name in ScoreRow.__slots__))
        .join(Translation, Translation.id == MetricScore.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id)
        .order_by(MetricScore.id)
        .execution_options(yield_per=AT_ONCE)
    )
    with read_session(engine) as session:
        yield from map(dict, session.execute(query).mappings())


def _filled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value not in ({}, [], None)}


def _too_large(path: Path) -> FileError:
    return FileError(
        path, "would unpack to more than {limit:,} bytes; leave the traces out.", limit=LIMIT_BYTES
    )


def _line(values: dict[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _row(node: Node) -> ScoreRow:
    metric, trace = node.text("metric"), node.get("trace")
    kind = _trace_kind(metric, node)
    if trace is not None:
        same = trace.text("trace") == kind and trace.need("format").value == PACKED
        if not same or set(trace.as_map()) != {"trace", "format", "packed"}:
            raise trace.error("is not a packed trace of {metric}.", metric=metric)
        trace.text("packed")
    score, missing, parts, flags = (node.get(name) for name in ("score", "missing", "parts", "flags"))
    if (score is None) == (missing is None):
        raise node.error("needs either a score or the reason why there is none.")
    return ScoreRow(
        translation_id=0,
        metric=metric,
        signature=node.text("signature"),
        score=None if score is None else score.as_number(),
        parts={} if parts is None else {name: one.as_number() for name, one in parts.as_map().items()},
        flags=() if flags is None else tuple(one.as_text() for one in flags.as_list()),
        missing=None if missing is None else missing.as_text(),
        trace=None if trace is None else trace.value,
    )


def _trace_kind(metric: str, node: Node) -> str:
    """The class of a metric's traces. Raises FileError for a metric that does not exist."""
    try:
        if metric.startswith(PREFIX):
            check_external_name(metric.removeprefix(PREFIX))
            return ExternalTrace.__name__
        return find_metric(metric).trace.__name__
    except OptionError as error:
        raise node.error(error.template, part=True, **error.details) from error
