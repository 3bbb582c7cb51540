"""The metrics by name, written out by hand: the order is the order in which they are shown."""

from __future__ import annotations

from typing import Any

from core.errors import OptionError
from core.metrics.bertscore import BERTSCORE
from core.metrics.gemba_options import GEMBA_DA, GEMBA_MQM
from core.metrics.mteqa_options import MTEQA
from core.metrics.reading_options import BERTSCORE_READING
from core.metrics.sentence import SENTENCE_COSINE
from core.metrics.spec import Spec
from core.metrics.structure_options import STRUCTURE_CON, STRUCTURE_DEP
from core.metrics.subspace import SUBSPACE
from core.metrics.surface import BLEU, CHRF

METRICS: dict[str, Spec[Any]] = {
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

TRACES: dict[str, type[Any]] = {spec.trace.__name__: spec.trace for spec in METRICS.values()}


def find_metric(name: str) -> Spec[Any]:
    """The metric of that name; OptionError names those that exist."""
    if name not in METRICS:
        raise OptionError(f"There is no metric {name}; choose among {', '.join(METRICS)}", metric=name)
    return METRICS[name]
