"""Which of a file's language pairs is meant."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from core.errors import FileError, OptionError
from db.formats.bundle import ReadOptions
from db.formats.cells import one_line
from db.formats.langs import iso_code

Pair = tuple[str, str]
"""Source and target language as the file writes them."""


def choose_pair(pairs: Iterable[Pair], options: ReadOptions, path: Path) -> Pair:
    """The pair that the options tell, or the only one there is.

    Languages are compared as ISO 639 codes: `ja` means `ja_JP`, too. Raises FileError when there is none,
    OptionError when several answer to the options; it names them.
    """
    known = sorted(set(pairs))
    if not known:
        raise FileError(path, "holds no language pair.")
    fitting = [pair for pair in known if _fits(pair[0], options.source_lang)]
    fitting = [pair for pair in fitting if _fits(pair[1], options.target_lang)]
    names = one_line(", ".join("-".join(pair)[:40] for pair in (fitting or known)[:20]))
    if not fitting:
        raise OptionError(f"{path}: there is no such language pair; there are {names}.")
    if len(fitting) > 1:
        raise OptionError(
            f"{path}: there are several language pairs ({names}); choose one with --source-lang "
            "and --target-lang."
        )
    return fitting[0]


def _fits(lang: str, told: str | None) -> bool:
    return told is None or told == lang or iso_code(told) == iso_code(lang)
