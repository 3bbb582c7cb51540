"""A folder of mt-metrics-eval: a test set, its systems and their human scores, for one language pair LP.

sources/LP.txt, references/LP.NAME.txt, documents/LP.docs (domain TAB document), system-outputs/LP/SYSTEM.txt,
human-scores/LP.NAME.seg.score (system TAB score, `None` where there is none). Everything is line by line.
The first reference is the reference, further ones are systems. The NAME of a score file is the rater, or what
follows `.rater-` in it. Names are percent-encoded where they must be. Scores of whole systems and domains,
and of automatic metrics, are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

from core.errors import FileError, InputError
from core.text.encoding import read_text, split_lines
from db.formats.bundle import Bundle, ReadOptions, SegmentRow
from db.formats.cells import Place, read_label
from db.formats.draft import Draft
from db.formats.langs import iso_code
from db.formats.mtme_scores import add_scores
from db.formats.pairs import Pair, choose_pair

RATER = ".rater-"
NO_DOMAIN = "-"
"""Stands for no domain; a domain of nothing but these has one more."""


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read the folder `path`. Raises FileError."""
    if not (path / "sources").is_dir():
        raise FileError(path, "holds no folder “sources”; is it a test set of mt-metrics-eval?")
    pair = choose_pair(_pairs(path), options, path)
    folder = _Folder(path, "-".join(pair), options.limit_bytes)
    draft = Draft(path)
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
        draft.add_system(name, Place(file, 1), is_reference=name == main)
        for line, (key, text) in enumerate(zip(keys, texts, strict=True), start=1):
            draft.add_output(key, name, text, Place(file, line))
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
        if count is not None and len(found) != count:
            raise FileError(file, f"has {len(found)} lines, but there are {count} sources.")
        if not found:
            raise FileError(file, "is empty.")
        return found

    def named_texts(self, folder: Path, count: int) -> dict[str, tuple[Path, list[str]]]:
        """The texts of the files LP.NAME.txt by name."""
        files = sorted(folder.glob(f"{self.pair}.*.txt"))
        return {
            unquote(file.name[len(self.pair) + 1 : -4]): (file, self.lines(file, count)) for file in files
        }

    def systems(self, count: int) -> dict[str, tuple[Path, list[str]]]:
        """The texts of each system."""
        folder = self._path / "system-outputs" / self.pair
        files = sorted(folder.glob("*.txt"))
        if not files:
            raise FileError(folder, "holds no system's output, like NAME.txt.")
        return {unquote(file.stem): (file, self.lines(file, count)) for file in files}

    def documents(self, count: int) -> list[tuple[Place, str, str]]:
        """Where it stands, domain and document of each segment."""
        file = self._path / "documents" / f"{self.pair}.docs"
        found = []
        for number, line in enumerate(self.lines(file, count), start=1):
            place = Place(file, number)
            cells = line.split("\t") if "\t" in line else re.split(" +", line.strip(), maxsplit=1)
            if len(cells) != 2:
                raise place.error("is not a domain, a tab and a document.")
            domain = cells[0][1:] if cells[0].strip(NO_DOMAIN) == "" else cells[0]
            found.append((place, domain, read_label(cells[1], "document", place)))
        return found

    def score_files(self) -> list[tuple[Path, str, str]]:
        """The files of segment scores, with the name and the rater of each.

        Where raters have files of their own (NAME.rater-RATER), NAME itself is their mean, and not read.
        """
        start, end = f"{self.pair}.", ".seg.score"
        files = sorted((self._path / "human-scores").glob(f"{start}*{end}"))
        named = [(file, *file.name[len(start) : -len(end)].partition(RATER)) for file in files]
        means = {name for _, name, mark, _ in named if mark}
        return [
            (file, name, unquote(rater) if mark else name)
            for file, name, mark, rater in named
            if mark or name not in means
        ]

    def is_rated(self, system: str) -> bool:
        """Whether a score file names the system."""
        return any(
            line.startswith(f"{system}\t") for file, *_ in self.score_files() for line in self.lines(file)
        )
