"""A campaign drawn from novels, as in the novels paper: sentences of each, far apart, and repaired outputs.

Raters see what was drawn in an order of their own, shuffled by the campaign's seed.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import FileError, OptionError
from core.text.files import read_text, split_lines
from db.formats.bundle import Bundle, Key, OutputRow, SegmentRow, SystemRow

_COLUMNS = ("document", "position", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """What to draw: `count` segments of a document, with at least `apart` others between two.

    documents: how many documents, such as novels, by chance; None for all.
    """

    count: int
    apart: int = 0
    documents: int | None = None
    seed: int = 0


def sampled(bundle: Bundle, draw: Draw) -> Bundle:
    """The bundle with the drawn segments alone, everything that belongs to them, and a note of the drawing.

    The same texts and seed give the same drawing. Fewer are drawn where a document has no more room. Raises
    OptionError for more documents than there are.
    """
    by_document: dict[str, list[SegmentRow]] = {}
    for row in bundle.segments:
        by_document.setdefault(row.document, []).append(row)
    names = sorted(by_document)
    if draw.documents is not None:
        if draw.documents > len(names):
            raise OptionError(
                "There are {n} documents; {wanted} of them cannot be drawn.",
                wanted=draw.documents,
                n=len(names),
            )
        names = random.Random(draw.seed).sample(names, draw.documents)  # nosec B311  # no secret
    kept = {row.key for name in names for row in _drawn(by_document[name], draw)}
    return replace(
        bundle,
        segments=tuple(row for row in bundle.segments if row.key in kept),
        outputs=tuple(row for row in bundle.outputs if row.key in kept),
        ratings=tuple(row for row in bundle.ratings if row.key in kept),
        checks=tuple(row for row in bundle.checks if row.key in kept),
        items=tuple(row for row in bundle.items if row.key in kept),
        prefills=tuple(row for row in bundle.prefills if row.key in kept),
        decisions=tuple(row for row in bundle.decisions if row.key in kept),
        document_scores=(),
        meta=replace(
            bundle.meta,
            description_en=f"{bundle.meta.description_en} {_said_en(draw, len(names))}".strip(),
            description_ja=f"{bundle.meta.description_ja}{_said_ja(draw, len(names))}",
            seed=draw.seed if bundle.meta.seed is None else bundle.meta.seed,
        ),
    )


def _drawn(rows: Sequence[SegmentRow], draw: Draw) -> list[SegmentRow]:
    """A random choice; each one that stands far enough apart is equally likely."""
    ordered = sorted(rows, key=lambda row: row.position)
    count = min(draw.count, (len(ordered) + draw.apart) // (draw.apart + 1))
    chance = random.Random(f"{draw.seed}:{rows[0].document}")  # nosec B311  # a drawing by seed
    places = chance.sample(range(len(ordered) - (count - 1) * draw.apart), count)
    return [ordered[place + number * draw.apart] for number, place in enumerate(sorted(places))]


def _said_en(draw: Draw, documents: int) -> str:
    return (
        f"At most {draw.count} segments of each of {documents} documents were drawn, with at least "
        f"{draw.apart} others between two of them, with seed {draw.seed}."
    )


def _said_ja(draw: Draw, documents: int) -> str:
    return (
        f"文書 {documents} 点のそれぞれから最大 {draw.count} セグメントを、あいだに {draw.apart} 以上を"
        f"はさんで抽出しました（シード {draw.seed}）。"
    )


def with_repaired(bundle: Bundle, files: Mapping[str, Path]) -> Bundle:
    """The bundle with repaired outputs mixed in, each file as a system that has a text for some segments.

    A file is a TSV with the columns document, position (from 0) and text. Raises FileError for another form
    and for a segment that is not there.
    """
    known = {row.key for row in bundle.segments}
    systems, outputs = list(bundle.systems), list(bundle.outputs)
    for name, path in files.items():
        if any(system.name == name for system in systems):
            raise OptionError(
                "A system is called {name} already; call the repaired outputs otherwise.", name=name
            )
        systems.append(SystemRow(name))
        outputs += [OutputRow(key, name, text) for key, text in _repaired(path, known).items()]
    return replace(bundle, systems=tuple(systems), outputs=tuple(outputs))


def _repaired(path: Path, known: set[Key]) -> dict[Key, str]:
    rows = csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE)
    if not {*_COLUMNS} <= {*(rows.fieldnames or ())}:
        raise FileError(path, "needs the columns {columns}.", columns=", ".join(_COLUMNS))
    found: dict[Key, str] = {}
    for number, row in enumerate(rows, 2):
        position = row["position"] or ""
        key = (row["document"], int(position) if position.isdecimal() else -1)
        if key not in known or key in found:
            raise FileError(
                path,
                "names a segment that is not there, or names it twice: {document}, {position}",
                line=number,
                document=row["document"],
                position=position,
            )
        found[key] = row["text"] or ""
    return found
