"""Options shared by the commands of core and db, and their parsing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import glob
from pathlib import Path
from typing import Annotated, TypeVar

from typer import Option

from core.backends.encoder.openvino_engine import fastest_precision
from core.cli.console import say
from core.errors import OptionError
from core.metrics import METRICS, find_metric

T = TypeVar("T", bound=str)

MetricNames = Annotated[str, Option("--metric", help="Metric; separate several with commas.")]
Assignments = Annotated[
    list[str] | None, Option("--set", help="Metric option as METRIC.OPTION=VALUE; repeatable.")
]
Lang = Annotated[str, Option("--lang", help="Language of the texts: an ISO 639-1 code, or auto.")]
RefFile = Annotated[Path, Option("--ref", help="Reference file, one segment per line.")]
HypFile = Annotated[Path, Option("--hyp", help="Translation file, one segment per line.")]
RefFiles = Annotated[
    list[Path] | None,
    Option("--ref", help="Reference file, one segment per line; repeatable. - is standard input."),
]
HypFiles = Annotated[
    list[str] | None,
    Option(
        "--hyp",
        help="Translation file: FILE, NAME=FILE or a pattern such as 'out/*.txt'; once for each system.",
    ),
]
SrcFile = Annotated[Path | None, Option("--src", help="Source file, one segment per line.")]
OutFile = Annotated[Path | None, Option("--out", help="Output file.", show_default="standard output")]
AsJson = Annotated[bool, Option("--json", help="Write JSON.")]
WithTrace = Annotated[bool, Option("--trace", help="Include the trace of each score.")]
Fast = Annotated[bool, Option("--fast", help="Faster: encoders compute in bfloat16 where the processor can.")]
Yes = Annotated[bool, Option("--yes", help="Skip the cost confirmation.")]
Seed = Annotated[int, Option("--seed", min=0, help="Random seed.")]

People = Annotated[
    str, Option("--people", help="Human scores: a .seg.score file, or with --folder their name.")
]
Folder = Annotated[Path | None, Option("--folder", help="Test set folder in mt-metrics-eval layout.")]
LanguagePair = Annotated[str | None, Option("--pair", help="Language pair in --folder, e.g. en-ja.")]
Documents = Annotated[
    Path | None, Option("--documents", help="The .docs file: domain, tab and document per segment.")
]
Domain = Annotated[str | None, Option("--domain", help="Use only the segments of this domain.")]


def parse_metrics(names: str) -> list[str]:
    """`bleu,chrf` -> the metrics in that order, each once. Raises OptionError for unknown names and none."""
    metrics = dict.fromkeys(split_names(names))
    if not metrics:
        raise OptionError("--metric is empty; choose from {metrics}", metrics=", ".join(METRICS))
    return [find_metric(name).name for name in metrics]


def parse_settings(names: str, assignments: Sequence[str] | None) -> dict[str, dict[str, str]]:
    """The options of each metric, in the order of --metric.

    names: the value of --metric.
    assignments: the values of --set: `metric.option=value`, or `option=value` with a single metric.

    Raises OptionError for other forms and unknown metrics.
    """
    return assign(parse_metrics(names), assignments)


def assign(metrics: Sequence[str], assignments: Sequence[str] | None) -> dict[str, dict[str, str]]:
    """The options of each of these metrics. Raises OptionError as `parse_settings`."""
    settings: dict[str, dict[str, str]] = {metric: {} for metric in metrics}
    for assignment in assignments or ():
        target, equals, value = assignment.partition("=")
        metric, dot, option = target.rpartition(".")
        if not dot and len(settings) == 1:
            (metric,) = settings
        if not equals or not option or metric not in settings:
            raise OptionError(
                "--set {assignment}: write METRIC.OPTION=VALUE, where METRIC is in --metric ({settings})",
                assignment=assignment,
                settings=", ".join(settings),
            )
        settings[metric][option] = value
    return settings


def in_fast_format(settings: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    """The settings with the fastest number format of this processor, wherever a metric has one unnamed."""
    precision = fastest_precision()
    if precision == "auto":
        say("This processor has no instructions for bfloat16, so --fast changes nothing.")
    found = {}
    for metric, options in settings.items():
        has = any(one.name == "precision" for one in find_metric(metric).options)
        found[metric] = ({"precision": precision} if has else {}) | dict(options)
    return found


def split_names(names: str) -> list[str]:
    """`a, b` -> ["a", "b"]; empty names are left out."""
    return [name.strip() for name in names.split(",") if name.strip()]


def reference_files(files: Sequence[Path] | None) -> tuple[Path, list[Path]]:
    """The file of the first references and those of further ones. Raises OptionError without any."""
    if not files:
        raise OptionError("{option} is missing.", option="--ref")
    return files[0], list(files[1:])


def system_files(hyps: Sequence[str]) -> dict[str, Path]:
    """FILE, NAME=FILE or a pattern … -> files by the systems' names; without a name that of the file.

    Raises OptionError for a name that is given twice, and for a pattern that no file matches.
    """
    files: dict[str, Path] = {}
    for one in (path for given in hyps for path in _matching(given)):
        name, equals, path = one.partition("=")
        if not equals or Path(one).exists():
            name, path = Path(one).name, one
        if not name.strip() or not path:
            raise OptionError("--hyp {one}: write FILE or NAME=FILE.", one=one)
        if name in files:
            raise OptionError("--hyp {name} is repeated; give each system a name: NAME=FILE.", name=name)
        files[name] = Path(path)
    return files


def _matching(given: str) -> list[str]:
    """The files of a pattern, in the order of their names; anything else as it is."""
    if Path(given).exists() or not any(mark in given for mark in "*?["):
        return [given]
    found = sorted(glob(given))
    if not found:
        raise OptionError("--hyp {given}: no file has such a name.", given=given)
    return found


def named_files(assignments: Sequence[str], option: str, *, form: str = "NAME=FILE") -> dict[str, Path]:
    """NAME=FILE … -> files by name. Raises OptionError for another form and for a repeated name."""
    files: dict[str, Path] = {}
    for assignment in assignments:
        name, equals, path = assignment.partition("=")
        if not equals or not name.strip() or not path:
            raise OptionError(
                "{option} {assignment}: write {form}.", option=option, assignment=assignment, form=form
            )
        if name in files:
            raise OptionError(
                "{option} {name} is repeated; give one file per name.", option=option, name=name
            )
        files[name] = Path(path)
    return files


def choose(option: str, value: str, choices: Sequence[T]) -> T:
    """The choice that equals `value`. Raises OptionError with the choices for any other value."""
    for choice in choices:
        if value == choice:
            return choice
    raise OptionError(
        "{option} {value:.40}: choose from {choices}.", option=option, value=value, choices=", ".join(choices)
    )


def check_text(text: str, option: str) -> None:
    """Raises OptionError for text from the command line that is not valid UTF-8."""
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise OptionError("{option} is not valid UTF-8; put the text in a file and use score", option=option)


def in_domain(domain: str | None, documents: Sequence[tuple[str, str]]) -> list[bool]:
    """Whether each segment belongs to the domain; always True without a domain.

    documents: domain and document of each segment. Raises OptionError for an unknown domain.
    """
    domains = sorted({name for name, _ in documents if name})
    if domain is not None and domain not in domains:
        raise OptionError(f"There is no domain {domain}; choose from {', '.join(domains) or '(none)'}.")
    return [domain in (None, name) for name, _ in documents]
