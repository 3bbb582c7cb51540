"""What the queries about people give: who came in, by which link, how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """Who has come in. rater_id and name are None for a class's link, before a name is given."""

    role: str
    campaign_id: int | None
    rater_id: int | None
    name: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRecord:
    """A link in a list; its token is not stored anywhere."""

    id: int
    role: str
    campaign_id: int | None
    rater_id: int | None
    name: str | None
    part: str
    note: str
    created_at: datetime
    used_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRecord:
    """What a person says of themselves. consented_at: None without consent."""

    rater_id: int
    name: str
    native_language: str
    level: str
    consented_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRecord:
    """What a design means: translations in all; per rater items, checks among them, characters, minutes."""

    translations: int
    items: int
    checks: int
    characters: int
    minutes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    """A person's way through a campaign. median_seconds, characters_a_minute: without pauses, or None."""

    rater_id: int
    name: str
    part: str
    native_language: str
    level: str
    done: int
    skipped: int
    total: int
    median_seconds: float | None
    characters_a_minute: float | None
    seen_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentRecord:
    """A student's scores, 0 to 100, by translation."""

    rater_id: int
    name: str
    scores: Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRecord:
    """An attempt on a lesson's board. scores: by metric."""

    name: str
    text: str
    scores: Mapping[str, float]
    created_at: datetime
