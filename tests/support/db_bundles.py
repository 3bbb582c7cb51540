from __future__ import annotations

from db.formats.bundle import Bundle, OutputRow, ReadOptions, SegmentRow, SystemRow


def small_bundle(segments: int = 12, systems: tuple[str, ...] = ("ash", "beech", "cedar")) -> Bundle:
    rows = tuple(
        SegmentRow(f"doc{n % 2}", n // 2, f"reference {n}", source=f"source {n}", domain="literary")
        for n in range(segments)
    )
    outputs = tuple(
        OutputRow(row.key, system, "" if (system, n) == ("cedar", 3) else f"{system} says {n}")
        for n, row in enumerate(rows)
        for system in systems
    )
    references = tuple(OutputRow(row.key, "refA", row.reference) for row in rows)
    return Bundle(
        name="Small",
        langs=("en", "ja"),
        systems=(*(SystemRow(name) for name in systems), SystemRow("refA", is_reference=True)),
        segments=rows,
        outputs=outputs + references,
    )


def options(**given: object) -> ReadOptions:
    return ReadOptions(**{"source_lang": "en", "target_lang": "ja", "scale": "0-100", **given})
