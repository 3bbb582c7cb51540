"""The report on a campaign: permissions checked, sealed names hidden, check items left out of means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, cast

import numpy as np
from sqlalchemy import Engine, func, or_, select

from core.metaeval.ceiling import Ceiling, ceiling
from core.metaeval.evaluation import Evaluation
from core.metaeval.pointing import LEAST
from core.novel.documents import evaluated
from core.novel.terms import terms, with_terms
from core.raters.assignment import TARGET
from core.raters.own_scales import OwnScale
from core.raters.protocols import STUDIES, spans_from_json
from core.raters.quality import KINDS
from core.raters.ratings import Method, normalise
from core.raters.ratings import Rating as Score
from core.raters.rules import Rules
from core.report.content import (
    Facts,
    NovelFindings,
    Passage,
    PassagePlace,
    Remark,
    Report,
    SealFacts,
    SegmentTexts,
    numbered,
)
from core.text.locale import Language
from db.campaigns.documents import document_scores
from db.campaigns.glossary import glossary
from db.campaigns.novel import novel_texts, stored
from db.campaigns.pointing import stored_pointing
from db.campaigns.strips import aligner_marks, system_strip
from db.campaigns.study import study_findings
from db.design import from_json, rules_of
from db.engine import read_session
from db.models import (
    Campaign,
    Event,
    Item,
    RatingEvent,
    Segment,
    Translation,
    is_latest,
    known_time,
    now,
)
from db.permissions import Viewer
from db.queries import get_campaign, list_segments, list_systems, list_translations
from db.queries.evaluation import TranslationPlace as PlaceRecord
from db.queries.evaluation import evaluation, judgements, rating_table
from db.queries.manage import OPEN
from db.queries.rater_names import rater_names
from db.queries.sealed import seal_of
from db.records import CampaignRecord


class _Dates(NamedTuple):
    """Of the campaign's opening and its ratings that hold; and how many items were skipped."""

    opened: datetime | None
    first: datetime | None
    last: datetime | None
    skips: int


def gather(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    *,
    language: Language,
    method: Method = "raw",
    scale: str = "",
    texts: bool = True,
    anonymous: bool = False,
) -> Report:
    """Everything that a report says. texts: of the novels, comments and notes; without, only fingerprints.

    Translations are numbered as they are listed: their ids follow the imported file, which sealed names hide.

    scale: one of the campaign's own whose answers are the scores (`db/queries/evaluation.py`). Raises
    AccessError for a viewer who may not see scores, InputError for an unknown campaign or scale.
    """
    viewer.must_see_scores()
    campaign = get_campaign(engine, campaign_id)
    found = judgements(engine, viewer, campaign_id, scale=scale)
    segments, translations = _texts(engine, campaign_id, keep=texts)
    numbers = {translation: number for number, translation in enumerate(translations, start=1)}
    rows = [
        row._replace(item=numbers[cast(int, row.item)])
        for row in rating_table(engine, viewer, campaign_id, kinds=KINDS, scale=scale)
    ]
    rules, declared = _rules(campaign)
    table = evaluation(engine, viewer, campaign_id, method=method, scale=scale)
    given = Report(
        language=language,
        method=method,
        facts=_facts(engine, campaign, language, scale=found.scale, texts=texts),
        places={numbers[key]: _place(found.places[key]) for key in numbers},
        scores=[Score(row.rater, row.item, row.score) for row in rows if row.kind == TARGET],
        rows=rows,
        rules=rules,
        declared=declared,
        computed=found.computed,
        texts=segments,
        translations={numbers[key]: passage for key, passage in translations.items()},
        remarks=[
            replace(one, translation=numbers[one.translation])
            for one in _remarks(engine, campaign_id, keep=texts)
        ],
        seal=_seal(engine, campaign_id),
        with_texts=texts,
        anonymous=False,
        made=now(),
        evaluation=table,
        ceiling=_ceiling(table, found.scores, method),
        novel=_novel(engine, viewer, campaign_id, table, found.scores),
        study=study_findings(engine, viewer, [campaign_id]) if campaign.protocol in STUDIES else None,
    )
    return numbered(given) if anonymous else given


def _ceiling(table: Evaluation, scores: Sequence[Score], method: Method) -> Ceiling | None:
    """What one more rater reaches; None with too few translations that two raters have scored."""
    own: dict[object, list[float]] = defaultdict(list)
    for one in normalise(scores, method=method).ratings:
        own[one.item].append(one.score)
    return ceiling(table.table(), [own[number] for number in table.translation.tolist()])


def _novel(
    engine: Engine, viewer: Viewer, campaign_id: int, table: Evaluation, scores: Sequence[Score]
) -> NovelFindings | None:
    """What is stored of the whole novel, and its strips; None for a campaign without translations."""
    texts = novel_texts(engine, campaign_id)
    if not texts.systems:
        return None
    names = stored(engine, campaign_id, "cast", texts)
    if names is not None:
        names = with_terms(names, terms(glossary(engine, campaign_id), texts.references, texts.systems))
    documents, _ = document_scores(engine, viewer, campaign_id, texts)
    pointed = stored_pointing(engine, viewer, campaign_id)
    everything = None if pointed is None else pointed.figures.everything
    segments, marks = range(len(texts.segments)), aligner_marks(engine, campaign_id)
    known = any(np.isfinite(table.column(name)).any() for name in table.columns)
    return NovelFindings(
        systems=list(texts.systems),
        places=[f"{one.document} {one.position + 1}" for one in texts.segments],
        cast=names,
        voice=stored(engine, campaign_id, "voice", texts),
        strips={
            system: system_strip(texts, system, segments, table, scores, marks)
            for system in (texts.systems if known else ())
        },
        documents=evaluated(table, documents) if documents and np.isfinite(table.people).any() else [],
        pointing=everything if everything is not None and everything.marked >= LEAST else None,
    )


def _place(one: PlaceRecord) -> PassagePlace:
    return PassagePlace(
        segment=one.segment_id, document=one.document, position=one.position, system=one.system
    )


def _rules(campaign: CampaignRecord) -> tuple[Rules, bool]:
    """The rules that the campaign declared, or the usual ones for its language; and whether it did."""
    design = from_json(campaign.design)
    return rules_of(design, campaign.target_lang), bool(design.rules)


def _facts(
    engine: Engine, campaign: CampaignRecord, language: Language, *, scale: OwnScale | None, texts: bool
) -> Facts:
    segments = list_segments(engine, campaign.id)
    dates = _dates(engine, campaign.id)
    ja, design = language == "ja", from_json(campaign.design)
    described = (campaign.description_ja, campaign.description_en)[:: 1 if ja else -1]
    credited = (campaign.credits_ja, campaign.credits_en)[:: 1 if ja else -1]
    return Facts(
        name=(campaign.name_ja if ja else None) or campaign.name,
        source_lang=campaign.source_lang,
        target_lang=campaign.target_lang,
        protocol=campaign.protocol,
        state=campaign.state,
        created=campaign.created_at,
        opened=dates.opened,
        first=dates.first,
        last=dates.last,
        documents=len({one.document for one in segments}),
        segments=len(segments),
        systems=sum(not one.is_reference for one in list_systems(engine, campaign.id)),
        translations=_count_translations(engine, campaign.id),
        skips=dates.skips,
        seed=campaign.seed,
        five_errors=design.five_errors,
        scale=scale,
        errors=design.errors,
        description=next(filter(None, described), "") if texts else "",
        credits=next(filter(None, credited), "") if texts else "",
    )


def _count_translations(engine: Engine, campaign_id: int) -> int:
    query = select(func.count(Translation.id)).join(Segment).where(Segment.campaign_id == campaign_id)
    with read_session(engine) as session:
        return session.scalar(query) or 0


def _dates(engine: Engine, campaign_id: int) -> _Dates:
    time = known_time(RatingEvent)
    targets = (
        select(func.min(time), func.max(time), func.count(RatingEvent.id))
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Campaign, Campaign.id == Item.campaign_id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET, is_latest())
    )
    opening = select(func.min(Event.created_at)).where(
        Event.campaign_id == campaign_id, Event.kind == f"campaign-{OPEN}"
    )
    with read_session(engine) as session:
        first, last, _ = session.execute(targets.where(RatingEvent.skipped_reason.is_(None))).one()
        skips = session.execute(targets.where(RatingEvent.skipped_reason.is_not(None))).one()[2]
        return _Dates(session.scalar(opening), first, last, skips)


def _texts(
    engine: Engine, campaign_id: int, *, keep: bool
) -> tuple[Mapping[int, SegmentTexts], Mapping[int, Passage]]:
    """Sources and references by segment, translations by their ids; keep: the texts themselves."""
    segments = {
        one.id: SegmentTexts(
            source=None if one.source is None else Passage.of(one.source, keep=keep),
            reference=Passage.of(one.reference, keep=keep),
        )
        for one in list_segments(engine, campaign_id)
    }
    translations = {one.id: Passage.of(one.text, keep=keep) for one in list_translations(engine, campaign_id)}
    return segments, translations


def _remarks(engine: Engine, campaign_id: int, *, keep: bool) -> Sequence[Remark]:
    """What was marked and written for target items, rater by rater; keep: comments and notes, too."""
    query = (
        select(Item.rater_id, Item.translation_id, RatingEvent.spans, RatingEvent.comment)
        .join(Item, Item.id == RatingEvent.item_id)
        .where(Item.campaign_id == campaign_id, Item.kind == TARGET, is_latest())
        .where(RatingEvent.skipped_reason.is_(None))
        .where(or_(RatingEvent.spans.is_not(None), RatingEvent.comment != ""))
        .order_by(Item.rater_id, Item.place)
    )
    found = []
    with read_session(engine) as session:
        names = rater_names(session, campaign_id)
        for rater, translation, marked, comment in session.execute(query):
            spans = spans_from_json(marked or [])
            if not keep:
                spans = tuple(replace(span, note="") for span in spans)
            if spans or (keep and comment):
                own = comment if keep else ""
                found.append(Remark(rater=names[rater], translation=translation, spans=spans, comment=own))
    return found


def _seal(engine: Engine, campaign_id: int) -> SealFacts | None:
    sealed = seal_of(engine, campaign_id)
    if sealed is None:
        return None
    commitment, opened = sealed
    if opened is None:
        return SealFacts(commitment=commitment)
    return SealFacts(commitment=commitment, names=dict(opened.names), nonce=opened.nonce)
