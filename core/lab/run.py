"""A run of the lab: every variant of every segment under every metric, each distinct text read once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.backends import Backends, Progress, silent
from core.errors import InputError
from core.lab.table import LabTable
from core.lab.variants import LabSegment, Made, Variant, make
from core.metrics import find_metric
from core.metrics.pooling import Pool, pool_for
from core.pipeline import Request, score_prepared
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
    """Edit, score and count. An exception out of `progress` stops the run.

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
    metrics = tuple(one.metric for one in lab.requests)
    shape = (len(segments), len(lab.variants))
    scores = {metric: np.full(shape, np.nan) for metric in metrics}
    pools: dict[str, list[Pool]] = {metric: [pool_for(metric) for _ in lab.variants] for metric in metrics}
    for place, results in enumerate(score_prepared(pairs, prepared, progress=progress)):
        segment, variant = divmod(place, len(lab.variants))
        for metric, result in zip(metrics, results, strict=True):
            pools[metric][variant].add(result)
            if result.score is not None:
                scores[metric][segment, variant] = result.score
    return LabTable(
        variants=lab.variants,
        metrics=metrics,
        signatures={metric: one.signature for metric, one in zip(metrics, prepared, strict=True)},
        scores=scores,
        pooled={metric: tuple(pool.score for pool in pools[metric]) for metric in metrics},
        made=made,
    )


def texts_of(made: Sequence[Sequence[Made]]) -> int:
    """How many distinct texts a run reads, references apart."""
    return len({one.text for row in made for one in row})
