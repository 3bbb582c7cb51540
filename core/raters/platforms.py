"""Crowd platforms: how the address they open names a participant, and where participants go back to.

A platform opens a study with parameters in its address, such as `PROLIFIC_PID=…`. The organiser lists those
that are kept with the rater; the first one is the participant's id.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from core.errors import InputError

MOST_PARAMETERS = 6
LONGEST_VALUE = 100
CODE = "code"
"""In an address to go back to, `{code}` stands for the completion code."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_VALUE = re.compile(rf"[A-Za-z0-9_.:@+=-]{{1,{LONGEST_VALUE}}}")
_PLACE = re.compile(r"\{([^{}]*)\}")
_OURS = frozenset({"k", "as", "lang", CODE})
"""Parameters of the app itself (`pages/auth`, `pages/ui/state.py`), and the place of the code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """What is usual on a platform.

    parameters: in its addresses, the participant's id first. sent: what is added to the link in the
    platform's form so that it sends them; empty where it adds them by itself. address: to go back to.
    """

    name: str
    parameters: tuple[str, ...]
    sent: str = ""
    address: str = ""


PLATFORMS: Mapping[str, Platform] = {
    one.name: one
    for one in (
        Platform(
            name="prolific",
            parameters=("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
            sent="&PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}",
            address="https://app.prolific.com/submissions/complete?cc={code}",
        ),
        Platform(name="mturk", parameters=("workerId", "assignmentId", "hitId")),
    )
}


def platform_of(parameters: Sequence[str]) -> Platform | None:
    """The platform that has exactly these parameters."""
    return next((one for one in PLATFORMS.values() if one.parameters == tuple(parameters)), None)


def check_parameters(names: Sequence[str]) -> None:
    """Raise InputError for names that cannot be parameters of an address, too many, or one twice."""
    if len(names) > MOST_PARAMETERS:
        raise InputError("At most {limit} parameters of the address can be kept.", limit=MOST_PARAMETERS)
    for name in names:
        if not _NAME.fullmatch(name):
            raise InputError(
                "“{name:.40}” cannot be a parameter of an address; write letters, digits, - and _.", name=name
            )
        if name in _OURS:
            raise InputError("The app uses the parameter “{name}” itself; choose another one.", name=name)
    if len(set(names)) < len(names):
        raise InputError("A parameter of the address is in the list twice.")


def check_address(address: str, parameters: Sequence[str]) -> None:
    """Raise InputError for an address to go back to that is not https, or has a place nothing stands for."""
    if not address:
        return
    try:
        parts = urlsplit(address)
        sound = parts.scheme == "https" and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        sound = False
    if not sound or re.search(r"\s|[\x00-\x1f\\]", address) or "{" in parts.netloc:
        raise InputError("The address to go back to has to begin with https:// and the name of a site.")
    for place in _PLACE.findall(address):
        if place != CODE and place not in parameters:
            raise InputError(
                "Nothing stands for {place:.40} in the address to go back to; write {code}, or a parameter "
                "that is kept.",
                place=f"{{{place}}}",
                code=f"{{{CODE}}}",
            )


def completion_address(address: str, code: str, values: Mapping[str, str]) -> str:
    """The address for one participant; code and values are escaped. A parameter without a value is empty."""
    given = {**values, CODE: code}
    return _PLACE.sub(lambda place: quote(given.get(place[1], ""), safe=""), address)


def kept_values(parameters: Sequence[str], given: Mapping[str, str]) -> dict[str, str]:
    """Of an address's parameters those that are kept, in their order; others are dropped.

    Raises InputError where the participant's id is missing, and for a value that is none: other than 1 to
    100 of the characters A–Z a–z 0–9 _ . : @ + = -, such as a place that the platform has not filled.
    """
    found = {name: given[name] for name in parameters if given.get(name)}
    if parameters[0] not in found:
        raise InputError(
            "The address does not say who you are ({name} is missing); open the study on the platform again.",
            name=parameters[0],
        )
    for name, value in found.items():
        if not _VALUE.fullmatch(value):
            raise InputError(
                "{name} in the address is not a value of the platform; open the study there again.", name=name
            )
    return found
