"""Where the language model is and what it is called: from the environment, else from Streamlit's secrets.

    OPENAI_API_KEY    the account's key; never stored, logged or shown
    OPENAI_BASE_URL   another endpoint that speaks the same protocol
    YOMIKURABE_MODEL  the model's name
    YOMIKURABE_PRICES dollars for a million tokens of prompts and of replies, such as 0.15/0.60

`.streamlit/secrets.toml`, in the project's folder or in the home folder, may hold the same names.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.assets import ROOT

NAMES = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "YOMIKURABE_MODEL", "YOMIKURABE_PRICES")
_PRICES = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)", re.ASCII)
SECRETS = (ROOT / ".streamlit" / "secrets.toml", Path("~/.streamlit/secrets.toml"))


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """How to reach a model, and what it costs if that is known. The key does not show in a repr."""

    model: str
    key: str = field(repr=False)
    base_url: str | None = None
    prices: tuple[float, float] | None = None


def judge_settings(environment: Mapping[str, str] = os.environ) -> JudgeSettings | None:
    """The settings, or None where no model is named or neither a key nor an endpoint is given."""
    found = {name: environment.get(name) or _secret(name) for name in NAMES}
    if not found["YOMIKURABE_MODEL"] or not (found["OPENAI_API_KEY"] or found["OPENAI_BASE_URL"]):
        return None
    return JudgeSettings(
        model=found["YOMIKURABE_MODEL"],
        key=found["OPENAI_API_KEY"] or "none",  # a local endpoint wants none, the library wants something
        base_url=found["OPENAI_BASE_URL"] or None,
        prices=_prices(found["YOMIKURABE_PRICES"]),
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
        if isinstance(secrets.get(name), str):
            return str(secrets[name])
    return ""
