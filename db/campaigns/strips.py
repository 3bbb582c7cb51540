"""The chapter strip of a system: its bands from the ratings, scores, texts and marks of a campaign."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from sqlalchemy import Engine, select

from core.metaeval.evaluation import Evaluation
from core.novel.strip import ADDED, OMITTED, Strip, strip
from core.raters.protocols import spans_from_json
from core.raters.ratings import Rating
from db.campaigns.books import ORIGIN
from db.campaigns.novel import NovelTexts
from db.engine import read_session
from db.models import Prefill, Segment, Translation

AlignerMarks = Mapping[int, Mapping[str, float]]
"""By translation: how many sentences of the reference the aligner found left out (`OMITTED`), and how many
code points it found added (`ADDED`)."""


def aligner_marks(engine: Engine, campaign_id: int) -> AlignerMarks:
    """What the aligner of books marked in a campaign's translations; empty where it marked nothing."""
    query = (
        select(Prefill.translation_id, Prefill.spans)
        .join(Translation, Translation.id == Prefill.translation_id)
        .join(Segment, Segment.id == Translation.segment_id)
        .where(Segment.campaign_id == campaign_id, Prefill.origin == ORIGIN)
    )
    found = {}
    with read_session(engine) as session:
        for translation, marked in session.execute(query):
            spans = spans_from_json(marked or [])
            found[translation] = {
                OMITTED: float(sum(one.missing for one in spans)),
                ADDED: float(sum(one.end - one.start for one in spans if not one.missing)),
            }
    return found


def system_strip(
    texts: NovelTexts,
    system: str,
    segments: Sequence[int],
    evaluation: Evaluation,
    ratings: Sequence[Rating],
    marks: AlignerMarks,
) -> Strip:
    """The strip of a system over some segments.

    evaluation, ratings: of the campaign, items named by their translations. marks: `aligner_marks`.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for one in ratings:
        if isinstance(one.item, int):
            scores[one.item].append(one.score)
    ratios = {
        name: [_ratio(reference, text) for reference, text in zip(texts.references, own, strict=True)]
        for name, own in texts.systems.items()
    }
    every = [one for listed in ratios.values() for one in listed if one is not None]
    numbers = [texts.numbers[system][segment] for segment in segments]
    return strip(
        evaluation,
        numbers,
        [texts.documents[segment] for segment in segments],
        scores=scores,
        lengths=[ratios[system][segment] for segment in segments],
        middle=median(every) if every else 1.0,
        marks=[None if one is None else marks.get(one, {}) for one in numbers] if marks else (),
    )


def _ratio(reference: str, text: str) -> float | None:
    return len(text) / len(reference) if reference and text else None
