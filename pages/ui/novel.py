"""What the pages on a whole novel share: the stored analysis or the way to one, and passages with marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from core.backends import Progress
from core.novel.mentions import LANGUAGES
from core.text.html import Tint
from db.campaigns.novel import NovelTexts, analyse, novel_texts, stored
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import models, runs, state
from pages.ui.campaign_data import until_rated
from pages.ui.picker import to_lens
from pages.ui.text import error_kept, language, line, show_kept_error, t
from pages.ui.widgets import texts as two_passages

STRENGTH = 0.7
"""Of a mark in a passage, 0 to 1."""


def texts_of(campaign: CampaignSummary) -> NovelTexts:
    """The campaign's texts, read once until somebody rates or scores."""
    return until_rated(campaign, "novel-texts", lambda engine, viewer, number: novel_texts(engine, number))


def found(campaign: CampaignSummary, kind: str) -> tuple[NovelTexts, Any] | None:
    """The texts and their stored analysis. None, and the button that begins it, where nothing is stored."""
    own = texts_of(campaign)
    if own.lang not in LANGUAGES:
        line(t("novel.languages", language=language(own.lang)))
        return None
    if not own.systems:
        line(t("novel.no_translations"))
        return None
    analysis = stored(state.engine(), campaign.id, kind, own)
    if analysis is not None:
        return own, analysis
    line(t(f"novel.nothing.{kind}", texts=f"{len(own.segments) * (1 + len(own.systems)):,}"))
    begin(campaign, kind)
    return None


def begin(campaign: CampaignSummary, kind: str) -> None:
    """The button that begins an analysis in the background."""
    st.button(
        t(f"novel.begin.{kind}"), key=f"{kind}-begin", type="primary", on_click=_begin, args=(campaign, kind)
    )
    show_kept_error(f"{kind}-slot")


def _begin(campaign: CampaignSummary, kind: str) -> None:
    """Callback: start the analysis in the background."""
    engine, viewer, backends = state.engine(), session.viewer(), models.backends()

    def work(progress: Progress) -> object:
        return analyse(engine, viewer, campaign.id, kind, backends, progress=progress)

    with error_kept(f"{kind}-slot"):
        runs.start(campaign, kind, 1, work)


def place_name(own: NovelTexts, segment: int) -> str:
    """`speckled-band 12`: where a segment stands, counted from 1."""
    record = own.segments[segment]
    return f"{record.document} {record.position + 1}"


def beginning(text: str, characters: int = 40) -> str:
    """The first characters of a text in one line, for a list."""
    joined = " ".join(text.split())
    return joined if len(joined) <= characters else f"{joined[:characters]}…"


def marks(text: str, forms: Iterable[str]) -> list[Tint]:
    """Every place at which one of these forms stands, the longest forms first."""
    tints = []
    for form in sorted(set(forms), key=len, reverse=True):
        at = text.find(form)
        while form and at >= 0:
            tints.append(Tint(start=at, end=at + len(form), strength=STRENGTH, underline="solid"))
            at = text.find(form, at + len(form))
    return tints


def passage(
    campaign: CampaignSummary,
    own: NovelTexts,
    segment: int,
    system: str,
    tints: tuple[Sequence[Tint], Sequence[Tint]],
    *,
    key: str,
) -> None:
    """The reference and a system's translation side by side, with marks, and the way to the lens."""
    reference, translation = own.references[segment], own.systems[system][segment]
    two_passages(
        (
            (t("pair.reference"), reference, tints[0]),
            (system, translation, tints[1]),
        ),
        lang=own.lang,
        colour=state.palette().match,
    )
    number = own.numbers[system][segment]
    if number is not None:
        to_lens(number, campaign.id, key)
