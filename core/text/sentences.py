"""An error's sentence in a language, with files under the names that people gave them.

Every template has a Japanese sentence in `assets/locale/errors.ja.json`. What libraries and the operating
system say (the value `reason`) is in `assets/locale/reasons.ja.json` as far as it is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from core.assets import ASSETS
from core.errors import FileError, Listed, Wording, YomikurabeError, filled
from core.text.locale import Language

_FOLDER = ASSETS / "locale"


def sentence(error: YomikurabeError, language: Language) -> str | None:
    """What is wrong, where, and what to do; None where the language has no sentence for it.

    A file is called by its name alone: where it lies on the server is nobody's business.
    """
    said = _said(error.template, error.details, language)
    if said is None or not isinstance(error, FileError):
        return said
    if language == "en":
        return f"{_place(error, language)}: {said[:1].lower() + said[1:] if error.part else said}"
    return f"{_place(error, language)}：{said}"


def _place(error: FileError, language: Language) -> str:
    """The file, the line and the place in it."""
    file, within = _value("", error.path, language), _value("", error.within, language)
    if language == "en":
        where = f"{file}" if error.line is None else f"{file}, line {error.line}"
        return where if error.within is None else f"{where}: {within}"
    where = f"「{file}」" if error.line is None else f"「{file}」の {error.line} 行目"
    return where if error.within is None else f"{where}（{within}）"


def _said(template: str, details: Mapping[str, object], language: Language) -> str | None:
    known = template if language == "en" else catalogue("errors").get(template)
    if known is None:
        return None
    return filled(known, {name: _value(name, value, language) for name, value in details.items()})


def _value(name: str, value: object, language: Language) -> object:
    """A value as a reader of the language is to see it."""
    if isinstance(value, Path):
        return value.name or str(value)
    if isinstance(value, Wording):
        said = _said(value.template, value.details, language)
        return str(value) if said is None else said
    if language == "en":
        return value
    if isinstance(value, Listed):
        return "、".join(value.names)
    if name == "reason":
        return catalogue("reasons").get(str(value), str(value))
    return value


@cache
def catalogue(name: str) -> Mapping[str, str]:
    """`errors` or `reasons`: English to Japanese."""
    found: dict[str, str] = json.loads((_FOLDER / f"{name}.ja.json").read_text("utf-8"))
    return found
