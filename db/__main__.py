"""The command line of this layer: python -m db migrate | import | export | backup | report | score and more.

Exit status: 0 done; 2 the input is at fault; 1 we or this machine are. An error is one sentence on stderr.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine

from core.cli import agree, honest_exit, parse_metrics, parse_settings, progress_bar
from core.errors import InputError, OptionError, YomikurabeError
from db.access import OPERATOR
from db.backup import backup as copy_database
from db.campaign_cli import change, describe
from db.engine import database_url, make_engine, migrate
from db.export import new_file, read_bundle
from db.formats import FORMATS, get_format
from db.formats.bundle import Format, ReadOptions
from db.load import ImportReport, load_bundle
from db.preview import Preview, preview
from db.queries import DatabaseCalls, find_campaign, new_link
from db.report_cli import report_command
from db.seed import seed_demo

app = typer.Typer(
    help="The database: YOMIKURABE_DB, or a SQLite file in your data folder.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

_LANG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

CampaignName = Annotated[str, typer.Option("--campaign", help="The campaign's name.")]
FormatName = Annotated[
    str, typer.Option("--format", help=" · ".join(f"{n}: {f.about}" for n, f in FORMATS.items()))
]


@app.command("migrate")
def migrate_command(
    demo: Annotated[
        bool, typer.Option("--demo", help="Also load the demo campaigns that are not there yet.")
    ] = False,
) -> None:
    """Make the database, or bring it up to date."""
    engine = ready_engine()
    for name in seed_demo(engine) if demo else ():
        say(f"Loaded the demo “{name}”.")
    say(f"The database {engine.url.render_as_string(hide_password=True)} is up to date.")


@app.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="A file, or a folder where the format has one.")],
    format_name: FormatName,
    campaign: CampaignName,
    source_lang: Annotated[str | None, typer.Option(help="ISO 639-1 code, like en.")] = None,
    target_lang: Annotated[str | None, typer.Option(help="ISO 639-1 code, like ja.")] = None,
    hyp: Annotated[list[str] | None, typer.Option(help="A system's file: NAME=FILE, once for each.")] = None,
    src: Annotated[Path | None, typer.Option(help="The source text, for lines.")] = None,
    ratings: Annotated[Path | None, typer.Option(help="The annotations, for pearmut.")] = None,
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


@app.command("export")
def export_command(
    campaign: CampaignName,
    format_name: FormatName,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it is there.")] = False,
) -> None:
    """Write a campaign with every rating that holds."""
    write = get_format(format_name).write
    if write is None:
        able = ", ".join(name for name, entry in FORMATS.items() if entry.write)
        raise OptionError(f"The format “{format_name}” can only be read; export as {able}.")
    engine = ready_engine()
    bundle = read_bundle(engine, find_campaign(engine, campaign).id)
    with new_file(out, overwrite=force) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        write(bundle, file, out)
    say(f"Wrote {len(bundle.outputs)} translations and {len(bundle.ratings)} ratings to {out}.")
    for note in bundle.notes:
        say(note)


@app.command("backup")
def backup_command(file: Annotated[Path, typer.Argument(help="The new file.")]) -> None:
    """Copy the SQLite database, even while people rate."""
    copy_database(make_engine(database_url()), file)
    say(f"Copied the database to {file}.")


@app.command("campaign")
def campaign_command(
    campaign: CampaignName,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="field=value, such as protocol=esa; may be given again.")
    ] = None,
    state: Annotated[str | None, typer.Option(help="draft, open or closed.")] = None,
) -> None:
    """Show how a campaign is rated and what each rater gets, after changing it."""
    engine = ready_engine()
    change(engine, campaign, assignments or [], state)
    typer.echo(describe(engine, campaign))


app.command("report")(report_command)


@app.command("link")
def link_command(
    role: Annotated[str, typer.Option(help="rater, organiser or teacher.")] = "organiser",
    campaign: Annotated[str | None, typer.Option("--campaign", help="The campaign to rate.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Whose link it is; without a name whoever opens it joins.")
    ] = None,
    part: Annotated[str, typer.Option(help="rater, student or panel.")] = "rater",
) -> None:
    """Make a link by which people come in without a password; it is told only now."""
    engine = ready_engine()
    number = None if campaign is None else find_campaign(engine, campaign).id
    token = new_link(engine, OPERATOR, role=role, campaign_id=number, name=name, part=part)
    typer.echo(f"?k={token}")
    say("Put this after the app's address; it is not stored and cannot be shown again.")


@app.command("score")
@honest_exit
def score_command(
    campaign: CampaignName,
    metric: Annotated[str, typer.Option(help="A metric, or several with commas between.")],
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="metric.option=value; may be given again.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Store the evidence with each score.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask a language model without asking you first.")
    ] = False,
) -> None:
    """Score a campaign's translations and store the scores; those that are there already are kept."""
    from core.backends.loaded import load_backends
    from db.scoring import score_campaign

    settings = parse_settings(assignments or [], parse_metrics(metric))
    engine = ready_engine()
    found = find_campaign(engine, campaign)
    backends = load_backends(calls=DatabaseCalls(engine))
    with progress_bar("scoring") as progress:
        done = score_campaign(
            engine,
            found.id,
            settings,
            backends,
            with_trace=trace,
            progress=progress,
            before=partial(agree, yes=yes),
        )
    say(f"Stored {done.computed} scores ({done.missing} of them missing); {done.kept} were there already.")


def ready_engine() -> Engine:
    """The database, brought up to date."""
    engine = make_engine(database_url())
    migrate(engine)
    return engine


def say(sentence: str) -> None:
    """Tell the person at the terminal; standard output stays free for data."""
    typer.echo(sentence, err=True)


def report(done: ImportReport | Preview) -> None:
    """What an import brought, or would bring."""
    for name in ("segments", "systems", "translations", "ratings", "raters", "empty_outputs"):
        say(f"{name.replace('_', ' '):>14}: {getattr(done, name)}")
    for note in done.notes:
        say(note)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; always ends with SystemExit."""
    try:
        app(args=arguments)
    except YomikurabeError as error:
        say(error.message)
        sys.exit(2 if isinstance(error, InputError) else 1)


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


if __name__ == "__main__":
    main()
