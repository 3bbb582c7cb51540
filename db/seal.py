"""The seal on systems' names: other names until the campaign closes, and a promise that anybody can check.

When the campaign opens, the systems get names that say nothing, in an order drawn by lot, and the SHA-256
of that list with a random nonce is written down: the commitment. After closing, both are shown; whoever
kept the commitment can compute it again and sees that the names were not swapped afterwards.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """names: what each system is called while it is sealed. nonce: 32 hexadecimal digits."""

    names: Mapping[str, str]
    nonce: str

    @property
    def commitment(self) -> str:
        """SHA-256, in hexadecimal, of {"names": …, "nonce": …} as JSON: keys sorted, no spaces, UTF-8."""
        text = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


def draw(systems: Sequence[str]) -> Seal:
    """A new seal for these systems: System A, System B, … in an order that nobody can foretell."""
    drawn = list(systems)
    secrets.SystemRandom().shuffle(drawn)
    names = {system: f"System {letters(place)}" for place, system in enumerate(drawn)}
    return Seal(names=names, nonce=secrets.token_hex(16))


def letters(place: int) -> str:
    """The names of places from 0: A, B, … Z, AA, AB and so on."""
    head, last = divmod(place, 26)
    return (letters(head - 1) if head else "") + chr(ord("A") + last)


def to_json(seal: Seal) -> dict[str, Any]:
    """Ready for the database or a file; the commitment stands beside what it is made of."""
    return {"names": dict(seal.names), "nonce": seal.nonce, "commitment": seal.commitment}


def from_json(stored: Mapping[str, Any]) -> Seal:
    """A stored seal. Raises InputError where its commitment is not that of its names and nonce."""
    seal = Seal(names=dict(stored["names"]), nonce=str(stored["nonce"]))
    if stored["commitment"] != seal.commitment:
        raise InputError("The seal does not fit the names: one of them was changed after it was made.")
    return seal
