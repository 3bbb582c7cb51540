"""`python -m db campaign`: show or change the design and state of a campaign."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import Engine

from core.errors import OptionError
from db.design import Design, from_json, to_json
from db.permissions import OPERATOR
from db.queries import find_campaign
from db.queries.manage import plan_of, set_campaign, set_state


def change(engine: Engine, name: str, assignments: Sequence[str], state: str | None) -> None:
    """Apply `field=value` … and a state. Raises OptionError for unknown fields and invalid values."""
    campaign = find_campaign(engine, name)
    design, protocol = from_json(campaign.design), campaign.protocol
    known = {field.name: getattr(design, field.name) for field in fields(Design)}
    for assignment in assignments:
        field, equals, value = assignment.partition("=")
        if not equals or field not in (*known, "protocol"):
            names = ", ".join(("protocol", *known))
            raise OptionError(
                "--set {assignment}: write FIELD=VALUE; the fields are {names}.",
                assignment=assignment,
                names=names,
            )
        if field == "protocol":
            protocol = value
        else:
            design = replace(design, **{field: _value(field, value)})  # type: ignore[arg-type]
    if assignments:
        set_campaign(
            engine,
            OPERATOR,
            campaign.id,
            name=campaign.name,
            protocol=protocol,
            design=design,
            deadline=campaign.deadline,
        )
    if state is not None:
        set_state(engine, OPERATOR, campaign.id, state)


def describe(engine: Engine, name: str) -> str:
    """A JSON object: name, protocol, state, design, and the planned work per rater."""
    campaign = find_campaign(engine, name)
    design = from_json(campaign.design)
    plan = plan_of(engine, OPERATOR, campaign.id, design, campaign.protocol)
    document: dict[str, Any] = {
        "name": campaign.name,
        "protocol": campaign.protocol,
        "state": campaign.state,
        "design": to_json(design),
        "plan": {
            "translations": plan.translations,
            "items_per_rater": plan.items,
            "checks_among_them": plan.checks,
            "minutes_per_rater": round(plan.minutes, 1),
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _value(field: str, text: str) -> bool | int | float | str | tuple[str, ...] | None:
    """The value in the type of the field: yes or no, an integer or `none`, a fraction, a list, a string."""
    kind = {known.name: str(known.type) for known in fields(Design)}[field]
    try:
        if kind == "bool":
            return {"yes": True, "no": False}[text]
        if kind == "int | None":
            return None if text == "none" else int(text)
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except (KeyError, ValueError) as error:
        expected = {"bool": "yes or no", "float": "a fraction such as 0.1"}.get(kind, "an integer")
        raise OptionError(
            "--set {field}={text:.40}: write {expected}.", field=field, text=text, expected=expected
        ) from error
    if field == "rules":
        raise OptionError("--set rules: rules are declared on the page of the campaign, before it opens.")
    if field == "reading":
        raise OptionError("--set reading: the choices of a reading study are made by python -m db study.")
    if kind.startswith("tuple"):
        return tuple(filter(None, text.split(",")))
    return text
