"""What a grid is run on, out of text files: a reference, systems' outputs and people's scores of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from core.errors import FileError, InputError, OptionError
from core.grid.run import Subject
from core.metaeval.files import Scores, read_documents, read_scores
from core.metaeval.folder import find_scores, one_of
from core.metaeval.table import MetaTable
from core.text.encoding import read_text, split_lines
from core.text.languages import base_lang, guess_lang
from core.types import TextPair

AUTO = "auto"


def subject_of_files(
    people: Path,
    reference: Path,
    outputs: Mapping[str, Path],
    *,
    source: Path | None = None,
    documents: Path | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """Every translation that people scored, segment by segment, within it system by system.

    people: a `….seg.score` file of mt-metrics-eval. outputs: by system, a segment a line. documents: the
    `….docs` file; domain: only its segments. Raises FileError for files that do not belong together,
    OptionError for an unknown domain, and InputError where nothing is left.
    """
    references, given = _lines(reference), read_scores(people)
    n = len(references)
    texts = {name: _as_many(path, n, reference) for name, path in outputs.items() if name in given.by_system}
    _belong_together(given, outputs, texts, reference, n)
    docs = read_documents(documents, n) if documents else [("", str(number)) for number in range(n)]
    inside = _inside(domain, docs)
    rows = [
        _Row(segment, place, float(given.by_system[name][segment]))
        for segment in range(n)
        for place, name in enumerate(texts)
        if inside[segment] and np.isfinite(given.by_system[name][segment])
    ]
    if not rows:
        raise InputError("People scored none of these translations; a grid needs some that they scored.")
    sources: Sequence[str | None] = [None] * n if source is None else _as_many(source, n, reference)
    spoken, columns = guess_lang(references) if lang == AUTO else lang, list(texts.values())
    pairs = [
        TextPair(reference=references[at], hypothesis=columns[system][at], source=sources[at], lang=spoken)
        for at, system, _ in rows
    ]
    return Subject(pairs=pairs, table=_table(rows, list(texts), docs))


def _belong_together(
    given: Scores, outputs: Iterable[str], texts: Collection[str], reference: Path, n: int
) -> None:
    if not texts:
        there = ", ".join(given.by_system)
        raise FileError(given.path, f"has no scores of {', '.join(outputs)}; it has those of {there}.")
    if given.segments != n:
        raise FileError(given.path, f"has {given.segments} segments and {reference} has {n} lines.")


class _Row(NamedTuple):
    """A translation that people scored: the line's number, the system's place, and the score."""

    segment: int
    system: int
    people: float


def _inside(domain: str | None, docs: Sequence[tuple[str, str]]) -> list[bool]:
    """Which segments belong to the domain; all of them without one."""
    there = sorted({one for one, _ in docs if one})
    if domain is not None and domain not in there:
        raise OptionError(f"There is no domain {domain}; there are {', '.join(there) or 'none'}.")
    return [domain in (None, one) for one, _ in docs]


def _table(rows: Sequence[_Row], systems: Sequence[str], docs: Sequence[tuple[str, str]]) -> MetaTable:
    groups = {one: place for place, one in enumerate(dict.fromkeys(docs))}
    return MetaTable(
        people=np.array([one.people for one in rows], np.float64),
        metrics={},
        item=np.array([one.segment for one in rows], np.int64),
        system=np.array([one.system for one in rows], np.int64),
        items=[str(number) for number in range(len(docs))],
        systems=systems,
        group=np.array([groups[docs[one.segment]] for one in rows], np.int64),
    )


def subject_of_folder(
    folder: Path,
    people: str,
    *,
    pair: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """The same from a test set's folder as mt-metrics-eval has it. reference: its name; else the first one.

    Raises FileError for what is not there.
    """
    found = find_scores(folder, pair)
    references = _named((folder / "references").glob(f"{found.pair}.*.txt"), f"{found.pair}.")
    if not references:
        raise FileError(folder / "references", f"holds no reference of {found.pair}.")
    chosen = reference if reference is not None else next(iter(references))
    outputs = _named((folder / "system-outputs" / found.pair).glob("*.txt"), "")
    source = folder / "sources" / f"{found.pair}.txt"
    return subject_of_files(
        one_of(folder, "human scores", found.people, people),
        one_of(folder, "reference", references, chosen),
        {name: path for name, path in outputs.items() if name != chosen},
        source=source if source.is_file() else None,
        documents=found.documents,
        domain=domain,
        lang=base_lang(found.pair.rpartition("-")[2]) if lang == AUTO else lang,
    )


def _named(paths: Iterable[Path], prefix: str) -> dict[str, Path]:
    return {unquote(one.name.removeprefix(prefix).removesuffix(".txt")): one for one in sorted(paths)}


def _lines(path: Path) -> list[str]:
    return split_lines(read_text(path))


def _as_many(path: Path, n: int, reference: Path) -> list[str]:
    found = _lines(path)
    if len(found) != n:
        raise FileError(
            path, f"has {len(found)} lines but {reference} has {n}; give a line per segment in both",
            line=min(len(found), n) + 1,
        )  # fmt: skip
    return found
