"""Score files of mt-metrics-eval, and the folders in which they lie.

A line is a system, a tab and a score, `None` for no score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from core.errors import FileError, Wording
from core.metaeval.evaluation import Floats, MetaTable, turned
from core.text.files import LIMIT_BYTES, check_line_count, parse_number, read_text, split_lines

SUFFIX = ".seg.score"
NO_DOMAIN = "-"
"""Stands for no domain; a domain of nothing but these has one more."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scores:
    """One file: by system, (segments,) float64 in the order of the test set, NaN for `None`."""

    path: Path
    by_system: Mapping[str, Floats]

    @property
    def segments(self) -> int:
        """How many each system has."""
        return len(next(iter(self.by_system.values())))


def score_rows(path: Path, *, limit_bytes: int = LIMIT_BYTES) -> Iterator[tuple[int, str, float | None]]:
    """The number, system and score of each line of a `….seg.score` file; None for no score.

    Blank lines are left out. Raises FileError for a line of another form.
    """
    for number, line in enumerate(split_lines(read_text(path, limit_bytes=limit_bytes)), start=1):
        if not line.strip():
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != 2:
            raise FileError(path, "is not a system, a tab and a score.", line=number)
        system, text = unicodedata.normalize("NFC", cells[0].strip()), cells[1].strip()
        try:
            yield number, system, None if text == "None" else parse_number(text)
        except ValueError as error:
            raise FileError(
                path, "“{text:.40}” is not a number; write a number or None.", line=number, text=text
            ) from error


def read_seg_scores(path: Path) -> Scores:
    """A `….seg.score` file. Raises FileError for another form, and where systems have not as many scores."""
    found: dict[str, list[float]] = {}
    for _, system, score in score_rows(path):
        found.setdefault(system, []).append(float("nan") if score is None else score)
    if not found:
        raise FileError(path, "holds no scores.")
    sizes = {system: len(values) for system, values in found.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{system} {size}" for system, size in list(sizes.items())[:6])
        raise FileError(path, "does not have as many scores of each system: {told}.", told=told)
    return Scores(path=path, by_system={system: np.array(values) for system, values in found.items()})


def read_documents(
    path: Path, segments: int | None = None, *, limit_bytes: int = LIMIT_BYTES
) -> list[tuple[str, str]]:
    """Domain and document of each segment, from a `….docs` file.

    Raises FileError for a line of another form, and for another number than `segments`.
    """
    lines = split_lines(read_text(path, limit_bytes=limit_bytes))
    if segments is not None:
        check_line_count(path, len(lines), "the test set", segments)
    found = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t") if "\t" in line else re.split(" +", line.strip(), maxsplit=1)
        if len(cells) != 2:
            raise FileError(path, "is not a domain, a tab and a document.", line=number)
        found.append((cells[0][1:] if cells[0].strip(NO_DOMAIN) == "" else cells[0], cells[1]))
    return found


def table_of(
    people: Path,
    metrics: Mapping[str, Path],
    *,
    documents: Path | None = None,
    lower: frozenset[str] = frozenset(),
) -> tuple[MetaTable, list[tuple[str, str]]]:
    """People and metrics side by side, for the systems that people and all metrics know; and the documents.

    lower: metrics of which lower is better. Raises FileError for files that do not belong together.
    """
    given = read_seg_scores(people)
    columns = {name: read_seg_scores(path) for name, path in metrics.items()}
    for one in columns.values():
        if one.segments != given.segments:
            raise FileError(
                one.path,
                "has {n} segments and {people} has {expected}; give files of one test set.",
                n=one.segments,
                people=people,
                expected=given.segments,
            )
    shared = set(given.by_system).intersection(*(one.by_system for one in columns.values()))
    systems = [system for system in given.by_system if system in shared]
    if not systems:
        raise FileError(people, "has no system that all metrics have scored.")
    n = given.segments
    docs = read_documents(documents, n) if documents else [("", str(number)) for number in range(n)]
    places = {name: place for place, name in enumerate(dict.fromkeys(docs))}
    item = np.tile(np.arange(n), len(systems))
    table = MetaTable(
        people=_column(given, systems),
        metrics={
            name: turned(_column(one, systems), higher_is_better=name not in lower)
            for name, one in columns.items()
        },
        item=item,
        system=np.repeat(np.arange(len(systems)), n),
        items=[str(number) for number in range(n)],
        systems=systems,
        group=np.array([places[name] for name in docs])[item],
    )
    return table, docs


def _column(scores: Scores, systems: Sequence[str]) -> Floats:
    return np.concatenate([scores.by_system[system] for system in systems])


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFolder:
    """The files of a language pair: people's and metrics' scores by name, and documents if there are any."""

    pair: str
    people: Mapping[str, Path]
    metrics: Mapping[str, Path]
    documents: Path | None


def find_scores(folder: Path, pair: str | None = None) -> ScoreFolder:
    """Look through `human-scores`, `metric-scores/PAIR` and `documents`.

    pair: `en-ja`, needed where the folder has several. Raises FileError where there is nothing to be read.
    """
    people = {path.name.partition(".")[0] for path in (folder / "human-scores").glob(f"*{SUFFIX}")}
    if not people:
        raise FileError(folder, "has no scores of segments in “human-scores”; is it a test set's folder?")
    wanted = _choose(folder, pair, sorted(people))
    documents = folder / "documents" / f"{wanted}.docs"
    return ScoreFolder(
        pair=wanted,
        people=_named((folder / "human-scores").glob(f"{wanted}.*{SUFFIX}"), prefix=f"{wanted}."),
        metrics=_named((folder / "metric-scores" / wanted).glob(f"*{SUFFIX}")),
        documents=documents if documents.is_file() else None,
    )


def one_of(folder: Path, what: Wording, files: Mapping[str, Path], name: str) -> Path:
    """The file of this name. Raises FileError that says which there are."""
    if name not in files:
        there = ", ".join(files) or Wording("none")
        raise FileError(
            folder, "has no {what} “{name}”; there are {there}.", what=what, name=name, there=there
        )
    return files[name]


def _choose(folder: Path, pair: str | None, pairs: Sequence[str]) -> str:
    if pair is None and len(pairs) == 1:
        return pairs[0]
    if pair is not None and pair in pairs:
        return pair
    if pair is None:
        raise FileError(
            folder,
            "has several language pairs; choose with --pair among {pairs}.",
            pairs=", ".join(pairs),
        )
    raise FileError(
        folder,
        "has no language pair {pair}; choose with --pair among {pairs}.",
        pair=pair,
        pairs=", ".join(pairs),
    )


def _named(paths: Iterable[Path], *, prefix: str = "") -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(paths):
        found[unquote(path.name.removeprefix(prefix).removesuffix(SUFFIX))] = path
    return found
