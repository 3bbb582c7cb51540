"""A campaign while a format reads it. A contradiction to an earlier part is a FileError.

A reference that was rated like a system becomes a system. The scale of the scores is given or evident, never
guessed; it is converted to 0 to 100. The language pair is the one of the options, or the only one there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.errors import FileError, Listed, OptionError, ScaleUnknown, Wording, one_line
from core.text.languages import UNKNOWN, guess_lang, iso_code, same_tag
from db.formats.bundle import Bundle, CheckRow, Key, Meta, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.formats.cells import Where, note_in_line, read_label
from db.formats.repeats import settle
from db.names import composed, rater_key
from db.records import RatingRecord


def unasked(ratings: Sequence[RatingRecord]) -> Sequence[RatingRecord]:
    """Where no rating of a file marks an error, raters were not asked to: spans are then None, not empty."""
    if any(rating.spans or rating.score is None for rating in ratings):
        return ratings
    return [rating if rating.spans is None else replace(rating, spans=None) for rating in ratings]


NO_REFERENCE = Wording("There are no references: metrics that compare with one cannot be computed.")


class CampaignDraft:
    """Segments, systems, outputs, checks, ratings and notes, each in the order of its coming."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.segments: dict[Key, SegmentRow] = {}
        self.systems: dict[str, SystemRow] = {}
        self.outputs: dict[tuple[Key, str], str] = {}
        self.checks: dict[CheckRow, None] = {}
        self.ratings: list[RatingRecord] = []
        self.notes: list[Wording] = []
        self.meta = Meta()

    def add_segment(self, segment: SegmentRow, where: Where) -> None:
        """Add a segment of a new key."""
        read_label(segment.document, Wording("document"), where)
        if segment.key in self.segments:
            raise where.error(
                "the document “{document}” has this segment already.", document=segment.document
            )
        self.segments[segment.key] = segment

    def add_system(self, name: str, where: Where, *, is_reference: bool = False) -> None:
        """Add a system, or meet it again in the same role."""
        name = read_label(name, Wording("system"), where)
        system = SystemRow(name, is_reference)
        if self.systems.setdefault(name, system) != system:
            raise where.error("“{name}” is the name of a reference and of a system; rename one.", name=name)

    def make_reference(self, name: str) -> None:
        """Say of a system that is there that it is the reference."""
        self.systems[composed(name)] = SystemRow(composed(name), is_reference=True)

    def add_output(self, key: Key, system: str, text: str, where: Where) -> None:
        """Add a system's text for a segment; the same text again changes nothing."""
        system = composed(system)
        if self.outputs.setdefault((key, system), text) != text:
            raise where.error(
                "the system “{system}” had another text for this segment before; a campaign has one text for "
                "each. If the file holds corrected translations, give the version without them.",
                system=system,
            )

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
        ratings, twice = settle(self.ratings, options, says_revisions=True)
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
            notes=tuple(note_in_line(note) for note in (*guesses, *self.notes, *twice)),
        )

    def _tell_raters_apart(self) -> None:
        """Names that are one person in this program must not be two in the file."""
        names: dict[str, str] = {}
        for rating in self.ratings:
            known = names.setdefault(rater_key(rating.rater), rating.rater)
            if known != rating.rater:
                raise FileError(
                    self.path,
                    "the raters “{known}” and “{rater}” would be one person here; rename one.",
                    known=known,
                    rater=rating.rater,
                )


def campaign_name(path: Path) -> str:
    """A name for the campaign of a file or folder: its own, up to the first dot."""
    return path.resolve().name.split(".")[0] or path.resolve().name


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


SCALES: Mapping[str, float] = {"0-100": 100.0, "0-6": 6.0, "0-1": 1.0}
"""Each scale's highest score; the lowest is 0."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class Scale:
    """The scores of one file: `read` each of them, then `settle`."""

    def __init__(self, path: Path | Wording, told: str | None) -> None:
        """Raises OptionError for a scale that is none of `SCALES`."""
        if told is not None and told not in SCALES:
            raise OptionError(
                "There is no scale “{told:.40}”; choose one of {scales}.", told=told, scales=", ".join(SCALES)
            )
        self._path = path
        self._told = told
        self._top = SCALES[told or "0-100"]
        self._factor = 100 / self._top
        self._highest = -1.0

    @classmethod
    def of(cls, path: Path | Wording, options: ReadOptions) -> Scale:
        """The scale of a file that is read with these options."""
        return cls(path, options.scale)

    def read(self, cell: str, where: Where) -> float:
        """A score as it is written, as one from 0 to 100."""
        score = float(cell) if _NUMBER.fullmatch(cell) else -1.0
        if not 0 <= score <= self._top:
            raise where.error(
                "the score “{cell:.40}” is not a number from 0 to {top:g}.", cell=cell, top=self._top
            )
        self._highest = max(self._highest, score)
        return score * self._factor + 0.0 if self._factor != 1 else score + 0.0  # -0.0 is 0

    def settle(self) -> None:
        """Raises ScaleUnknown if no scale is given and all scores would fit a smaller one, too."""
        if self._told is not None or self._highest < 0:
            return
        fitting = tuple(name for name, top in SCALES.items() if self._highest <= top)
        if len(fitting) > 1:
            raise ScaleUnknown(
                self._path,
                "no score is above {highest:g}, so the scale could be {scales}; tell it with --scale.",
                scales=Listed(fitting),
                highest=self._highest,
            )


Pair = tuple[str, str]
"""Source and target language as the file writes them."""


def choose_pair(pairs: Iterable[Pair], options: ReadOptions, path: Path) -> Pair:
    """The pair that the options tell, or the only one there is.

    Languages are compared as ISO 639 codes: `ja` means `ja_JP`, too. A variant such as `zh-TW` means that
    one where the file has it. Raises FileError when there is none, OptionError when several answer to the
    options; it names them.
    """
    known = sorted(set(pairs))
    if not known:
        raise FileError(path, "holds no language pair.")
    fitting = _fitting(known, 0, options.source_lang)
    fitting = _fitting(fitting, 1, options.target_lang)
    names = one_line(", ".join("-".join(pair)[:40] for pair in (fitting or known)[:20]))
    if not fitting:
        raise OptionError(
            "{path}: there is no such language pair; there are {names}.", path=path, names=names
        )
    if len(fitting) > 1:
        raise OptionError(
            "{path}: there are several language pairs ({names}); choose one with "
            "--source-lang and --target-lang.",
            path=path,
            names=names,
        )
    return fitting[0]


def _fitting(pairs: Sequence[Pair], side: int, told: str | None) -> list[Pair]:
    """The pairs with this language on a side (0, 1): in this very variant if there is one."""
    if told is None:
        return list(pairs)
    exact = [pair for pair in pairs if same_tag(pair[side], told)]
    return exact or [pair for pair in pairs if iso_code(pair[side]) == iso_code(told)]


def resolve_langs(
    source_lang: str | None, target_lang: str | None, sources: Iterable[str], references: Iterable[str]
) -> tuple[tuple[str, str], tuple[Wording, ...]]:
    """The two languages, and a note for each that had to be guessed."""
    notes: list[Wording] = []
    if source_lang is None:
        source_lang = guess_lang(sources, unknown=UNKNOWN)
        notes.append(
            Wording(
                "The source language was taken to be “{lang}”; name it if it is another.", lang=source_lang
            )
        )
    if target_lang is None:
        target_lang = guess_lang(references, unknown=UNKNOWN)
        notes.append(
            Wording(
                "The target language was taken to be “{lang}”; name it if it is another.", lang=target_lang
            )
        )
    return (source_lang, target_lang), tuple(notes)
