"""Choosing a pair of texts: a segment and a system of a campaign, or two texts typed by the reader."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.text.languages import base_lang, guess_lang
from core.types import TextPair
from db.queries import get_campaign, list_segments, list_systems, list_translations
from db.records import SegmentRecord, TranslationRecord
from pages.ui import picker, resources
from pages.ui.text import line, t

ORIGINS = ("campaign", "typed")
LABEL_CHARACTERS = 40
EXAMPLE = ("吾輩は猫である。名前はまだ無い。", "私は猫です。名前はまだありません。")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A pair with where it comes from.

    context: a pair per segment of its campaign, whose references are counted under `weight=idf`.
    """

    pair: TextPair
    context: tuple[TextPair, ...] = ()
    translation_id: int | None = None
    campaign_id: int | None = None
    source_lang: str = "en"


def choose() -> Chosen | None:
    """The widgets of the choice; None, and a sentence, while there is nothing to look at."""
    origin = st.segmented_control(
        t("pair.origin"),
        ORIGINS,
        default="campaign",
        required=True,
        key="pair-origin",
        format_func=lambda name: t(f"pair.origin.{name}"),
        label_visibility="collapsed",
        persist_state="session",
    )
    return _typed() if origin == "typed" else _from_campaign()


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
        summary = picker.campaign("pair")
    if summary is None:
        return None
    campaign = get_campaign(resources.engine(), summary.id)
    listed = list_segments(resources.engine(), summary.id)
    lang = base_lang(campaign.target_lang)
    segments = {one.id: _segment_label(one) for one in listed}
    systems = {one.id: one.name for one in list_systems(resources.engine(), summary.id)}
    with widths[1]:
        segment_id = _choice(t("pair.segment"), f"segment-{summary.id}", segments)
    with widths[2]:
        system_id = _choice(t("pair.system"), f"system-{summary.id}", systems)
    texts = list_translations(resources.engine(), summary.id)
    found = [one for one in texts if (one.segment_id, one.system_id) == (segment_id, system_id)]
    if not found:
        line(t("pair.no_translation"))
        return None
    return Chosen(
        pair=_pair(found[0], lang),
        context=tuple(TextPair(reference=one.reference, hypothesis="", lang=lang) for one in listed),
        translation_id=found[0].id,
        campaign_id=summary.id,
        source_lang=campaign.source_lang,
    )


def _choice(caption: str, key: str, labels: dict[int, str]) -> int | None:
    if not labels:
        return None
    st.session_state.setdefault(key, next(iter(labels)))
    return st.selectbox(
        caption, list(labels), format_func=labels.__getitem__, key=key, persist_state="session"
    )


def _segment_label(segment: SegmentRecord) -> str:
    text = " ".join(segment.reference.split())
    beginning = text if len(text) <= LABEL_CHARACTERS else f"{text[:LABEL_CHARACTERS]}…"
    return f"{segment.document} {segment.position + 1} · {beginning}"


def _pair(one: TranslationRecord, lang: str) -> TextPair:
    return TextPair(reference=one.reference, hypothesis=one.text, source=one.source, lang=lang)
