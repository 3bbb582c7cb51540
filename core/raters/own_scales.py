"""Scales that an organiser adds to a campaign: each is answered for every item, beside the protocol's score.

An answer is a number on the grid of its scale: `low`, `low + step`, … up to `high`. For statistics it is
mapped linearly to 0–100 (`as_points`): `low` becomes 0 and `high` 100.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from core.errors import InputError, RatingError
from core.raters.typed_rows import as_row, split_rows

MOST_SCALES = 8
MOST_PLACES = 1001
MOST_ANCHORS = 21
WORDS_LIMIT = 100
HIGHEST = 1_000_000
RESERVED = frozenset({"score"})
"""Names that mean something else already: `score` is the protocol's own."""

SCALE_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
"""What a scale may be called, also as a column of a file."""
_FIELDS = ("name", "en", "ja", "low", "high", "step", "anchors", "needed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleAnchor:
    """What a value of a scale means, in words; one language is enough."""

    value: float
    en: str = ""
    ja: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScale:
    """A scale from low to high in equal steps.

    name: of the column in files, in lower-case letters, digits, `-` and `_`. en, ja: its label; one language
    is enough. anchors: in order of their values. needed: whether an item must have an answer.
    """

    name: str
    en: str = ""
    ja: str = ""
    low: float = 1.0
    high: float = 5.0
    step: float = 1.0
    anchors: tuple[ScaleAnchor, ...] = ()
    needed: bool = True

    @property
    def places(self) -> tuple[float, ...]:
        """Every answer that there can be, from the lowest to the highest."""
        low, step = _exact(self.low), _exact(self.step)
        return tuple(float(low + at * step) for at in range(int((_exact(self.high) - low) / step) + 1))


def as_points(scale: OwnScale, value: float) -> float:
    """An answer mapped linearly to 0–100: the lowest answer of the scale is 0, the highest 100."""
    return float(100 * (_exact(value) - _exact(scale.low)) / (_exact(scale.high) - _exact(scale.low)))


def scales_to_json(scales: Sequence[OwnScale]) -> list[dict[str, Any]]:
    """Ready for JSON, with every field."""
    return [asdict(scale) for scale in scales]


def scales_from_json(rows: object) -> tuple[OwnScale, ...]:
    """Scales from a JSON list of objects with the fields of `OwnScale`. Raises InputError.

    Only `name` and a label must be there; what is not said has its usual value.
    """
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise InputError("Scales are a list of objects.")
    if len(rows) > MOST_SCALES:
        raise InputError("There are {n} scales and {limit} are allowed.", n=len(rows), limit=MOST_SCALES)
    found = tuple(_scale(row, number) for number, row in enumerate(rows, start=1))
    check_scales(found)
    return found


def parse_scales(text: str) -> tuple[OwnScale, ...]:
    """Scales from the text of a JSON file. Raises InputError."""
    try:
        return scales_from_json(json.loads(text))
    except (json.JSONDecodeError, RecursionError) as error:
        at = getattr(error, "lineno", 1)
        raise InputError("The scales are not valid JSON (line {at}); correct the file.", at=at) from error


def parse_anchors(text: str) -> tuple[ScaleAnchor, ...]:
    """Anchors from lines such as `1 | bad | 悪い`. Raises InputError."""
    found = []
    for line, (value, english, japanese) in split_rows(text, least=2, most=3):
        try:
            number = float(value)
        except ValueError as error:
            raise InputError(
                "Line {line} of the anchors begins with “{cell:.40}”, which is not a number.",
                line=line,
                cell=value,
            ) from error
        found.append(ScaleAnchor(value=number, en=english, ja=japanese))
    return tuple(found)


def anchor_lines(anchors: Sequence[ScaleAnchor]) -> str:
    """The inverse of `parse_anchors`."""
    return "\n".join(as_row([f"{one.value:.15g}", one.en, one.ja]) for one in anchors)


def check_scales(scales: Sequence[OwnScale]) -> None:
    """Raise InputError, in one sentence, for scales that make no sense."""
    if len(scales) > MOST_SCALES:
        raise InputError("There are {n} scales and {limit} are allowed.", n=len(scales), limit=MOST_SCALES)
    for scale in scales:
        if not SCALE_NAME.fullmatch(scale.name) or scale.name in RESERVED:
            raise InputError(
                "The name of a scale, “{name:.40}”, must be lower-case letters, digits, “-” and “_”, begin "
                "with a letter and not be “score”.",
                name=scale.name,
            )
    names = [scale.name for scale in scales]
    for scale in scales:
        if names.count(scale.name) > 1:
            raise InputError("Two scales are called “{name}”; give each a name of its own.", name=scale.name)
        _check_grid(scale)
        _check_words(scale)


def check_answers(
    scales: Sequence[OwnScale], given: Mapping[str, object], *, complete: bool
) -> dict[str, float]:
    """The answers as they are stored, in the order of the scales; what is None is left out.

    complete: whether each scale that needs an answer must have one. Raises RatingError.
    """
    known = {scale.name for scale in scales}
    for name in given:
        if name not in known:
            raise RatingError("The campaign has no scale “{scale:.40}”; reload the page.", scale=name)
    found: dict[str, float] = {}
    for scale in scales:
        value: Any = given.get(scale.name)
        if value is None:
            if complete and scale.needed:
                raise RatingError(
                    "The scale “{scale}” has no answer yet; answer it, then go on.", scale=scale.name
                )
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not on_grid(scale, value):
            raise RatingError(
                "The answer {value!r:.20} is not on the scale “{scale}”, {low:g} to {high:g} in steps of "
                "{step:g}; correct it.",
                value=value,
                scale=scale.name,
                low=scale.low,
                high=scale.high,
                step=scale.step,
            )
        found[scale.name] = float(value) + 0.0  # -0.0 is 0
    return found


def unanswered(scales: Sequence[OwnScale], given: Mapping[str, object]) -> list[OwnScale]:
    """The scales that need an answer and have none."""
    return [scale for scale in scales if scale.needed and given.get(scale.name) is None]


def on_grid(scale: OwnScale, value: float) -> bool:
    """Whether a number is an answer of this scale."""
    if not math.isfinite(value) or not scale.low <= value <= scale.high:
        return False
    return (_exact(value) - _exact(scale.low)) % _exact(scale.step) == 0


def _exact(value: float) -> Fraction:
    """The decimal that a number was written as: 0.1 is a tenth."""
    return Fraction(repr(float(value)))


def _scale(row: object, number: int) -> OwnScale:
    if not isinstance(row, Mapping) or "name" not in row or not set(row) <= set(_FIELDS):
        raise InputError(
            "Scale {number} is not an object with a name and fields out of {fields}.",
            number=number,
            fields=", ".join(_FIELDS),
        )
    given = dict(row)
    anchors = given.pop("anchors", ())
    if not isinstance(anchors, list | tuple):
        raise InputError("The anchors of scale {number} are not a list of objects.", number=number)
    for name, value in given.items():
        if not _fits(name, value):
            raise InputError(
                "“{field}” of scale {number} has a value of another kind.", field=name, number=number
            )
    for name in ("low", "high", "step"):
        if name in given:
            given[name] = float(given[name])
    return OwnScale(**given, anchors=tuple(_anchor(one, number) for one in anchors))


def _anchor(row: object, number: int) -> ScaleAnchor:
    fits = isinstance(row, Mapping) and "value" in row and set(row) <= {"value", "en", "ja"}
    if not isinstance(row, Mapping) or not fits or not all(_fits(name, value) for name, value in row.items()):
        raise InputError("An anchor of scale {number} is not an object with value, en and ja.", number=number)
    return ScaleAnchor(value=float(row["value"]), en=row.get("en", ""), ja=row.get("ja", ""))


def _fits(name: str, value: object) -> bool:
    if name == "needed":
        return isinstance(value, bool)
    if name in ("name", "en", "ja"):
        return isinstance(value, str)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and abs(value) <= HIGHEST  # type: ignore[arg-type] # NaN is not, either


def _check_grid(scale: OwnScale) -> None:
    numbers = (scale.low, scale.high, scale.step)
    if not all(math.isfinite(one) and abs(one) <= HIGHEST for one in numbers) or scale.low >= scale.high:
        raise InputError(
            "The lowest value of the scale “{name}” must be below the highest, both between −{limit:,} and "
            "{limit:,}.",
            name=scale.name,
            limit=HIGHEST,
        )
    if scale.step <= 0 or (_exact(scale.high) - _exact(scale.low)) % _exact(scale.step) != 0:
        raise InputError(
            "The step {step:g} of the scale “{name}” does not divide the range from {low:g} to {high:g}.",
            step=scale.step,
            name=scale.name,
            low=scale.low,
            high=scale.high,
        )
    if (_exact(scale.high) - _exact(scale.low)) / _exact(scale.step) + 1 > MOST_PLACES:
        raise InputError(
            "The scale “{name}” has more than {limit:,} values; take a wider step.",
            name=scale.name,
            limit=MOST_PLACES,
        )
    values = [anchor.value for anchor in scale.anchors]
    for value in values:
        if not on_grid(scale, value):
            raise InputError(
                "The anchor {value:g} of the scale “{name}” is none of its values, {low:g} to {high:g} in "
                "steps of {step:g}.",
                value=value,
                name=scale.name,
                low=scale.low,
                high=scale.high,
                step=scale.step,
            )
    if len(set(values)) < len(values) or len(values) > MOST_ANCHORS:
        raise InputError(
            "The scale “{name}” has two anchors at one value, or more than {limit} anchors.",
            name=scale.name,
            limit=MOST_ANCHORS,
        )


def _check_words(scale: OwnScale) -> None:
    if not (scale.en.strip() or scale.ja.strip()):
        raise InputError(
            "The scale “{name}” has no label; write one in English or Japanese.", name=scale.name
        )
    for anchor in scale.anchors:
        if not (anchor.en.strip() or anchor.ja.strip()):
            raise InputError(
                "The anchor {value:g} of the scale “{name}” has no words; write some, or leave it out.",
                value=anchor.value,
                name=scale.name,
            )
    words = [scale.en, scale.ja, *(word for anchor in scale.anchors for word in (anchor.en, anchor.ja))]
    if any(len(word) > WORDS_LIMIT or not word.isprintable() for word in words):
        raise InputError(
            "A label or an anchor of the scale “{name}” has more than {limit} characters or a line break.",
            name=scale.name,
            limit=WORDS_LIMIT,
        )
