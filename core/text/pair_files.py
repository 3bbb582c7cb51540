"""Pairs of texts from files with one segment per line, and the language of such texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from pathlib import Path
from typing import overload

from core.errors import FileError, InputError, OptionError, Wording
from core.text.files import LineFile, check_line_count
from core.text.languages import guess_lang, iso_code
from core.types import TextPair


def references_of(texts: Sequence[str]) -> list[str]:
    """The references among these texts: those that are not empty; the first one where all are."""
    return [text for text in texts if text.strip()] or [texts[0]]


LINES_FOR_LANGUAGE = 200
"""Number of references from which the language is guessed."""


class PairFiles(Sequence[TextPair]):
    """Pairs of references, hypotheses and sources from files with one segment per line.

    An empty line of a further reference file is no reference of that segment.

    A lazy sequence: each iteration re-reads the files and keeps one pair in memory; indexing reads the
    files up to that line.
    """

    def __init__(
        self,
        ref: Path,
        hyp: Path,
        src: Path | None = None,
        lang: str = "auto",
        *,
        more_refs: Sequence[Path] = (),
    ) -> None:
        """Read each file once, to check it.

        more_refs: files of further references.
        lang: ISO 639-1 code; auto guesses it from the first references. Raises FileError for unreadable or
        empty files and different numbers of lines, and OptionError for an invalid code.
        """
        self._references = LineFile(ref)
        if not len(self._references):
            raise FileError(ref, "is empty; write one segment per line")
        self._hypotheses = LineFile(hyp)
        self._sources = LineFile(src) if src is not None else None
        self._others = [LineFile(path) for path in more_refs]
        for other in (self._hypotheses, self._sources, *self._others):
            if other is not None:
                check_line_count(other.path, len(other), ref, len(self._references))
        self.lang = language(lang, list(islice(self._references, LINES_FOR_LANGUAGE)))

    def __len__(self) -> int:
        return len(self._references)

    @property
    def reference_count(self) -> int:
        """The number of reference files."""
        return 1 + len(self._others)

    def __iter__(self) -> Iterator[TextPair]:
        sources: Iterator[str | None] = repeat(None) if self._sources is None else iter(self._sources)
        others = zip(*self._others, strict=True) if self._others else repeat(())
        lines = zip(self._references, self._hypotheses, sources, others, strict=False)
        for reference, hypothesis, source, more in lines:
            first, *rest = references_of([reference, *more])
            yield TextPair(
                reference=first,
                hypothesis=hypothesis,
                source=source,
                lang=self.lang,
                more_references=tuple(rest),
            )

    @overload
    def __getitem__(self, index: int) -> TextPair: ...

    @overload
    def __getitem__(self, index: slice) -> list[TextPair]: ...

    def __getitem__(self, index: int | slice) -> TextPair | list[TextPair]:
        """One pair or a list of pairs. Raises IndexError, and ValueError for a negative step."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step > 0:
                return list(islice(self, start, stop, step))
            raise ValueError("PairFiles does not support negative steps.")
        return next(islice(self, range(len(self))[index], None))


def language(lang: str, texts: Sequence[str]) -> str:
    """The language code, guessed from the texts for auto. Raises OptionError for an invalid code."""
    if lang == "auto":
        return guess_lang(texts)
    try:
        return iso_code(lang)
    except InputError as error:
        raise OptionError("--lang: {problem}", problem=Wording(error.template, **error.details)) from error
