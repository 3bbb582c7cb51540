"""Scores of a campaign's documents, from its stored cast list and voice ledger; no model is read."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine

from core.metrics.documents import DOCUMENT_METRICS
from core.metrics.documents.base import DocumentResult
from core.novel.documents import document_scores as scores_of
from core.novel.terms import terms, with_terms
from db.campaigns.glossary import glossary
from db.campaigns.novel import NovelTexts, outline_of, stored
from db.permissions import Viewer


def document_scores(
    engine: Engine, viewer: Viewer, campaign_id: int, texts: NovelTexts
) -> tuple[list[DocumentResult], tuple[str, ...]]:
    """The scores of every metric of the language whose analysis is stored, and the names of the others.

    texts: of the campaign. Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    able = {name: one.analysis for name, one in DOCUMENT_METRICS.items() if texts.lang in one.languages}
    found: dict[str, Any] = {kind: stored(engine, campaign_id, kind, texts) for kind in set(able.values())}
    if found.get("cast") is not None:
        added = terms(glossary(engine, campaign_id), texts.references, texts.systems)
        found["cast"] = with_terms(found["cast"], added)
    outlines = {kind: outline_of(engine, campaign_id, kind, texts) for kind in found}
    scores = [
        one
        for name, kind in able.items()
        if found[kind] is not None
        for one in scores_of(name, found[kind], outlines[kind])
    ]
    return scores, tuple(name for name, kind in able.items() if found[kind] is None)
