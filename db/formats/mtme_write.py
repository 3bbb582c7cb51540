"""A campaign as a folder of mt-metrics-eval, which `mtme.read` reads back.

Scores: the means over raters by segment and by system, and a file of each rater's. Every text is a line, so a
text with a line break has no place in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from urllib.parse import quote

from core.errors import FileError
from db.formats.bundle import Bundle, Key, RatingRow
from db.formats.cells import number_text
from db.formats.langs import UNKNOWN
from db.formats.mtme import NO_DOMAIN, RATER

REFERENCE = "refA"
_NAMED = Path("mtme")
_MARK = "\ufeff"
_NAMES = {"adequacy": "da", "da-sqm": "da", "side-by-side": "da"}
"""What the scores of a protocol are called there."""

Judged = Mapping[tuple[Key, str], float]


def write_files(bundle: Bundle) -> Iterator[tuple[str, bytes]]:
    """The files of the folder. Raises FileError for a text with a line break."""
    pair = "-".join(lang.partition("-")[0] for lang in bundle.langs)
    if UNKNOWN in bundle.langs:
        raise FileError(_NAMED, "needs both languages of the campaign; import it again and tell them.")
    references = [segment.reference for segment in bundle.segments]
    yield f"sources/{pair}.txt", _lines("source", (segment.source or "" for segment in bundle.segments))
    if any(references):
        named = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
        yield f"references/{pair}.{_file(named)}.txt", _lines("reference", references)
    documents = (f"{_domain(segment.domain)}\t{segment.document}" for segment in bundle.segments)
    yield f"documents/{pair}.docs", _lines("domain", documents, tabs=1)
    texts = {(output.key, output.system): output.text for output in bundle.outputs}
    for system in bundle.systems:
        rows = (texts.get((segment.key, system.name), "") for segment in bundle.segments)
        yield f"system-outputs/{pair}/{_file(system.name)}.txt", _lines("translation", rows)
    yield from _scores(bundle, pair)


def metric_files(bundle: Bundle, scores: Mapping[str, Judged]) -> Iterator[tuple[str, bytes]]:
    """Metrics' scores beside them, segment by segment and as means of systems; by the metric's name.

    Metrics whose names differ in their settings are two metrics there as well.
    """
    pair = "-".join(lang.partition("-")[0] for lang in bundle.langs)
    named = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
    for metric, judged in scores.items():
        start = f"metric-scores/{pair}/{_file(metric)}-{_file(named)}"
        yield f"{start}.seg.score", _segment_scores(bundle, judged)
        yield f"{start}.sys.score", _system_scores(bundle, judged)


def remarks(bundle: Bundle) -> tuple[str, ...]:
    """What is written otherwise than it stands."""
    lacking = len(bundle.segments) * len(bundle.systems) - len(bundle.outputs)
    return (f"{lacking} translations that are not there were written as empty lines.",) if lacking else ()


def _scores(bundle: Bundle, pair: str) -> Iterator[tuple[str, bytes]]:
    raters: dict[str, dict[tuple[Key, str], float]] = {}
    for rating in bundle.ratings:
        if rating.score is not None:
            raters.setdefault(rating.rater, {})[rating.key, rating.system] = rating.score
    if not raters:
        return
    start = f"human-scores/{pair}.{_NAMES.get(bundle.meta.protocol, bundle.meta.protocol)}"
    means = _means(bundle.ratings)
    yield f"{start}.seg.score", _segment_scores(bundle, means)
    yield f"{start}.sys.score", _system_scores(bundle, means)
    for rater, judged in raters.items():
        yield f"{start}{RATER}{_file(rater)}.seg.score", _segment_scores(bundle, judged)


def _means(ratings: Iterable[RatingRow]) -> dict[tuple[Key, str], float]:
    scores: dict[tuple[Key, str], list[float]] = {}
    for rating in ratings:
        if rating.score is not None:
            scores.setdefault((rating.key, rating.system), []).append(rating.score)
    return {where: fmean(given) for where, given in scores.items()}


def _system_scores(bundle: Bundle, judged: Judged) -> bytes:
    """The mean over the segments of each system that has a score."""
    of_systems: dict[str, list[float]] = {system.name: [] for system in bundle.systems}
    for (_, name), score in judged.items():
        of_systems[name].append(score)
    lines = (f"{name}\t{_number(fmean(values) if values else None)}" for name, values in of_systems.items())
    return _lines("system", lines, tabs=1)


def _segment_scores(bundle: Bundle, judged: Judged) -> bytes:
    """A line for each segment of each system that has a score, in the order of the test set."""
    rated = {system for _, system in judged}
    lines = (
        f"{system.name}\t{_number(judged.get((segment.key, system.name)))}"
        for system in bundle.systems
        if system.name in rated
        for segment in bundle.segments
    )
    return _lines("system", lines, tabs=1)


def _number(score: float | None) -> str:
    return "None" if score is None else number_text(score)


def _lines(what: str, rows: Iterable[str], *, tabs: int | None = None) -> bytes:
    """Rows as lines. What begins like a byte order mark gets one before it, which a reader takes off."""
    lines = list(rows)
    for line in lines:
        if "\n" in line or "\r" in line or (tabs is not None and line.count("\t") != tabs):
            problem = f"a {what} with a tab or line break does not fit into mtme; use history or jsonl."
            raise FileError(_NAMED, problem)
    text = "".join(f"{line}\n" for line in lines)
    return (_MARK + text if text.startswith(_MARK) else text).encode()


def _domain(domain: str) -> str:
    return domain if domain.strip(NO_DOMAIN) else f"{NO_DOMAIN}{domain}"


def _file(name: str) -> str:
    """A name as a part of a file's name."""
    quoted = quote(name, safe=" ()+,;=@&'!")
    return quoted.replace(".", "%2E") if quoted.strip(".") == "" else quoted
