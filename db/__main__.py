"""The command line of the database: `python -m db migrate | import | export | score | report | …`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from core.cli.console import confirm_cost, exit_on_error, progress_bar, say
from core.cli.options import Assignments, Fast, MetricNames, Yes, in_fast_format, parse_settings, split_names
from db.campaigns.demos import seed_demo
from db.cli.books import books_command
from db.cli.campaign import change, describe
from db.cli.codes import codes_command
from db.cli.documents import documents_command
from db.cli.files import backup as copy_database
from db.cli.files import (
    export_command,
    export_scores_command,
    import_command,
    import_scores_command,
    take_scores_command,
    verify_command,
)
from db.cli.novel import cast_command, voice_command
from db.cli.options import CampaignName
from db.cli.pointing import pointing_command
from db.cli.report import report_command
from db.cli.study import study_command, study_results_command
from db.engine import database_url, make_engine, ready_engine
from db.permissions import OPERATOR
from db.queries import DatabaseCalls, find_campaign, new_link

app = typer.Typer(
    help="Manage the database: YOMIKURABE_DB, or a SQLite file in your data folder.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.command("import")(import_command)
app.command("export")(export_command)
app.command("take-scores")(take_scores_command)
app.command("export-scores")(export_scores_command)
app.command("import-scores")(import_scores_command)
app.command("verify")(verify_command)
app.command("report")(report_command)
app.command("cast")(cast_command)
app.command("voice")(voice_command)
app.command("pointing")(pointing_command)
app.command("documents")(documents_command)
app.command("books")(books_command)
app.command("study")(study_command)
app.command("study-results")(study_results_command)
app.command("codes")(codes_command)


@app.command("migrate")
@exit_on_error
def migrate_command(
    demo: Annotated[bool, typer.Option("--demo", help="Also load the missing demo campaigns.")] = False,
) -> None:
    """Create the database or migrate it to the current version."""
    engine = ready_engine()
    for name in seed_demo(engine) if demo else ():
        say(f"Loaded the demo “{name}”.")
    say(f"The database {engine.url.render_as_string(hide_password=True)} is up to date.")


@app.command("backup")
@exit_on_error
def backup_command(file: Annotated[Path, typer.Argument(help="File to create.")]) -> None:
    """Copy the SQLite database; raters may continue to work."""
    copy_database(make_engine(database_url()), file)
    say(f"Copied the database to {file}.")


@app.command("campaign")
@exit_on_error
def campaign_command(
    campaign: CampaignName,
    assignments: Annotated[
        list[str] | None, typer.Option("--set", help="Field as FIELD=VALUE, e.g. protocol=esa; repeatable.")
    ] = None,
    scales: Annotated[
        Path | None,
        typer.Option("--scales", help="JSON file of own scales, which each item is also rated on."),
    ] = None,
    errors: Annotated[
        Path | None,
        typer.Option("--errors", help="JSON file of own error categories and severities, for esa and mqm."),
    ] = None,
    state: Annotated[str | None, typer.Option(help="New state: draft, open or closed.")] = None,
) -> None:
    """Change the design or state of a campaign, and show its design and the work per rater."""
    engine = ready_engine()
    change(engine, campaign, assignments or [], state, scales=scales, errors=errors)
    typer.echo(describe(engine, campaign))


@app.command("link")
@exit_on_error
def link_command(
    role: Annotated[str, typer.Option(help="Role: rater, organiser or teacher.")] = "organiser",
    campaign: Annotated[str | None, typer.Option("--campaign", help="Campaign to rate.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Name of the user; without it anyone with the link can join.")
    ] = None,
    part: Annotated[str, typer.Option(help="Group of raters: rater, student or panel.")] = "rater",
) -> None:
    """Create a link for signing in without a password. The link is shown only once."""
    engine = ready_engine()
    number = None if campaign is None else find_campaign(engine, campaign).id
    token = new_link(engine, OPERATOR, role=role, campaign_id=number, name=name, part=part)
    typer.echo(f"?k={token}")
    say("Append this to the address of the app. It is not stored and cannot be shown again.")


@app.command("score")
@exit_on_error
def score_command(
    campaign: CampaignName,
    metric: MetricNames,
    assignments: Assignments = None,
    fast: Fast = False,
    no_trace: Annotated[
        bool, typer.Option("--no-trace", help="Store the scores without their traces, to save space.")
    ] = False,
    _trace: Annotated[bool, typer.Option("--trace", hidden=True)] = False,
    references: Annotated[
        str, typer.Option("--references", help="Further references by name, such as refB,refC.")
    ] = "",
    yes: Yes = False,
) -> None:
    """Score the translations of a campaign and store the scores. Stored scores are not computed again."""
    from core.backends.registry import load_backends
    from db.campaigns.scoring import score_campaign

    settings = parse_settings(metric, assignments)
    settings = in_fast_format(settings) if fast else settings
    engine = ready_engine()
    campaign_id = find_campaign(engine, campaign).id
    backends = load_backends(calls=DatabaseCalls(engine))
    with progress_bar("scoring") as progress:
        done = score_campaign(
            engine,
            campaign_id,
            settings,
            backends,
            with_trace=not no_trace,
            references=split_names(references),
            progress=progress,
            before=partial(confirm_cost, yes=yes),
        )
    say(f"Stored {done.computed} scores ({done.missing} of them missing); {done.kept} existed already.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; always ends with SystemExit."""
    app(args=arguments)


if __name__ == "__main__":
    main()
