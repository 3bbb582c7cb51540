"""Scoring by many workers: what each is told once, and the pieces of text that go to it.

A worker gets no files: texts come with each piece, and what had to be counted over all of them comes along.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.backends import Backends, Progress, silent
from core.backends.external import PREFIX
from core.backends.ray_engine import RayEngine
from core.backends.registry import load_backends
from core.cli.score_lines import Line, lines_of
from core.errors import OptionError, UnavailableError
from core.metrics import find_metric
from core.metrics.base import Scorer
from core.metrics.bertscore.weights import SHIPPED_NAMES, find_idf
from core.metrics.idf import save_idf
from core.scoring import Request, in_chunks
from core.signature import differences
from core.text.files import PairFiles
from core.types import TextPair

Piece = tuple[int, list[TextPair]]
"""The number of the first segment, and its pair with those that follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What every worker is told, and what it makes of it: a function from a piece to its lines.

    signatures: what the numbers must be made by; a worker with other libraries is refused. dictionaries: the
    files that settings name by these keys, as bytes.
    """

    requests: tuple[Request, ...]
    signatures: tuple[str, ...]
    lang: str
    trace: bool = False
    dictionaries: Mapping[str, bytes] = field(default_factory=dict)

    def __call__(self) -> Callable[[Piece], list[list[Line]]]:
        """Load what the metrics need, here and now."""
        prepared = _prepared(self.requests, self.dictionaries, self.lang, load_backends())
        for one, wanted in zip(prepared, self.signatures, strict=True):
            if one.signature != wanted:
                raise UnavailableError(
                    f"A worker would score otherwise ({'; '.join(differences(one.signature, wanted))}); "
                    "install the same versions on every machine."
                )
        return lambda piece: list(lines_of(piece[1], prepared, trace=self.trace, first=piece[0]))


def work_for(requests: Sequence[Request], pairs: PairFiles, backends: Backends, *, trace: bool) -> Work:
    """Settle the options here, and count what has to be counted over all pairs, once.

    Raises OptionError for wrong options, and for metrics that cannot be spread: those from outside, and those
    that ask a language model.
    """
    dictionaries: dict[str, bytes] = {}
    sent = []
    for one in requests:
        chosen = find_metric(one.metric).settle(one.settings)
        key, data = _dictionary(chosen, pairs, backends, dictionaries)
        if data is not None:
            dictionaries[key] = data
        sent.append(Request(one.metric, {**one.settings, "idf": key} if data is not None else one.settings))
    prepared = _prepared(sent, dictionaries, pairs.lang, backends)
    for one, ready in zip(requests, prepared, strict=True):
        if ready.asks is not None or one.metric.startswith(PREFIX):
            raise OptionError(f"{one.metric} cannot be spread over workers; score it without --engine")
    return Work(
        requests=tuple(sent),
        signatures=tuple(one.signature for one in prepared),
        lang=pairs.lang,
        trace=trace,
        dictionaries=dictionaries,
    )


def spread(
    pairs: PairFiles, work: Work, engine: RayEngine, *, progress: Progress = silent, start: int = 0
) -> Iterator[list[Line]]:
    """The lines of `core.score_run.lines_of`, in the same order, made by the engine's workers."""
    progress(start, len(pairs))
    done = start
    for rows in engine.each(work, _pieces(pairs, start)):
        yield from rows
        done += len(rows)
        progress(done, len(pairs))


def _pieces(pairs: PairFiles, start: int) -> Iterator[Piece]:
    """What would be read ahead at once here, without the first pairs."""
    done = 0
    for chunk in in_chunks(pairs):
        done += len(chunk)
        if done > start:
            wanted = chunk[-(done - start) :]
            yield done - len(wanted), wanted


def _dictionary(
    chosen: Mapping[str, str], pairs: PairFiles, backends: Backends, known: Mapping[str, bytes]
) -> tuple[str, bytes | None]:
    """What to call the dictionary that options name, and its file if it does not come with the program."""
    name = chosen.get("idf", "novel")
    if name in SHIPPED_NAMES:
        return name, None
    if name != "references":
        try:
            return name, Path(name).read_bytes()
        except OSError:
            return name, None  # loading it says so
    key = f"references, {chosen['encoder']}"
    if key in known:
        return key, known[key]
    with tempfile.TemporaryDirectory() as folder:
        counted = Path(folder) / "references"
        save_idf(find_idf(name, backends.encoder(chosen["encoder"]), pairs), counted)
        return key, counted.read_bytes()


def _prepared(
    requests: Sequence[Request], dictionaries: Mapping[str, bytes], lang: str, backends: Backends
) -> list[Scorer[Any]]:
    """The metrics with their options settled, for a piece of any texts of that language."""
    like = [TextPair(reference="", hypothesis="", lang=lang)]
    with tempfile.TemporaryDirectory() as folder:
        placed = _placed(dictionaries, Path(folder))
        return [
            find_metric(one.metric).prepare(
                {name: placed.get(value, value) for name, value in one.settings.items()}, backends, like
            )
            for one in requests
        ]


def _placed(dictionaries: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    """Dictionaries as files of this machine."""
    places = {}
    for number, (key, data) in enumerate(dictionaries.items()):
        places[key] = os.fspath(folder / f"{number}.json.gz")
        Path(places[key]).write_bytes(data)
    return places
