"""Dictionaries of a grid whose encoders cut texts in their own ways: each is counted over the same corpora.

The dictionaries that come with Yomikurabe count tokens of the built-in encoder. For another encoder
`idf=novel` is counted over a corpus that the user names; words are counted alike for every encoder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.backends import Backends, Encoder, Progress, silent
from core.errors import InputError
from core.grid.run import GridCell
from core.metrics import find_metric
from core.metrics.idf import build_idf, corpus_key, count_files, documents, kept, recall, remember

EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCorpora:
    """The corpora of `idf`'s names, such as novel: files and folders as `core idf build` takes them."""

    paths: Mapping[str, Sequence[Path]]

    def cells(
        self, cells: Sequence[GridCell], backends: Backends, *, progress: Progress = silent
    ) -> list[GridCell]:
        """The cells with `idf` as the file of their encoder's dictionary, where that is not the built-in one.

        Each dictionary is counted once and kept in the user's cache folder. Raises InputError for an empty
        corpus and FileError for one that cannot be read.
        """
        return [self._cell(cell, backends, progress) for cell in cells]

    def _cell(self, cell: GridCell, backends: Backends, progress: Progress) -> GridCell:
        settings = find_metric(cell.request.metric).settle(cell.request.settings)
        name, source = settings.get("idf", ""), settings.get("encoder", EMBEDDED)
        if name not in self.paths or source == EMBEDDED:
            return cell
        file = self._dictionary(name, backends.encoder(source), progress)
        changed = {**cell.request.settings, "idf": str(file)}
        if "words" in settings:
            changed.setdefault("words", name)
        return replace(cell, request=replace(cell.request, settings=changed))

    def _dictionary(self, name: str, encoder: Encoder, progress: Progress) -> Path:
        paths = self.paths[name]
        key = corpus_key(paths, encoder, name=name, licence="")
        if key is None:
            raise InputError("The corpus of idf={name} can be read only once; give files.", name=name)
        if recall(key, encoder) is None:
            idf = build_idf(
                documents(paths), encoder, name=name, progress=progress, expected=count_files(paths)
            )
            if not idf.documents:
                raise InputError("The corpus of idf={name} has no text.", name=name)
            remember(key, idf)
        return kept(key)
