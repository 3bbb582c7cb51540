"""Error categories and severities that an organiser chooses instead of those of a protocol.

An error's score is then minus the sum of the organiser's weights. It is not MQM by Google's weights, and
everything that shows it says so.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.raters.typed_rows import as_row, split_rows

MOST_CATEGORIES = 100
MOST_SEVERITIES = 9
"""Each has a figure key, 1 to 9."""
WORDS_LIMIT = 100
HEAVIEST = 100.0
_CATEGORY = re.compile(r"[a-z][a-z0-9-]*(/[a-z][a-z0-9-]*){0,3}")
_SEVERITY = re.compile(r"[a-z][a-z0-9-]{0,19}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCategory:
    """A kind of error. name: a path such as `accuracy/omission`. en, ja: its words; one is enough."""

    name: str
    en: str = ""
    ja: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorSeverity:
    """How grave an error is. weight: what one costs, 0 to 100."""

    name: str
    en: str = ""
    ja: str = ""
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnErrors:
    """An organiser's own lists, in the order in which they are offered; an empty one is the protocol's."""

    categories: tuple[ErrorCategory, ...] = ()
    severities: tuple[ErrorSeverity, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything of the organiser's own."""
        return bool(self.categories or self.severities)

    @property
    def named(self) -> tuple[ErrorCategory | ErrorSeverity, ...]:
        """Categories, then severities."""
        return (*self.categories, *self.severities)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each severity; empty where the protocol's hold."""
        return {one.name: one.weight for one in self.severities}

    def words(self, name: str) -> tuple[str, str] | None:
        """English and Japanese of a category or severity; None for one that is not the organiser's own."""
        return next(((one.en, one.ja) for one in self.named if one.name == name), None)


NO_OWN_ERRORS = OwnErrors()


def errors_from_json(stored: object) -> OwnErrors:
    """Lists from JSON: `{"categories": [{name, en, ja}], "severities": [{name, en, ja, weight}]}`.

    Either list may be left out. Raises InputError, a sentence a fault.
    """
    if not isinstance(stored, Mapping) or not set(stored) <= {"categories", "severities"}:
        raise InputError("Own errors are an object with the lists categories and severities, or one of them.")
    rows = {name: stored.get(name, ()) for name in ("categories", "severities")}
    if not all(isinstance(found, list | tuple) for found in rows.values()):
        raise InputError("Own errors are an object with the lists categories and severities, or one of them.")
    found = OwnErrors(
        categories=tuple(ErrorCategory(**_row(one, ("name", "en", "ja"))) for one in rows["categories"]),
        severities=tuple(
            ErrorSeverity(**_row(one, ("name", "en", "ja", "weight"))) for one in rows["severities"]
        ),
    )
    check_errors(found)
    return found


def parse_errors(text: str) -> OwnErrors:
    """Lists from the text of a JSON file. Raises InputError."""
    try:
        return errors_from_json(json.loads(text))
    except (json.JSONDecodeError, RecursionError) as error:
        at = getattr(error, "lineno", 1)
        raise InputError("The errors are not valid JSON (line {at}); correct the file.", at=at) from error


def parse_categories(text: str) -> tuple[ErrorCategory, ...]:
    """Categories from lines such as `accuracy/omission | Omission | 訳抜け`. Raises InputError."""
    return tuple(
        ErrorCategory(name=name, en=english, ja=japanese)
        for _, (name, english, japanese) in split_rows(text, least=2, most=3)
    )


def parse_severities(text: str) -> tuple[ErrorSeverity, ...]:
    """Severities from lines such as `major | 5 | Major | 重大`. Raises InputError."""
    found = []
    for line, (name, weight, english, japanese) in split_rows(text, least=3, most=4):
        try:
            found.append(ErrorSeverity(name=name, weight=float(weight), en=english, ja=japanese))
        except ValueError as error:
            raise InputError(
                "The weight “{cell:.40}” in line {line} of the severities is not a number.",
                cell=weight,
                line=line,
            ) from error
    return tuple(found)


def category_lines(categories: Sequence[ErrorCategory]) -> str:
    """The inverse of `parse_categories`."""
    return "\n".join(as_row([one.name, one.en, one.ja]) for one in categories)


def severity_lines(severities: Sequence[ErrorSeverity]) -> str:
    """The inverse of `parse_severities`."""
    return "\n".join(as_row([one.name, f"{one.weight:.15g}", one.en, one.ja]) for one in severities)


def check_errors(errors: OwnErrors) -> None:
    """Raise InputError, in one sentence, for lists that make no sense."""
    if len(errors.categories) > MOST_CATEGORIES or len(errors.severities) > MOST_SEVERITIES:
        raise InputError(
            "At most {categories} categories and {severities} severities can be chosen.",
            categories=MOST_CATEGORIES,
            severities=MOST_SEVERITIES,
        )
    for category in errors.categories:
        if not _CATEGORY.fullmatch(category.name) or len(category.name) > WORDS_LIMIT:
            raise InputError(
                "The name of a category, “{name:.40}”, must be a path of lower-case letters, digits and “-”, "
                "such as accuracy/omission.",
                name=category.name,
            )
    for severity in errors.severities:
        if not _SEVERITY.fullmatch(severity.name):
            raise InputError(
                "The name of a severity, “{name:.40}”, must be 1 to 20 lower-case letters, digits and “-”.",
                name=severity.name,
            )
        if not (math.isfinite(severity.weight) and 0 <= severity.weight <= HEAVIEST):
            raise InputError(
                "The weight of the severity “{name}” is not a number from 0 to {limit:g}.",
                name=severity.name,
                limit=HEAVIEST,
            )
    _check_names(errors)


def _check_names(errors: OwnErrors) -> None:
    names = [one.name for one in errors.named]
    for one in errors.named:
        if names.count(one.name) > 1:
            raise InputError(
                "Two categories or severities are called “{name}”; give each a name of its own.",
                name=one.name,
            )
        if not (one.en.strip() or one.ja.strip()):
            raise InputError("“{name}” has no words; write some in English or Japanese.", name=one.name)
        if any(len(word) > WORDS_LIMIT or not word.isprintable() for word in (one.en, one.ja)):
            raise InputError(
                "The words of “{name}” have more than {limit} characters or a line break.",
                name=one.name,
                limit=WORDS_LIMIT,
            )


def _row(row: object, known: tuple[str, ...]) -> dict[str, Any]:
    needed = {"name", "weight"} & set(known)
    if not isinstance(row, Mapping) or not needed <= set(row) <= set(known):
        raise InputError(
            "A category or severity is not an object with the fields {fields}.", fields=", ".join(known)
        )
    given = dict(row)
    weight = given.get("weight", 0)
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise InputError(
            "The weight of the severity “{name}” is not a number from 0 to {limit:g}.",
            name=str(given["name"])[:40],
            limit=HEAVIEST,
        )
    if not all(isinstance(given.get(name, ""), str) for name in ("name", "en", "ja")):
        raise InputError(
            "A category or severity is not an object with the fields {fields}.", fields=", ".join(known)
        )
    if "weight" in given:
        try:
            given["weight"] = float(weight)
        except OverflowError:
            given["weight"] = math.inf
    return given
