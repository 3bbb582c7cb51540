"""The metrics by name, written out by hand: the order is the order in which they are shown."""

from __future__ import annotations

from typing import Any

from core.backends.external import PREFIX, externals
from core.errors import OptionError
from core.metrics.base import Metric
from core.metrics.bertscore.metric import BERTSCORE
from core.metrics.external import ExternalTrace, external_spec, spec_of
from core.metrics.gemba.metric import GEMBA_DA, GEMBA_MQM
from core.metrics.mteqa.metric import MTEQA
from core.metrics.reading import BERTSCORE_READING
from core.metrics.sentence import SENTENCE_COSINE
from core.metrics.structure.metric import STRUCTURE_CON, STRUCTURE_DEP
from core.metrics.subspace import SUBSPACE
from core.metrics.surface import BLEU, CHRF

METRICS: dict[str, Metric[Any]] = {
    "bleu": BLEU,
    "chrf": CHRF,
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
    trace.__name__: trace for trace in (*(spec.trace for spec in METRICS.values()), ExternalTrace)
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
        raise OptionError(f"There is no metric {name}; choose among {', '.join(METRICS)}", metric=name)
    return METRICS[name]
