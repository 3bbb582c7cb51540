"""`python -m core compare`: systems side by side, with intervals and paired tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends
from core.cli.console import confirm_cost, exit_on_error, output, progress_bar, say_if_tty, table
from core.cli.options import (
    AsJson,
    Assignments,
    HypFiles,
    Lang,
    MetricNames,
    RefFiles,
    Seed,
    SrcFile,
    Yes,
    parse_settings,
    reference_files,
    system_files,
)
from core.errors import OptionError
from core.metaeval.comparison import SEED, SystemComparison, compare_systems
from core.metrics import digits_of, find_metric
from core.scoring import score_prepared
from core.text.pair_files import PairFiles
from core.types import Result


@exit_on_error
def compare(
    metric: MetricNames,
    ref: RefFiles = None,
    hyp: HypFiles = None,
    src: SrcFile = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
    as_json: AsJson = False,
    latex: Annotated[bool, typer.Option("--latex", help="Write a LaTeX table.")] = False,
    seed: Seed = SEED,
    yes: Yes = False,
) -> None:
    """Compare systems: scores with 95 % intervals, paired bootstrap and approximate randomization.

    BLEU, chrF and TER are corpus scores; of other metrics the mean over the segments counts.
    """
    (reference, more), files = reference_files(ref), system_files(hyp or ())
    if len(files) < 2:
        raise OptionError("compare needs two systems or more; give --hyp once for each.")
    settings = parse_settings(metric, assignments)
    pairs = {
        name: list(PairFiles(reference, path, src, lang, more_refs=more)) for name, path in files.items()
    }
    every = [pair for listed in pairs.values() for pair in listed]
    backends = load_backends(say=say_if_tty)
    scorers = [find_metric(name).prepare(given, backends, every) for name, given in settings.items()]
    confirm_cost(scorers, every, yes=yes)
    with progress_bar("scoring") as progress:
        rows = list(score_prepared(every, scorers, progress=progress))
    found = []
    for column, name in enumerate(settings):
        results: dict[str, Sequence[Result[Any]]] = {}
        for place, system in enumerate(pairs):
            size = len(pairs[system])
            results[system] = [row[column] for row in rows[place * size : (place + 1) * size]]
        found.append(compare_systems(name, results, seed=seed))
    with output(None) as file:
        if as_json:
            file.write(json.dumps([asdict(one) for one in found], ensure_ascii=False, indent=1) + "\n")
        elif latex:
            file.write(as_latex(found))
        else:
            file.write("\n".join(_text(one) for one in found))


def _text(found: SystemComparison) -> str:
    digits, best = digits_of(found.metric), found.best()
    kind = "corpus score" if found.counted else "mean"
    systems = [
        (
            f"{one.system}{' *' if one.system in best else ''}",
            _number(one.score, digits),
            _interval(one.low, one.high, digits),
        )
        for one in found.systems
    ]
    tests = [
        (
            f"{one.first} – {one.second}",
            _number(one.difference, digits),
            _interval(one.low, one.high, digits),
            f"{one.p:.4f}",
            f"{one.wins} / {one.losses} / {one.ties}",
        )
        for one in found.tests
    ]
    return (
        f"{found.metric}: {kind}, {found.n} segments, {found.signature}\n"
        + table([("system", kind, "95 %"), *systems], right={1})
        + "* the first, and what does not differ from it at p < .05\n"
        + table([("pair", "difference", "95 %", "p", "wins / losses / ties"), *tests], right={1, 3})
    )


def as_latex(found: Sequence[SystemComparison]) -> str:
    """A booktabs table: systems as rows, metrics as columns, what is not worse than the best in bold."""
    systems = [one.system for one in found[0].systems]
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(found)}}}",
        "\\toprule",
        " & ".join(["System", *(_tex(one.metric) for one in found)]) + " \\\\",
        "\\midrule",
    ]
    for system in systems:
        cells = []
        for one in found:
            score = next(row.score for row in one.systems if row.system == system)
            shown = _number(score, digits_of(one.metric)).replace("−", "-")
            cells.append(f"\\textbf{{{shown}}}" if system in one.best() else shown)
        lines.append(" & ".join([_tex(system), *cells]) + " \\\\")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def _tex(text: str) -> str:
    special = {char: f"\\{char}" for char in "&%$#_{}"}
    special |= {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    return "".join(special.get(char, char) for char in text)


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _interval(low: float | None, high: float | None, digits: int) -> str:
    return "–" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"
