"""Rules by which a rater is called into question, declared before a campaign opens and kept with its design.

Nothing here leaves anybody out: a rule says who falls under it, and people decide (`rater_flags.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from core.errors import InputError
from core.raters.assignment import CHARACTERS_A_WORD, LETTERS_A_WORD, WIDE

RuleName = Literal[
    "repeat",  # scores the same text differently when it comes again
    "degraded",  # does not score damaged texts below their originals
    "reference",  # does not score references above systems
    "pace",  # rates faster than anybody reads
    "same-score",  # gives one score nearly always
    "same-run",  # gives one score many times in a row
    "drift",  # grows more lenient or more strict, beyond what the others did on the same items
]
RULES: tuple[RuleName, ...] = get_args(RuleName)

FASTEST_READER = 1500.0
"""Japanese or Chinese characters a minute, more than twice what people read silently (500 to 700)."""

_SWITCHED_OFF_BY_NONE = {
    "repeat_error",
    "degraded_p",
    "reference_share",
    "pace",
    "same_share",
    "same_run",
    "drift_slope",
}
_SHARES = ("degraded_p", "reference_share", "pace_share", "same_share", "drift_p")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Thresholds; None switches a rule off. …_n: with fewer items, the rule says nothing about a rater.

    repeat_error: mean |second - first| above this many points. degraded_p: p above this; .10 is Appraise's.
    reference_share: share of references above systems' outputs below this; off, for systems may be better.
    pace: characters a minute that are faster than reading; pace_share: least share of items faster than that.
    same_share: share of the commonest score, at least. same_run: as many times in a row, at least; off.
    drift_slope: |slope| of at least this many points in 100 items, with Spearman's p below drift_p.
    Points are of a scale from 0 to 100: on another scale declare others.
    """

    repeat_error: float | None = 20.0
    repeat_n: int = 5
    degraded_p: float | None = 0.10
    degraded_n: int = 5
    reference_share: float | None = None
    reference_n: int = 5
    pace: float | None = FASTEST_READER
    pace_share: float = 0.5
    pace_n: int = 10
    same_share: float | None = 0.8
    same_n: int = 20
    same_run: int | None = None
    drift_slope: float | None = 10.0
    drift_p: float = 0.01
    drift_n: int = 30


def rules_for(lang: str) -> Rules:
    """The defaults for translations into a language: where words have letters a minute holds more of them."""
    factor = 1.0 if lang in WIDE else LETTERS_A_WORD / CHARACTERS_A_WORD
    return Rules(pace=FASTEST_READER * factor)


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Ready for the database."""
    return asdict(rules)


def rules_from_json(stored: Mapping[str, Any]) -> Rules:
    """Stored rules; what they do not say has its default, what is not known any more is passed over.

    Raises InputError for a threshold that makes no sense.
    """
    known = {field.name for field in fields(Rules)}
    rules = Rules(**{name: value for name, value in stored.items() if name in known})
    check_rules(rules)
    return rules


def check_rules(rules: Rules) -> None:
    """Raise InputError, in one sentence, for a threshold that makes no sense."""
    for field in fields(Rules):
        name, value = field.name, getattr(rules, field.name)
        if value is None and name in _SWITCHED_OFF_BY_NONE:
            continue
        whole = name.endswith("_n") or name == "same_run"
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise InputError(
                "The rule “{name}” needs a whole number." if whole else "The rule “{name}” needs a number.",
                name=name,
            )
        if not math.isfinite(value) or value < 0:
            raise InputError("The rule “{name}” needs a number of 0 or more.", name=name)
        if name in _SHARES and value > 1:
            raise InputError("The rule “{name}” is a share: it needs a number from 0 to 1.", name=name)
