"""The command line of this layer: python -m db migrate | import | export | verify | report | score and more.

Exit status: 0 done; 2 the input is at fault; 1 we or this machine are. An error is one sentence on stderr.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from core.cli.console import confirm_cost, exit_on_error, parse_metrics, parse_settings, progress_bar
from core.errors import InputError, YomikurabeError
from db.backup import backup as copy_database
from db.campaigns.load import seed_demo
from db.cli.campaign import change, describe
from db.cli.console import say
from db.cli.files import export_command, import_command, take_scores_command, verify_command
from db.cli.report import report_command
from db.engine import database_url, make_engine, ready_engine
from db.permissions import OPERATOR
from db.queries import DatabaseCalls, find_campaign, new_link

app = typer.Typer(
    help="The database: YOMIKURABE_DB, or a SQLite file in your data folder.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

CampaignName = Annotated[str, typer.Option("--campaign", help="The campaign's name.")]

app.command("import")(import_command)
app.command("export")(export_command)
app.command("take-scores")(take_scores_command)
app.command("verify")(verify_command)
app.command("report")(report_command)


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
@exit_on_error
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
    from core.backends.registry import load_backends
    from db.campaigns.scoring import score_campaign

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
            before=partial(confirm_cost, yes=yes),
        )
    say(f"Stored {done.computed} scores ({done.missing} of them missing); {done.kept} were there already.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; always ends with SystemExit."""
    try:
        app(args=arguments)
    except YomikurabeError as error:
        say(error.message)
        sys.exit(2 if isinstance(error, InputError) else 1)


if __name__ == "__main__":
    main()
