"""`campaign.json`: what a campaign says of itself, in English and Japanese."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import FileError
from core.text.encoding import read_text
from db.formats.bundle import Meta

_LIMIT_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignFile:
    """The file's content; `labels` gives each system's (English, Japanese) label. All None without a file."""

    name: str | None = None
    source_lang: str | None = None
    target_lang: str | None = None
    meta: Meta = field(default_factory=Meta)
    labels: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)


def read_campaign_json(path: Path) -> CampaignFile:
    """Read the file. Raises FileError.

    Keys, none of them needed: name, description, guideline, credits (each {en, ja}), source_lang,
    target_lang, protocol, seed (a whole number), systems ({name: {en, ja}}).
    """
    try:
        data = json.loads(read_text(path, limit_bytes=_LIMIT_BYTES))
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not JSON ({error.msg}).", line=error.lineno) from error
    entry = _Entry(path, data)
    name_en, name_ja = entry.pair("name")
    description_en, description_ja = entry.pair("description")
    guideline_en, guideline_ja = entry.pair("guideline")
    credits_en, credits_ja = entry.pair("credits")
    return CampaignFile(
        name=name_en,
        source_lang=entry.text("source_lang"),
        target_lang=entry.text("target_lang"),
        meta=Meta(
            name_ja=name_ja,
            protocol=entry.text("protocol") or Meta().protocol,
            description_en=description_en or "",
            description_ja=description_ja or "",
            guideline_en=guideline_en,
            guideline_ja=guideline_ja,
            credits_en=credits_en or "",
            credits_ja=credits_ja or "",
            seed=entry.number("seed"),
        ),
        labels=entry.labels("systems"),
    )


class _Entry:
    """An object of the file, read key by key with the type that each must have."""

    def __init__(self, path: Path, data: object) -> None:
        if not isinstance(data, dict):
            raise FileError(path, "is not a JSON object.")
        self._path = path
        self._data: dict[str, Any] = data

    def text(self, key: str) -> str | None:
        value = self._data.get(key)
        if value is not None and not isinstance(value, str):
            raise FileError(self._path, f"“{key}” is not a text.")
        return value or None

    def number(self, key: str) -> int | None:
        value = self._data.get(key)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**31
        ):
            raise FileError(self._path, f"“{key}” is not a whole number below 2³¹.")
        return value

    def pair(self, key: str) -> tuple[str | None, str | None]:
        inner = self._object(key)
        return inner.text("en"), inner.text("ja")

    def labels(self, key: str) -> dict[str, tuple[str | None, str | None]]:
        inner = self._object(key)
        return {name: inner.pair(name) for name in inner._data}

    def _object(self, key: str) -> _Entry:
        value = self._data.get(key, {})
        if not isinstance(value, dict):
            raise FileError(self._path, f'“{key}” is not an object like {{"en": …, "ja": …}}.')
        return _Entry(self._path, value)
