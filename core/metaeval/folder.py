"""A folder of mt-metrics-eval: which files hold people's scores, metrics' scores and documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from core.errors import FileError

SUFFIX = ".seg.score"


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


def one_of(folder: Path, what: str, files: Mapping[str, Path], name: str) -> Path:
    """The file of this name. Raises FileError that says which there are."""
    if name not in files:
        there = ", ".join(files) or "none"
        raise FileError(folder, f"has no {what} “{name}”; there are {there}.")
    return files[name]


def _choose(folder: Path, pair: str | None, pairs: Sequence[str]) -> str:
    if pair is None and len(pairs) == 1:
        return pairs[0]
    if pair is not None and pair in pairs:
        return pair
    problem = "has several language pairs" if pair is None else f"has no language pair {pair}"
    raise FileError(folder, f"{problem}; choose with --pair among {', '.join(pairs)}.")


def _named(paths: Iterable[Path], *, prefix: str = "") -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(paths):
        found[unquote(path.name.removeprefix(prefix).removesuffix(SUFFIX))] = path
    return found
