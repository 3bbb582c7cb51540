"""Scoring with many workers: the work that each worker receives once, and the chunks of pairs.

Workers read no files: each chunk contains its texts, and dictionaries are sent with the work.
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
from core.metrics.bertscore.weights import SHIPPED_NAMES, find_idf, find_word_idf
from core.metrics.idf import save_idf
from core.scoring import Request, in_chunks
from core.signature import differences
from core.text.pair_files import PairFiles
from core.types import TextPair

Piece = tuple[int, list[TextPair]]
"""The first segment of a chunk, and the pairs of the chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What each worker receives; calling it makes a function from a chunk to its lines.

    references: the number of references of a segment. signatures: expected signatures; a worker with other
    versions of libraries is refused. dictionaries: the content of dictionary files, by the names that the
    settings use.
    """

    requests: tuple[Request, ...]
    signatures: tuple[str, ...]
    lang: str
    references: int = 1
    trace: bool = False
    dictionaries: Mapping[str, bytes] = field(default_factory=dict)

    def __call__(self) -> Callable[[Piece], list[list[Line]]]:
        """Load the models on this machine. Raises UnavailableError for other versions of libraries."""
        backends = load_backends()
        scorers = _scorers(self.requests, self.dictionaries, (self.lang, self.references), backends)
        for scorer, expected in zip(scorers, self.signatures, strict=True):
            if scorer.signature != expected:
                raise UnavailableError(
                    "A worker has other versions ({difference}); install the same versions on every machine.",
                    difference="; ".join(differences(scorer.signature, expected)),
                )
        return lambda piece: list(lines_of(piece[1], scorers, trace=self.trace, first=piece[0]))


def work_for(requests: Sequence[Request], pairs: PairFiles, backends: Backends, *, trace: bool) -> Work:
    """Check the options and count idf over all pairs.

    Raises OptionError for invalid options and for metrics that cannot run on workers: external metrics and
    those that call a language model.
    """
    dictionaries: dict[str, bytes] = {}
    sent = []
    for request in requests:
        options = find_metric(request.metric).settle(request.settings)
        key, data = _dictionary(options, pairs, backends, dictionaries)
        if data is not None:
            dictionaries[key] = data
            request = Request(request.metric, {**request.settings, "idf": key})
        sent.append(request)
    scorers = _scorers(sent, dictionaries, (pairs.lang, pairs.reference_count), backends)
    for request, scorer in zip(requests, scorers, strict=True):
        if scorer.asks is not None or request.metric.startswith(PREFIX):
            raise OptionError(
                "{metric} cannot run on workers; score it without --engine", metric=request.metric
            )
    return Work(
        requests=tuple(sent),
        signatures=tuple(scorer.signature for scorer in scorers),
        lang=pairs.lang,
        references=pairs.reference_count,
        trace=trace,
        dictionaries=dictionaries,
    )


def spread(
    pairs: PairFiles, work: Work, engine: RayEngine, *, progress: Progress = silent, start: int = 0
) -> Iterator[list[Line]]:
    """The same lines as `lines_of`, in the same order, made by the workers of the engine."""
    progress(start, len(pairs))
    done = start
    for rows in engine.each(work, _pieces(pairs, start)):
        yield from rows
        done += len(rows)
        progress(done, len(pairs))


def _pieces(pairs: PairFiles, start: int) -> Iterator[Piece]:
    """The chunks of `in_chunks` without the first `start` pairs."""
    done = 0
    for chunk in in_chunks(pairs):
        done += len(chunk)
        if done > start:
            rest = chunk[-(done - start) :]
            yield done - len(rest), rest


def _dictionary(
    options: Mapping[str, str], pairs: PairFiles, backends: Backends, known: Mapping[str, bytes]
) -> tuple[str, bytes | None]:
    """The name of the dictionary in the settings, and its content unless it comes with the program."""
    name = options.get("idf", "novel")
    if name in SHIPPED_NAMES:
        return name, None
    if name != "references":
        try:
            return name, Path(name).read_bytes()
        except OSError:
            return name, None  # the metric raises the error
    by_word = options.get("unit") == "word"
    key = f"references, {'words' if by_word else options['encoder']}"
    if key in known:
        return key, known[key]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "references"
        if by_word:
            save_idf(find_word_idf(name, backends.reader(options["reading"]), pairs), path)
        else:
            save_idf(find_idf(name, backends.encoder(options["encoder"]), pairs), path)
        return key, path.read_bytes()


def _scorers(
    requests: Sequence[Request],
    dictionaries: Mapping[str, bytes],
    texts: tuple[str, int],
    backends: Backends,
) -> list[Scorer[Any]]:
    """The scorers for any texts of a language. texts: the language and the number of references."""
    lang, references = texts
    example = [TextPair(reference="", hypothesis="", lang=lang, more_references=("",) * (references - 1))]
    with tempfile.TemporaryDirectory() as folder:
        paths = _write_dictionaries(dictionaries, Path(folder))
        return [
            find_metric(request.metric).prepare(
                {name: paths.get(value, value) for name, value in request.settings.items()}, backends, example
            )
            for request in requests
        ]


def _write_dictionaries(dictionaries: Mapping[str, bytes], folder: Path) -> dict[str, str]:
    """Write the dictionaries to files: paths by name."""
    paths = {}
    for number, (name, data) in enumerate(dictionaries.items()):
        paths[name] = os.fspath(folder / f"{number}.json.gz")
        Path(paths[name]).write_bytes(data)
    return paths
