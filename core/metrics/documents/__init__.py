"""The metrics of whole documents by name, in the order in which they are shown."""

from __future__ import annotations

from typing import Any

from core.errors import OptionError
from core.metrics.documents.base import DocumentMetric
from core.metrics.documents.blonde import BLONDE, DBLONDE
from core.metrics.documents.consistency import CONSISTENCY
from core.metrics.documents.voice import VOICE

DOCUMENT_METRICS: dict[str, DocumentMetric[Any]] = {
    one.name: one for one in (CONSISTENCY, VOICE, BLONDE, DBLONDE)
}


def find_document_metric(name: str) -> DocumentMetric[Any]:
    """The metric of documents of that name. OptionError names those that exist."""
    if name not in DOCUMENT_METRICS:
        raise OptionError(
            "There is no metric of documents {metric}; choose among {metrics}.",
            metric=name,
            metrics=", ".join(DOCUMENT_METRICS),
        )
    return DOCUMENT_METRICS[name]
