"""Marked translations from an MQM file, and what metrics say of their characters."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends, Progress, silent
from core.errors import FileError
from core.metaeval.pointing import MarkedText
from core.metrics import evidence, find_metric
from core.raters.mqm_rows import MqmRow, is_clean, ours, read_mqm_rows, unmarked
from core.raters.protocols import WEIGHTS, MarkedSpan
from core.scoring import score_prepared
from core.types import TextPair

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPair:
    """A translation with its reference, without a language yet, and one rater's marks in it.

    segment: its document and number.
    """

    segment: tuple[str, str]
    reference: str
    source: str | None
    marked: MarkedText

    def pair(self, lang: str) -> TextPair:
        """What a metric scores."""
        return TextPair(reference=self.reference, hypothesis=self.marked.text, source=self.source, lang=lang)


def read_marked(path: Path, reference: str | None = None) -> list[MarkedPair]:
    """Every rating of a file whose translation has a reference.

    reference: the system whose translations are the references, and which is no system then; without it the
    references are in the metadata of the rows. Raises FileError where none is found.
    """
    rows = list(read_mqm_rows(path))
    texts = {(row.document, row.number, row.system): unmarked(row.target)[0] for row in rows}
    found: dict[tuple[str, str, str, str], tuple[str, MqmRow, list[MarkedSpan]]] = {}
    for row in rows:
        given = _reference(row) if reference is None else texts.get((row.document, row.number, reference))
        if row.rater == "" or row.system == reference or not given:
            continue
        key = (row.document, row.number, row.system, row.rater)
        spans = found.setdefault(key, (given, row, []))[2]
        span, severity = unmarked(row.target)[1], row.severity.strip().lower()
        if span and severity in WEIGHTS and not (is_clean(row.category) or is_clean(row.severity)):
            spans.append(MarkedSpan(*span, severity, ours(row.category)))
    if not found:
        raise FileError(path, "names no reference; choose the system that is one with --reference.")
    return [
        MarkedPair(
            segment=key[:2],
            reference=given,
            source=unmarked(row.source)[0] or None,
            marked=MarkedText(
                text=texts[key[:3]], document=row.document, item=key[:3], rater=row.rater, spans=spans
            ),
        )
        for key, (given, row, spans) in found.items()
    ]


def _reference(row: MqmRow) -> str:
    """The first reference in a row's metadata; empty without."""
    with suppress(ValueError, KeyError, TypeError, AttributeError):
        about = json.loads(row.last) if row.as_json else {}
        segment = about["segment"]
        texts = segment["references"]
        return str(texts[segment.get("primary_reference") or next(iter(texts))])
    return ""


def sampled(pairs: Sequence[MarkedPair], segments: int | None, *, seed: int = 0) -> list[MarkedPair]:
    """The ratings of so many segments, drawn at random; all of them where there are no more, or for None."""
    names = list(dict.fromkeys(one.segment for one in pairs))
    if segments is None or segments >= len(names):
        return list(pairs)
    kept = set(random.Random(seed).sample(names, segments))  # nosec B311  # a drawing by seed
    return [one for one in pairs if one.segment in kept]


def evidence_of(
    pairs: Sequence[TextPair],
    settings: Mapping[str, Mapping[str, str]],
    backends: Backends,
    *,
    progress: Progress = silent,
) -> dict[str, list[Floats | None]]:
    """What each metric says of the characters of each translation; a pair that comes twice is scored once.

    settings: the options of each metric. Raises OptionError for an unknown metric or option.
    """
    different = list(dict.fromkeys(pairs))
    scorers = [find_metric(name).prepare(own, backends, different) for name, own in settings.items()]
    rows = score_prepared(different, scorers, progress=progress)
    found = {
        pair: [evidence(one, pair.hypothesis) for one in results]
        for pair, results in zip(different, rows, strict=True)
    }
    return {name: [found[pair][column] for pair in pairs] for column, name in enumerate(settings)}
