"""A reading study: made from books or from a campaign, and what its readers gave as data and figures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine

from core.errors import InputError
from core.raters.protocols import READING, STUDIES
from core.raters.reading.choices import (
    HUMAN,
    MARGIN,
    NO_DIFFERENCE,
    PREFERRED,
    SURE,
    WHY,
    ReadingChoices,
    choices_to_json,
)
from core.raters.reading.excerpt import shown_offset, unit_of
from core.raters.reading.findings import StudyData, StudyFindings, findings, table_csv
from core.raters.reading.highlights import ReadVersion
from core.raters.reading.preferences import LENGTH, ReaderChoice
from core.raters.reading.scales import ScaleAnswer
from core.text.japanese import plain
from db.campaigns.close_reading import (
    CHUNK_COLUMNS,
    SegmentScores,
    chunk_marks,
    chunk_rows,
    close_of,
    segment_scores,
)
from db.campaigns.coding import findings_of_codes
from db.campaigns.export import read_bundle
from db.campaigns.load import ImportReport, load_bundle
from db.design import Design, from_json, reading_of
from db.formats.bundle import Bundle, Meta, OutputRow, SystemRow
from db.permissions import Viewer
from db.queries import get_campaign
from db.queries.manage import set_campaign
from db.queries.study import StudyPlan, StudyRecord, VersionText, check_versions, study_of, study_plan
from db.records import ReadRecord


def with_first_version(bundle: Bundle, name: str) -> Bundle:
    """The campaign with its reference as a version more, before the others: books without an original."""
    return replace(
        bundle,
        systems=(SystemRow(name), *bundle.systems),
        outputs=(*(OutputRow(row.key, name, row.reference) for row in bundle.segments), *bundle.outputs),
    )


def store_texts(engine: Engine, bundle: Bundle, name: str, choices: ReadingChoices) -> ImportReport:
    """Store the texts of a study as a new campaign, once they have the versions that the choices need.

    Raises InputError for too few versions, and where the name is taken.
    """
    names = [one.name for one in bundle.systems if not one.is_reference]
    check_versions(names, choices, choices.human)
    return load_bundle(engine, bundle, name)


def copied_texts(engine: Engine, campaign_id: int, name: str) -> Bundle:
    """The texts of a campaign, and nothing that was rated, for a campaign of another name.

    Raises InputError where the names of the systems are sealed.
    """
    bundle = read_bundle(engine, campaign_id)
    if bundle.meta.seal is not None and "names" not in bundle.meta.seal:
        raise InputError("The names of its systems are sealed until the campaign closes.")
    about = ("name_ja", "description_en", "description_ja", "credits_en", "credits_ja")
    meta = Meta(**{field: getattr(bundle.meta, field) for field in about})
    return replace(bundle, name=name, ratings=(), meta=meta)


def set_up(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    choices: ReadingChoices,
    *,
    readers: int | None = None,
    vertical: bool | None = None,
    protocol: str = READING,
) -> StudyPlan:
    """Make a campaign a reading study; gives the plan of its orders. None keeps what the campaign has.

    protocol: `chunks` for close reading alone.

    Raises AccessError for a viewer who does not manage, InputError for choices that make no sense here.
    """
    campaign = get_campaign(engine, campaign_id)
    stored = from_json(campaign.design)
    design = replace(
        stored,
        reading=choices_to_json(choices),
        raters=stored.raters if readers is None else readers,
        vertical=stored.vertical if vertical is None else vertical,
    )
    study_plan(engine, viewer, campaign_id, design, protocol)
    set_campaign(
        engine,
        viewer,
        campaign_id,
        name=campaign.name,
        protocol=protocol,
        design=design,
        deadline=campaign.deadline,
    )
    return study_plan(engine, viewer, campaign_id, design)


def current_plan(engine: Engine, viewer: Viewer, campaign_id: int) -> StudyPlan:
    """The plan of a reading study as it stands. Raises InputError for a campaign of another protocol."""
    return study_plan(engine, viewer, campaign_id, _design(engine, campaign_id))


def _design(engine: Engine, campaign_id: int) -> Design:
    campaign = get_campaign(engine, campaign_id)
    if campaign.protocol not in STUDIES:
        raise InputError(
            "“{name}” is no reading study; make it one with python -m db study.", name=campaign.name
        )
    return from_json(campaign.design)


def study_findings(engine: Engine, viewer: Viewer, campaign_ids: Sequence[int]) -> StudyFindings:
    """The figures of one or more studies, each of which is a book; versions of one name are one.

    Raises AccessError for a viewer who may not see scores, InputError for a campaign of another protocol and
    for studies in languages that are counted in different units.
    """
    studies = []
    for one in campaign_ids:
        _design(engine, one)
        studies.append((one, study_of(engine, viewer, one)))
    found = findings_of(engine, studies)
    if len(studies) > 1:  # each campaign has a code book of its own
        return found
    return replace(found, coding=findings_of_codes(engine, viewer, campaign_ids[0]))


def findings_of(engine: Engine, studies: Sequence[tuple[int, StudyRecord]]) -> StudyFindings:
    """The figures of studies that were read from the database, each with the number of its campaign.

    Raises InputError as `study_findings`.
    """
    units = {unit_of(study.lang) for _, study in studies}
    if len(units) > 1:
        raise InputError("The studies are counted in words and in characters; look at them apart.")
    pooled: dict[str, dict[tuple[str, str], float]] = {}
    scored = [(study, segment_scores(engine, number, study)) for number, study in studies]
    for study, own in scored:
        for metric, scores in _pooled(study, own).items():
            pooled.setdefault(metric, {}).update(scores)
    data = StudyData(
        books=tuple(study.campaign for _, study in studies),
        choices=tuple(one for _, study in studies for one in _choices(study)),
        read=tuple(one for _, study in studies for one in _read(study)),
        human={study.campaign: study.human for _, study in studies if study.human},
        pooled=pooled,
        answers=tuple(one for number, study in studies for one in _answers(engine, number, study)),
        unit=units.pop(),
    )
    seed = studies[0][1].seed
    return replace(findings(data, seed=seed), close=close_of(scored, data.choices, seed=seed))


def _choices(study: StudyRecord) -> Iterable[ReaderChoice]:
    for reader in study.readers:
        if PREFERRED not in reader.final:
            continue
        order = tuple(one.system for one in reader.read)
        preferred, guess = reader.final[PREFERRED], reader.final.get(HUMAN)
        yield ReaderChoice(
            reader=reader.rater,
            book=study.campaign,
            order=order,
            preferred=None if preferred == NO_DIFFERENCE else order[preferred],
            margin=reader.final.get(MARGIN),
            guess=None if guess is None else order[guess],
            sure=reader.final.get(SURE),
            why=reader.final.get(WHY) or "",
        )


def _read(study: StudyRecord) -> Iterable[ReadVersion]:
    """Versions that were read to their end."""
    texts = {one.system: one for one in study.versions}
    begins = {name: _begins(version) for name, version in texts.items()}
    for reader in study.readers:
        for one in reader.read:
            version = texts.get(one.system)
            if one.finished_at is None or version is None:
                continue
            yield ReadVersion(
                reader=one.rater,
                book=study.campaign,
                version=one.system,
                place=one.place,
                length=version.length,
                characters=version.characters(),
                active=one.active,
                away=one.away,
                marks=_stretches(one, version, begins[one.system]),
            )


def _begins(version: VersionText) -> dict[int, int]:
    """Where each segment begins, in characters of the whole text as it is read."""
    found, at = {}, 0
    for segment, text in version.segments:
        found[segment] = at
        at += len(plain(text))
    return found


def _stretches(
    one: ReadRecord, version: VersionText, begins: Mapping[int, int]
) -> dict[str, tuple[tuple[int, int], ...]]:
    texts = dict(version.segments)
    found: dict[str, list[tuple[int, int]]] = {}
    for mark in one.highlights:
        if mark.segment_id in texts:
            text, begin = texts[mark.segment_id], begins[mark.segment_id]
            ends = (begin + shown_offset(text, mark.start), begin + shown_offset(text, mark.end))
            found.setdefault(mark.kind, []).append(ends)
    return {kind: tuple(stretches) for kind, stretches in found.items()}


def _pooled(study: StudyRecord, scores: SegmentScores) -> dict[str, dict[tuple[str, str], float]]:
    """By metric the mean over the excerpt's segments that have a score in every version; and the length."""
    names = {one.system for one in study.versions}
    segments = {segment for one in study.versions for segment, _ in one.segments}
    found = {LENGTH: {(study.campaign, one.system): float(one.length) for one in study.versions}}
    for metric, own in scores.items():
        shared = [one for one in sorted(segments) if all((one, name) in own for name in names)]
        if shared:
            found[metric] = {
                (study.campaign, name): sum(own[one, name] for one in shared) / len(shared) for name in names
            }
    return found


def _answers(engine: Engine, campaign_id: int, study: StudyRecord) -> Iterable[ScaleAnswer]:
    """By question, version and reader."""
    questions = reading_of(from_json(get_campaign(engine, campaign_id).design)).questions
    scales = [question.name for question in questions if question.kind == "scale"]
    read = [(reader.rater, one) for reader in study.readers for one in reader.read]
    for question in scales:
        for version in study.versions:
            for reader, one in read:
                if one.system == version.system and one.answers.get(question) is not None:
                    yield ScaleAnswer(
                        reader=reader,
                        book=study.campaign,
                        version=one.system,
                        place=one.place,
                        question=question,
                        value=float(one.answers[question]),
                    )


READER_COLUMNS = ("book", "reader", "version", "place", "finished_at", "active", "away", "visits", "length")
MARK_COLUMNS = ("book", "reader", "version", "kind", "segment", "start", "end", "text", "reason", "chunk")
CHOICE_COLUMNS = ("book", "reader", "order", "preferred", "margin", "guess", "sure", "why")


def study_tables(engine: Engine, viewer: Viewer, campaign_id: int) -> dict[str, str]:
    """What readers gave as CSV, by the files' names: `versions`, `highlights`, `choices`, `chunks`.

    Highlights are in half-open characters of their segment as it is read; `segment` counts from 1 within
    the excerpt. Raises AccessError and InputError as `study_findings`.
    """
    _design(engine, campaign_id)
    study = study_of(engine, viewer, campaign_id)
    questions = [
        one.name for one in reading_of(from_json(get_campaign(engine, campaign_id).design)).questions
    ]
    versions = [_version_row(study, one, questions) for reader in study.readers for one in reader.read]
    marks = [row for reader in study.readers for one in reader.read for row in _mark_rows(study, one)]
    marks += [row for reader in study.readers for row in chunk_marks(study, reader)]
    compared = [*chunk_rows(study)]
    chunks = {"chunks.csv": table_csv(CHUNK_COLUMNS, compared)} if compared else {}
    return {
        "versions.csv": table_csv((*READER_COLUMNS, *questions), versions),
        "highlights.csv": table_csv(MARK_COLUMNS, marks),
        "choices.csv": table_csv(CHOICE_COLUMNS, [_choice_row(one) for one in _choices(study)]),
        **chunks,
    }


def _version_row(study: StudyRecord, one: ReadRecord, questions: Sequence[str]) -> dict[str, Any]:
    length = next((text.length for text in study.versions if text.system == one.system), None)
    row = {
        "book": study.campaign,
        "reader": one.rater,
        "version": one.system,
        "place": one.place + 1,
        "finished_at": None if one.finished_at is None else one.finished_at.isoformat(),
        "active": round(one.active, 1),
        "away": round(one.away, 1),
        "visits": one.visits,
        "length": length,
    }
    return row | {name: one.answers.get(name) for name in questions}


def _mark_rows(study: StudyRecord, one: ReadRecord) -> Iterable[dict[str, Any]]:
    segments = next((text.segments for text in study.versions if text.system == one.system), ())
    place = {segment: (number, text) for number, (segment, text) in enumerate(segments, start=1)}
    for mark in one.highlights:
        if mark.segment_id in place:
            number, text = place[mark.segment_id]
            start, end = shown_offset(text, mark.start), shown_offset(text, mark.end)
            yield {
                "book": study.campaign,
                "reader": one.rater,
                "version": one.system,
                "kind": mark.kind,
                "segment": number,
                "start": start,
                "end": end,
                "text": plain(text)[start:end],
                "reason": mark.reason,
                "chunk": None,
            }


def _choice_row(one: ReaderChoice) -> dict[str, Any]:
    return {
        "book": one.book,
        "reader": one.reader,
        "order": " > ".join(one.order),
        "preferred": one.preferred,
        "margin": one.margin,
        "guess": one.guess,
        "sure": one.sure,
        "why": one.why,
    }


def plan_json(plan: StudyPlan) -> str:
    """The plan of orders as a JSON document."""
    return json.dumps(
        {
            "versions": list(plan.versions),
            "orders": [[plan.versions[one] for one in order] for order in plan.orders],
            "given": plan.given,
            "read": dict(zip(plan.versions, plan.balance.read, strict=True)),
            "at": dict(zip(plan.versions, map(list, plan.balance.at), strict=True)),
            "uneven": list(plan.balance.uneven),
            "length": plan.length,
            "unit": plan.unit,
            "chunks": plan.chunks,
        },
        ensure_ascii=False,
        indent=1,
    )
