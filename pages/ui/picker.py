"""Choosing a campaign, or a pair of texts: a translation of a campaign, or two texts typed by the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

import streamlit as st

from core.raters.protocols import STUDIES
from core.text.languages import base_lang, guess_lang
from core.types import TextPair
from db.campaigns.stored_results import NO_RESULTS, StoredResults, read_results
from db.queries import (
    get_campaign,
    get_translation,
    list_campaigns,
    list_segments,
    list_systems,
    translations_of_segment,
)
from db.queries.campaigns import translations_of
from db.records import CampaignRecord, CampaignSummary, SegmentRecord, TranslationRecord
from pages.auth import session
from pages.ui import address, frame, state
from pages.ui.text import either, language, line, t
from pages.ui.widgets import switch, to_manage

ORIGINS = ("campaign", "typed")
LABEL_CHARACTERS = 40
NEEDS_NO_RATINGS = ("rate", "mine", "manage", "pair", "hacks", "systems")
"""Pages that have something to show without ratings; the others open on a campaign that has some."""
EXAMPLE = ("吾輩は猫である。名前はまだ無い。", "私は猫です。名前はまだありません。")


def choose_campaign(page: str) -> CampaignSummary | None:
    """A box with all campaigns, opened at the one chosen last on any page. None, and words, for no campaigns.

    `page` names the page, for the widget's key.
    """
    campaigns = list_campaigns(state.engine())
    if not campaigns:
        st.info(t("picker.none"), icon=":material/library_books:")
        to_manage()
        return None
    return choose(page, campaigns)


def choose(page: str, campaigns: Sequence[CampaignSummary]) -> CampaignSummary:
    """The box with these campaigns, of which there is at least one."""
    names = {campaign.id: display_name(campaign) for campaign in campaigns}
    key = f"campaign-{page}"
    default = campaigns[0] if page in NEEDS_NO_RATINGS else _first_rated(campaigns)
    first = state.campaign_id() if state.campaign_id() in names else default.id
    if st.session_state.setdefault(key, first) not in names:
        st.session_state[key] = default.id
    chosen = st.selectbox(
        t("picker.label"), list(names), format_func=names.__getitem__, key=key, filter_mode=None
    )
    state.set_campaign_id(chosen)
    return next(campaign for campaign in campaigns if campaign.id == chosen)


def _first_rated(campaigns: Sequence[CampaignSummary]) -> CampaignSummary:
    """The first campaign that has ratings, else the first."""
    return next((one for one in campaigns if one.n_ratings), campaigns[0])


def display_name(record: CampaignSummary | CampaignRecord) -> str:
    """The campaign's name in the reader's language."""
    return either(record.name, record.name_ja)


def languages(record: CampaignSummary | CampaignRecord) -> str:
    """`English → Japanese`."""
    return f"{language(record.source_lang)} → {language(record.target_lang)}"


def sizes(summary: CampaignSummary) -> str:
    """How much there is, in one line."""
    if summary.protocol in STUDIES:
        return t(
            f"picker.sizes.{summary.protocol}",
            segments=summary.n_segments,
            systems=summary.n_systems,
            readers=summary.n_raters,
            versions=summary.n_ratings,
        )
    return t(
        "picker.sizes",
        segments=summary.n_segments,
        systems=summary.n_systems,
        raters=summary.n_raters,
        ratings=summary.n_ratings,
    )


def about(campaign_id: int) -> None:
    """The campaign's description and credits, as its makers wrote them."""
    record = get_campaign(state.engine(), campaign_id)
    line(either(record.description_en, record.description_ja) or t("picker.no_description"))
    credits_text = either(record.credits_en, record.credits_ja)
    if credits_text:
        line(t("picker.credits", credits=credits_text), tone="quiet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A pair with where it comes from.

    context: a pair per segment of its campaign, whose references are counted under `weight=idf`. stored: the
    translation's results in the database; empty until `with_stored`.
    """

    pair: TextPair
    context: tuple[TextPair, ...] = ()
    translation: TranslationRecord | None = None
    campaign_id: int | None = None
    source_lang: str = "en"
    stored: StoredResults = NO_RESULTS

    def with_stored(self) -> Chosen:
        """The same with what is stored of its translation now."""
        if self.translation is None:
            return self
        return replace(self, stored=read_results(state.engine(), self.translation.id))

    def others(self) -> list[TranslationRecord]:
        """The other translations of the same segment."""
        own = self.translation
        if own is None:
            return []
        return [one for one in translations_of_segment(state.engine(), own.segment_id) if one.id != own.id]

    def instead(self, other: TranslationRecord | str) -> Chosen:
        """Another translation of the same segment in its place, from the database or typed."""
        if isinstance(other, str):
            return replace(
                self, pair=replace(self.pair, hypothesis=other), translation=None, stored=NO_RESULTS
            )
        return replace(self, pair=other.pair(self.pair.lang), translation=other).with_stored()


def _of_campaign(what: str) -> str:
    """The key of the box for segments or systems."""
    return f"{what}-{st.session_state.get('campaign-pair')}"


def _current_origin() -> str | None:
    return "typed" if st.session_state.get("pair-origin") == "typed" else None


def _of_database() -> bool:
    return _current_origin() is None


def _restore_origin(value: str | None) -> None:
    wanted = "typed" if value == "typed" else "campaign"
    if st.session_state.get("pair-origin", "campaign") != wanted:
        st.session_state["pair-origin"] = wanted


PAIR_PARTS = (
    address.Parameter(name="origin", current=_current_origin, restore=_restore_origin),
    address.within(address.campaign("pair"), _of_database),
    address.within(address.number("segment", lambda: _of_campaign("segment")), _of_database),
    address.within(address.number("system", lambda: _of_campaign("system")), _of_database),
)
"""The parts of an address that choose a pair; typed texts are not among them."""


def copy_link(parts: Sequence[address.Parameter]) -> None:
    """The button for the address of a pair; it says that typed texts are not in it."""
    typed = _current_origin() is not None
    address.copy_link(parts, left_out=t("address.typed") if typed else None)


def choose_pair() -> Chosen | None:
    """The widgets of the choice; None, and a sentence, while there is nothing to look at."""
    origin = switch(
        t("pair.origin"), ORIGINS, "pair-origin", lambda name: t(f"pair.origin.{name}"), hidden=True
    )
    return _typed() if origin == "typed" else _from_campaign()


def choose_for_all_pages(campaign_id: int | None) -> None:
    """Every page opens on this campaign next, whichever was chosen there before."""
    for key in [key for key in st.session_state if str(key).startswith("campaign-")]:
        del st.session_state[key]
    state.set_campaign_id(campaign_id)


def open_campaign(campaign_id: int, page: str) -> NoReturn:
    """Go to a page, by its name in the menu, on a campaign."""
    choose_for_all_pages(campaign_id)
    st.switch_page(frame.script_of(page))


def open_translation(translation: TranslationRecord, campaign_id: int) -> NoReturn:
    """Go to a translation of a campaign on the pair page."""
    state.set_campaign_id(campaign_id)
    _open(
        {
            "pair-origin": "campaign",
            "campaign-pair": campaign_id,
            f"segment-{campaign_id}": translation.segment_id,
            f"system-{campaign_id}": translation.system_id,
        }
    )


def open_texts(reference: str, hypothesis: str, source: str | None, *, other: str) -> NoReturn:
    """Go to typed texts on the pair page. other: the translation to compare with."""
    _open(
        {
            "pair-origin": "typed",
            "typed-reference": reference,
            "typed-hypothesis": hypothesis,
            "typed-source": source or "",
            "diff-typed": other,
        }
    )


def _open(choices: dict[str, object]) -> NoReturn:
    st.session_state.update(choices)
    open_chosen()


def open_chosen() -> NoReturn:
    """Go to the pair page with the pair that is chosen."""
    address.go("pages/debug/pair/page.py", PAIR_PARTS)


def lens_button(key: str) -> bool:
    """The button that leads to the pair page, for those who may see it; whether it was pressed."""
    if not session.viewer().sees_scores:
        return False
    return st.button(t("systems.lens"), key=key, icon=":material/search:")


def to_lens(translation_id: int, campaign_id: int, key: str) -> None:
    """The button under something about one translation: it goes there under the lens."""
    if lens_button(key):
        for record in translations_of(state.engine(), campaign_id, [translation_id]):
            open_translation(record, campaign_id)


def _typed() -> Chosen | None:
    left, right = st.columns(2, gap="medium")
    reference = left.text_area(
        t("pair.reference"), EXAMPLE[0], key="typed-reference", height=120, persist_state="session"
    )
    hypothesis = right.text_area(
        t("pair.translation"), EXAMPLE[1], key="typed-hypothesis", height=120, persist_state="session"
    )
    source = st.text_input(t("pair.source_optional"), key="typed-source", persist_state="session")
    if not reference.strip() and not hypothesis.strip():
        line(t("pair.nothing_typed"))
        return None
    lang = guess_lang([reference, hypothesis])
    pair = TextPair(reference=reference, hypothesis=hypothesis, source=source or None, lang=lang)
    return Chosen(pair=pair, source_lang=guess_lang([source]))


def _from_campaign() -> Chosen | None:
    widths = st.columns([2, 3, 2], gap="small")
    with widths[0]:
        summary = choose_campaign("pair")
    if summary is None:
        return None
    listed = list_segments(state.engine(), summary.id)
    segments = {segment.id: _segment_label(segment) for segment in listed}
    systems = {system.id: system.name for system in list_systems(state.engine(), summary.id)}
    with widths[1]:
        segment_id = _choice(t("pair.segment"), f"segment-{summary.id}", segments)
    with widths[2]:
        system_id = _choice(t("pair.system"), f"system-{summary.id}", systems)
    translation = None
    if segment_id is not None and system_id is not None:
        translation = get_translation(state.engine(), segment_id, system_id)
    if translation is None:
        line(t("pair.no_translation"))
        return None
    lang = base_lang(summary.target_lang)
    return Chosen(
        pair=translation.pair(lang),
        context=tuple(segment.pair(lang) for segment in listed),
        translation=translation,
        campaign_id=summary.id,
        source_lang=summary.source_lang,
    )


def _choice(caption: str, key: str, labels: dict[int, str]) -> int | None:
    if not labels:
        return None
    if st.session_state.get(key) not in labels:
        st.session_state[key] = next(iter(labels))
    return st.selectbox(
        caption, list(labels), format_func=labels.__getitem__, key=key, persist_state="session"
    )


def _segment_label(segment: SegmentRecord) -> str:
    text = " ".join(segment.reference.split())
    beginning = text if len(text) <= LABEL_CHARACTERS else f"{text[:LABEL_CHARACTERS]}…"
    return f"{segment.document} {segment.position + 1} · {beginning}"
