"""The design of a campaign: the organiser's choices, rules for raters' quality, and the resulting plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.raters.platforms import CODE, PLATFORMS, platform_of
from core.raters.protocols import PROTOCOLS, STUDIES
from core.raters.rules import Rules, rules_for, rules_from_json, rules_to_json
from core.text.languages import base_lang
from db.design import (
    ALWAYS,
    CODES,
    CONSENTS,
    DOCUMENT,
    DOCUMENTS,
    ITEM,
    MOST_CONTEXT,
    MOST_GUESSES,
    NEVER,
    ON_DEMAND,
    ORDERS,
    Design,
    from_json,
)
from db.names import LABEL_LIMIT
from db.permissions import Viewer
from db.queries import list_systems
from db.queries.manage import plan_of, set_campaign
from db.queries.sealed import seal_of
from db.records import CampaignRecord
from pages.auth import session
from pages.evaluate.manage import reading, scales
from pages.ui import state
from pages.ui.text import error_kept, errors_shown, line, metric_name, number, show_kept_error, t, zone
from pages.ui.widgets import figures, metrics, switch

# field, whether it may be off, lowest, highest, step
POINTS = (
    ("repeat_error", 0.0, 100.0, 1.0),
    ("degraded_p", 0.0, 1.0, 0.01),
    ("reference_share", 0.0, 1.0, 0.05),
    ("pace", 0.0, 20_000.0, 50.0),
    ("same_share", 0.0, 1.0, 0.05),
    ("drift_slope", 0.0, 100.0, 1.0),
)


def fields(stored: Mapping[str, Any], target_lang: str, key: str) -> dict[str, Any]:
    """The thresholds as widgets, each with a switch; gives what is to be stored."""
    usual = rules_for(base_lang(target_lang))
    before = now = rules_from_json(stored) if stored else usual
    with st.expander(t("design.rules")):
        line(t("design.rules_note"), tone="quiet")
        for name, low, high, step in POINTS:
            value: Any = _threshold(now, usual, name, (low, high, step), key)
            now = replace(now, **{name: value})
        run = st.number_input(
            t("design.rule.same_run"),
            0,
            1000,
            now.same_run or 0,
            key=f"{key}-rule-run",
            width=260,
            help=t("design.rule.same_run_help"),
        )
    now = replace(now, same_run=int(run) or None)
    return dict(stored) if now == before else rules_to_json(now)


def _threshold(
    now: Rules, usual: Rules, name: str, limits: tuple[float, float, float], key: str
) -> float | None:
    """One rule: on or off, and its threshold."""
    low, high, step = limits
    value = getattr(now, name)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        on = st.toggle(t(f"design.rule.{name}"), value is not None, key=f"{key}-rule-{name}", width=430)
        given = st.number_input(
            t("design.rule.threshold"),
            low,
            high,
            float(value if value is not None else getattr(usual, name) or high / 2),
            step,
            key=f"{key}-rule-{name}-at",
            width=150,
            disabled=not on,
            label_visibility="collapsed",
        )
    return float(given) if on else None


_SLOT = "design"
NO_PLATFORM, OTHER = "none", "other"


def form(viewer: Viewer, campaign: CampaignRecord) -> None:
    """Everything that can be chosen; nothing is stored before the button."""
    key = f"design-{campaign.id}"
    stored = from_json(campaign.design)
    texts = _texts(campaign, key)
    protocol = _choice("protocol", tuple(PROTOCOLS), campaign.protocol, key)
    line(t(f"protocol.{protocol}.about"), tone="quiet")
    choose = _read if protocol in STUDIES else _rated
    design = choose(stored, campaign, protocol, key)
    deadline = _deadline(campaign, key)
    if design is None:
        line(t("design.faulty"), tone="quiet")
        return
    with errors_shown():
        _plan(viewer, campaign, design, protocol)
        if protocol in STUDIES:
            reading.plan(viewer, campaign, design, protocol)
    name = texts.pop("name")
    st.button(
        t("design.save"),
        key=f"{key}-save",
        type="primary",
        on_click=_save,
        args=(campaign.id, name, protocol, design, deadline, texts),
    )
    show_kept_error(_SLOT)
    reading.preview(campaign)


def _rated(stored: Design, campaign: CampaignRecord, protocol: str, key: str) -> Design | None:
    """The choices where single translations are judged; None while scales or error lists make no sense."""
    shown = _shown(stored, campaign, key)
    own = scales.scales(stored.scales, key)
    errors = scales.errors(stored.errors, protocol, key) if PROTOCOLS[protocol].marks else stored.errors
    rest = {
        **_dealt(stored, campaign, key),
        **_checks(stored, key),
        **_codes(stored, key),
        **_class(stored, key),
    }
    rules = fields(stored.rules, campaign.target_lang, key)
    five = protocol == "mqm" and st.toggle(t("design.five_errors"), stored.five_errors, key=f"{key}-five")
    if own is None or errors is None:
        return None
    return Design(
        **shown,
        **rest,
        scales=own,
        errors=errors,
        rules=rules,
        practice_pass=stored.practice_pass,
        practice_tries=stored.practice_tries,
        five_errors=five,
        reading=stored.reading,
    )


def _read(stored: Design, campaign: CampaignRecord, protocol: str, key: str) -> Design | None:
    """The choices of a reading study."""
    left_out = _left_out(stored, campaign, key)
    chosen = reading.fields(stored, campaign, left_out, protocol, key)
    sealed = st.toggle(t("design.sealed"), stored.sealed, key=f"{key}-sealed", help=t("design.sealed_help"))
    codes = _codes(stored, key)
    consent = _choice("consent", CONSENTS, stored.consent, key)
    return Design(
        **chosen,
        **codes,
        left_out=left_out,
        sealed=sealed,
        consent=consent,
        rules=stored.rules,
        scales=stored.scales,
        errors=stored.errors,
    )


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


def _row() -> DeltaGenerator:
    """Fields beside each other, their labels at one height; switches have a row of their own."""
    return st.container(horizontal=True, vertical_alignment="top", gap="medium")


def _shown(stored: Design, campaign: CampaignRecord, key: str) -> dict[str, Any]:
    st.subheader(t("design.shown"), anchor=False)
    with _row():
        source = _choice("source", (NEVER, ON_DEMAND, ALWAYS), stored.source, key)
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
    with _row():
        reference = st.toggle(t("design.reference"), stored.reference, key=f"{key}-reference")
        vertical = campaign.target_lang.startswith("ja") and st.toggle(
            t("design.vertical"), stored.vertical, key=f"{key}-vertical"
        )
    post_edit = st.toggle(
        t("design.post_edit"), stored.post_edit, key=f"{key}-post-edit", help=t("design.post_edit_help")
    )
    shown = {"source": source, "reference": reference, "vertical": vertical, "post_edit": post_edit}
    return shown | around


def _dealt(stored: Design, campaign: CampaignRecord, key: str) -> dict[str, Any]:
    st.subheader(t("design.dealt"), anchor=False)
    left_out = _left_out(stored, campaign, key)
    fields, switches = _row(), _row()
    with switches:
        everybody = st.toggle(t("design.everybody"), stored.raters_per_item is None, key=f"{key}-everybody")
        sealed = st.toggle(
            t("design.sealed"), stored.sealed, key=f"{key}-sealed", help=t("design.sealed_help")
        )
    with fields:
        order = _choice("order", ORDERS, stored.order, key)
        layout = ITEM
        if order == DOCUMENTS:
            layout = _choice("layout", (ITEM, DOCUMENT), stored.layout, key)
        raters = int(
            st.number_input(t("design.raters"), 1, 500, stored.raters, key=f"{key}-raters", width=150)
        )
        per_item = None
        if not everybody:
            usual = min(stored.raters_per_item or 1, raters)
            per_item = int(
                st.number_input(t("design.per_item"), 1, raters, usual, key=f"{key}-per-item", width=150)
            )
    return {
        "order": order,
        "layout": layout,
        "raters": raters,
        "raters_per_item": per_item,
        "left_out": left_out,
        "sealed": sealed,
    }


def _left_out(stored: Design, campaign: CampaignRecord, key: str) -> tuple[str, ...]:
    """The systems that are not rated; while the names are sealed there is nothing to choose from."""
    if seal_of(state.engine(), campaign.id) is not None:
        line(t("design.systems_sealed"), tone="quiet")
        return stored.left_out
    systems = [system.name for system in list_systems(state.engine(), campaign.id) if not system.is_reference]
    rated = st.multiselect(
        t("design.systems"),
        systems,
        [system for system in systems if system not in stored.left_out],
        key=f"{key}-systems",
        placeholder=t("widget.choose"),
    )
    return tuple(system for system in systems if system not in rated)


def _checks(stored: Design, key: str) -> dict[str, Any]:
    st.subheader(t("design.checks"), anchor=False)
    line(t("design.checks_note"), tone="quiet")
    found: dict[str, Any] = {}
    with _row():
        for name in ("repeats", "references", "degraded"):
            percent = st.number_input(
                t(f"design.{name}"), 0, 50, round(100 * getattr(stored, name)), key=f"{key}-{name}", width=165
            )
            found[name] = percent / 100
        found["distance"] = int(
            st.number_input(t("design.distance"), 1, 200, stored.distance, key=f"{key}-distance", width=165)
        )
    found["second_try"] = st.toggle(
        t("design.second_try"), stored.second_try, key=f"{key}-second-try", help=t("design.second_try_help")
    )
    return found


def _codes(stored: Design, key: str) -> dict[str, Any]:
    """What raters take to the platform they came from."""
    with st.expander(t("design.codes"), expanded=bool(stored.code_passed)):
        line(t("design.codes_note"), tone="quiet")
        with _row():
            found: dict[str, Any] = {
                name: st.text_input(
                    t(f"design.{name}"),
                    getattr(stored, name),
                    key=f"{key}-{name}",
                    max_chars=LABEL_LIMIT,
                    width=220,
                ).strip()
                for name in CODES
            }
            percent = st.number_input(
                t("design.pass_share"),
                0,
                100,
                round(100 * stored.pass_share),
                key=f"{key}-pass-share",
                width=165,
            )
        platform = _platform(stored, key)
    return {**found, **platform, "pass_share": percent / 100}


def _platform(stored: Design, key: str) -> dict[str, Any]:
    """Whose parameters are kept with a rater, and where raters go back to."""
    usual = platform_of(stored.parameters)
    at_first = usual.name if usual is not None else OTHER if stored.parameters else NO_PLATFORM
    name = _choice("platform", (NO_PLATFORM, *PLATFORMS, OTHER), at_first, key)
    if name == NO_PLATFORM:
        return {}
    if name == OTHER:
        typed = st.text_input(
            t("design.parameters"),
            ", ".join(stored.parameters),
            key=f"{key}-parameters",
            help=t("design.parameters_help"),
        )
        parameters = tuple(filter(None, (one.strip() for one in typed.split(","))))
    else:
        parameters = PLATFORMS[name].parameters
        line(t("design.platform_kept", names=", ".join(parameters)), tone="quiet")
    usual_address = PLATFORMS[name].address if name in PLATFORMS else ""
    address = st.text_input(
        t("design.completion_address"),
        stored.completion_address if name == at_first else usual_address,
        key=f"{key}-completion-address-{name}",
        help=t("design.completion_address_help", code=f"{{{CODE}}}"),
        placeholder="https://",
    )
    return {"parameters": parameters, "completion_address": address.strip()}


def _class(stored: Design, key: str) -> dict[str, Any]:
    """What people agree to, and what students guess."""
    st.subheader(t("design.class"), anchor=False)
    consent = _choice("consent", CONSENTS, stored.consent, key)
    guesses = st.multiselect(
        t("design.guesses"),
        metrics(),
        list(stored.guesses),
        key=f"{key}-guesses",
        max_selections=MOST_GUESSES,
        format_func=metric_name,
        help=t("design.guesses_help"),
        placeholder=t("widget.choose"),
    )
    return {"consent": consent, "guesses": tuple(guesses)}


def _deadline(campaign: CampaignRecord, key: str) -> datetime | None:
    """The end of a day in the organiser's own zone."""
    here = None if campaign.deadline is None else campaign.deadline.astimezone(zone()).date()
    day: date | None = st.date_input(t("design.deadline"), here, key=f"{key}-deadline", width=220)
    return None if day is None else datetime.combine(day, time(23, 59, 59), zone()).astimezone(UTC)


def _plan(viewer: Viewer, campaign: CampaignRecord, design: Design, protocol: str) -> None:
    plan = plan_of(state.engine(), viewer, campaign.id, design, protocol)
    values = (
        (t("plan.translations"), f"{plan.translations:,}", None),
        (t("plan.items"), f"{plan.items:,}", None),
        (t("plan.checks"), f"{plan.checks:,}", None),
        (t("plan.minutes"), number(plan.minutes, 0), None),
    )
    figures(values, border=True)
    line(t(f"plan.how.{protocol}"), tone="quiet")


def _choice(name: str, choices: tuple[str, ...], stored: str, key: str) -> str:
    return switch(
        t(f"design.{name}"),
        choices,
        f"{key}-{name}",
        lambda value: t(f"design.{name}.{value}"),
        default=stored if stored in choices else None,
        about=t(f"design.{name}_help"),
        persist=False,
    )


def _save(
    campaign_id: int,
    name: str,
    protocol: str,
    design: Design,
    deadline: datetime | None,
    texts: dict[str, str],
) -> None:
    with error_kept(_SLOT):
        set_campaign(
            state.engine(),
            session.viewer(),
            campaign_id,
            name=name,
            protocol=protocol,
            design=design,
            deadline=deadline,
            texts=texts,
        )
        st.toast(t("design.saved"))
