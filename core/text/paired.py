"""Pairs of texts from files with one segment a line, of any size: a few lines are in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import overload

from core.errors import FileError, OptionError
from core.text.languages import guess_lang
from core.text.lines import LineFile
from core.types import TextPair

LINES_THAT_TELL = 200
"""How many references say which language it is."""

_LANG = re.compile("[a-z]{2,3}")


class PairFiles(Sequence[TextPair]):
    """References, hypotheses and sources line by line. A sequence, but whoever wants the last reads them all.

    Each iteration begins anew and holds one pair.
    """

    def __init__(self, ref: Path, hyp: Path, src: Path | None = None, lang: str = "auto") -> None:
        """Reads the files through, and checks them.

        Raises FileError for one that cannot be read, is empty or has not as many lines (both are named), and
        OptionError for what is no language.
        """
        self._references = LineFile(ref)
        if not len(self._references):
            raise FileError(ref, "is empty; give one segment a line")
        self._hypotheses = LineFile(hyp)
        self._sources = LineFile(src) if src is not None else None
        for one in (self._hypotheses, self._sources):
            if one is not None:
                self._check(one)
        self.lang = language(lang, list(islice(self._references, LINES_THAT_TELL)))

    def _check(self, other: LineFile) -> None:
        ours, theirs = len(self._references), len(other)
        if theirs != ours:
            raise FileError(
                other.path,
                f"has {theirs} lines but {self._references.path} has {ours}; give a line per segment in both",
                line=min(theirs, ours) + 1,
            )

    def __len__(self) -> int:
        return len(self._references)

    def __iter__(self) -> Iterator[TextPair]:
        sources: Iterator[str | None] = repeat(None) if self._sources is None else iter(self._sources)
        for reference, hypothesis, source in zip(self._references, self._hypotheses, sources, strict=False):
            yield TextPair(reference=reference, hypothesis=hypothesis, source=source, lang=self.lang)

    @overload
    def __getitem__(self, place: int) -> TextPair: ...

    @overload
    def __getitem__(self, place: slice) -> list[TextPair]: ...

    def __getitem__(self, place: int | slice) -> TextPair | list[TextPair]:
        """One pair, or some: everything up to there is read for it."""
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            if step > 0:
                return list(islice(self, start, stop, step))
            raise ValueError("Pairs from files are read forwards.")
        at = range(len(self))[place]
        return next(islice(self, at, None))


def language(lang: str, texts: Sequence[str]) -> str:
    """The language that --lang names, or that the texts are in where it says auto; else OptionError."""
    if lang == "auto":
        return guess_lang(texts)
    if not _LANG.fullmatch(lang):
        raise OptionError(f"--lang {lang} is not a language; write an ISO 639-1 code like ja, or auto")
    return lang
