"""Damaged texts for a campaign's checks: made by rules, looked at by the organiser, and only then used."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.text.html import Tint
from db.campaigns.attention_checks import LEAST_CHANGE, RULES, Damaged, DamagedTexts, damage, rule_summary
from db.permissions import Viewer
from db.queries.manage import set_check_texts
from db.records import CampaignRecord
from pages.auth import session
from pages.ui import models, state
from pages.ui.text import error_kept, label, line, novel, show_kept_error, t, tinted
from pages.ui.widgets import stoppable

_MADE, _SLOT = "damage-made", "damage"


def tab(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Rules, how many, the preview, and the button that keeps what was not crossed out."""
    rules = st.multiselect(
        t("damage.rules"),
        RULES,
        RULES[:5],
        key="damage-rules",
        format_func=lambda rule: t(f"damage.rule.{rule}"),
        help=t("damage.rules_help"),
        placeholder=t("widget.choose"),
    )
    for rule in rules:
        line(f"{t(f'damage.rule.{rule}')}: {rule_summary(rule, state.language())}", tone="quiet")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        count = int(st.number_input(t("damage.count"), 1, 500, 10, key="damage-count", width=190))
        least = st.number_input(
            t("damage.least"), 0.0, 50.0, 100 * LEAST_CHANGE, 0.5, key="damage-least", width=240, format="%g"
        )
        make = st.button(t("damage.make"), key="damage-make", type="primary", disabled=not rules)
    if make:
        _make(viewer, campaign, rules, count, least / 100)
    kept: tuple[int, DamagedTexts] | None = st.session_state.get(_MADE)
    if kept is None or kept[0] != campaign.id:
        line(t("damage.none"), tone="quiet")
        return
    _preview(campaign, kept[1])
    show_kept_error(_SLOT)


def _make(viewer: Viewer, campaign: CampaignRecord, rules: list[str], count: int, least: float) -> None:
    words = t("damage.working")
    with stoppable("damage", words, lambda done, total: words) as progress:
        made = damage(
            state.engine(),
            viewer,
            campaign.id,
            rules,
            models.backends(),
            count=count,
            least=least,
            progress=progress,
        )
    st.session_state[_MADE] = (campaign.id, made)


def _preview(campaign: CampaignRecord, made: DamagedTexts) -> None:
    line(t("damage.found", n=len(made.texts)))
    if made.better or made.small:
        line(t("damage.refused", better=made.better, small=made.small), tone="quiet")
    for index, one in enumerate(made.texts):
        with st.container(border=True):
            st.checkbox(
                f"{t(f'damage.rule.{one.rule}')}",
                True,
                key=f"damage-keep-{campaign.id}-{one.translation_id}-{one.rule}",
            )
            first, left, right = st.columns(3, gap="medium")
            with first:
                label(t("rate.reference"))
                novel(one.reference, lang=campaign.target_lang)
            with left:
                label(t("damage.before"))
                novel(one.before, lang=campaign.target_lang)
            with right:
                label(t("damage.after", place=index + 1))
                tints = [Tint(start=one.start, end=one.end, strength=0.7, underline="solid")]
                tinted(one.after, tints, lang=campaign.target_lang, colour=state.palette().delete)
            line(one.note, tone="quiet")
    sure = st.checkbox(t("damage.sure"), key=f"damage-sure-{campaign.id}")
    st.button(
        t("damage.use"),
        key="damage-use",
        type="primary",
        disabled=not sure or not made.texts,
        on_click=_use,
        args=(campaign.id, made.texts),
    )


def _use(campaign_id: int, made: Sequence[Damaged]) -> None:
    kept = [
        (one.translation_id, one.rule, one.after)
        for one in made
        if st.session_state.get(f"damage-keep-{campaign_id}-{one.translation_id}-{one.rule}", True)
    ]
    with error_kept(_SLOT):
        count = set_check_texts(state.engine(), session.viewer(), campaign_id, kept)
        st.toast(t("damage.used", n=count))
