"""Scores of a campaign's documents, from its stored cast list and voice ledger; no model is read."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine

from core.novel.documents import DOCUMENT_METRICS, DocumentResult
from core.novel.terms import terms, with_terms
from db.campaigns.glossary import glossary
from db.campaigns.novel import NovelTexts, stored
from db.permissions import Viewer


def document_scores(
    engine: Engine, viewer: Viewer, campaign_id: int, texts: NovelTexts
) -> tuple[list[DocumentResult], tuple[str, ...]]:
    """The scores of every metric whose analysis is stored, and the names of the others.

    texts: of the campaign. Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    scores: list[DocumentResult] = []
    lacking = []
    for name, metric in DOCUMENT_METRICS.items():
        analysis: Any = stored(engine, campaign_id, metric.analysis, texts)
        if analysis is None:
            lacking.append(name)
            continue
        if metric.analysis == "cast":
            added = terms(glossary(engine, campaign_id), texts.references, texts.systems)
            analysis = with_terms(analysis, added)
        scores += metric.scores(analysis, texts.documents)
    return scores, tuple(lacking)
