"""A folder of mt-metrics-eval: a test set, its systems and their human scores, for one language pair LP.

sources/LP.txt, references/LP.NAME.txt, documents/LP.docs (domain TAB document),
system-outputs/LP/SYSTEM.txt, human-scores/LP.NAME.seg.score (system TAB score, `None` for none). All files
are line by line. The first reference is the reference, further ones are systems. The NAME of a score file
is the rater, or the part after `.rater-`. Names are percent-encoded where necessary. System and domain
scores and automatic metrics are not read.

Written are means over raters by segment and by system, raw and, as NAME-z, of each rater's z-scores, and a
file per rater. A text with a line break
cannot be written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import cast
from urllib.parse import quote, unquote

from core.errors import FileError, InputError, Wording
from core.metaeval.mtme import NO_DOMAIN, SUFFIX, read_documents, score_rows
from core.raters.ratings import Rating, normalise
from core.text.files import check_line_count, number_text, read_text, split_lines
from core.text.languages import UNKNOWN, iso_code
from db.formats.bundle import Bundle, Key, ReadOptions, SegmentRow
from db.formats.cells import FilePlace, read_label, read_rater
from db.formats.draft import SCALES, CampaignDraft, Pair, Scale, choose_pair
from db.names import composed
from db.records import RatingRecord

_OTHER_SCALES = re.compile(r"(.*[.-])?([pcs]{0,2}sqm|mqm|z)([.-].*)?", re.IGNORECASE)
"""Scores that are no ratings from 0 to 100 even where each of them lies between."""


def add_scores(
    draft: CampaignDraft, path: Path, name: str, rater: str, keys: Sequence[Key], options: ReadOptions
) -> list[Wording]:
    """Add a file's scores as ratings by a rater; notes if they cannot be. Raises FileError.

    Scores are rescaled only from the scale that was told: a file with any score outside it, or outside 0 to
    100, or on another scale by its `name`, is left out as a whole.
    """
    scale, top = Scale.of(path, options), SCALES[options.scale or "0-100"]
    rows = [
        (FilePlace(path, number), system, score)
        for number, system, score in score_rows(path, limit_bytes=options.limit_bytes)
    ]
    misfit = _misfit(name, [score for _, _, score in rows if score is not None], top)
    if misfit is not None:
        return [Wording("{file}: {problem}", file=path.name, problem=misfit)]
    unknown: dict[str, int] = {}
    next_segment: dict[str, int] = {}
    for place, system, score in rows:
        if system not in draft.systems:
            unknown[system] = unknown.get(system, 0) + (score is not None)
            continue
        number = next_segment.get(system, 0)
        next_segment[system] = number + 1
        if number >= len(keys):
            raise place.error(
                "“{system}” has more scores than there are segments ({segments}).",
                system=system,
                segments=len(keys),
            )
        if score is not None:
            value = scale.read(repr(score), place)
            draft.ratings.append(RatingRecord(keys[number], system, read_rater(rater, place), value))
    for system, count in next_segment.items():
        if count != len(keys):
            raise FileError(
                path,
                "has {count} scores of “{system}”, but there are {segments} segments.",
                count=count,
                system=system,
                segments=len(keys),
            )
    scale.settle()
    return [
        Wording(
            "{file}: {count} scores of “{system:.80}”, which has no output, were left out.",
            file=path.name,
            count=count,
            system=system,
        )
        for system, count in unknown.items()
        if count
    ]


def _misfit(name: str, scores: Sequence[float], top: float) -> Wording | None:
    """Why a file's scores are no ratings from 0 to `top`; None where they are."""
    if not scores:
        return Wording("there is no score in it.")
    if _OTHER_SCALES.fullmatch(name):
        return Wording("“{name}” scores are not from 0 to 100; they were left out.", name=name)
    low, high = min(scores), max(scores)
    if low < 0 or high > top:
        return Wording(
            "its scores go from {low:g} to {high:g}, not from 0 to {top:g}; they were left out.",
            low=low,
            high=high,
            top=top,
        )
    return None


RATER, Z = ".rater-", "-z"


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read the folder `path`. Raises FileError."""
    if not (path / "sources").is_dir():
        raise FileError(path, "holds no folder “sources”; is it a test set of mt-metrics-eval?")
    pair = choose_pair(_pairs(path), options, path)
    folder = _Folder(path, "-".join(pair), options.limit_bytes)
    draft = CampaignDraft(path)
    sources = folder.lines(path / "sources" / f"{folder.pair}.txt")
    references = folder.named_texts(path / "references", len(sources))
    main = min(references, default=None)
    reference = references.pop(main)[1] if main else [""] * len(sources)
    documents = folder.documents(len(sources))
    position: Counter[str] = Counter()
    keys = []
    for n, (place, domain, document) in enumerate(documents):
        row = SegmentRow(document, position[document], reference[n], sources[n] or None, domain)
        position[document] += 1
        draft.add_segment(row, place)
        keys.append(row.key)
    systems = folder.systems(len(sources))
    if main and (main in systems or folder.is_rated(main)):
        systems.setdefault(main, (path, reference))
    for name, (file, texts) in {**references, **systems}.items():
        draft.add_system(name, FilePlace(file, 1), is_reference=name == main)
        for line, (key, text) in enumerate(zip(keys, texts, strict=True), start=1):
            draft.add_output(key, name, text, FilePlace(file, line))
    for file, name, rater in folder.score_files():
        draft.notes += add_scores(draft, file, name, rater, keys, options)
    return draft.bundle(
        f"{path.resolve().name} {folder.pair}", options, (iso_code(pair[0]), iso_code(pair[1]))
    )


def _pairs(path: Path) -> list[Pair]:
    """The language pairs that there are sources for."""
    pairs = []
    for file in sorted((path / "sources").glob("*.txt")):
        source, _, target = file.stem.partition("-")
        try:
            iso_code(source)
            iso_code(target)
        except InputError as error:
            raise FileError(file, "is not named for a language pair, like en-ja.txt.") from error
        pairs.append((source, target))
    return pairs


class _Folder:
    """The files for one language pair."""

    def __init__(self, path: Path, pair: str, limit_bytes: int) -> None:
        self.pair = pair
        self._path = path
        self._limit = limit_bytes

    def lines(self, file: Path, count: int | None = None) -> list[str]:
        """The lines of a file, of which there must be as many as sources."""
        found = split_lines(read_text(file, limit_bytes=self._limit))
        if count is not None:
            check_line_count(file, len(found), self._path / "sources" / f"{self.pair}.txt", count)
        if not found:
            raise FileError(file, "is empty.")
        return found

    def named_texts(self, folder: Path, count: int) -> dict[str, tuple[Path, list[str]]]:
        """The texts of the files LP.NAME.txt by name."""
        files = sorted(folder.glob(f"{self.pair}.*.txt"))
        return {
            composed(unquote(file.name[len(self.pair) + 1 : -4])): (file, self.lines(file, count))
            for file in files
        }

    def systems(self, count: int) -> dict[str, tuple[Path, list[str]]]:
        """The texts of each system."""
        folder = self._path / "system-outputs" / self.pair
        files = sorted(folder.glob("*.txt"))
        if not files:
            raise FileError(folder, "holds no system's output, like NAME.txt.")
        return {composed(unquote(file.stem)): (file, self.lines(file, count)) for file in files}

    def documents(self, count: int) -> list[tuple[FilePlace, str, str]]:
        """Where it stands, domain and document of each segment."""
        file = self._path / "documents" / f"{self.pair}.docs"
        rows = read_documents(file, count, limit_bytes=self._limit)
        places = [FilePlace(file, number) for number in range(1, count + 1)]
        return [
            (place, domain, read_label(document, Wording("document"), place))
            for place, (domain, document) in zip(places, rows, strict=True)
        ]

    def score_files(self) -> list[tuple[Path, str, str]]:
        """The files of segment scores, with the name and the rater of each.

        Where raters have files of their own (NAME.rater-RATER), NAME itself is their mean, and NAME-z their
        mean after normalisation; neither is read.
        """
        start, end = f"{self.pair}.", SUFFIX
        files = sorted((self._path / "human-scores").glob(f"{start}*{end}"))
        named = [(file, *file.name[len(start) : -len(end)].partition(RATER)) for file in files]
        means = {name for _, name, mark, _ in named if mark}
        return [
            (file, name, unquote(rater) if mark else name)
            for file, name, mark, rater in named
            if mark or name.removesuffix(Z) not in means
        ]

    def is_rated(self, system: str) -> bool:
        """Whether a score file names the system."""
        return any(
            line.startswith(f"{system}\t") for file, *_ in self.score_files() for line in self.lines(file)
        )


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
    yield (
        f"sources/{pair}.txt",
        _lines(Wording("source"), (segment.source or "" for segment in bundle.segments)),
    )
    if any(references):
        named = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
        yield f"references/{pair}.{_file(named)}.txt", _lines(Wording("reference"), references)
    documents = (f"{_domain(segment.domain)}\t{segment.document}" for segment in bundle.segments)
    yield f"documents/{pair}.docs", _lines(Wording("domain"), documents, tabs=1)
    texts = {(output.key, output.system): output.text for output in bundle.outputs}
    for system in bundle.systems:
        rows = (texts.get((segment.key, system.name), "") for segment in bundle.segments)
        yield f"system-outputs/{pair}/{_file(system.name)}.txt", _lines(Wording("translation"), rows)
    yield from _scores(bundle, pair)


def metric_files(bundle: Bundle, scores: Mapping[str, Judged]) -> Iterator[tuple[str, bytes]]:
    """Metrics' scores beside them, segment by segment and as means of systems; by the metric's name.

    Metrics whose names differ in their settings are two metrics there as well.
    """
    pair = "-".join(lang.partition("-")[0] for lang in bundle.langs)
    named = next((system.name for system in bundle.systems if system.is_reference), REFERENCE)
    for metric, judged in scores.items():
        start = f"metric-scores/{pair}/{_file(metric)}-{_file(named)}"
        yield f"{start}{SUFFIX}", _segment_scores(bundle, judged)
        yield f"{start}.sys.score", _system_scores(bundle, judged)


def remarks(bundle: Bundle) -> tuple[Wording, ...]:
    """What is written otherwise than it stands."""
    lacking = len(bundle.segments) * len(bundle.systems) - len(bundle.outputs)
    if not lacking:
        return ()
    return (Wording("{count} translations that are not there were written as empty lines.", count=lacking),)


def _scores(bundle: Bundle, pair: str) -> Iterator[tuple[str, bytes]]:
    raters: dict[str, dict[tuple[Key, str], float]] = {}
    for rating in bundle.ratings:
        if rating.score is not None:
            raters.setdefault(rating.rater, {})[rating.key, rating.system] = rating.score
    if not raters:
        return
    start = f"human-scores/{pair}.{_NAMES.get(bundle.meta.protocol, bundle.meta.protocol)}"
    means = _means(bundle.ratings)
    yield f"{start}{SUFFIX}", _segment_scores(bundle, means)
    yield f"{start}.sys.score", _system_scores(bundle, means)
    normalised = _normalised_means(bundle.ratings)
    if normalised:
        yield f"{start}{Z}{SUFFIX}", _segment_scores(bundle, normalised)
        yield f"{start}{Z}.sys.score", _system_scores(bundle, normalised)
    for rater, judged in raters.items():
        yield f"{start}{RATER}{_file(rater)}{SUFFIX}", _segment_scores(bundle, judged)


def _means(ratings: Iterable[RatingRecord]) -> dict[tuple[Key, str], float]:
    scores: dict[tuple[Key, str], list[float]] = {}
    for rating in ratings:
        if rating.score is not None:
            scores.setdefault((rating.key, rating.system), []).append(rating.score)
    return {where: fmean(given) for where, given in scores.items()}


def _normalised_means(ratings: Iterable[RatingRecord]) -> dict[tuple[Key, str], float]:
    """The means of each rater's z-scores; a rater whose scores do not vary has none."""
    given = [
        Rating(rating.rater, (rating.key, rating.system), rating.score)
        for rating in ratings
        if rating.score is not None
    ]
    scores: dict[tuple[Key, str], list[float]] = {}
    for one in normalise(given, method="z").ratings if given else ():
        scores.setdefault(cast(tuple[Key, str], one.item), []).append(one.score)
    return {where: fmean(values) for where, values in scores.items()}


def _system_scores(bundle: Bundle, judged: Judged) -> bytes:
    """The mean over the segments of each system that has a score."""
    of_systems: dict[str, list[float]] = {system.name: [] for system in bundle.systems}
    for (_, name), score in judged.items():
        of_systems[name].append(score)
    lines = (f"{name}\t{_number(fmean(values) if values else None)}" for name, values in of_systems.items())
    return _lines(Wording("system"), lines, tabs=1)


def _segment_scores(bundle: Bundle, judged: Judged) -> bytes:
    """A line for each segment of each system that has a score, in the order of the test set."""
    rated = {system for _, system in judged}
    lines = (
        f"{system.name}\t{_number(judged.get((segment.key, system.name)))}"
        for system in bundle.systems
        if system.name in rated
        for segment in bundle.segments
    )
    return _lines(Wording("system"), lines, tabs=1)


def _number(score: float | None) -> str:
    return "None" if score is None else number_text(score)


def _lines(what: Wording, rows: Iterable[str], *, tabs: int | None = None) -> bytes:
    """Rows as lines. What begins like a byte order mark gets one before it, which a reader takes off."""
    lines = list(rows)
    for line in lines:
        if "\n" in line or "\r" in line or (tabs is not None and line.count("\t") != tabs):
            raise FileError(
                _NAMED,
                "a {what} with a tab or line break does not fit into mtme; use history or jsonl.",
                what=what,
            )
    text = "".join(f"{line}\n" for line in lines)
    return (_MARK + text if text.startswith(_MARK) else text).encode()


def _domain(domain: str) -> str:
    return domain if domain.strip(NO_DOMAIN) else f"{NO_DOMAIN}{domain}"


def _file(name: str) -> str:
    """A name as a part of a file's name."""
    quoted = quote(name, safe=" ()+,;=@&'!")
    return quoted.replace(".", "%2E") if quoted.strip(".") == "" else quoted
