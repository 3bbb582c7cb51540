"""An error's sentence in a language, with files under the names that people gave them.

The sentences are for pages: commands show `error.message`. Every template has a Japanese sentence in
`assets/locale/errors.ja.json`; one that names an option of a command has a sentence in
`assets/locale/errors.en.json` that names the page's field. What libraries and the operating system say (the
value `reason`) is in `assets/locale/reasons.ja.json` as far as it is known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter

from core.assets import ASSETS
from core.errors import FileError, Listed, Wording, YomikurabeError, filled
from core.text.locale import Language, language_name

_FOLDER = ASSETS / "locale"
FEWEST_LETTERS = 8
"""Of its own, that a template needs to be found by a stored sentence."""


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
    known = _page_english().get(template, template) if language == "en" else catalogue("errors").get(template)
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
    if name == "lang":
        return language_name(str(value), language)
    if name == "reason":
        return catalogue("reasons").get(str(value), str(value))
    return value


def translated(said: str, language: Language) -> str | None:
    """A sentence of the program in a language, also one that was stored in English; None for any other text.

    A stored one is found by the template that fits it with the most words of its own.
    """
    if isinstance(said, Wording):
        return _said(said.template, said.details, language)
    if language == "en":
        return said
    return _recognised(said)


@lru_cache(1024)
def _recognised(said: str) -> str | None:
    for pattern, japanese in _patterns():
        found = pattern.fullmatch(said)
        if found is not None:
            return _refilled(japanese, {name: _inner(name, text) for name, text in found.groupdict().items()})
    return None


def _inner(name: str, value: str) -> str:
    """A value within a stored sentence, which may be a part in the program's own words."""
    own = _recognised(value) if " " in value else None
    return str(_value(name, value, "ja") if own is None else own)


def _refilled(sentence: str, values: Mapping[str, str]) -> str:
    """A sentence with texts that are formatted already."""
    parts = Formatter().parse(sentence)
    return "".join(words + (values[name] if name is not None else "") for words, name, _, _ in parts)


@cache
def _patterns() -> Sequence[tuple[re.Pattern[str], str]]:
    """What each template looks like when it is filled, and its sentence; most words of its own first."""
    found = []
    for template, japanese in catalogue("errors").items():
        pattern, own, seen = "", 0, set[str]()
        for words, name, _, _ in Formatter().parse(template):
            own += sum(map(str.isalpha, words))
            pattern += re.escape(words)
            if name is not None:
                pattern += f"(?P={name})" if name in seen else f"(?P<{name}>.*?)"
                seen.add(name)
        if own >= FEWEST_LETTERS:
            found.append((own, re.compile(pattern, re.DOTALL), japanese))
    return [(pattern, japanese) for _, pattern, japanese in sorted(found, key=lambda one: -one[0])]


@cache
def _page_english() -> Mapping[str, str]:
    """The wording on a page of errors whose own wording names an option of a command."""
    found: dict[str, str] = json.loads((_FOLDER / "errors.en.json").read_text("utf-8"))
    return found


@cache
def catalogue(name: str) -> Mapping[str, str]:
    """`errors` or `reasons`: English to Japanese."""
    found: dict[str, str] = json.loads((_FOLDER / f"{name}.ja.json").read_text("utf-8"))
    return found
