"""What readers gave in a close reading: as data for its figures, and as rows for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Engine

from core.errors import YomikurabeError
from core.metrics import find_metric
from core.raters.reading.choices import KINDS, MARGIN, NO_DIFFERENCE, PREFERRED, WHY
from core.raters.reading.close import ChunkChoice, CloseData, CloseFindings, close_findings
from core.raters.reading.excerpt import length_of, shown_offset
from core.raters.reading.highlights import ReadVersion, mark_rates
from core.raters.reading.preferences import LENGTH, ReaderChoice
from core.text.japanese import plain
from db.queries import list_translations
from db.queries.scores import scores_of_campaign
from db.queries.study import StudyRecord
from db.records import ComparedRecord, ReaderRecord

SegmentScores = Mapping[str, Mapping[tuple[int, str], float]]
"""By metric the score of each segment in each version, where higher is better."""


def segment_scores(
    engine: Engine, campaign_id: int, study: StudyRecord
) -> dict[str, dict[tuple[int, str], float]]:
    """The stored scores of the excerpt. Of several signatures of a metric the one stored last counts.

    Where lower is better, the sign changes.
    """
    names = {one.system for one in study.versions}
    segments = {segment for one in study.versions for segment, _ in one.segments}
    place = {
        row.id: (row.segment_id, row.system)
        for row in list_translations(engine, campaign_id)
        if row.system in names and row.segment_id in segments
    }
    last: dict[str, str] = {}
    scores: dict[tuple[str, str], dict[tuple[int, str], float]] = {}
    for row in scores_of_campaign(engine, campaign_id):
        if row.score is not None and row.translation_id in place:
            last[row.metric] = row.signature
            scores.setdefault((row.metric, row.signature), {})[place[row.translation_id]] = row.score
    return {
        metric: {
            one: score if _upwards(metric) else -score for one, score in scores[metric, signature].items()
        }
        for metric, signature in sorted(last.items())
    }


def _upwards(metric: str) -> bool:
    """Of a metric from outside that is not known here, higher is taken to be better."""
    try:
        return find_metric(metric).higher_is_better
    except YomikurabeError:
        return True


def close_of(
    studies: Sequence[tuple[StudyRecord, SegmentScores]], whole: Sequence[ReaderChoice], *, seed: int
) -> CloseFindings | None:
    """The figures of the close reading of one or more books; None where there is none.

    whole: what readers preferred as a whole.
    """
    if not any(reader.compared for study, _ in studies for reader in study.readers):
        return None
    scores: dict[str, dict[tuple[str, int, str], float]] = {}
    for study, own in studies:
        for metric, values in _chunk_scores(study, own).items():
            scores.setdefault(metric, {}).update(values)
    readers: dict[str, bool] = {}
    for study, _ in studies:
        for reader in (one for one in study.readers if one.compared):
            done = all(one.finished_at is not None for one in reader.compared)
            readers[reader.rater] = done and readers.get(reader.rater, True)
    data = CloseData(
        choices=tuple(one for study, _ in studies for one in chunk_choices(study)),
        finished=sum(readers.values()),
        whole=tuple(whole),
        scores=scores,
        marks=mark_rates([one for study, _ in studies for one in _marked(study)], KINDS),
    )
    return close_findings(data, seed=seed)


def chunk_choices(study: StudyRecord) -> Iterator[ChunkChoice]:
    """What readers preferred in the chunks that they have compared."""
    for reader in study.readers:
        for one in reader.compared:
            preferred = one.answers.get(PREFERRED)
            if preferred is not None:
                yield ChunkChoice(
                    reader=reader.rater,
                    book=study.campaign,
                    chunk=one.place,
                    left=one.left,
                    right=one.right,
                    preferred=None if preferred == NO_DIFFERENCE else (one.left, one.right)[preferred],
                    margin=one.answers.get(MARGIN),
                    why=one.answers.get(WHY) or "",
                    seconds=one.active,
                )


def _chunk_scores(study: StudyRecord, scores: SegmentScores) -> dict[str, dict[tuple[str, int, str], float]]:
    """By metric the mean over a chunk's segments that have a score in every version; and the length."""
    names = [one.system for one in study.versions]
    texts = {one.system: dict(one.segments) for one in study.versions}
    segments = sorted({segment for own in texts.values() for segment in own})
    chunks = {(one.place, one.first, one.last) for reader in study.readers for one in reader.compared}
    found: dict[str, dict[tuple[str, int, str], float]] = {LENGTH: {}}
    for place, first, last in sorted(chunks):
        inside = [one for one in segments if first <= one <= last]
        for name in names:
            length = sum(length_of(texts[name].get(one, ""), study.lang) for one in inside)
            found[LENGTH][study.campaign, place, name] = float(length)
        for metric, own in scores.items():
            shared = [one for one in inside if all((one, name) in own for name in names)]
            for name in names if shared else ():
                mean = sum(own[one, name] for one in shared) / len(shared)
                found.setdefault(metric, {})[study.campaign, place, name] = mean
    return found


def _marked(study: StudyRecord) -> Iterator[ReadVersion]:
    """Of each reader and version the chunks that were compared, as one text with its highlights."""
    texts = {one.system: one.segments for one in study.versions}
    for reader in study.readers:
        done = [one for one in reader.compared if one.finished_at is not None]
        for version in texts:
            sides = [(one, side) for one in done for side in (0, 1) if (one.left, one.right)[side] == version]
            length = sum(
                length_of(text, study.lang)
                for one, _ in sides
                for segment, text in texts[version]
                if one.first <= segment <= one.last
            )
            if length:
                yield ReadVersion(
                    reader=reader.rater,
                    book=study.campaign,
                    version=version,
                    place=0,
                    length=length,
                    characters=0,
                    active=0.0,
                    away=0.0,
                    marks={
                        kind: tuple(
                            (mark.start, mark.end)
                            for one, side in sides
                            for mark in one.highlights[side]
                            if mark.kind == kind
                        )
                        for kind in KINDS
                    },
                )


CHUNK_COLUMNS = (
    "book",
    "reader",
    "chunk",
    "first",
    "last",
    "left",
    "right",
    "preferred",
    "margin",
    "why",
    "active",
    "away",
    "finished_at",
)


def chunk_rows(study: StudyRecord) -> Iterator[dict[str, Any]]:
    """One row a reader and chunk, with the keys `CHUNK_COLUMNS`; chunks and segments count from 1."""
    number = {segment: place for place, segment in enumerate(_segments(study), start=1)}
    for reader in study.readers:
        for one in reader.compared:
            preferred: int | None = one.answers.get(PREFERRED)
            chosen = None if preferred in (None, NO_DIFFERENCE) else (one.right if preferred else one.left)
            yield {
                "book": study.campaign,
                "reader": reader.rater,
                "chunk": one.place + 1,
                "first": number.get(one.first),
                "last": number.get(one.last),
                "left": one.left,
                "right": one.right,
                "preferred": chosen,
                "margin": one.answers.get(MARGIN),
                "why": one.answers.get(WHY),
                "active": round(one.active, 1),
                "away": round(one.away, 1),
                "finished_at": None if one.finished_at is None else one.finished_at.isoformat(),
            }


def _segments(study: StudyRecord) -> list[int]:
    return sorted({segment for one in study.versions for segment, _ in one.segments})


def chunk_marks(study: StudyRecord, reader: ReaderRecord) -> Iterable[dict[str, Any]]:
    """The highlights of a reader in the close reading, as the rows of `highlights.csv`."""
    for one in reader.compared:
        for side, version in enumerate((one.left, one.right)):
            yield from _mark_rows(study, reader.rater, version, one, side)


def _mark_rows(
    study: StudyRecord, reader: str, version: str, one: ComparedRecord, side: int
) -> Iterator[dict[str, Any]]:
    segments = next((text.segments for text in study.versions if text.system == version), ())
    place = {segment: (number, text) for number, (segment, text) in enumerate(segments, start=1)}
    for mark in one.highlights[side]:
        if mark.segment_id in place:
            number, text = place[mark.segment_id]
            start, end = shown_offset(text, mark.start), shown_offset(text, mark.end)
            yield {
                "book": study.campaign,
                "reader": reader,
                "version": version,
                "kind": mark.kind,
                "segment": number,
                "start": start,
                "end": end,
                "text": plain(text)[start:end],
                "reason": mark.reason,
                "chunk": one.place + 1,
            }
