"""The rows of paper D's table 9: outputs as they are, and with edits made on purpose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.backends import Backends
from core.errors import InputError
from core.hacks import Edited, Given, Skipped, find_edit, stack
from core.text.languages import base_lang

Read = Callable[[Sequence[Given]], list[Given]]

PARSER = "auto"
"""The metrics' own, so that a text is parsed once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSegment:
    """A segment with the outputs of its systems by name."""

    reference: str
    source: str | None
    lang: str
    outputs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A system's output with edits, one on the other; none for the output as it is."""

    system: str
    edits: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`Short`, `Short + maru-7`."""
        return " + ".join((self.system, *self.edits))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A variant's text for a segment. skipped: why an edit could not be made; then the text is as it was."""

    text: str
    skipped: str | None = None


def variants(systems: Sequence[str], victims: Sequence[str], edits: Sequence[str]) -> tuple[Variant, ...]:
    """Every system as it is, then each victim with each edit (`a+b` for two on one another).

    Raises OptionError for an unknown edit.
    """
    chosen = [tuple(name.strip() for name in edit.split("+")) for edit in edits]
    for name in (name for edit in chosen for name in edit):
        find_edit(name)
    plain = [Variant(system=system) for system in systems]
    return (*plain, *(Variant(system=victim, edits=edit) for edit in chosen for victim in victims))


def make(
    segments: Sequence[LabSegment], rows: Sequence[Variant], backends: Backends, *, seed: int = 0
) -> list[list[Made]]:
    """The texts, segment by segment, variant by variant. `other` is the next system's output.

    Raises InputError for a system that a segment has no output of.
    """
    systems = list(dict.fromkeys(row.system for row in rows))
    made = [[Made(text="")] * len(rows) for _ in segments]
    for place, row in enumerate(rows):
        other = systems[(systems.index(row.system) + 1) % len(systems)]
        given = [_given(segment, row.system, other) for segment in segments]
        if not row.edits:
            done: list[Made] = [Made(text=one.text) for one in given]
        else:
            done = _edited(given, row.edits, backends, seed)
        for segment, text in zip(made, done, strict=True):
            segment[place] = text
    return made


def reader(needs: set[str], backends: Backends) -> Read:
    """What fills in parses and words, as far as they are needed; nothing is loaded before the first text."""

    def read(given: Sequence[Given]) -> list[Given]:
        texts, lang = [one.text for one in given], given[0].lang
        parses = (
            backends.parser(PARSER).parse(texts, lang=lang, constituents=False)
            if "parser" in needs
            else [None] * len(texts)
        )
        words = (
            backends.reader("word").read(texts, lang=lang, entities=True)
            if "reader" in needs
            else [None] * len(texts)
        )
        return [
            replace(one, parse=parse, words=found)
            for one, parse, found in zip(given, parses, words, strict=True)
        ]

    return read


def _given(segment: LabSegment, system: str, other: str) -> Given:
    if system not in segment.outputs:
        raise InputError(
            f"A segment has no translation of {system}; choose systems that translated everything."
        )
    return Given(
        text=segment.outputs[system],
        lang=base_lang(segment.lang),
        source=segment.source,
        reference=segment.reference,
        other=None if other == system else segment.outputs.get(other),
    )


def _edited(given: Sequence[Given], names: Sequence[str], backends: Backends, seed: int) -> list[Made]:
    if not given:
        return []
    read = reader({need for name in names for need in find_edit(name).needs}, backends)
    found = []
    for one in read(given):
        done: Edited | Skipped = stack(names, one, seed, read=lambda changed: read([changed])[0])
        found.append(
            Made(text=done.text) if isinstance(done, Edited) else Made(text=one.text, skipped=done.reason)
        )
    return found
