"""Names that people type: which are valid, and when two are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from core.errors import InputError, RatingError, Wording

RATER_NAME_LIMIT = 80
LABEL_LIMIT = 200
"""Characters in the name of a campaign, system or document."""

_INVISIBLE = {"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"}
_JOINERS = "\u200c\u200d"  # parts of emoji and of some scripts


def rater_key(name: str) -> str:
    """Names with the same key are one person: NFKC, case folded, white space trimmed and collapsed."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(folded.split())


def distinct_names(names: Mapping[int, str]) -> dict[int, str]:
    """The same names, where no two are one person's (`rater_key`): the second Aki is `Aki (2)`."""
    taken: set[str] = set()
    found = {}
    for number, name in names.items():
        shown, count = name, 1
        while rater_key(shown) in taken:
            count += 1
            shown = f"{name} ({count})"
        taken.add(rater_key(shown))
        found[number] = shown
    return found


def check_rater_name(name: str) -> str:
    """The trimmed name. Raises RatingError if it is blank, too long or holds invisible characters."""
    shown = name.strip()
    if not _visible(shown) or not rater_key(shown):
        raise RatingError("The name is blank; type the name that your ratings shall stand under.")
    if len(shown) > RATER_NAME_LIMIT:
        raise RatingError(
            "The name has {n} characters and {limit} are allowed; choose a shorter one.",
            n=len(shown),
            limit=RATER_NAME_LIMIT,
        )
    if _has_controls(shown):
        raise RatingError("The name holds a line break or another invisible character; type it again.")
    return shown


def composed(name: str) -> str:
    """The name in composed characters (NFC): macOS writes file names with marks apart."""
    return unicodedata.normalize("NFC", name)


def check_label(label: str, what: Wording) -> str:
    """The name of a campaign, system or document, in composed characters (NFC) and else unchanged.

    what: names it in the InputError.
    """
    label = composed(label)
    if not _visible(label):
        raise InputError("The {what} is blank; give it a name.", what=what)
    if len(label) > LABEL_LIMIT:
        raise InputError(
            "The {what} has {n} characters and {limit} are allowed; shorten it.",
            what=what,
            n=len(label),
            limit=LABEL_LIMIT,
        )
    if _has_controls(label):
        raise InputError(
            "The {what} holds a line break or another invisible character; type it again.", what=what
        )
    return label


def _visible(name: str) -> bool:
    return any(unicodedata.category(char)[0] in "LNPS" for char in name)


def _has_controls(name: str) -> bool:
    return any(unicodedata.category(char) in _INVISIBLE and char not in _JOINERS for char in name)
