"""The settings of the language model, from the environment, else from Streamlit's secrets.

The secrets are `.streamlit/secrets.toml` in the project's or the home folder. Names:

    OPENAI_API_KEY    the account's key; never stored, logged or shown
    OPENAI_BASE_URL   another endpoint with the same protocol
    YOMIKURABE_MODEL  the model's name
    YOMIKURABE_PRICES dollars for a million tokens of prompts and of replies, such as 0.15/0.60
    YOMIKURABE_TIMEOUT   seconds for one reply (default 60)
    YOMIKURABE_RETRIES   how often a call that failed or timed out is sent again (default 4)
    YOMIKURABE_PARALLEL  calls at a time (default 4)
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.assets import ROOT
from core.errors import UnavailableError

NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "YOMIKURABE_MODEL", "YOMIKURABE_PRICES")
_PRICES = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)", re.ASCII)
TIMEOUT = 60.0  # seconds for one reply
RETRIES = 4  # of the library's own, with back-off, on 429, 5xx, timeouts and broken connections
AT_ONCE = 4
_MOST_SECONDS, _MOST_RETRIES, _MOST_AT_ONCE = 86_400, 20, 64
SECRETS = (ROOT / ".streamlit" / "secrets.toml", Path("~/.streamlit/secrets.toml"))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """How to reach a model, and what it costs if that is known. The key does not show in a repr.

    timeout: seconds for one reply, above 0. retries: how often a failed call is sent again. at_once: calls at
    a time, at least 1.
    """

    model: str
    key: str = field(repr=False)
    base_url: str | None = None
    prices: tuple[float, float] | None = None
    timeout: float = TIMEOUT
    retries: int = RETRIES
    at_once: int = AT_ONCE


def judge_settings(environment: Mapping[str, str] = os.environ) -> JudgeSettings | None:
    """The settings, or None where no model is named or neither a key nor an endpoint is given.

    Raises UnavailableError for a number that is out of its range.
    """
    found = {name: environment.get(name) or _secret(name) for name in NAMES}
    if not found["YOMIKURABE_MODEL"] or not (found["OPENAI_API_KEY"] or found["OPENAI_BASE_URL"]):
        return None
    return JudgeSettings(
        model=found["YOMIKURABE_MODEL"],
        key=found["OPENAI_API_KEY"] or "none",  # a local endpoint wants none, the library wants something
        base_url=found["OPENAI_BASE_URL"] or None,
        prices=_prices(found["YOMIKURABE_PRICES"]),
        timeout=_timeout("YOMIKURABE_TIMEOUT", environment),
        retries=_whole("YOMIKURABE_RETRIES", environment, RETRIES, 0, _MOST_RETRIES),
        at_once=_whole("YOMIKURABE_PARALLEL", environment, AT_ONCE, 1, _MOST_AT_ONCE),
    )


def _timeout(name: str, environment: Mapping[str, str]) -> float:
    given = environment.get(name) or _secret(name)
    if not given:
        return TIMEOUT
    with suppress(ValueError):
        if 0 < float(given) <= _MOST_SECONDS:
            return float(given)
    raise UnavailableError(
        "{name} is “{given:.40}”; set it to a number of seconds above 0, up to {most}.",
        code="judge-settings",
        name=name,
        given=given,
        most=_MOST_SECONDS,
    )


def _whole(name: str, environment: Mapping[str, str], usual: int, least: int, most: int) -> int:
    given = environment.get(name) or _secret(name)
    if not given:
        return usual
    if given.isascii() and given.isdigit() and len(given) < 10 and least <= int(given) <= most:
        return int(given)
    raise UnavailableError(
        "{name} is “{given:.40}”; set it to a whole number from {least} to {most}.",
        code="judge-settings",
        name=name,
        given=given,
        least=least,
        most=most,
    )


def _prices(text: str) -> tuple[float, float] | None:
    """`0.15/0.60` as two numbers; None for anything else, since a wrong price is worse than none."""
    found = _PRICES.fullmatch(text.strip())
    return None if found is None else (float(found[1]), float(found[2]))


def _secret(name: str) -> str:
    for path in SECRETS:
        try:
            secrets = tomllib.loads(path.expanduser().read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(secrets.get(name), str | int | float):  # 300 as well as "300"
            return str(secrets[name])
    return ""
