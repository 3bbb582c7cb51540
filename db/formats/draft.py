"""A campaign while a reader fills it. What contradicts an earlier part is a FileError."""

from __future__ import annotations

from pathlib import Path

from core.errors import FileError
from db.formats.bundle import (
    Bundle,
    CheckRow,
    Key,
    Meta,
    OutputRow,
    RatingRow,
    ReadOptions,
    SegmentRow,
    SystemRow,
)
from db.formats.cells import Where, one_line, read_label
from db.formats.langs import resolve_langs
from db.formats.revisions import in_order
from db.names import rater_key

NO_REFERENCE = "There are no references: metrics that compare with one cannot be computed."


class Draft:
    """Segments, systems, outputs, checks, ratings and notes, each in the order of its coming."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.segments: dict[Key, SegmentRow] = {}
        self.systems: dict[str, SystemRow] = {}
        self.outputs: dict[tuple[Key, str], str] = {}
        self.checks: dict[CheckRow, None] = {}
        self.ratings: list[RatingRow] = []
        self.notes: list[str] = []
        self.meta = Meta()

    def add_segment(self, segment: SegmentRow, where: Where) -> None:
        """Add a segment of a new key."""
        read_label(segment.document, "document", where)
        if segment.key in self.segments:
            raise where.error(f"the document “{segment.document}” has this segment already.")
        self.segments[segment.key] = segment

    def add_system(self, name: str, where: Where, *, is_reference: bool = False) -> None:
        """Add a system, or meet it again in the same role."""
        system = SystemRow(read_label(name, "system", where), is_reference)
        if self.systems.setdefault(name, system) != system:
            raise where.error(f"“{name}” is the name of a reference and of a system; rename one.")

    def make_reference(self, name: str) -> None:
        """Say of a system that is there that it is the reference."""
        self.systems[name] = SystemRow(name, is_reference=True)

    def add_output(self, key: Key, system: str, text: str, where: Where) -> None:
        """Add a system's text for a segment; the same text again changes nothing."""
        if self.outputs.setdefault((key, system), text) != text:
            raise where.error(f"the system “{system}” had another text for this segment before.")

    def bundle(
        self, name: str, options: ReadOptions, langs: tuple[str | None, str | None] = (None, None)
    ) -> Bundle:
        """The campaign. `langs` are the file's own; the options go before them.

        Raises FileError when there is no segment or no system's text at all.
        """
        segments = tuple(self.segments.values())
        if not segments:
            raise FileError(self.path, "has no segments; is it the right file?")
        if not any(text.strip() for text in self.outputs.values()):
            raise FileError(self.path, "has no translation of any system.")
        self._tell_raters_apart()
        ratings, twice = in_order(self.ratings)
        found, guesses = resolve_langs(
            options.source_lang or langs[0],
            options.target_lang or langs[1],
            (segment.source or "" for segment in segments),
            self.outputs.values(),
        )
        if not any(segment.reference.strip() for segment in segments):
            self.notes.append(NO_REFERENCE)
        return Bundle(
            name=name,
            langs=found,
            systems=tuple(self.systems.values()),
            segments=segments,
            outputs=tuple(OutputRow(key, system, text) for (key, system), text in self.outputs.items()),
            ratings=ratings,
            meta=self.meta,
            checks=tuple(self.checks),
            notes=tuple(one_line(note) for note in (*guesses, *self.notes, *twice)),
        )

    def _tell_raters_apart(self) -> None:
        """Names that are one person in this program must not be two in the file."""
        names: dict[str, str] = {}
        for rating in self.ratings:
            known = names.setdefault(rater_key(rating.rater), rating.rater)
            if known != rating.rater:
                problem = f"the raters “{known}” and “{rating.rater}” would be one person here; rename one."
                raise FileError(self.path, problem)


def campaign_name(path: Path) -> str:
    """A name for the campaign of a file or folder: its own, up to the first dot."""
    return path.resolve().name.split(".")[0] or path.resolve().name
