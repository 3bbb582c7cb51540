"""Files in and out of the database: `python -m db import | export | take-scores | verify`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from core.errors import OptionError
from db.campaigns import verify
from db.campaigns.export import read_bundle, writable, write_bundle
from db.campaigns.load import ImportReport, Preview, load_bundle, preview
from db.campaigns.score_files import import_scores, metric_scores
from db.cli.console import say
from db.engine import ready_engine
from db.formats import FORMATS, get_format
from db.formats.bundle import Format, ReadOptions
from db.formats.draft import SCALES
from db.formats.scores import RATINGS
from db.permissions import OPERATOR
from db.queries import find_campaign

_LANG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

CampaignName = Annotated[str, typer.Option("--campaign", help="The campaign's name.")]
FormatName = Annotated[
    str, typer.Option("--format", help=" · ".join(f"{n}: {f.about}" for n, f in FORMATS.items()))
]


def import_command(
    file: Annotated[Path, typer.Argument(help="A file, or a folder where the format has one.")],
    format_name: FormatName,
    campaign: CampaignName,
    source_lang: Annotated[str | None, typer.Option(help="ISO 639-1 code, like en.")] = None,
    target_lang: Annotated[str | None, typer.Option(help="ISO 639-1 code, like ja.")] = None,
    hyp: Annotated[list[str] | None, typer.Option(help="A system's file: NAME=FILE, once for each.")] = None,
    src: Annotated[Path | None, typer.Option(help="The source text, for lines.")] = None,
    ratings: Annotated[Path | None, typer.Option(help="Ratings in a file of their own.")] = None,
    ratings_format: Annotated[
        str | None, typer.Option(help=f"Of --ratings: {', '.join(RATINGS)}; told by its shape.")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(help=f"Of the scores: {', '.join(SCALES)}; needed where they could be on several."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and report; store nothing.")] = False,
) -> None:
    """Read a file into a new campaign: all of it or, when anything is wrong, nothing."""
    file_format = get_format(format_name)
    for lang in (source_lang, target_lang):
        if lang is not None and not _LANG.fullmatch(lang):
            raise OptionError(f"“{lang}” is not a language code; write it like ja.")
    options = ReadOptions(
        source_lang=source_lang,
        target_lang=target_lang,
        source_file=src,
        ratings_file=ratings,
        ratings_format=ratings_format,
        scale=scale,
        hypotheses=tuple(_named_file(pair) for pair in hyp or ()),
    )
    _refuse_unused(format_name, file_format, options)
    say(f"Reading {file} …")
    bundle = file_format.read(file, options)
    if dry_run:
        report(preview(bundle))
        say("Nothing was stored.")
    else:
        report(load_bundle(ready_engine(), bundle, campaign))


def export_command(
    campaign: CampaignName,
    format_name: FormatName,
    out: Annotated[Path, typer.Option(help="The file to write, or the folder where the format is one.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it is there.")] = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="With metrics' scores, for mtme.")] = False,
) -> None:
    """Write a campaign with everything that the format has a place for, and say what it has none for."""
    writable(format_name)
    if metrics and format_name != "mtme":
        raise OptionError(f"The format “{format_name}” has no place for metrics' scores; use mtme.")
    engine = ready_engine()
    campaign_id = find_campaign(engine, campaign).id
    bundle = read_bundle(engine, campaign_id, history=True)
    more = metric_scores(engine, OPERATOR, campaign_id) if metrics else None
    written = write_bundle(bundle, format_name, out, overwrite=force, more=more)
    say(f"Wrote {len(written.outputs)} translations and {len(written.ratings)} ratings to {out}.")
    for note in written.notes:
        say(note)


def take_scores_command(
    file: Annotated[Path, typer.Argument(help="mt-metrics-eval's ….seg.score, or a table, TSV or CSV.")],
    campaign: CampaignName,
    name: Annotated[str, typer.Option("--name", help="The metric will be external:NAME.")],
) -> None:
    """Store the scores of somebody else's metric: all of the file or, when anything is wrong, nothing."""
    engine = ready_engine()
    taken = import_scores(engine, find_campaign(engine, campaign).id, file, name)
    say(f"Stored {taken.stored} scores of external:{name}; {taken.without} translations are not in the file.")


def verify_command(file: Annotated[Path, typer.Argument(help="A campaign's history.")]) -> None:
    """Check the seal on systems' names, and that each rater's order is the seed's; no database is needed."""
    for sentence in verify.sentences(verify.verify(get_format("history").read(file, ReadOptions()))):
        typer.echo(sentence)


def report(done: ImportReport | Preview) -> None:
    """What an import brought, or would bring."""
    for name in ("segments", "systems", "translations", "ratings", "raters", "empty_outputs"):
        say(f"{name.replace('_', ' '):>14}: {getattr(done, name)}")
    for note in done.notes:
        say(note)


def _refuse_unused(name: str, file_format: Format, options: ReadOptions) -> None:
    """Raises OptionError for a further file that the format has no use for."""
    flags = {"hypotheses": "--hyp", "source_file": "--src", "ratings_file": "--ratings"}
    for companion, flag in flags.items():
        if getattr(options, companion) and companion not in file_format.companions:
            raise OptionError(f"The format “{name}” does not take {flag}; leave it out.")


def _named_file(pair: str) -> tuple[str, Path]:
    name, equals, file = pair.partition("=")
    if not (name and equals and file):
        raise OptionError(f"--hyp “{pair}” is not of the form NAME=FILE.")
    return name, Path(file)
