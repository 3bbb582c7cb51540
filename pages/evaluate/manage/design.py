"""An organiser's choices for a campaign, with the plan that follows from them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any, cast

import streamlit as st

from core.errors import YomikurabeError
from core.raters.protocols import PROTOCOLS
from db.design import ALWAYS, DOCUMENTS, MOST_CONTEXT, NEVER, ON_DEMAND, SPREAD, Design, from_json
from db.names import LABEL_LIMIT
from db.permissions import Viewer
from db.queries import list_systems
from db.queries.manage import plan_of, set_campaign
from db.queries.sealed import seal_of
from db.records import CampaignRecord
from pages.evaluate.manage import rules as rules_form
from pages.ui import resources
from pages.ui.text import line, number, show_error, t, zone

_PROBLEM = "design-problem"


def form(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Everything that can be chosen; nothing is stored before the button."""
    key = f"design-{campaign.id}"
    stored = from_json(campaign.design)
    texts = _texts(campaign, key)
    protocol = _choice("protocol", tuple(PROTOCOLS), campaign.protocol, key)
    line(t(f"protocol.{protocol}.about"), tone="quiet")
    design = Design(
        **_shown(stored, campaign, key),
        **_dealt(stored, campaign, key),
        **_checks(stored, key),
        rules=rules_form.fields(stored.rules, campaign.target_lang, key),
        five_errors=protocol == "mqm"
        and st.toggle(t("design.five_errors"), stored.five_errors, key=f"{key}-five"),
    )
    deadline = _deadline(campaign, key)
    try:
        _plan(viewer, campaign, design, protocol)
    except YomikurabeError as error:
        show_error(error)
    name = texts.pop("name")
    st.button(
        t("design.save"),
        key=f"{key}-save",
        type="primary",
        on_click=_save,
        args=(viewer, campaign.id, name, protocol, design, deadline, texts),
    )
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        show_error(problem)


def _texts(campaign: CampaignRecord, key: str) -> dict[str, str]:
    left, right = st.columns(2, gap="medium")
    found = {
        "name": left.text_input(t("design.name"), campaign.name, key=f"{key}-name", max_chars=LABEL_LIMIT),
        "name_ja": right.text_input(t("design.name_ja"), campaign.name_ja or "", key=f"{key}-name-ja"),
    }
    with st.expander(t("design.texts")):
        line(t("design.texts_note"), tone="quiet")
        for field in ("guideline_en", "guideline_ja", "description_en", "description_ja"):
            found[field] = st.text_area(
                t(f"design.{field}"), getattr(campaign, field) or "", key=f"{key}-{field}", height=100
            )
    return found


def _shown(stored: Design, campaign: CampaignRecord, key: str) -> dict[str, Any]:
    st.subheader(t("design.shown"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        source = _choice("source", (NEVER, ON_DEMAND, ALWAYS), stored.source, key)
        reference = st.toggle(t("design.reference"), stored.reference, key=f"{key}-reference")
        around = {
            name: int(
                st.number_input(
                    t(f"design.{name}"),
                    0,
                    MOST_CONTEXT,
                    getattr(stored, name),
                    key=f"{key}-{name}",
                    width=150,
                )
            )
            for name in ("before", "after")
        }
        vertical = campaign.target_lang.startswith("ja") and st.toggle(
            t("design.vertical"), stored.vertical, key=f"{key}-vertical"
        )
    return {"source": source, "reference": reference, **around, "vertical": vertical}


def _dealt(stored: Design, campaign: CampaignRecord, key: str) -> dict[str, Any]:
    st.subheader(t("design.dealt"), anchor=False)
    left_out = _left_out(stored, campaign, key)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        order = _choice("order", (SPREAD, DOCUMENTS), stored.order, key)
        raters = int(
            st.number_input(t("design.raters"), 1, 500, stored.raters, key=f"{key}-raters", width=150)
        )
        everybody = st.toggle(t("design.everybody"), stored.raters_per_item is None, key=f"{key}-everybody")
        per_item = None
        if not everybody:
            usual = min(stored.raters_per_item or 1, raters)
            per_item = int(
                st.number_input(t("design.per_item"), 1, raters, usual, key=f"{key}-per-item", width=150)
            )
    sealed = st.toggle(t("design.sealed"), stored.sealed, key=f"{key}-sealed", help=t("design.sealed_help"))
    return {
        "order": order,
        "raters": raters,
        "raters_per_item": per_item,
        "left_out": left_out,
        "sealed": sealed,
    }


def _left_out(stored: Design, campaign: CampaignRecord, key: str) -> tuple[str, ...]:
    """The systems that are not rated; while the names are sealed there is nothing to choose from."""
    if seal_of(resources.engine(), campaign.id) is not None:
        line(t("design.systems_sealed"), tone="quiet")
        return stored.left_out
    systems = [one.name for one in list_systems(resources.engine(), campaign.id) if not one.is_reference]
    rated = st.multiselect(
        t("design.systems"),
        systems,
        [one for one in systems if one not in stored.left_out],
        key=f"{key}-systems",
    )
    return tuple(one for one in systems if one not in rated)


def _checks(stored: Design, key: str) -> dict[str, Any]:
    st.subheader(t("design.checks"), anchor=False)
    line(t("design.checks_note"), tone="quiet")
    found: dict[str, Any] = {}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        for name in ("repeats", "references", "degraded"):
            percent = st.number_input(
                t(f"design.{name}"), 0, 50, round(100 * getattr(stored, name)), key=f"{key}-{name}", width=190
            )
            found[name] = percent / 100
        found["distance"] = int(
            st.number_input(t("design.distance"), 1, 200, stored.distance, key=f"{key}-distance", width=190)
        )
    return found


def _deadline(campaign: CampaignRecord, key: str) -> datetime | None:
    """The end of a day in the organiser's own zone."""
    here = None if campaign.deadline is None else campaign.deadline.astimezone(zone()).date()
    day: date | None = st.date_input(t("design.deadline"), here, key=f"{key}-deadline", width=220)
    return None if day is None else datetime.combine(day, time(23, 59, 59), zone()).astimezone(UTC)


def _plan(viewer: Viewer, campaign: CampaignRecord, design: Design, protocol: str) -> None:
    plan = plan_of(resources.engine(), viewer, campaign.id, design, protocol)
    values = (
        (t("plan.translations"), f"{plan.translations:,}"),
        (t("plan.items"), f"{plan.items:,}"),
        (t("plan.checks"), f"{plan.checks:,}"),
        (t("plan.minutes"), number(plan.minutes, 0)),
    )
    with st.container(horizontal=True, gap="large", border=True):
        for caption, value in values:
            st.metric(caption, value, width="content")
    line(t(f"plan.how.{protocol}"), tone="quiet")


def _choice(name: str, choices: tuple[str, ...], stored: str, key: str) -> str:
    chosen = st.segmented_control(
        t(f"design.{name}"),
        choices,
        default=stored if stored in choices else choices[0],
        required=True,
        key=f"{key}-{name}",
        format_func=lambda value: t(f"design.{name}.{value}"),
        help=t(f"design.{name}_help"),
    )
    return cast(str, chosen)


def _save(
    viewer: Viewer,
    campaign_id: int,
    name: str,
    protocol: str,
    design: Design,
    deadline: datetime | None,
    texts: dict[str, str],
) -> None:
    try:
        set_campaign(
            resources.engine(),
            viewer,
            campaign_id,
            name=name,
            protocol=protocol,
            design=design,
            deadline=deadline,
            texts=texts,
        )
    except YomikurabeError as error:
        st.session_state[_PROBLEM] = error
        return
    st.toast(t("design.saved"))
