"""`python -m core hack --flip`: the smallest change that carries each translation over a border."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends
from core.cli.console import number, output, say, say_if_tty, table
from core.cli.options import parse_settings
from core.errors import InputError, OptionError
from core.hacks import EDITS, EditInput
from core.hacks.flip import LAB, SECONDS, Flip, flip
from core.hacks.robustness import reader
from core.metrics import find_metric
from core.metrics.base import Scorer
from core.types import TextPair

FlipMetric = Annotated[
    str | None,
    typer.Option(
        "--flip",
        help="Search the smallest change of each translation that carries its score under this metric over "
        "that of --other, or over --target.",
    ),
]
Target = Annotated[
    float | None, typer.Option("--target", help="With --flip: the score to cross instead of that of --other.")
]
Shown = Annotated[str, typer.Option("--metric", help="With --flip: further metrics, separated by commas.")]
TimeLimit = Annotated[
    int, typer.Option("--seconds", min=1, help="With --flip: seconds for each translation at most.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipRequest:
    """What is asked of `--flip`. others: further metrics whose scores are shown."""

    metric: str
    others: str
    assignments: Sequence[str] | None
    target: float | None
    seconds: int = SECONDS


def flip_lines(inputs: Sequence[EditInput], asked: FlipRequest, out: Path | None, *, as_json: bool) -> None:
    """Search each line's smallest change and write it as JSON lines or as tables.

    Raises OptionError without a reference or a border, and for a metric that asks a language model.
    """
    settings = parse_settings(f"{asked.metric},{asked.others}", asked.assignments)
    if inputs and inputs[0].reference is None:
        raise OptionError("--flip needs --ref FILE, with one line per line of --hyp.")
    if inputs and inputs[0].other is None and asked.target is None:
        raise OptionError("--flip needs --other FILE or --target SCORE.")
    for name, own in settings.items():
        if find_metric(name).costs or "llm" in own.values():
            raise OptionError("--flip takes no metric that asks a language model ({metric}).", metric=name)
    backends = load_backends(say=say_if_tty)
    pairs = [
        TextPair(reference=one.reference or "", hypothesis=one.text, source=one.source, lang=one.lang)
        for one in inputs
    ]
    scorers = {name: find_metric(name).prepare(own, backends, pairs) for name, own in settings.items()}
    read = reader({need for name in LAB for need in EDITS[name].needs}, backends)
    with output(out) as file:
        for segment, (pair, given) in enumerate(zip(pairs, read(inputs), strict=True)):
            found, problem = _one(pair, given, scorers, asked)
            if as_json:
                file.write(_json_line(segment, found, problem))
            elif found is not None:
                file.write(("\n" if segment else "") + as_table(segment, found))
            if problem is not None:
                say(f"line {segment + 1}: {problem}")


def _one(
    pair: TextPair, given: EditInput, scorers: Mapping[str, Scorer[Any]], asked: FlipRequest
) -> tuple[Flip | None, str | None]:
    """The change of a line, or why there is none."""
    try:
        return (
            flip(pair, given, scorers, metric=asked.metric, target=asked.target, seconds=asked.seconds),
            None,
        )
    except InputError as error:
        return None, str(error)


def _json_line(segment: int, found: Flip | None, problem: str | None) -> str:
    row: dict[str, object] = {"segment": segment}
    row |= {"missing": problem} if found is None else asdict(found)
    return json.dumps(row, ensure_ascii=False) + "\n"


def as_table(segment: int, found: Flip) -> str:
    """The way as a table: what was changed, its size, and every score."""
    names = list(found.steps[0].scores)
    rows = [("change", "size", *names)]
    for step in found.steps:
        told = f"{step.kind}: {step.note}" if step.kind else "(as it was)"
        rows.append((told, str(step.size), *(number(step.scores[name]) for name in names)))
    if found.other:
        rows.append(("(the other translation)", "", *(number(found.other[name]) for name in names)))
    end = "crosses" if found.reached else "does not reach"
    hint = " when the time was up" if found.stopped else ""
    return (
        f"{segment + 1}  {found.steps[-1].text}\n"
        + table(rows, right=range(1, len(names) + 2))
        + f"It {end} {found.metric} {number(found.target)}{hint}; {found.tried} texts scored.\n"
    )
