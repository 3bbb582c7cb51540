"""Two answers compared by a metric from outside, such as BLEURT: `compare=external:NAME`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from core.backends import Outsider
from core.backends.external import PREFIX, External, Scored
from core.errors import OptionError
from core.types import TextPair


class OutsideMarks:
    """Asks a metric from outside about pairs of answers, each once.

    Starting such a metric takes long, so pairs that are `announced` are asked about together.
    """

    def __init__(self, metric: External, outsider: Outsider) -> None:
        """OptionError for a metric that cannot compare two answers."""
        if metric.file or "source" in metric.needs:
            raise OptionError(
                "mteqa.compare={name} is not possible: two answers have no source and no line in a file of "
                "scores; choose a command that needs the reference alone.",
                name=PREFIX + metric.name,
            )
        if not metric.low < metric.high:
            raise OptionError(
                "mteqa.compare={name} is not possible: its high must be above its low.",
                name=PREFIX + metric.name,
            )
        self.name = PREFIX + metric.name
        self._metric, self._outsider = metric, outsider
        self._said: dict[TextPair, Scored] = {}
        self._waiting: dict[TextPair, None] | None = None

    def signature(self) -> str:
        """The metric with its fingerprint, in one word."""
        return f"{self.name}@{self._metric.fingerprint}"

    @contextmanager
    def announced(self) -> Iterator[None]:
        """What is compared inside is only noted; at the end all of it is asked about at once."""
        self._waiting = {}
        try:
            yield
            self._ask(list(self._waiting))
        finally:
            self._waiting = None

    def marks(self, answers: Sequence[tuple[str, str]], lang: str) -> list[tuple[float | None, str]]:
        """For each expected and given answer a mark in [0, 1] by the metric's range, or why there is none."""
        pairs = [TextPair(reference=one, hypothesis=other, lang=lang) for one, other in answers]
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._said]
        if self._waiting is not None:
            self._waiting.update(dict.fromkeys(new))
            return [(None, "")] * len(pairs)
        self._ask(new)
        return [self._mark(self._said[pair]) for pair in pairs]

    def _ask(self, pairs: Sequence[TextPair]) -> None:
        if pairs:
            self._said.update(zip(pairs, self._outsider(self._metric, pairs), strict=True))

    def _mark(self, said: Scored) -> tuple[float | None, str]:
        if said.score is None:
            return None, said.missing or ""
        low, high = self._metric.low, self._metric.high
        share = min(max((said.score - low) / (high - low), 0.0), 1.0)
        return share if self._metric.higher_is_better else 1 - share, ""
