"""What a report's page is made of, before anybody writes a tag. All strings are plain text, people's too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from core.report.content import Passage

Tone = Literal["normal", "quiet", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """One paragraph."""

    kind: ClassVar[str] = "sentences"
    text: str
    tone: Tone = "normal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One line each."""

    kind: ClassVar[str] = "listing"
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of texts; columns in `numbers` are set right. latex: whether it stands in the appendix, too."""

    kind: ClassVar[str] = "table"
    name: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()
    latex: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """division: of `core.charts.embed`, the only string here that is HTML already."""

    kind: ClassVar[str] = "picture"
    division: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A text to be copied into a file."""

    kind: ClassVar[str] = "source"
    title: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRow:
    """A translation: document, position, system, mean, n; and its text or fingerprint."""

    cells: tuple[str, ...]
    number: int
    passage: Passage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSegment:
    """Translations of one segment, below its source and reference."""

    source: Passage | None
    reference: Passage | None
    rows: tuple[GoldRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldTable:
    """Segment by segment. langs: of sources, and of references and translations."""

    kind: ClassVar[str] = "gold"
    header: tuple[str, ...]
    segments: tuple[GoldSegment, ...]
    langs: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collapsible:
    """What is shown on demand; while it is closed it is not printed."""

    kind: ClassVar[str] = "folded"
    title: str
    blocks: Sequence[Block]
    open: bool = False


Block = Sentences | Listing | Table | Picture | Source | GoldTable | Collapsible


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: Sequence[Block] = field(default_factory=tuple)


def tables_in(sections: Sequence[Section]) -> list[Table]:
    """Every table that the appendix repeats, in order."""
    found: list[Table] = []
    waiting: list[Block] = [block for section in sections for block in section.blocks]
    while waiting:
        block = waiting.pop(0)
        if isinstance(block, Collapsible):
            waiting[:0] = block.blocks
        elif isinstance(block, Table) and block.latex:
            found.append(block)
    return found
