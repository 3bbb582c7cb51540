"""The passages of a demo campaign that a newcomer sees: one pair to look into, and three to rate.

`assets/demo/front.json` names them for each language of the interface, so that the reader can read them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.assets import ASSETS
from core.text.languages import base_lang
from db.queries import find_translation, list_campaigns
from db.records import CampaignSummary, TranslationRecord
from pages.ui import state


@dataclass(frozen=True, slots=True)
class Showcase:
    """The demo campaign, the pair, and the passages to rate, all in a language that the reader reads."""

    campaign: CampaignSummary
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
    campaign = next((one for one in list_campaigns(engine) if one.name == told["campaign"]), None)
    if campaign is None:
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


@cache
def _named() -> dict[str, dict[str, Any]]:
    named: dict[str, dict[str, Any]] = json.loads((ASSETS / "demo" / "front.json").read_text("utf-8"))
    return named
