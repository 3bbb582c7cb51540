"""Simulated reading studies with known effects: how often their 95 % intervals hold the true value.

    python -m benchmarks.reading_studies [--studies 200] [--readers 30] [--seed 1]

Each reader reads two versions, one half in each order, prefers one, gives both a mark on a scale, and
compares eight passages of them. Planted are a preference of .65 at even order, an effect of order, one of the
left side, a tendency of each reader, and on the scale a difference of versions and one of places.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.raters.reading.close import ChunkChoice, close_preferences, left_over_right
from core.raters.reading.preferences import ReaderChoice, pair_preferences, strength_model
from core.raters.reading.scales import ScaleAnswer, scale_models

STRENGTH = math.log(0.65 / 0.35)
"""Log-odds of preferring A to B at even order, of a reader without a tendency."""

ORDER, LEFT = 0.3, 0.2
"""What being read first, and being on the left, adds to the log-odds."""

TENDENCY = 0.8
"""Standard deviation of readers' own log-odds for A."""

DIFFERENCE, LATER, READER_SD, RESIDUAL_SD = 0.5, -0.3, 1.0, 1.0
PASSAGES = 8
HEAD = ("| figure | true value | studies with an interval | share that holds it |", "|---|---|---|---|")


@dataclass(frozen=True)
class Study:
    """What the readers of one simulated study gave."""

    choices: list[ReaderChoice]
    answers: list[ScaleAnswer]
    passages: list[ChunkChoice]


def simulated(rng: np.random.Generator, readers: int) -> Study:
    """One study."""
    study = Study([], [], [])
    for number in range(readers):
        name, order = f"{number}", ("A", "B") if number % 2 else ("B", "A")
        tendency = STRENGTH + TENDENCY * rng.standard_normal()
        first = 1 if order[0] == "A" else -1
        chosen = "A" if rng.random() < _odds(tendency + first * ORDER) else "B"
        study.choices.append(ReaderChoice(reader=name, book="b", order=order, preferred=chosen))
        mood = READER_SD * rng.standard_normal()
        for place, version in enumerate(order, start=1):
            value = mood + DIFFERENCE * (version == "A") + LATER * (place - 1)
            value += RESIDUAL_SD * rng.standard_normal()
            study.answers.append(
                ScaleAnswer(reader=name, book="b", version=version, place=place, question="q", value=value)
            )
        lefts = rng.permutation([1, -1] * (PASSAGES // 2))
        for chunk, left in enumerate(lefts.tolist()):
            sides = ("A", "B") if left == 1 else ("B", "A")
            chosen = "A" if rng.random() < _odds(tendency + left * LEFT) else "B"
            study.passages.append(
                ChunkChoice(
                    reader=name, book="b", chunk=chunk, left=sides[0], right=sides[1], preferred=chosen
                )
            )
    return study


def _odds(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def _marginal(*added: float) -> float:
    """The share of A over readers, and over these effects in equal parts."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(61)
    shares = [weights @ (1 / (1 + np.exp(-(STRENGTH + TENDENCY * nodes + one)))) for one in added]
    return float(np.mean(shares) / weights.sum())


def figures(study: Study) -> Iterator[tuple[str, float, float | None, float | None]]:
    """Each figure with its true value and its interval."""
    (pair,), model = pair_preferences(study.choices), strength_model(study.choices)
    yield "preferred as a whole", _marginal(ORDER, -ORDER), pair.share.low, pair.share.high
    sides = [_logit(_marginal(one)) for one in (ORDER, -ORDER)]
    if model.missing is None:
        (a, _) = model.strengths
        yield "strength (Bradley and Terry)", sum(sides) / 4, a.low, a.high
        yield "read first", (sides[0] - sides[1]) / 2, model.first_low, model.first_high
    (scale,) = scale_models(study.answers)
    if scale.missing is None and scale.later is not None:
        (difference,) = scale.differences
        yield (
            "difference on the scale (mixed model)",
            DIFFERENCE,
            difference.effect.low,
            difference.effect.high,
        )
        yield "one position later (mixed model)", LATER, scale.later.low, scale.later.high
    (close,) = close_preferences(study.passages)
    share = _marginal(LEFT, -LEFT)
    yield "preferred in passages, all choices", share, close.share.low, close.share.high
    yield "preferred in passages, mean over readers", share, close.readers.low, close.readers.high
    left = left_over_right(study.passages)
    yield "the version on the left", (_marginal(LEFT) + 1 - _marginal(-LEFT)) / 2, left.low, left.high


def _logit(p: float) -> float:
    return math.log(p / (1 - p))


def main() -> None:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--readers", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rng, began = np.random.default_rng(given.seed), time.perf_counter()
    held: Counter[str] = Counter()
    known: Counter[str] = Counter()
    true: dict[str, float] = {}
    for _ in range(given.studies):
        for name, value, low, high in figures(simulated(rng, given.readers)):
            true[name] = value
            if low is not None and high is not None:
                known[name] += 1
                held[name] += low <= value <= high
    lines = [
        "| figure | true value | studies with an interval | of these, interval holds it |",
        "|---|---|---|---|",
    ]
    for name, value in true.items():
        lines.append(f"| {name} | {value:.3f} | {known[name]} | {held[name] / max(known[name], 1):.3f} |")
    seconds = time.perf_counter() - began
    lines.append(f"{given.studies} studies of {given.readers} readers, seed {given.seed}: {seconds:.0f} s")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
