"""The reference, where a file of ratings rates it like a system."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from db.formats.bundle import Bundle, OutputRow, SystemRow

NAMES = re.compile(r"ref[A-Z]?")
"""What a reference is called as a system."""


def with_reference(bundle: Bundle, rated: Iterable[str]) -> Bundle:
    """The campaign, with its references as a system's texts if a system is rated that can only be they."""
    known = {system.name for system in bundle.systems}
    name = next((name for name in rated if name not in known and NAMES.fullmatch(name)), None)
    has_one = any(system.is_reference for system in bundle.systems)
    if name is None or has_one or not any(segment.reference.strip() for segment in bundle.segments):
        return bundle
    return replace(
        bundle,
        systems=(*bundle.systems, SystemRow(name, is_reference=True)),
        outputs=(*bundle.outputs, *(OutputRow(row.key, name, row.reference) for row in bundle.segments)),
    )
