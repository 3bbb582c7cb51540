"""`python -m db campaign`: show or change the design and state of a campaign."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Engine

from core.errors import FileError, InputError, OptionError
from core.raters.own_errors import OwnErrors, parse_errors
from core.raters.own_scales import OwnScale, parse_scales
from core.text.files import read_text
from db.design import Design, from_json, to_json
from db.formats.cells import quoted
from db.permissions import OPERATOR
from db.queries import find_campaign
from db.queries.manage import plan_of, set_campaign, set_state

_LIMIT_BYTES = 1_000_000
T = TypeVar("T")


def change(
    engine: Engine,
    name: str,
    assignments: Sequence[str],
    state: str | None,
    *,
    scales: Path | None = None,
    errors: Path | None = None,
) -> None:
    """Apply `field=value` …, scales and error lists of JSON files, and a state.

    Raises OptionError for unknown fields and invalid values, FileError for a file that cannot be taken.
    """
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
    if scales is not None:
        design = replace(design, scales=read_scales(scales))
    if errors is not None:
        design = replace(design, errors=read_errors(errors))
    if assignments or scales is not None or errors is not None:
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


def read_scales(path: Path) -> tuple[OwnScale, ...]:
    """The scales of a JSON file. Raises FileError."""
    return _parsed(path, parse_scales)


def read_errors(path: Path) -> OwnErrors:
    """The categories and severities of a JSON file. Raises FileError."""
    return _parsed(path, parse_errors)


def _parsed(path: Path, parse: Callable[[str], T]) -> T:
    text = read_text(path, limit_bytes=_LIMIT_BYTES)
    try:
        return parse(text)
    except InputError as error:
        raise FileError(path, error.template, part=True, **quoted(error.details)) from error


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
    if field in ("scales", "errors"):
        raise OptionError("--set {field}: give a JSON file with --{field}.", field=field)
    if kind.startswith("tuple"):
        return tuple(filter(None, text.split(",")))
    return text
