"""`python -m db pointing`: whether metrics find errors where the raters of a campaign mark them."""

from __future__ import annotations

from typing import Annotated

import typer

from core.cli.console import exit_on_error, number, progress_bar, say
from core.cli.options import AsJson, OutFile, Seed, parse_metrics
from core.cli.pointing import write_pointing
from db.campaigns.pointing import ENOUGH, point_campaign
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign


@exit_on_error
def pointing_command(
    campaign: CampaignName,
    metric: Annotated[
        str | None,
        typer.Option("--metric", help="Metric; separate several with commas.", show_default="all"),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Measure whether metrics find errors where the raters of a campaign mark them, from stored traces."""
    metrics = parse_metrics(metric) if metric is not None else []
    engine = ready_engine()
    number_of = find_campaign(engine, campaign).id
    with progress_bar("traces") as progress:
        found = point_campaign(engine, OPERATOR, number_of, metrics=metrics, seed=seed, progress=progress)
    write_pointing(found.figures, out, as_json=as_json)
    for name, share in found.shares.items():
        say(
            f"{name} is left out: it has traces of {number(share)} of the marked translations, "
            f"less than {ENOUGH:g}."
        )
