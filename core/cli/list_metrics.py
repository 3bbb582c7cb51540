"""`core list`: all metrics with their options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.backends.registry import why_not
from core.cli.console import exit_on_error, output, table
from core.cli.options import AsJson
from core.metrics import known_metrics
from core.metrics.base import Metric
from core.metrics.documents import DOCUMENT_METRICS
from core.metrics.documents.base import DocumentMetric


@exit_on_error
def list_metrics(as_json: AsJson = False) -> None:
    """List all metrics with range, direction, requirements, options and availability.

    Those that score whole documents are for core documents.
    """
    every: list[Metric[Any] | DocumentMetric[Any]] = [*known_metrics().values(), *DOCUMENT_METRICS.values()]
    rows = [_describe(metric) for metric in every]
    with output(None) as file:
        file.write(f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n" if as_json else _as_text(rows))


def _as_text(rows: Sequence[dict[str, Any]]) -> str:
    """A line for each metric, followed by a line for each of its options."""
    heads = table([(row["name"], _summary(row)) for row in rows]).splitlines()
    lines = []
    for head, row in zip(heads, rows, strict=True):
        lines.append(head)
        for option in row["options"]:
            offered = [*option["choices"], *([f"{option['also']}NAME"] if option["also"] else [])]
            choices = f" ({' or '.join(offered)})" if offered else ""
            lines.append(f"    {option['name']}={option['default']}: {option['summary']}{choices}")
    return "\n".join(lines) + "\n"


def _summary(row: dict[str, Any]) -> str:
    state = "available" if row["available"] else f"not available: {row['why_not']}"
    better = "higher" if row["higher_is_better"] else "lower"
    needs = f"; needs: {', '.join(row['needs'])}" if row["needs"] else ""
    high = "" if row["high"] is None else f"{row['high']:g}"
    scored = "; a score a document" if row["scores"] == DOCUMENTS else ""
    return f"{row['summary']}{scored}; {row['low']:g}…{high}, {better} is better{needs} ({state})"


PAIRS, DOCUMENTS = "pairs", "documents"
"""What a metric scores."""


def _describe(metric: Metric[Any] | DocumentMetric[Any]) -> dict[str, Any]:
    """The metric as --json writes it."""
    lacking = why_not(metric.needs)
    return {
        "name": metric.name,
        "summary": metric.summary,
        "scores": DOCUMENTS if isinstance(metric, DocumentMetric) else PAIRS,
        "needs": list(metric.needs),
        "low": metric.low,
        "high": metric.high,
        "higher_is_better": metric.higher_is_better,
        "paper": metric.paper,
        "source": metric.source.as_json() if metric.source else None,
        "available": lacking is None,
        "why_not": lacking,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "also": option.also,
                "summary": option.summary,
            }
            for option in metric.options
        ],
    }
