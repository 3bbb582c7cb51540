"""The metrics by name, written out by hand: the order is the order in which they are shown."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.attribution import Attribution, attribute_whole
from core.backends.external import PREFIX, externals
from core.errors import InputError, OptionError
from core.metrics.base import Metric
from core.metrics.bertscore.metric import BERTSCORE
from core.metrics.documents import DOCUMENT_METRICS
from core.metrics.edit_rate import TER
from core.metrics.external import ExternalTrace, external_spec, spec_of
from core.metrics.gemba.metric import GEMBA_DA, GEMBA_MQM
from core.metrics.mteqa.metric import MTEQA
from core.metrics.reading import BERTSCORE_READING
from core.metrics.references import ReferencesTrace
from core.metrics.sentence import SENTENCE_COSINE
from core.metrics.structure.metric import STRUCTURE_CON, STRUCTURE_DEP
from core.metrics.subspace import SUBSPACE
from core.metrics.surface import BLEU, CHRF
from core.types import Result

METRICS: dict[str, Metric[Any]] = {
    "bleu": BLEU,
    "chrf": CHRF,
    "ter": TER,
    "bertscore": BERTSCORE,
    "subspace": SUBSPACE,
    "bertscore-reading": BERTSCORE_READING,
    "structure-dep": STRUCTURE_DEP,
    "structure-con": STRUCTURE_CON,
    "mteqa": MTEQA,
    "gemba-mqm": GEMBA_MQM,
    "gemba-da": GEMBA_DA,
    "sentence-cosine": SENTENCE_COSINE,
}

TRACES: dict[str, type[Any]] = {
    trace.__name__: trace
    for trace in (
        *(spec.trace for spec in METRICS.values()),
        *(spec.trace for spec in DOCUMENT_METRICS.values()),
        ExternalTrace,
        ReferencesTrace,
    )
}


def known_metrics() -> dict[str, Metric[Any]]:
    """Our metrics, and those from outside that are described on this machine."""
    return METRICS | {PREFIX + name: spec_of(metric) for name, metric in externals().items()}


def digits_of(name: str) -> int:
    """Decimals in which a metric's scores are shown; three for scores of an unknown metric."""
    return METRICS[name].digits if name in METRICS else 3


def find_metric(name: str) -> Metric[Any]:
    """The metric of that name, `external:NAME` among them; OptionError names those that exist."""
    if name.startswith(PREFIX):
        return external_spec(name)
    if name not in METRICS:
        if name in DOCUMENT_METRICS:
            raise OptionError(
                "{metric} scores whole documents, not pairs; use core documents, or db documents for a "
                "campaign.",
                metric=name,
            )
        near = get_close_matches(name.lower(), METRICS, n=1, cutoff=0.7)
        if near:
            raise OptionError(
                "There is no metric {metric}; did you mean {near}? Choose among {metrics}",
                metric=name,
                near=near[0],
                metrics=", ".join(METRICS),
            )
        raise OptionError(
            "There is no metric {metric}; choose among {metrics}", metric=name, metrics=", ".join(METRICS)
        )
    return METRICS[name]


def attribute(before: Result[Any], after: Result[Any]) -> Attribution:
    """The contributions that lead from one result to the other; they add up to the difference of the scores.

    Raises InputError for results that are not of one metric with the same signature, or that have no score.
    """
    if (before.metric, before.signature) != (after.metric, after.signature):
        raise InputError("Only scores of one metric with the same signature can be compared step by step.")
    if before.score is None or after.score is None or before.trace is None or after.trace is None:
        raise InputError("A score is missing, so there are no steps from one to the other.")
    metric = METRICS.get(before.metric)
    whole = metric is None or isinstance(before.trace, ReferencesTrace)
    attribution = attribute_whole if whole or metric is None else metric.attribute
    contributions = attribution(before.trace, after.trace)
    return Attribution(
        metric=before.metric, before=before.score, after=after.score, contributions=tuple(contributions)
    )


def evidence(result: Result[Any], text: str) -> NDArray[np.float64] | None:
    """(characters,) how much the metric finds wrong at each character of the translation that it scored.

    Of several references it is the best one's, or the mean, as the score is. None for a metric that says
    nothing of single places, and without a score.
    """
    metric, trace = METRICS.get(result.metric), result.trace
    if metric is None or metric.evidence is None or trace is None or result.score is None:
        return None
    if not isinstance(trace, ReferencesTrace):
        return metric.evidence(trace, text)
    if trace.rule == "max":
        return metric.evidence(trace.traces[trace.best], text)
    found = [metric.evidence(one, text) for one in trace.traces]
    known = [one for one in found if one is not None]
    return np.asarray(np.mean(known, axis=0), np.float64) if len(known) == len(found) else None
