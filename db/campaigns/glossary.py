"""The glossary of a campaign: terms that people add by hand, kept until somebody changes them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Engine

from core.novel.glossary import GlossaryTerm, check_terms
from db.campaigns.analyses import store_analysis, stored_analysis
from db.permissions import Viewer

KIND, FORM = "glossary", "glossary-1"
"""Under which name and which form the terms are stored; nothing that they were computed from can change."""

Glossary = tuple[GlossaryTerm, ...]


def glossary(engine: Engine, campaign_id: int) -> Glossary:
    """The terms of a campaign in their order; none where nobody added any."""
    found: Glossary | None = stored_analysis(engine, campaign_id, KIND, FORM, Glossary)
    return found or ()


def save_glossary(
    engine: Engine, viewer: Viewer, campaign_id: int, terms: Iterable[GlossaryTerm]
) -> Glossary:
    """Store these terms in the place of those that were there, tidied (`check_terms`).

    Raises AccessError for a viewer who may not change campaigns, InputError for terms that are too long.
    """
    viewer.must_manage()
    tidied = check_terms(terms)
    store_analysis(engine, campaign_id, KIND, FORM, tidied)
    return tidied
