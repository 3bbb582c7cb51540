"""`core explain`: one pair, with its trace."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, say_if_tty
from core.cli.options import Assignments, Lang, check_text, parse_settings
from core.codec import encode_result
from core.errors import OptionError
from core.metrics import find_metric
from core.text.pair_files import language
from core.types import Result, TextPair


@exit_on_error
def explain(
    metric: Annotated[str, typer.Option("--metric", help="Metric.")],
    ref: Annotated[str, typer.Option("--ref", help="Reference text.")],
    hyp: Annotated[str, typer.Option("--hyp", help="Translation text.")],
    src: Annotated[str | None, typer.Option("--src", help="Source text.")] = None,
    lang: Lang = "auto",
    assignments: Assignments = None,
) -> None:
    """Score one pair and write the result with its trace as one JSON object."""
    settings = parse_settings(metric, assignments)
    if len(settings) > 1:
        raise OptionError("explain takes one metric, not {metric}; use score for several", metric=metric)
    for option, text in (("--ref", ref), ("--hyp", hyp), ("--src", src or "")):
        check_text(text, option)
    pair = TextPair(reference=ref, hypothesis=hyp, source=src, lang=language(lang, [ref, hyp]))
    ((name, options),) = settings.items()
    scorer = find_metric(name).prepare(options, load_backends(say=say_if_tty), [pair])
    result: Result[Any] = scorer.score(pair)
    with output(None) as file:
        file.write(json.dumps(encode_result(result, with_trace=True), ensure_ascii=False) + "\n")
