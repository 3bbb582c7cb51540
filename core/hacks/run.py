"""A run of the lab: every variant of every segment under every metric, each distinct text read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Backends, Progress, silent
from core.errors import InputError
from core.hacks.robustness import LabTable
from core.hacks.variants import LabSegment, Made, Variant, make
from core.metrics import find_metric
from core.metrics.pooling import Pool, pool_for
from core.scoring import Request, score_prepared
from core.types import TextPair


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """What is asked of a run. seed: of the edits."""

    variants: tuple[Variant, ...]
    requests: tuple[Request, ...]
    seed: int = 0


def run_lab(
    segments: Sequence[LabSegment], lab: Lab, backends: Backends, *, progress: Progress = silent
) -> LabTable:
    """The whole table; see `tables_of_lab`."""
    for table in tables_of_lab(segments, lab, backends, progress=progress):
        found = table
    return found


def tables_of_lab(
    segments: Sequence[LabSegment], lab: Lab, backends: Backends, *, progress: Progress = silent
) -> Iterator[LabTable]:
    """Edit, score and count; yields the table so far after each segment: stop whenever you like.

    A segment's variants are scored one after the other, so that its reference and their common words are read
    once. Raises InputError without segments or variants, OptionError for unknown edits and metrics.
    """
    if not segments or not lab.variants or not lab.requests:
        raise InputError("Choose at least one segment, one system and one metric.")
    made = make(segments, lab.variants, backends, seed=lab.seed)
    pairs = [
        TextPair(reference=segment.reference, hypothesis=one.text, source=segment.source, lang=segment.lang)
        for segment, texts in zip(segments, made, strict=True)
        for one in texts
    ]
    prepared = [find_metric(one.metric).prepare(one.settings, backends, pairs) for one in lab.requests]
    signatures = {one.metric: ready.signature for one, ready in zip(lab.requests, prepared, strict=True)}
    scores = {metric: np.full((len(segments), len(lab.variants)), np.nan) for metric in signatures}
    pools: dict[str, list[Pool]] = {metric: [pool_for(metric) for _ in lab.variants] for metric in signatures}
    for place, results in enumerate(score_prepared(pairs, prepared, progress=progress)):
        segment, variant = divmod(place, len(lab.variants))
        for metric, result in zip(signatures, results, strict=True):
            pools[metric][variant].add(result)
            if result.score is not None:
                scores[metric][segment, variant] = result.score
        if variant == len(lab.variants) - 1:
            yield LabTable(
                variants=lab.variants,
                metrics=tuple(signatures),
                signatures=signatures,
                scores={metric: rows[: segment + 1].copy() for metric, rows in scores.items()},
                pooled={metric: tuple(pool.score for pool in pools[metric]) for metric in signatures},
                parts={metric: tuple(pool.parts for pool in pools[metric]) for metric in signatures},
                made=made[: segment + 1],
            )


def texts_of(made: Sequence[Sequence[Made]]) -> int:
    """How many distinct texts a run reads, references apart."""
    return len({one.text for row in made for one in row})
