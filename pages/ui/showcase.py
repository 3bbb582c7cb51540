"""The passages of a demo campaign that a newcomer sees: one pair to look into, and three to rate.

`assets/demo/front.json` names them for each language of the interface, so that the reader can read them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.assets import ASSETS
from core.errors import InputError
from core.text.languages import base_lang
from db.queries import find_campaign, find_translation, scores_of_translation
from db.records import CampaignRecord, ScoreRow, TranslationRecord
from pages.ui import state


@dataclass(frozen=True, slots=True)
class Showcase:
    """The demo campaign, the pair, and the passages to rate, all in a language that the reader reads."""

    campaign: CampaignRecord
    pair: TranslationRecord
    passages: tuple[TranslationRecord, ...]

    @property
    def lang(self) -> str:
        """The language of references and translations."""
        return base_lang(self.campaign.target_lang)


def showcase() -> Showcase | None:
    """None where the demo campaign was deleted or renamed."""
    told = _named()[state.language()]
    engine = state.engine()
    try:
        campaign = find_campaign(engine, told["campaign"])
    except InputError:
        return None
    found = [
        translation
        for segment, system in (told["pair"], *told["passages"])
        if (translation := find_translation(engine, campaign.id, segment, system)) is not None
    ]
    if len(found) < 1 + len(told["passages"]):
        return None
    pair, *passages = found
    return Showcase(campaign, pair, tuple(passages))


def first_scores(translation_id: int) -> dict[str, ScoreRow]:
    """The stored score of each metric; of several settings the one that was stored first."""
    found: dict[str, ScoreRow] = {}
    for row in scores_of_translation(state.engine(), translation_id):
        found.setdefault(row.metric, row)
    return found


@cache
def _named() -> dict[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = json.loads((ASSETS / "demo" / "front.json").read_text("utf-8"))
    return named
