"""The app's words in Japanese and English, as `assets/locale/*.json` has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal, get_args

from core.assets import ASSETS
from core.errors import OptionError

Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_FOLDER = ASSETS / "locale"


@cache
def words(language: str) -> Mapping[str, str]:
    """Every key with its words, which may have places {like} this. OptionError for another language."""
    if language not in LANGUAGES:
        raise OptionError(
            "There is no language “{language:.20}”; choose one of {languages}.",
            language=language,
            languages=", ".join(LANGUAGES),
        )
    return MappingProxyType(json.loads((_FOLDER / f"{language}.json").read_text("utf-8")))


def worded(language: str, key: str, values: Mapping[str, object]) -> str:
    """The words for `key`, places filled; whole numbers with commas between thousands.

    KeyError for an unknown key.
    """
    shown = {name: f"{value:,}" if type(value) is int else value for name, value in values.items()}
    return words(language)[key].format(**shown)


def language_name(code: str, language: str) -> str:
    """A language by its name; a code without one here stays. A script or region is kept in brackets."""
    base = code.split("-")[0].lower()
    name = words(language).get(f"language.{base}")
    if name is None:
        return code
    return name if base == code else f"{name} ({code})"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says things in one language."""

    language: Language

    def t(self, key: str, **values: object) -> str:
        """The words for `key`, places filled. KeyError for an unknown key."""
        return worded(self.language, key, values)

    def either(self, english: str, japanese: str) -> str:
        """Of a text in two languages, this one's; where it is missing, the other."""
        first, second = (japanese, english) if self.language == "ja" else (english, japanese)
        return first or second

    def words_or(self, key: str, otherwise: str, **values: object) -> str:
        """The words for `key`; `otherwise` where there are none."""
        return self.t(key, **values) if key in words(self.language) else otherwise
